package gdrproof.finding.view;

import gdrproof.facts.Bench.NcclTestRow;
import gdrproof.facts.Fact;
import gdrproof.facts.Gate.BaselineCheck;
import gdrproof.facts.Gate.MatrixRow;
import gdrproof.facts.Ledger;
import gdrproof.facts.Measure.Ceiling;
import gdrproof.facts.Measure.RunSummary;
import gdrproof.finding.view.View.Chart;
import gdrproof.finding.view.View.Point;
import gdrproof.finding.view.View.Series;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Bandwidth curves of the bundle's benchmark runs, one chart for each collective and number of nodes, with the baseline's where one was given. */
final class Charts {
  /** Lines of one chart that can still be told apart; more go to a further chart. */
  private static final int MOST_SERIES = 6;

  private Charts() {}

  static List<Chart> of(Ledger ledger) {
    Map<String, RunSummary> runs = new TreeMap<>();
    ledger.all(RunSummary.class).forEach(r -> runs.put(r.run(), r));
    Map<String, Map<Double, List<Double>>> rows = new LinkedHashMap<>();
    ledger.all(NcclTestRow.class).forEach(row -> {
      if (row.bytes().above(0) && row.busbwGBps().known()) {
        rows.computeIfAbsent(row.run(), r -> new TreeMap<>()).computeIfAbsent(row.bytes().value(), b -> new ArrayList<>()).add(row.busbwGBps().value());
      }
    });
    Map<String, Set<String>> roles = new TreeMap<>();
    ledger.all(MatrixRow.class).stream().filter(r -> !r.control()).forEach(r -> roles.computeIfAbsent(r.run(), k -> new TreeSet<>()).add(r.collective() + " " + r.role()));
    Map<String, Set<String>> subjects = new TreeMap<>();
    Map<String, List<Series>> byCollective = new TreeMap<>();
    Map<String, Series> ceilings = new TreeMap<>();
    rows.forEach((run, curve) -> {
      RunSummary summary = runs.get(run);
      if (summary == null || summary.ranks().is(1)) {
        return;
      }
      List<Point> points = new ArrayList<>();
      curve.forEach((bytes, values) -> points.add(new Point(bytes, values.stream().mapToDouble(v -> v).average().orElse(0))));
      String title = title(summary);
      byCollective.computeIfAbsent(title, c -> new ArrayList<>()).add(new Series(name(summary), "run", points));
      roles.getOrDefault(run, Set.of()).forEach(subject -> subjects.computeIfAbsent(title, t -> new TreeSet<>()).add(subject));
      ledger.all(Ceiling.class).stream().filter(c -> c.run().equals(run) && !c.part().equals("ports") && c.busbwGBps().known()).forEach(c -> {
        double from = points.get(0).bytes();
        double to = points.get(points.size() - 1).bytes();
        ceilings.putIfAbsent(title + "\n" + c.part() + c.busbwGBps(),
            new Series("ceiling of " + c.part() + ": " + c.how(), "ceiling", List.of(new Point(from, c.busbwGBps().value()), new Point(to, c.busbwGBps().value()))));
      });
    });
    List<Chart> charts = new ArrayList<>();
    byCollective.forEach((title, series) -> {
      List<Series> limits = new ArrayList<>();
      subjects.getOrDefault(title, Set.of()).forEach(subject -> limits.addAll(baseline(subject, ledger)));
      ceilings.entrySet().stream().filter(e -> e.getKey().startsWith(title + "\n")).map(Map.Entry::getValue).limit(2).forEach(limits::add);
      for (int from = 0; from < series.size(); from += MOST_SERIES) {
        List<Series> part = new ArrayList<>(series.subList(from, Math.min(series.size(), from + MOST_SERIES)));
        part.addAll(limits);
        charts.add(new Chart(from == 0 ? title : title + ", further runs", part));
      }
    });
    return charts;
  }

  private static String title(RunSummary run) {
    String collective = run.collective().equals(Fact.UNKNOWN) ? "collective not told" : run.collective();
    String nodes = !run.nodes().known() ? "" : run.nodes().is(1) ? ", one node" : ", " + run.nodes() + " nodes" + (run.perNode().is(1) ? ", one GPU each" : "");
    return collective + nodes;
  }

  /** The baseline's medians by size, and what the medians of this bundle must not fall under; none where the baseline is of another class. */
  private static List<Series> baseline(String subject, Ledger ledger) {
    Map<Double, BaselineCheck> sizes = new TreeMap<>();
    ledger.all(BaselineCheck.class).stream().filter(c -> c.metric().equals("busbw") && c.subject().equals(subject) && c.bytes().above(0) && c.baseline().known()).forEach(c -> sizes.put(c.bytes().value(), c));
    List<Series> series = new ArrayList<>();
    if (!sizes.isEmpty()) {
      series.add(new Series("baseline of " + subject + ", median", "baseline", sizes.entrySet().stream().map(e -> new Point(e.getKey(), e.getValue().baseline().value())).toList()));
      List<Point> limit = sizes.entrySet().stream().filter(e -> e.getValue().limit().known()).map(e -> new Point(e.getKey(), e.getValue().limit().value())).toList();
      if (!limit.isEmpty()) {
        series.add(new Series("limit by the baseline of " + subject, "limit", limit));
      }
    }
    return series;
  }

  /** What tells a run apart for a reader: its place, nodes and ranks, network and GDR. */
  static String name(RunSummary run) {
    StringBuilder name = new StringBuilder(run.run());
    if (run.nodes().known() && run.ranks().known()) {
      name.append(": ").append(run.ranks()).append(" ranks on ").append(run.nodes()).append(run.nodes().is(1) ? " node" : " nodes");
    } else if (run.ranks().known()) {
      name.append(": ").append(run.ranks()).append(" ranks");
    }
    if (!run.network().equals(Fact.UNKNOWN)) {
      name.append(", network ").append(run.network());
    }
    return switch (run.gdr()) {
      case YES -> name.append(", GDR").toString();
      case NO -> name.append(", no GDR").toString();
      case UNKNOWN -> name.toString();
    };
  }
}
