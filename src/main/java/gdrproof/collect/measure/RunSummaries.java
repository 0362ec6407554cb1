package gdrproof.collect.measure;

import gdrproof.facts.Bench.NcclTestRow;
import gdrproof.facts.BusFactor;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Measure.Implausible;
import gdrproof.facts.Measure.RunSummary;
import gdrproof.facts.Num;
import gdrproof.facts.RunFact;
import gdrproof.facts.Tri;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;

/** One summary for each run that has benchmark rows. */
final class RunSummaries {
  private RunSummaries() {}

  static void derive(Ledger ledger, Limits limits) {
    Map<String, RunView> views = new TreeMap<>();
    // In the order of their evidence: where a run says a thing twice, the same one counts in every process.
    RunView.SEEN.forEach(type -> ledger.all(type).forEach(fact -> {
      if (fact instanceof RunFact bound) {
        views.computeIfAbsent(bound.run(), r -> new RunView()).see(fact);
      }
    }));
    views.forEach((run, view) -> {
      if (!view.rows.isEmpty()) {
        view.rows.sort(java.util.Comparator.comparing(NcclTestRow::toString));
        summary(run, view, ledger, limits);
      }
    });
  }

  private static void summary(String run, RunView view, Ledger ledger, Limits limits) {
    Map<Long, Double> both = curve(view.rows, "");
    Plateau plateau = Plateau.of(both, limits);
    String collective = view.collective();
    Num ranks = view.ranks(collective);
    Set<String> hosts = view.hosts(ranks);
    Num nodes = view.nodes(ranks, hosts);
    Num perNode = ranks.known() && nodes.above(0) && ranks.value() % nodes.value() == 0 ? Num.of(ranks.value() / nodes.value()) : Num.UNKNOWN;
    String node = hosts.size() == 1 ? hosts.iterator().next() : nodes.is(1) ? view.rows.get(0).node() : Fact.UNKNOWN;
    Num inPlace = Num.UNKNOWN;
    List<String> dips = new ArrayList<>();
    Num algbw = Num.UNKNOWN;
    if (plateau != null) {
      Double in = curve(view.rows, "in-place").get(plateau.best());
      Double out = curve(view.rows, "out-of-place").get(plateau.best());
      inPlace = in == null || out == null ? Num.UNKNOWN : Num.of(in).over(Num.of(out));
      plateau.dips().forEach(d -> dips.add(d + "@" + Num.of(both.get(d)).rounded()));
      List<Double> values = view.rows.stream().filter(r -> r.bytes().is(plateau.best()) && r.algbwGBps().known()).map(r -> r.algbwGBps().value()).toList();
      algbw = values.isEmpty() ? Num.UNKNOWN : Num.of(values.stream().mapToDouble(v -> v).average().orElse(0)).rounded();
    }
    // A communicator of one rank moves nothing: its busbw of 0 is no level of anything.
    boolean level = plateau != null && !ranks.is(1) && plateau.level() > 0;
    RunSummary summary = new RunSummary(node, run, collective, view.sweep(), ranks, nodes, perNode, List.copyOf(hosts), view.gpu(),
        level ? Num.of(plateau.level()).rounded() : Num.UNKNOWN, level ? algbw : Num.UNKNOWN, plateau == null ? Num.UNKNOWN : Num.of(plateau.from()),
        plateau == null ? Num.UNKNOWN : Num.of(plateau.top()), plateau == null ? Tri.UNKNOWN : plateau.flat(), dips, inPlace.rounded(), view.correctness(),
        view.finished(), view.settings(), view.network(), view.gdr());
    ledger.add(summary, evidence(view.rows, plateau, ledger));
    implausible(summary, view, ledger, limits);
  }

  /** The first row whose own columns contradict each other by more than rounding can. */
  private static void implausible(RunSummary run, RunView view, Ledger ledger, Limits limits) {
    boolean counted = !view.ranks.isEmpty() && run.ranks().atLeast(2) && !run.collective().equals(Fact.UNKNOWN);
    for (NcclTestRow row : view.rows) {
      boolean large = row.algbwGBps().above(1) && row.timeUs().above(1);
      double factor = counted ? BusFactor.of(run.collective(), (int) run.ranks().value()) : Double.NaN;
      double ratio = row.busbwGBps().over(row.algbwGBps()).value();
      if (large && !Double.isNaN(factor) && Math.abs(ratio - factor) > limits.plausibleFactor() * (1 + factor)) {
        ledger.add(new Implausible(run.node(), run.run(), "factor", row.bytes(), Num.of(ratio).rounded(), Num.of(factor).rounded()), List.copyOf(ledger.of(row)));
        return;
      }
      double algbw = row.bytes().value() / row.timeUs().value() / 1000;
      boolean counts = !run.collective().equals("hypercube") && !run.collective().equals("alltoallv") && run.ranks().atLeast(2);
      if (large && counts && Math.abs(algbw - row.algbwGBps().value()) > algbw * limits.plausibleTime()) {
        ledger.add(new Implausible(run.node(), run.run(), "time", row.bytes(), row.algbwGBps(), Num.of(algbw).rounded()), List.copyOf(ledger.of(row)));
        return;
      }
    }
  }

  /** Mean busbw of each size, of one placement or of both. */
  static Map<Long, Double> curve(List<NcclTestRow> rows, String placement) {
    Map<Long, List<Double>> values = new HashMap<>();
    for (NcclTestRow row : rows) {
      if (row.bytes().above(0) && row.busbwGBps().known() && (placement.isEmpty() || row.placement().equals(placement))) {
        values.computeIfAbsent((long) row.bytes().value(), b -> new ArrayList<>()).add(row.busbwGBps().value());
      }
    }
    Map<Long, Double> curve = new HashMap<>();
    values.forEach((bytes, list) -> curve.put(bytes, list.stream().sorted().mapToDouble(v -> v).average().orElse(0)));
    return curve;
  }

  /** The plateau's row; the last one where there is no plateau. */
  private static List<Evidence> evidence(List<NcclTestRow> rows, Plateau plateau, Ledger ledger) {
    double size = plateau != null ? plateau.best() : rows.stream().mapToDouble(r -> r.bytes().value()).max().orElse(0);
    return rows.stream().filter(r -> r.bytes().is(size)).map(ledger::of).filter(s -> !s.isEmpty()).map(SortedSet::first).distinct().sorted().limit(1).toList();
  }
}
