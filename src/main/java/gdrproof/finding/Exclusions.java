package gdrproof.finding;

import gdrproof.facts.Fact;
import gdrproof.finding.Conclusion.Exclusion;
import java.util.List;
import java.util.function.Supplier;

/** What speaks against a fault. */
final class Exclusions {
  private Exclusions() {}

  /**
   * Whether an exclusion speaks against a fault on a subject. What one run shows proves nothing for another: a fault of some runs is denied by these
   * runs only, and by what belongs to no run.
   *
   * @param runs the runs that the fault is about; none where it is about no run in particular; asked only where it matters
   */
  static boolean against(Derived exclusion, String fault, Subject subject, Supplier<List<String>> runs) {
    Exclusion e = (Exclusion) exclusion.conclusion();
    if (!e.fault().equals(fault) || !e.subject().related(subject)) {
      return false;
    }
    if (exclusion.run().equals(Fact.UNKNOWN)) {
      return true;
    }
    List<String> about = runs.get();
    return about.isEmpty() || about.contains(exclusion.run());
  }

  /** The run of a conclusion, none if it belongs to no run. */
  static List<String> runs(Derived conclusion) {
    return conclusion.run().equals(Fact.UNKNOWN) ? List.of() : List.of(conclusion.run());
  }
}
