package gdrproof.collect.measure;

import gdrproof.facts.Bench.NcclTestIterations;
import gdrproof.facts.Bench.TableResult;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Measure.Contrast;
import gdrproof.facts.Measure.IterationTail;
import gdrproof.facts.Measure.Repeats;
import gdrproof.facts.Measure.RunSummary;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Sets runs beside each other: repeats of one thing, and pairs that differ in exactly one thing. */
final class Comparisons {
  /** Three comparable runs: the first is the warm-up. */
  private static final int WARM_UP_FROM = 3;
  /** Lines of a table that a report shows as they are. */
  private static final int SHOWN_WHOLE = 5;

  private Comparisons() {}

  static void derive(Ledger ledger, Limits limits) {
    List<RunSummary> runs = ledger.all(RunSummary.class).stream().filter(r -> r.plateauGBps().known()).sorted(Comparator.comparing(RunSummary::run, Moments.NATURAL)).toList();
    Map<String, List<RunSummary>> alike = runs.stream().collect(Collectors.groupingBy(r -> kind(r) + " " + r.hosts() + " " + settings(r), TreeMap::new, Collectors.toList()));
    alike.forEach((key, same) -> repeats(same, ledger, limits));
    Map<String, List<RunSummary>> elsewhere = runs.stream().filter(r -> !r.hosts().isEmpty())
        .collect(Collectors.groupingBy(r -> kind(r) + " " + settings(r), TreeMap::new, Collectors.toList()));
    elsewhere.values().forEach(same -> hosts(same, ledger, limits));
    for (int i = 0; i < runs.size(); i++) {
      for (int j = i + 1; j < runs.size(); j++) {
        oneSetting(runs.get(i), runs.get(j), ledger);
        scaling(runs.get(i), runs.get(j), ledger);
      }
    }
    CommonSizes.derive(runs, ledger, limits);
    tables(ledger, limits);
    tails(ledger);
    Controls.derive(ledger);
  }

  private static String kind(RunSummary run) {
    return run.collective() + " " + run.sweep() + " " + run.ranks() + " " + run.nodes() + " " + run.gpu();
  }

  /** Settings that can change a result; what only changes the log does not count. */
  static Map<String, String> settings(RunSummary run) {
    Map<String, String> settings = new TreeMap<>(run.settings());
    settings.keySet().removeIf(k -> k.startsWith("NCCL_DEBUG") || !k.startsWith("NCCL_") && !k.equals("CUDA_VISIBLE_DEVICES"));
    return settings;
  }

  private static void repeats(List<RunSummary> same, Ledger ledger, Limits limits) {
    if (same.size() < 2) {
      return;
    }
    if (same.size() == 2) {
      String order = Moments.order(same.get(0).run(), same.get(1).run());
      if (!order.isEmpty()) {
        RunSummary first = order.startsWith(same.get(0).run() + " ") ? same.get(0) : same.get(1);
        RunSummary later = first == same.get(0) ? same.get(1) : same.get(0);
        contrast(later.plateauGBps().below(first.plateauGBps()) ? "time" : "time-better", order, Fact.UNKNOWN, first, later, ledger);
        return;
      }
    }
    // Runs whose nodes nobody names may have been anywhere: only names of one series make them repeats.
    if (same.get(0).hosts().isEmpty() && same.stream().map(r -> r.run().replaceAll("\\d+", "0")).distinct().count() > 1) {
      return;
    }
    boolean warm = same.size() >= WARM_UP_FROM && same.stream().skip(1).allMatch(r -> r.plateauGBps().above(same.get(0).plateauGBps()));
    List<RunSummary> counted = warm ? same.subList(1, same.size()) : same;
    spread(counted.get(0).node(), kind(counted.get(0)), same.size(), counted.stream().map(r -> r.plateauGBps().value()).toList(), counted.stream().map(RunSummary::run).toList(),
        counted.stream().flatMap(r -> ledger.of(r).stream()).sorted().toList(), ledger);
  }

