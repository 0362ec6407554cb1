package gdrproof.finding;

import gdrproof.finding.Suppressions.Suppression;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Why a finding is suppressed.
 *
 * @param inSource whether the file that the finding speaks of says so itself, and no configuration or baseline beside it
 * @param reason in the words of who suppressed it
 */
public record Silenced(boolean inSource, String reason) {
  static final Silenced BASELINE = new Silenced(false, "known since the baseline was written");

  /**
   * @param findings as suppressions and a baseline left them
   * @param suppressions in their order: the first that covers a finding is the one
   * @param today the date that their ends are compared with
   */
  public static Map<Finding, Silenced> of(List<Finding> findings, List<Suppression> suppressions, LocalDate today) {
    Map<Finding, Silenced> found = new HashMap<>();
    List<Finding> silent = findings.stream().filter(f -> f.verdict() == Verdict.SUPPRESSED).toList();
    if (silent.isEmpty()) {
      return found;
    }
    List<Finding> loud = silent.stream().map(f -> new Finding(f.rule(), f.severity(), Verdict.VIOLATED, f.at(), f.message())).toList();
    for (Suppression each : suppressions) {
      List<Finding> after = new Suppressions(List.of(each), today).apply(loud);
      for (int i = 0; i < silent.size(); i++) {
        if (after.get(i).verdict() == Verdict.SUPPRESSED) {
          found.putIfAbsent(silent.get(i), new Silenced(each.where().startsWith(silent.get(i).at().file() + ":"), each.reason().strip()));
        }
      }
    }
    silent.forEach(f -> found.putIfAbsent(f, BASELINE));
    return found;
  }
}
