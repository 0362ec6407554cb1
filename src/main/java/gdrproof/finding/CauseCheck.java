package gdrproof.finding;

import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.finding.Diagnosis.Answer;
import gdrproof.finding.Diagnosis.Cited;
import gdrproof.finding.Diagnosis.LayerState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Whether a cause that one bundle proves has ended in a later one. It has ended only where the later bundle shows a decisive fact the other way
 * round; evidence that is merely gone ends nothing.
 */
public final class CauseCheck {
  /** What has become of the cause. */
  public enum Verdict {
    ENDED,
    STANDS,
    NOT_PROVABLE;

    @Override
    public String toString() {
      return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
  }

  /** What a decisive fact of the earlier bundle has become in the later one: `same`, `changed`, `gone` (nothing there speaks of it). */
  public record Step(String state, String fact, List<Cited> before, String now, List<Cited> after) {}

  /**
   * The answer.
   *
   * @param steps the decisive facts, changed ones first
   * @param excluded what rules the cause out in the later bundle
   * @param missing measurements that would tell, for NOT_PROVABLE
   * @param worse what the later bundle shows that the earlier did not, or less well
   */
  public record Result(String fault, Verdict verdict, String message, List<Step> steps, List<Answer> excluded, List<String> missing, List<String> worse) {}

  private final Ledger before;
  private final Ledger after;

  public CauseCheck(Ledger before, Ledger after) {
    this.before = before;
    this.after = after;
  }

  /** The result, or nothing if the earlier diagnosis does not name the fault. */
  public Optional<Result> of(String fault, Diagnosis earlier, Diagnosis later) {
    Optional<Answer> cause = Stream.of(earlier.causes(), earlier.open(), earlier.observations()).flatMap(List::stream).filter(a -> a.fault().equals(fault)).findFirst();
    return cause.map(c -> judge(c, earlier, later));
  }

  private Result judge(Answer cause, Diagnosis earlier, Diagnosis later) {
    List<Step> steps = steps(cause);
    // A mere possibility beside a symptom is no sign that the cause stands.
    Optional<Answer> still = Stream.of(later.causes(), later.open().stream().filter(a -> a.decisive() > 0).toList(), later.observations()).flatMap(List::stream)
        .filter(a -> a.fault().equals(cause.fault())).findFirst();
    List<Answer> excluded = later.ruledOut().stream().filter(a -> a.fault().equals(cause.fault())).toList();
    boolean changed = steps.stream().anyMatch(s -> s.state().equals("changed"));
    Verdict verdict = still.isPresent() ? Verdict.STANDS : changed || !excluded.isEmpty() ? Verdict.ENDED : Verdict.NOT_PROVABLE;
    String message = switch (verdict) {
      case STANDS -> still.get().message();
      case ENDED -> excluded.isEmpty() ? steps.get(0).now() : excluded.get(0).message();
      case NOT_PROVABLE -> steps.stream().anyMatch(s -> s.state().equals("same")) ? "a part of its proof is still there, the rest is not in the evidence"
          : "the evidence that would show it is not in the later bundle";
    };
    List<String> missing = verdict == Verdict.NOT_PROVABLE ? missing(cause, steps) : List.of();
    return new Result(cause.fault(), verdict, message, steps, excluded, missing, new Worse(before, after).of(earlier, later));
  }

  private static List<String> missing(Answer cause, List<Step> steps) {
    List<String> missing = new ArrayList<>(cause.missing());
    steps.stream().filter(s -> s.state().equals("gone")).flatMap(s -> s.before().stream()).map(c -> "what gave " + c.evidence().file() + ":" + c.evidence().line())
        .distinct().limit(4).forEach(missing::add);
    return missing;
  }

  private List<Step> steps(Answer cause) {
    Map<String, Step> steps = new TreeMap<>();
    for (Proof proof : cause.proofs()) {
      for (Fact fact : proof.facts()) {
        if (!(fact instanceof gdrproof.facts.Meta) && !(fact instanceof gdrproof.facts.Compare)) {
          Step step = step(fact);
          steps.putIfAbsent((step.state().equals("changed") ? "0" : step.state().equals("same") ? "1" : "2") + fact, step);
        }
      }
    }
    return steps.values().stream().limit(12).toList();
  }

  private Step step(Fact fact) {
    if (after.has(fact)) {
      return new Step("same", fact.toString(), cite(before, fact), fact.toString(), cite(after, fact));
    }
    Optional<Fact> counter = Counterpart.of(fact, after);
    if (counter.isPresent()) {
      boolean same = Counterpart.sameStatement(fact, counter.get());
      return new Step(same ? "same" : "changed", fact.toString(), cite(before, fact), counter.get().toString(), cite(after, counter.get()));
    }
    return new Step("gone", fact.toString(), cite(before, fact), "", List.of());
  }

  private static List<Cited> cite(Ledger ledger, Fact fact) {
    return ledger.of(fact).stream().limit(1).map(e -> new Cited(e, fact.toString())).toList();
  }

  /** Layers of the later bundle that were better before. */
  static Stream<String> fallen(Diagnosis earlier, Diagnosis later) {
    return later.layers().stream().filter(l -> l.verdict().equals("failed"))
        .filter(l -> earlier.layers().stream().noneMatch(e -> e.layer() == l.layer() && e.verdict().equals("failed"))).map(LayerState::layer).map(l -> "layer " + l + " fails now");
  }
}
