package gdrproof.collect.measure;

import gdrproof.facts.Bench.TableResult;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Measure.Contrast;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Tables of one collective over different sets of nodes: which node every slow set of a size has, and where more nodes are slower. */
final class NodeSetTables {
  private static final String LABEL = "nodes=";

  /** @param size number of nodes, 0 where only those left out are told */
  private record Line(TableResult result, Set<String> names, boolean without, int size) {
    double value() {
      return result.value().value();
    }
  }

  private NodeSetTables() {}

  static boolean fits(List<TableResult> lines) {
    return lines.stream().allMatch(l -> l.label().startsWith(LABEL));
  }

  static void derive(List<TableResult> results, Ledger ledger, Limits limits) {
    List<Line> lines = results.stream().map(NodeSetTables::line).toList();
    if (!leftOut(lines, ledger, limits) && !oneNode(lines, ledger, limits)) {
      growth(lines, ledger, limits);
    }
  }

  private static Line line(TableResult result) {
    String text = result.label().substring(LABEL.length());
    boolean without = text.startsWith("!");
    if (text.startsWith("#")) {
      return new Line(result, Set.of(), false, Integer.parseInt(text.substring(1)));
    }
    Set<String> names = text.equals("*") ? Set.of() : new TreeSet<>(List.of((without ? text.substring(1) : text).split(",")));
    return new Line(result, names, without, without ? 0 : names.size());
  }

  /** All nodes are slow, all but one fast. */
  private static boolean leftOut(List<Line> lines, Ledger ledger, Limits limits) {
    List<Line> without = lines.stream().filter(l -> l.without() && l.names().size() == 1).toList();
    List<Line> all = lines.stream().filter(l -> l.size() == 0 && !l.without()).toList();
    if (without.isEmpty() || all.isEmpty()) {
      return false;
    }
    double best = without.stream().mapToDouble(Line::value).max().orElse(0);
    List<Line> fast = without.stream().filter(l -> l.value() >= best * limits.slowSibling()).toList();
    if (fast.size() != 1 || all.get(0).value() >= best * limits.slowSibling()) {
      return false;
    }
    String node = fast.get(0).names().iterator().next();
    add("hosts", node, node, all.get(0), fast.get(0), ledger);
    return true;
  }

  /** Sets of one size: the one node that every slow set has and no fast one, while its company is fast elsewhere. */
  private static boolean oneNode(List<Line> lines, Ledger ledger, Limits limits) {
    List<Line> named = lines.stream().filter(l -> !l.without() && !l.names().isEmpty() && l.size() > 1).toList();
    for (Line slow : named) {
      for (Line fast : named) {
        if (slow.size() != fast.size() || slow.value() >= fast.value() * limits.slowSibling()) {
          continue;
        }
        double limit = fast.value() * limits.slowSibling();
        Set<String> suspects = new TreeSet<>(slow.names());
        named.stream().filter(l -> l.value() >= limit).forEach(l -> suspects.removeAll(l.names()));
        named.stream().filter(l -> l.value() < limit).forEach(l -> suspects.retainAll(l.names()));
        if (suspects.size() == 1) {
          String node = suspects.iterator().next();
          add("hosts", node, node, slow, fast, ledger);
          return true;
        }
      }
    }
    return false;
  }

  /** The smallest set from which on more nodes are slower, against the largest set before it. */
  private static void growth(List<Line> lines, Ledger ledger, Limits limits) {
    List<Line> grown = lines.stream().filter(l -> l.size() > 1).sorted((a, b) -> Integer.compare(a.size(), b.size())).toList();
    for (int i = 1; i < grown.size(); i++) {
      Line more = grown.get(i);
      Line fewer = grown.get(i - 1);
      boolean stays = grown.subList(i, grown.size()).stream().allMatch(l -> l.value() < fewer.value() * limits.slowSibling());
      if (more.size() > fewer.size() && stays) {
        add("nodes", more.size() + " nodes against " + fewer.size(), joined(grown, i), more, fewer, ledger);
        return;
      }
    }
    Line first = grown.isEmpty() ? null : grown.get(0);
    Line last = grown.isEmpty() ? null : grown.get(grown.size() - 1);
    if (first != null && last.size() > first.size() && last.value() < first.value()) {
      add("nodes", last.size() + " nodes against " + first.size(), Fact.UNKNOWN, last, first, ledger);
    }
  }

  /** The one node that every slow set has and no fast one, or unknown. */
  private static String joined(List<Line> grown, int from) {
    Set<String> suspects = new TreeSet<>(grown.get(from).names());
    grown.subList(from, grown.size()).forEach(l -> suspects.retainAll(l.names()));
    grown.subList(0, from).forEach(l -> suspects.removeAll(l.names()));
    boolean named = grown.stream().noneMatch(l -> l.names().isEmpty());
    return named && suspects.size() == 1 ? suspects.iterator().next() : Fact.UNKNOWN;
  }

  private static void add(String what, String detail, String node, Line slow, Line fast, Ledger ledger) {
    List<Evidence> sources = new ArrayList<>(ledger.of(slow.result()));
    sources.addAll(ledger.of(fast.result()));
    Num low = slow.result().value();
    Num high = fast.result().value();
    ledger.add(new Contrast(node, what, detail, slow.result().label(), low, fast.result().label(), high, low.over(high).rounded()), sources);
  }
}
