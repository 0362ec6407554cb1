package gdrproof.finding;

import gdrproof.facts.Evidence;
import gdrproof.facts.Ledger;
import gdrproof.finding.Conclusion.Problem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Turns what rules concluded about configuration into findings at their places. */
public final class Findings {
  private Findings() {}

  /**
   * Findings, sorted, each once.
   *
   * @param severities the site's own, by code, check or slug; `off` drops a rule
   * @param file which files' places count (facts of the cluster are no places)
   */
  public static List<Finding> of(Collection<Derived> conclusions, Ledger ledger, Map<String, String> severities, Predicate<String> file) {
    TreeSet<Finding> found = new TreeSet<>();
    for (Derived derived : conclusions) {
      if (!(derived.conclusion() instanceof Problem problem) || !problem.rule().equals(derived.rule().code())) {
        continue;
      }
      RuleInfo rule = derived.rule();
      String own = severities.getOrDefault(rule.code(), severities.getOrDefault(rule.check(), severities.getOrDefault(rule.slug(), "")));
      if (own.equals("off") || own.equals("false")) {
        continue;
      }
      Severity severity = own.isEmpty() ? rule.severity() : Severity.parse(own);
      for (Evidence at : ledger.of(problem.at())) {
        if (file.test(at.file())) {
          found.add(new Finding(rule, severity, problem.verdict(), at, derived.message()));
          break;
        }
      }
    }
    return new ArrayList<>(found);
  }
}
