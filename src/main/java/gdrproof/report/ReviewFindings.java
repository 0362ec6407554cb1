package gdrproof.report;

import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.finding.Consequence;
import gdrproof.finding.Finding;
import gdrproof.finding.ReviewResult;
import gdrproof.finding.ReviewResult.Entry;
import gdrproof.finding.RuleInfo;
import gdrproof.finding.Severity;
import gdrproof.finding.Verdict;
import gdrproof.finding.Verification;
import gdrproof.finding.Verification.Criterion;
import gdrproof.finding.Verification.Point;
import java.util.ArrayList;
import java.util.List;

/** A review, or the verification of a change, as findings: for the formats that know nothing of consequences and criteria. */
public final class ReviewFindings {
  private ReviewFindings() {}

  /** Consequences in their order, worst first. */
  public static List<Finding> of(ReviewResult result) {
    return result.entries().stream().map(ReviewFindings::finding).toList();
  }

  private static Finding finding(Entry e) {
    Evidence at = new Evidence(e.file(), e.line(), e.line(), e.column(), e.path(), shown(e), Fact.UNKNOWN, Fact.UNKNOWN, Fact.UNKNOWN);
    String lost = e.notRestored().isEmpty() ? "" : "; going back does not restore: " + String.join("; ", e.notRestored());
    return new Finding(e.rule(), severity(e.consequence()), e.consequence() == Consequence.UNKNOWN ? Verdict.INCONCLUSIVE : Verdict.VIOLATED, at,
        e.consequence() + ": " + e.message() + " (hits: " + e.blastRadius() + ")" + lost);
  }

  private static String shown(Entry e) {
    return e.before().equals(e.after()) ? e.after() : e.before() + " -> " + e.after();
  }

  /** What the API refuses, what nobody supports and what takes resources away breaks something; a benign change is a note. */
  static Severity severity(Consequence consequence) {
    return switch (consequence) {
      case FORBIDDEN, UNSUPPORTED, RESOURCE_GONE -> Severity.ERROR;
      case NEEDS_REBOOT, NEEDS_DRAIN, NEEDS_MANUAL_STEP, RISKY, SILENT -> Severity.WARNING;
      case BENIGN, UNKNOWN -> Severity.INFO;
    };
  }

  /** Criteria that are violated or not proven; those that are met are no findings. */
  public static List<Finding> of(Verification result) {
    List<Finding> findings = new ArrayList<>();
    for (Criterion criterion : result.criteria()) {
      if (criterion.points().isEmpty() && criterion.verdict() == Verdict.INCONCLUSIVE) {
        findings.add(new Finding(unproven(criterion), criterion.required() ? Severity.WARNING : Severity.INFO, Verdict.INCONCLUSIVE, Evidence.of(".", 0, ""),
            criterion.title() + ": not proven; would show it: " + criterion.ask()));
      }
      for (Point point : criterion.points()) {
        if (point.verdict() == Verdict.VIOLATED || point.verdict() == Verdict.INCONCLUSIVE) {
          Evidence at = point.places().isEmpty() ? Evidence.of(".", 0, "") : point.places().get(0);
          findings.add(new Finding(point.rule(), point.rule().severity(), point.verdict(), at, criterion.title() + " (" + criterion.action() + "): " + point.message()));
        }
      }
    }
    return findings;
  }

  /** No rule says anything of a criterion that nothing was measured for. */
  private static RuleInfo unproven(Criterion criterion) {
    return new RuleInfo("VERIFY", criterion.id(), "verify", Severity.WARNING, "", List.of("verify"), "", criterion.id(), criterion.title(), "A rollback criterion that nothing at hand proves",
        criterion.ask(), "", "", 0);
  }
}
