package gdrproof.cli;

import gdrproof.accept.FabricBaseline;
import gdrproof.accept.GateFacts;
import gdrproof.facts.Gate.BaselineCheck;
import gdrproof.facts.Gate.BaselineState;
import gdrproof.facts.Ledger;
import gdrproof.facts.Tri;
import gdrproof.probe.Probe;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What the results of a bundle are beside a stored baseline. */
final class BesideBaseline {
  /** Groups of probes that tell the topology class: server, GPUs, NICs with their links, fabric. */
  private static final Set<String> TELLING = Set.of("hardware", "network");
  private static final Set<String> WORSE = Set.of("regressed", "tail-regressed", "unstable");

  private BesideBaseline() {}

  /**
   * The answer.
   *
   * @param below what is below it, the worst first; "" for nothing
   * @param remark what stayed uncompared and why; "" for nothing
   */
  record Answer(String below, String remark) {}

  /** Names of the probes without which no class is known. */
  static Set<String> probes(List<Probe> all) {
    return all.stream().filter(p -> TELLING.contains(p.group())).map(Probe::name).collect(Collectors.toUnmodifiableSet());
  }

  /** Only a baseline of the same class is compared; another one is no sign of trouble, and no sign of health. */
  static Answer compare(Ledger ledger, FabricBaseline baseline) {
    Ledger compared = derived(ledger, baseline);
    BaselineState state = compared.all(BaselineState.class).get(0);
    if (state.sameClass() != Tri.YES) {
      return new Answer("", "not compared with " + baseline.file() + ": " + (state.sameClass() == Tri.NO ? "" : "the evidence does not tell ") + String.join(", ", state.differences()));
    }
    List<BaselineCheck> checks = compared.all(BaselineCheck.class);
    Optional<BaselineCheck> worst = checks.stream().filter(c -> WORSE.contains(c.verdict())).min(Comparator.comparingDouble(BesideBaseline::share).thenComparing(BaselineCheck::metric).thenComparing(BaselineCheck::subject)
        .thenComparing(BaselineCheck::bytes));
    if (worst.isPresent()) {
      long count = checks.stream().filter(c -> WORSE.contains(c.verdict())).count();
      return new Answer("below the baseline " + baseline.file() + ": " + name(worst.get()) + ": " + worst.get().why() + (count > 1 ? "; " + (count - 1) + " more" : ""), "");
    }
    if (checks.stream().allMatch(c -> c.verdict().equals("not-measured"))) {
      return new Answer("", "not compared with " + baseline.file() + ": this run measured nothing that it holds");
    }
    return new Answer("", "");
  }

  /** Adds what was compared to the facts of a diagnosis. The rest that acceptance derives is left out: it is no evidence of this run. */
  static void add(Ledger ledger, FabricBaseline baseline) {
    derived(ledger, baseline).forEach((fact, sources) -> {
      if (fact instanceof BaselineCheck) {
        ledger.add(fact, List.copyOf(sources));
      }
    });
  }

  private static Ledger derived(Ledger ledger, FabricBaseline baseline) {
    Ledger copy = new Ledger();
    copy.addAll(ledger);
    GateFacts.derive(copy, Optional.of(baseline));
    return copy;
  }

  /** How much of the baseline's median was reached; for times, the reverse. */
  private static double share(BaselineCheck check) {
    double share = check.measured().value() / check.baseline().value();
    return check.unit().equals("us") ? 1 / share : share;
  }

  private static String name(BaselineCheck check) {
    return check.metric() + " " + check.subject() + (check.bytes().known() ? " at " + check.bytes() + " bytes" : "") + (check.node().equals("unknown") ? "" : " on " + check.node());
  }
}
