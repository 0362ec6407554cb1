package gdrproof.collect.measure;

import gdrproof.facts.Bench.PairResult;
import gdrproof.facts.Evidence;
import gdrproof.facts.Ledger;
import gdrproof.facts.Measure.NodeInPairs;
import gdrproof.facts.Measure.OddPair;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Tells from a table of pairs whether a node is slow, or only a way between two nodes. */
final class PairTables {
  /** A pair and its figure. */
  record Pair(String a, String b, double value) {
    boolean has(String node) {
      return a.equals(node) || b.equals(node);
    }

    String other(String node) {
      return a.equals(node) ? b : a;
    }
  }

  private PairTables() {}

  static void derive(Ledger ledger, Limits limits) {
    Map<String, List<PairResult>> tables = ledger.all(PairResult.class).stream().filter(p -> p.value().known())
        .collect(Collectors.groupingBy(PairResult::table, TreeMap::new, Collectors.toList()));
    tables.forEach((table, results) -> {
      List<Pair> pairs = results.stream().map(r -> new Pair(r.node(), r.other(), r.value().value())).toList();
      Verdicts verdicts = judge(pairs, limits.slowSibling());
      Map<String, List<Pair>> byNode = byNode(pairs);
      Map<String, List<PairResult>> lines = new HashMap<>();
      for (PairResult result : results) {
        lines.computeIfAbsent(result.node(), n -> new ArrayList<>()).add(result);
        if (!result.other().equals(result.node())) {
          lines.computeIfAbsent(result.other(), n -> new ArrayList<>()).add(result);
        }
      }
      verdicts.nodes().forEach((node, verdict) -> {
        List<Pair> own = byNode.get(node);
        long slow = own.stream().filter(p -> p.value() < verdicts.floor()).count();
        NodeInPairs fact = new NodeInPairs(node, table, verdict, Num.of(slow), Num.of(own.size()), Num.of(Plateau.median(own.stream().map(Pair::value).toList())),
            Num.of(verdicts.fast()));
        ledger.add(fact, evidence(lines.get(node), ledger, r -> true));
      });
      for (Pair odd : verdicts.odd()) {
        ledger.add(new OddPair(odd.a(), odd.b(), table, Num.of(odd.value()), Num.of(verdicts.fast())),
            evidence(lines.get(odd.a()), ledger, r -> r.node().equals(odd.a()) && r.other().equals(odd.b())));
      }
    });
  }

  /** Pairs of each node: a table of a thousand nodes is not searched again for each of them. */
  private static Map<String, List<Pair>> byNode(List<Pair> pairs) {
    Map<String, List<Pair>> byNode = new TreeMap<>();
    for (Pair pair : pairs) {
      byNode.computeIfAbsent(pair.a(), n -> new ArrayList<>()).add(pair);
      if (!pair.b().equals(pair.a())) {
        byNode.computeIfAbsent(pair.b(), n -> new ArrayList<>()).add(pair);
      }
    }
    return byNode;
  }

  private static List<Evidence> evidence(List<PairResult> results, Ledger ledger, java.util.function.Predicate<PairResult> which) {
    return results.stream().filter(which).flatMap(r -> ledger.of(r).stream()).sorted().toList();
  }

  /**
   * @param fast level of the fast group, floor below which a pair is slow
   * @param nodes verdict of every node
   * @param odd pairs that are slow although both nodes are fast with others
   */
  record Verdicts(double fast, double floor, Map<String, String> nodes, List<Pair> odd) {}

  /**
   * A node is slow when all its pairs are, there are at least two, and every partner is fast elsewhere: then nothing else is
   * common to them. Otherwise the table leaves it open.
   */
  static Verdicts judge(List<Pair> pairs, double sibling) {
    double highest = pairs.stream().mapToDouble(Pair::value).max().orElse(0);
    double fast = Plateau.median(pairs.stream().map(Pair::value).filter(v -> v >= highest * sibling).toList());
    double floor = fast * sibling;
    Map<String, List<Pair>> byNode = byNode(pairs);
    Map<String, String> nodes = new TreeMap<>();
    for (Map.Entry<String, List<Pair>> each : byNode.entrySet()) {
      String node = each.getKey();
      List<Pair> own = each.getValue();
      long slow = own.stream().filter(p -> p.value() < floor).count();
      Set<String> partners = own.stream().map(p -> p.other(node)).collect(Collectors.toSet());
      long fastElsewhere = partners.stream().filter(o -> byNode.get(o).stream().anyMatch(p -> !p.has(node) && p.value() >= floor)).count();
      String verdict = slow == 0 ? "fast" : slow < own.size() ? "mixed" : partners.size() >= 2 && fastElsewhere == partners.size() ? "slow" : "suspect";
      nodes.put(node, verdict);
    }
    List<Pair> odd = new ArrayList<>();
    for (Pair pair : pairs) {
      // The other direction of the same pair is no other partner.
      boolean bothFast = List.of(pair.a(), pair.b()).stream()
          .allMatch(n -> nodes.get(n).equals("mixed") && byNode.get(n).stream().anyMatch(p -> p.value() >= floor && !p.other(n).equals(pair.other(n))));
      if (pair.value() < floor && bothFast) {
        odd.add(pair);
      }
    }
    return new Verdicts(fast, floor, nodes, odd);
  }
}
