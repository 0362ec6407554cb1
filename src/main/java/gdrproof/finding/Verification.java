package gdrproof.finding;

import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Verify.PartMove;
import gdrproof.facts.Verify.Sides;
import gdrproof.finding.Conclusion.Problem;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The rollback criteria of a change, judged from a bundle of each side.
 *
 * @param rolledBack whether the after side was rolled back, and what tells it
 * @param moved parts of the data plane that differ, as information where nothing was rolled back
 */
public record Verification(Outcome outcome, String why, Sides rolledBack, List<Criterion> criteria, List<String> moved, List<String> failures) {
  /** What to do next, worst first. */
  public enum Outcome {
    ROLL_BACK,
    STOP,
    CONTINUE;

    @Override
    public String toString() {
      return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
  }

  /** A line of proof: a rule's statement with its places. */
  public record Point(RuleInfo rule, Verdict verdict, String message, List<Evidence> places) {}

  /**
   * A criterion.
   *
   * @param verdict violated, satisfied, or inconclusive when nothing at hand shows either
   * @param ask what would show it
   */
  public record Criterion(String id, String title, Outcome action, boolean required, Verdict verdict, List<Point> points, String ask) {}

  private static final int MOST_PLACES = 4;

  /** Judges the criteria of `policies/operator/verify.yaml` by what rules concluded. */
  public static Verification of(Collection<Derived> conclusions, Ledger ledger, List<String> failures) {
    List<Criterion> criteria = new ArrayList<>();
    Policies.map(Policies.read("operator/verify.yaml").get("criteria")).forEach((id, value) -> criteria.add(criterion(id, Policies.map(value), conclusions, ledger)));
    Sides[] sides = {new Sides(Fact.UNKNOWN, gdrproof.facts.Tri.UNKNOWN, "")};
    TreeSet<String> moved = new TreeSet<>();
    ledger.forEach((fact, sources) -> {
      if (fact instanceof Sides each) {
        sides[0] = each;
      } else if (fact instanceof PartMove part && part.same() == gdrproof.facts.Tri.NO) {
        moved.add(part.node() + ": " + part.what() + " " + part.name() + " from " + part.before() + " to " + part.after());
      }
    });
    // Before going back nothing of the data plane is expected to be as it was.
    if (sides[0].rolledBack() != gdrproof.facts.Tri.YES) {
      criteria.removeIf(c -> c.id().equals("restored"));
    }
    List<Criterion> violated = criteria.stream().filter(c -> c.verdict() == Verdict.VIOLATED).toList();
    List<Criterion> open = criteria.stream().filter(c -> c.required() && c.verdict() == Verdict.INCONCLUSIVE).toList();
    Outcome outcome = violated.stream().map(Criterion::action).min(Comparator.naturalOrder()).orElse(open.isEmpty() ? Outcome.CONTINUE : Outcome.STOP);
    String why = !violated.isEmpty() ? titles(violated) + ": violated" : open.isEmpty() ? "every required criterion is met" : "not proven: " + titles(open);
    return new Verification(outcome, why, sides[0], List.copyOf(criteria), List.copyOf(moved), failures);
  }

  private static String titles(List<Criterion> criteria) {
    return String.join("; ", criteria.stream().map(Criterion::title).toList());
  }

  private static Criterion criterion(String id, Map<String, Object> policy, Collection<Derived> conclusions, Ledger ledger) {
    List<Point> points = new ArrayList<>();
    for (Derived derived : conclusions) {
      if (derived.conclusion() instanceof Problem problem && derived.rule().check().equals(id)) {
        List<Evidence> places = ledger.of(problem.at()).stream().filter(e -> !e.file().isEmpty()).limit(MOST_PLACES).toList();
        points.add(new Point(derived.rule(), problem.verdict(), derived.message(), places));
      }
    }
    points.sort(Comparator.comparing(Point::verdict).thenComparing(p -> p.rule().code()).thenComparing(Point::message));
    Verdict verdict = points.stream().map(Point::verdict).min(Comparator.naturalOrder()).orElse(Verdict.INCONCLUSIVE);
    Outcome action = Outcome.valueOf(String.valueOf(policy.get("action")).toUpperCase(java.util.Locale.ROOT).replace('-', '_'));
    return new Criterion(id, String.valueOf(policy.get("title")), action, Boolean.TRUE.equals(policy.get("required")), verdict, List.copyOf(points), String.valueOf(policy.get("ask")));
  }
}
