package gdrproof.finding;

import gdrproof.facts.Evidence;
import java.util.Comparator;

/**
 * What a user of lint (or review) reads: one rule at one place.
 *
 * @param severity after the site's configuration, may differ from the rule's own
 * @param at file, line (1-based), column (1-based) and YAML path of the offending key or value
 */
public record Finding(RuleInfo rule, Severity severity, Verdict verdict, Evidence at, String message) implements Comparable<Finding> {
  private static final Comparator<Finding> ORDER = Comparator.comparing(Finding::at)
      .thenComparing(f -> f.rule().code())
      .thenComparing(Finding::message)
      .thenComparing(Finding::verdict);

  /** Path of the rule's page in the project, for `help`. */
  public String help() {
    return "gdrproof rules explain " + rule.code();
  }

  @Override
  public int compareTo(Finding other) {
    return ORDER.compare(this, other);
  }
}
