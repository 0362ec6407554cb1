package gdrproof.collect.measure;

import gdrproof.facts.Bench.NcclTestRow;
import gdrproof.facts.Evidence;
import gdrproof.facts.Ledger;
import gdrproof.facts.Measure.Contrast;
import gdrproof.facts.Measure.RunSummary;
import gdrproof.facts.Num;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Runs of one thing, over one or over different ranges of sizes: the largest size that both measured compares them. */
final class CommonSizes {
  private CommonSizes() {}

  static void derive(List<RunSummary> runs, Ledger ledger, Limits limits) {
    Map<String, List<RunSummary>> alike = runs.stream().filter(r -> !r.hosts().isEmpty())
        .collect(Collectors.groupingBy(r -> r.collective() + " " + r.ranks() + " " + r.nodes() + " " + r.gpu() + " " + r.hosts() + " " + Comparisons.settings(r)));
    if (alike.values().stream().noneMatch(same -> same.size() > 1)) {
      return;
    }
    Map<String, List<NcclTestRow>> rows = ledger.all(NcclTestRow.class).stream().collect(Collectors.groupingBy(NcclTestRow::run));
    Map<String, Map<Long, Double>> curves = new HashMap<>();
    rows.forEach((run, list) -> curves.put(run, RunSummaries.curve(list, "")));
    alike.values().stream().filter(same -> same.size() > 1).forEach(same -> fastest(same, rows, curves, ledger, limits));
  }

  /** Each run against the one that it is furthest behind, of those with another sweep and of those with its own. */
  private static void fastest(List<RunSummary> same, Map<String, List<NcclTestRow>> rows, Map<String, Map<Long, Double>> curves, Ledger ledger, Limits limits) {
    for (RunSummary run : same) {
      fastest(run, same.stream().filter(o -> !o.sweep().equals(run.sweep())).toList(), "common-size", rows, curves, ledger, limits);
      fastest(run, same.stream().filter(o -> o != run && o.sweep().equals(run.sweep())).toList(), "alike", rows, curves, ledger, limits);
    }
  }

  private static void fastest(RunSummary run, List<RunSummary> others, String what, Map<String, List<NcclTestRow>> rows, Map<String, Map<Long, Double>> curves, Ledger ledger,
      Limits limits) {
    others.stream().map(o -> contrast(what, run, o, curves, limits)).filter(c -> c != null && c.slowRun().equals(run.run()))
        .min(Comparator.comparing(Contrast::ratio).thenComparing(Contrast::fastRun)).ifPresent(c -> {
          TreeSet<Evidence> sources = new TreeSet<>();
          double size = Double.parseDouble(c.detail());
          for (String side : List.of(c.slowRun(), c.fastRun())) {
            rows.get(side).stream().filter(r -> r.bytes().is(size)).limit(1).forEach(r -> sources.addAll(ledger.of(r)));
          }
          ledger.add(c, sources);
        });
  }

  private static Contrast contrast(String what, RunSummary a, RunSummary b, Map<String, Map<Long, Double>> curves, Limits limits) {
    Map<Long, Double> left = curves.getOrDefault(a.run(), Map.of());
    Map<Long, Double> right = curves.getOrDefault(b.run(), Map.of());
    long size = left.keySet().stream().filter(right::containsKey).mapToLong(v -> v).max().orElse(0);
    if (size < limits.smallest()) {
      return null;
    }
    boolean slow = left.get(size) < right.get(size);
    Num low = Num.of(slow ? left.get(size) : right.get(size)).rounded();
    Num high = Num.of(slow ? right.get(size) : left.get(size)).rounded();
    return new Contrast(a.node(), what, String.valueOf(size), slow ? a.run() : b.run(), low, slow ? b.run() : a.run(), high, low.over(high).rounded());
  }
}
