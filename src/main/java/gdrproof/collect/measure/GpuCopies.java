package gdrproof.collect.measure;

import gdrproof.collect.measure.PairTables.Pair;
import gdrproof.collect.measure.PairTables.Verdicts;
import gdrproof.facts.Bench.GpuMatrixCell;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.PeerTest;
import gdrproof.facts.Ledger;
import gdrproof.facts.Measure.Contrast;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Finds the GPU of a node whose copies are slower than those of its siblings in the same test: with the host, or with every other GPU. A few slow ones among
 * many are told; where half are slow, two sockets or two islands are the likelier reason, and nothing is said.
 */
final class GpuCopies {
  private static final Pattern HOST = Pattern.compile(".*#(?<way>host-to-device|device-to-host)\\w*");
  private static final Pattern ONE_WAY = Pattern.compile("memcpy (?:CE|SM) GPU\\(row\\) (?:->|<-) GPU\\(column\\) bandwidth");

  private record Copy(String from, String to, double value, List<Evidence> sources) {}

  private GpuCopies() {}

  static void derive(Ledger ledger, Limits limits) {
    Map<List<String>, List<Copy>> host = new TreeMap<>(GpuCopies::compare);
    Map<List<String>, List<Copy>> peers = new TreeMap<>(GpuCopies::compare);
    for (GpuMatrixCell cell : ledger.all(GpuMatrixCell.class)) {
      Copy copy = new Copy(cell.from(), cell.to(), cell.value().above(0) ? cell.value().value() : 0, List.copyOf(ledger.of(cell)));
      if (copy.value() <= 0) {
        continue;
      }
      if (HOST.matcher(cell.table()).matches() && !cell.from().contains(",")) {
        host.computeIfAbsent(List.of(cell.node(), cell.table()), k -> new ArrayList<>()).add(copy);
      } else if (ONE_WAY.matcher(cell.metric()).matches()) {
        peers.computeIfAbsent(List.of(cell.node(), cell.table()), k -> new ArrayList<>()).add(copy);
      }
    }
    for (PeerTest test : ledger.all(PeerTest.class)) {
      if (test.measure().equals("bandwidth") && test.value().above(0)) {
        peers.computeIfAbsent(List.of(test.node(), ""), k -> new ArrayList<>()).add(new Copy(test.from(), test.to(), test.value().value(), List.copyOf(ledger.of(test))));
      }
    }
    host.forEach((key, copies) -> host(key.get(0), copies, ledger, limits));
    peers.forEach((key, copies) -> peers(key.get(0), copies, ledger, limits));
  }

  private static int compare(List<String> a, List<String> b) {
    return String.join("\n", a).compareTo(String.join("\n", b));
  }

  private static void host(String node, List<Copy> measured, Ledger ledger, Limits limits) {
    Map<String, Copy> best = new TreeMap<>();
    measured.forEach(c -> best.merge(c.to(), c, (a, b) -> a.value() >= b.value() ? a : b));
    List<Copy> copies = List.copyOf(best.values());
    double middle = Plateau.median(copies.stream().map(Copy::value).toList());
    List<Copy> slow = copies.stream().filter(c -> c.value() < middle * limits.slowSibling()).toList();
    if (slow.isEmpty() || !few(slow.size(), copies.size())) {
      return;
    }
    List<Copy> others = copies.stream().filter(c -> !slow.contains(c)).toList();
    double usual = Plateau.median(others.stream().map(Copy::value).toList());
    slow.forEach(c -> {
      List<Evidence> sources = sources(List.of(c));
      sources.addAll(sources(others));
      ledger.add(contrast(node, "gpu-host-copy", c.to(), c.value(), usual), sources);
    });
  }

  private static void peers(String node, List<Copy> copies, Ledger ledger, Limits limits) {
    List<Copy> pairs = copies.stream().filter(c -> !c.from().equals(c.to())).toList();
    Verdicts verdicts = PairTables.judge(pairs.stream().map(c -> new Pair(c.from(), c.to(), c.value())).toList(), limits.slowSibling());
    List<String> slow = verdicts.nodes().entrySet().stream().filter(e -> e.getValue().equals("slow")).map(Map.Entry::getKey).toList();
    if (slow.isEmpty() || !few(slow.size(), verdicts.nodes().size())) {
      return;
    }
    slow.forEach(gpu -> {
      List<Copy> own = pairs.stream().filter(c -> c.from().equals(gpu) || c.to().equals(gpu)).toList();
      ledger.add(contrast(node, "gpu-peer-copy", gpu, Plateau.median(own.stream().map(Copy::value).toList()), verdicts.fast()), sources(own));
    });
  }

  /** Fewer than half. */
  private static boolean few(int slow, int all) {
    return 2 * slow < all;
  }

  private static Contrast contrast(String node, String what, String gpu, double slow, double fast) {
    Num ratio = Num.of(slow).over(Num.of(fast)).rounded();
    return new Contrast(node, what, gpu, gpu, Num.of(slow), Fact.UNKNOWN, Num.of(fast), ratio);
  }

  private static List<Evidence> sources(Collection<Copy> copies) {
    TreeSet<Evidence> sources = new TreeSet<>();
    copies.forEach(c -> sources.addAll(c.sources()));
    return new ArrayList<>(sources);
  }
}
