package gdrproof.finding.view;

import gdrproof.facts.Bench.NcclTestRow;
import gdrproof.facts.Fact;
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
import java.util.TreeMap;

/** Bandwidth curves of the bundle's benchmark runs, one chart for each collective. */
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
    Map<String, List<Series>> byCollective = new TreeMap<>();
    Map<String, Series> ceilings = new TreeMap<>();
    rows.forEach((run, curve) -> {
      RunSummary summary = runs.get(run);
      if (summary == null || summary.ranks().is(1)) {
        return;
      }
      List<Point> points = new ArrayList<>();
      curve.forEach((bytes, values) -> points.add(new Point(bytes, values.stream().mapToDouble(v -> v).average().orElse(0))));
      byCollective.computeIfAbsent(summary.collective(), c -> new ArrayList<>()).add(new Series(name(summary), "run", points));
      ledger.all(Ceiling.class).stream().filter(c -> c.run().equals(run) && c.busbwGBps().known()).forEach(c -> {
        double from = points.get(0).bytes();
        double to = points.get(points.size() - 1).bytes();
        ceilings.putIfAbsent(summary.collective() + "\n" + c.part() + c.busbwGBps(),
            new Series("ceiling of " + c.part() + ": " + c.how(), "ceiling", List.of(new Point(from, c.busbwGBps().value()), new Point(to, c.busbwGBps().value()))));
      });
    });
    List<Chart> charts = new ArrayList<>();
    byCollective.forEach((collective, series) -> {
      String title = (collective.equals(Fact.UNKNOWN) ? "collective not told" : collective);
      List<Series> limits = ceilings.entrySet().stream().filter(e -> e.getKey().startsWith(collective + "\n")).map(Map.Entry::getValue).limit(2).toList();
      for (int from = 0; from < series.size(); from += MOST_SERIES) {
        List<Series> part = new ArrayList<>(series.subList(from, Math.min(series.size(), from + MOST_SERIES)));
        part.addAll(limits);
        charts.add(new Chart(from == 0 ? title : title + ", further runs", part));
      }
    });
    return charts;
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
