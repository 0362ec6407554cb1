package gdrproof.report;

import gdrproof.facts.Meta.Unread;
import gdrproof.finding.Finding;
import gdrproof.finding.Severity;
import gdrproof.finding.Silenced;
import gdrproof.finding.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Findings, and what a reader must know beside them.
 *
 * @param findings sorted; violated, inconclusive and suppressed ones
 * @param unread files that could not be read
 * @param idle files, or parts of them, that were read and not judged, such as empty ones
 * @param judged how many objects and files were judged
 * @param limit mildest severity that fails the call; empty where none does
 * @param silenced why the suppressed ones are
 */
public record FindingReport(List<Finding> findings, List<Unread> unread, List<Unread> idle, int judged, Optional<Severity> limit, Map<Finding, Silenced> silenced) {
  public FindingReport {
    findings = List.copyOf(findings);
    unread = List.copyOf(unread);
    idle = List.copyOf(idle);
    silenced = Map.copyOf(silenced);
  }

  /** Findings of a command that ends before it reports where there was nothing to judge. */
  public static FindingReport of(List<Finding> findings) {
    return new FindingReport(findings, List.of(), List.of(), 1, Optional.of(Severity.WARNING), Map.of());
  }

  /** Whether nothing was judged, so that no findings is no good news. */
  boolean nothing() {
    return judged == 0 && findings.isEmpty();
  }

  boolean fails(Finding finding) {
    return finding.verdict() == Verdict.VIOLATED && limit.isPresent() && finding.severity().compareTo(limit.get()) >= 0;
  }

  /** File and line of what was not read. */
  static String place(Unread unread) {
    return unread.file() + (unread.line() > 0 ? ":" + unread.line() : "");
  }
}
