package gdrproof.finding;

import gdrproof.facts.Gate.BaselineCheck;
import gdrproof.facts.Gate.BaselineState;
import gdrproof.facts.Gate.MatrixRow;
import gdrproof.facts.Gate.RunPair;
import gdrproof.facts.Gate.TopologyClass;
import gdrproof.facts.Meta.Unread;
import gdrproof.facts.Num;
import gdrproof.finding.Conclusion.ItemVerdict;
import gdrproof.finding.Diagnosis.Ask;
import gdrproof.finding.Diagnosis.Cited;
import gdrproof.policy.Checklist.Removed;
import java.util.List;

/**
 * The answer of `accept`, ready for a report.
 *
 * @param accepted whether every required item is proven or not applicable
 * @param items in the order of the checklist
 * @param removed items that the site does without, and why
 * @param matrix runs of the bundle side by side; pairs what each pair of them proves
 * @param topology class of the configuration as the bundle shows it
 * @param baseline what was given; empty without a baseline
 * @param checks measurements beside the baseline's
 * @param asOf day (ISO) that ages are counted to
 */
public record Acceptance(boolean accepted, List<Item> items, List<Removed> removed, List<MatrixRow> matrix, List<RunPair> pairs, List<TopologyClass> topology,
    List<BaselineState> baseline, List<BaselineCheck> checks, String asOf, List<Unread> unread, List<String> failures) {
  /**
   * An item of the checklist with its verdict.
   *
   * @param owner layer that answers for it
   * @param message what was found, for people
   * @param why for a verdict other than proven: what is missing, wrong or makes it not applicable; "" for proven
   * @param rule code of the deciding rule, "" where none concluded
   * @param subjects what failed or lacks proof: the places to look at; empty where the item holds
   * @param proof evidence, first use first
   * @param age of the evidence
   * @param asks the commands that would prove it, with the hosts they are missing on; empty when proven or not applicable
   */
  public record Item(String id, String section, String title, String owner, boolean required, ItemVerdict verdict, String message, String why, String rule,
      List<Subject> subjects, List<Cited> proof, Age age, List<Ask> asks) {
    /** The verdict as reports print it: proven, failed, not-proven, not-applicable. */
    public String verdictText() {
      return verdict.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }

    public boolean holds() {
      return verdict == ItemVerdict.PROVEN || verdict == ItemVerdict.NOT_APPLICABLE;
    }
  }

  /**
   * Age of an item's evidence.
   *
   * @param oldest time stamp of the oldest dated piece as printed, or unknown
   * @param days its age in days, or unknown
   * @param maxDays allowed age in days; infinite where age has no meaning
   * @param undated pieces of evidence without a time
   */
  public record Age(String oldest, Num days, Num maxDays, int undated) {
    public boolean tooOld() {
      return days.above(maxDays);
    }
  }

  /** Runs of a whole comparison matrix, in the order of raising the load and then taking things away. */
  private static final List<String> ROLES = List.of("single-node", "one-gpu-per-node", "full-node", "gdr-off", "socket-only");

  /** Roles of the comparison matrix that no run has: a missing run is shown as missing. */
  public List<String> missingRuns() {
    return ROLES.stream().filter(role -> matrix.stream().noneMatch(row -> row.role().equals(role))).toList();
  }

  /** Items that failed, in the order of the checklist. */
  public List<Item> failed() {
    return items.stream().filter(i -> i.verdict() == ItemVerdict.FAILED).toList();
  }

  /** Items of a section, in the order of the checklist. */
  public List<Item> section(String name) {
    return items.stream().filter(i -> i.section().equals(name)).toList();
  }
}
