package gdrproof.review;

import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Measure.Experiment;
import gdrproof.facts.Measure.RunSummary;
import gdrproof.facts.Num;
import gdrproof.facts.Verify.BusbwMove;
import gdrproof.facts.Verify.RunAfter;
import gdrproof.policy.Controls;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Benchmarks of both sides, control runs left out: figures of runs that should agree, and what each run of after shows. */
final class VerifyRuns {
  /** So many runs, and the first counts as warm-up. */
  private static final int WARM_FROM = 3;

  private final Ledger before;
  private final Ledger after;
  private final Ledger target;

  VerifyRuns(Ledger before, Ledger after, Ledger target) {
    this.before = before;
    this.after = after;
    this.target = target;
  }

  void write() {
    Map<String, List<RunSummary>> then = runs(before);
    Map<String, List<RunSummary>> now = runs(after);
    now.forEach((key, runs) -> {
      List<RunSummary> old = then.getOrDefault(key, List.of());
      String networks = old.stream().map(RunSummary::network).distinct().sorted().collect(Collectors.joining(", "));
      for (RunSummary run : runs) {
        VerifyFacts.add(target, new RunAfter(run.node(), run.run(), run.collective(), run.nodes(), run.network(), networks.isEmpty() ? Fact.UNKNOWN : networks, run.correctness(), run.finished()),
            before, old, after, List.of(run));
      }
      List<Double> left = plateaus(old);
      List<Double> right = plateaus(runs);
      if (!left.isEmpty() && !right.isEmpty()) {
        double was = median(left);
        double is = median(right);
        VerifyFacts.add(target, new BusbwMove(Fact.UNKNOWN, key, Num.of(was).rounded(), Num.of(is).rounded(), Num.of((was - is) / was * 100).rounded(), spread(left), spread(right),
            Num.of(left.size()), Num.of(right.size())), before, old, after, runs);
      }
    });
  }

  private static Map<String, List<RunSummary>> runs(Ledger side) {
    Set<String> experiments = VerifyFacts.of(side, Experiment.class).stream().filter(e -> e.kind().equals("control")).map(e -> e.node() + " " + e.run()).collect(Collectors.toSet());
    Map<String, List<RunSummary>> found = new TreeMap<>();
    List<RunSummary> all = new ArrayList<>(VerifyFacts.of(side, RunSummary.class));
    all.sort(java.util.Comparator.comparing(RunSummary::run));
    for (RunSummary run : all) {
      boolean control = experiments.contains(run.node() + " " + run.run()) || Controls.alone().stream().anyMatch(run.settings()::containsKey);
      if (!control) {
        found.computeIfAbsent(run.collective() + ", " + run.ranks() + " ranks on " + run.nodes() + " nodes", k -> new ArrayList<>()).add(run);
      }
    }
    return found;
  }

  private static List<Double> plateaus(List<RunSummary> runs) {
    List<Double> found = runs.stream().map(RunSummary::plateauGBps).filter(n -> n.above(0)).map(Num::value).collect(Collectors.toCollection(ArrayList::new));
    if (found.size() >= WARM_FROM && found.get(0) <= found.stream().mapToDouble(Double::doubleValue).min().orElse(0)) {
      found.remove(0);
    }
    return found;
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  private static Num spread(List<Double> values) {
    if (values.size() < 2) {
      return Num.UNKNOWN;
    }
    List<Double> sorted = values.stream().sorted().toList();
    return Num.of((sorted.get(sorted.size() - 1) - sorted.get(0)) / median(values) * 100).rounded();
  }
}
