package gdrproof.finding.view;

import gdrproof.facts.Ledger;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.CounterDelta;
import gdrproof.finding.view.View.Counter;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Counters read before and after: those that should stand still and did not come first, then those that may move and did. */
final class Counters {
  /** Classes of `policies/counters.yaml` that also move in health. */
  private static final Set<String> VOLUME = Set.of("traffic", "unknown", "other", "ecn", "teardown", "wait", "pause", "pause-time", "pause-change");
  private static final int MOST = 200;

  private Counters() {}

  static List<Counter> of(Ledger ledger) {
    return ledger.all(CounterDelta.class).stream().map(Counters::row)
        .sorted(Comparator.comparing((Counter c) -> !(c.error() && !c.grown().is(0))).thenComparing(c -> c.grown().is(0)).thenComparing(c -> !c.error()).thenComparing(Counter::node).thenComparing(Counter::device, Names.NATURAL)
            .thenComparing(Counter::name).thenComparing(c -> c.before().toString()))
        .limit(MOST).toList();
  }

  private static Counter row(CounterDelta delta) {
    String port = delta.port().known() ? ":" + delta.port() : "";
    return new Counter(delta.node(), delta.device() + port, delta.name(), delta.meaning(), delta.before(), delta.after(), delta.trouble().equals("reset") ? Num.UNKNOWN : delta.grown(), delta.seconds(),
        !VOLUME.contains(delta.meaning()));
  }
}