  private static void spread(String node, String key, int total, List<Double> values, List<String> names, List<Evidence> sources, Ledger ledger) {
    double low = values.stream().mapToDouble(v -> v).min().orElse(0);
    double high = values.stream().mapToDouble(v -> v).max().orElse(0);
    double median = Plateau.median(values);
    if (median > 0) {
      ledger.add(new Repeats(node, key, Num.of(total), Num.of(values.size()), Num.of(low), Num.of(median).rounded(), Num.of(high), Num.of(100 * (high - low) / median).rounded(), names), sources);
    }
  }

  private static void contrast(String what, String detail, String node, RunSummary a, RunSummary b, Ledger ledger) {
    RunSummary slow = a.plateauGBps().above(b.plateauGBps()) ? b : a;
    RunSummary fast = slow == a ? b : a;
    List<Evidence> sources = new ArrayList<>(ledger.of(slow));
    sources.addAll(ledger.of(fast));
    ledger.add(new Contrast(node, what, detail, slow.run(), slow.plateauGBps(), fast.run(), fast.plateauGBps(),
        slow.plateauGBps().over(fast.plateauGBps()).rounded()), sources);
  }

  /** The one node that every slow run has and no fast run: runs of equal size over different nodes. */
  private static void hosts(List<RunSummary> same, Ledger ledger, Limits limits) {
    double highest = same.stream().mapToDouble(r -> r.plateauGBps().value()).max().orElse(0);
    List<RunSummary> slow = same.stream().filter(r -> r.plateauGBps().value() < highest * limits.slowSibling()).toList();
    List<RunSummary> fast = same.stream().filter(r -> !slow.contains(r)).toList();
    if (slow.isEmpty()) {
      return;
    }
    Set<String> suspects = new TreeSet<>(slow.get(0).hosts());
    slow.forEach(r -> suspects.retainAll(r.hosts()));
    fast.forEach(r -> suspects.removeAll(r.hosts()));
    Set<String> others = new HashSet<>(slow.get(0).hosts());
    others.removeAll(suspects);
    boolean othersFast = others.stream().allMatch(o -> fast.stream().anyMatch(f -> f.hosts().contains(o)));
    if (suspects.size() == 1 && (othersFast || slow.size() > 1)) {
      contrast("hosts", suspects.iterator().next(), suspects.iterator().next(), slow.get(0), fast.get(0), ledger);
    }
  }

  private static void oneSetting(RunSummary a, RunSummary b, Ledger ledger) {
    if (!kind(a).equals(kind(b)) || !a.hosts().equals(b.hosts()) || a.settings().equals(b.settings())) {
      return;
    }
    Map<String, String> left = settings(a);
    Map<String, String> right = settings(b);
    Set<String> names = new TreeSet<>(left.keySet());
    names.addAll(right.keySet());
    names.removeIf(n -> left.getOrDefault(n, "").equals(right.getOrDefault(n, "")));
    if (names.size() == 1) {
      String name = names.iterator().next();
      RunSummary with = left.containsKey(name) ? a : b;
      contrast("setting", name + "=" + with.setting(name) + " in " + with.run(), Fact.UNKNOWN, a, b, ledger);
    }
  }

  /** Runs of one kind with the same ranks on each of at least two nodes, but more nodes; and with fewer ranks on the same nodes. */
  private static void scaling(RunSummary a, RunSummary b, Ledger ledger) {
    boolean alike = a.collective().equals(b.collective()) && a.topBytes().equals(b.topBytes()) && settings(a).equals(settings(b)) && a.multiNode() && b.multiNode();
    if (alike && a.perNode().known() && a.perNode().equals(b.perNode()) && !a.nodes().equals(b.nodes())) {
      RunSummary more = a.nodes().above(b.nodes()) ? a : b;
      RunSummary fewer = more == a ? b : a;
      if (more.plateauGBps().below(fewer.plateauGBps())) {
        contrast("nodes", more.nodes() + " nodes against " + fewer.nodes(), Fact.UNKNOWN, a, b, ledger);
      }
    }
    if (alike && a.perNode().known() && b.perNode().known() && !a.perNode().equals(b.perNode()) && a.nodes().equals(b.nodes()) && a.hosts().equals(b.hosts())) {
      RunSummary more = a.perNode().above(b.perNode()) ? a : b;
      RunSummary fewer = more == a ? b : a;
      if (more.plateauGBps().below(fewer.plateauGBps())) {
        contrast("ranks-per-node", more.perNode() + " GPUs a node against " + fewer.perNode(), Fact.UNKNOWN, a, b, ledger);
      }
    }
  }

  private static void tables(Ledger ledger, Limits limits) {
    Map<String, List<TableResult>> tables = ledger.all(TableResult.class).stream().filter(t -> t.value().known())
        .collect(Collectors.groupingBy(TableResult::table, TreeMap::new, Collectors.toList()));
    tables.forEach((table, lines) -> {
      lines.sort(Comparator.comparing(TableResult::order));
      List<Evidence> sources = lines.stream().flatMap(l -> ledger.of(l).stream()).sorted().toList();
      if (NodeSetTables.fits(lines)) {
        NodeSetTables.derive(lines, ledger, limits);
      } else if (lines.stream().allMatch(l -> l.label().matches("(?i)(?:run|iter(?:ation)?|repeat|test|try|trial|job|attempt|pass|round|#)?[\\s_-]*#?\\d+"))) {
        boolean warm = lines.size() >= WARM_UP_FROM && lines.stream().skip(1).allMatch(l -> l.value().above(lines.get(0).value()));
        List<TableResult> counted = warm ? lines.subList(1, lines.size()) : lines;
        spread(lines.get(0).node(), table, lines.size(), counted.stream().map(l -> l.value().value()).toList(), counted.stream().map(TableResult::label).toList(), extremes(lines, sources, ledger), ledger);
      } else if (lines.size() == 2 && !Moments.order(lines.get(0).label(), lines.get(1).label()).isEmpty()) {
        TableResult slow = lines.get(0).value().above(lines.get(1).value()) ? lines.get(1) : lines.get(0);
        TableResult fast = slow == lines.get(0) ? lines.get(1) : lines.get(0);
        String order = Moments.order(lines.get(0).label(), lines.get(1).label());
        ledger.add(new Contrast(Fact.UNKNOWN, order.startsWith(fast.label() + " ") ? "time" : "time-better", order, slow.label(), slow.value(), fast.label(), fast.value(),
            slow.value().over(fast.value()).rounded()), sources);
      }
    });
  }

  /** Of a long table the line farthest from the median: a reader looks for the outlier, and a report shows the first line of a fact only. */
  private static List<Evidence> extremes(List<TableResult> lines, List<Evidence> all, Ledger ledger) {
    if (lines.size() <= SHOWN_WHOLE) {
      return all;
    }
    double median = Plateau.median(lines.stream().map(l -> l.value().value()).toList());
    return lines.stream().max(Comparator.comparingDouble(l -> Math.abs(l.value().value() - median))).map(l -> List.copyOf(ledger.of(l))).orElse(all);
  }

  private static void tails(Ledger ledger) {
    Map<String, IterationTail> worst = new HashMap<>();
    Map<String, NcclTestIterations> rows = new HashMap<>();
    for (NcclTestIterations row : ledger.all(NcclTestIterations.class)) {
      Num ratio = row.maxUs().over(row.minUs());
      IterationTail tail = new IterationTail(row.node(), row.run(), row.bytes(), row.minUs(), row.maxUs(), ratio.rounded(), row.cvPercent());
      if (ratio.known() && (!worst.containsKey(row.run()) || ratio.above(worst.get(row.run()).ratio()))) {
        worst.put(row.run(), tail);
        rows.put(row.run(), row);
      }
    }
    worst.forEach((run, tail) -> ledger.add(tail, List.copyOf(ledger.of(rows.get(run)))));
  }
}
