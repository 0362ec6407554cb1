package gdrproof.collect.measure;

import gdrproof.facts.Bench.RdmaTest;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Measure.RdmaShortfall;
import gdrproof.facts.Net.EthernetLink;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.PortNetdev;
import gdrproof.facts.Rdma.RdmaPort;
import gdrproof.facts.Tri;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Sets raw RDMA figures against their reference: host memory on the same HCA, the port's own rate, another GPU or HCA, the sibling rails. */
final class RawRdma {
  private static final int FEWEST_SIBLINGS = 2;

  private RawRdma() {}

  static void derive(Ledger ledger, Limits limits) {
    List<RdmaTest> tests = ledger.all(RdmaTest.class).stream().filter(t -> t.gbps().above(0) && t.bytes().atLeast(limits.rdmaSmallest())).toList();
    Ports ports = new Ports(ledger.all(RdmaPort.class));
    Map<String, Double> links = links(ledger, tests);
    Map<String, List<RdmaTest>> onHost = tests.stream().filter(t -> t.memory().equals("host")).collect(Collectors.groupingBy(RawRdma::twin));
    for (RdmaTest test : tests) {
      if (test.memory().equals("cuda")) {
        gpu(test, onHost.getOrDefault(twin(test), List.of()), tests, ports, ledger, limits);
      } else if (test.memory().equals("host")) {
        Num rate = rate(test, ports);
        if (!rate.known() && ports.at(test.node(), test.hca()).isEmpty() && links.containsKey(test.node() + " " + test.hca())) {
          rate = Num.of(links.get(test.node() + " " + test.hca()) * (test.direction().equals("bidirectional") ? 2 : 1));
        }
        add(ledger, test, "host", "port-rate", rate, limits, null);
      }
    }
    // An HCA that sends slowly may receive well: ends are not mixed.
    Map<String, List<RdmaTest>> rails = tests.stream().filter(t -> !t.hca().equals(Fact.UNKNOWN))
        .collect(Collectors.groupingBy(t -> t.node() + " " + t.test() + " " + t.memory() + " " + t.direction() + " " + t.qps() + " " + t.side(), TreeMap::new, Collectors.toList()));
    rails.values().forEach(same -> rails(same, ports, ledger, limits));
    Map<String, List<RdmaTest>> hosts = tests.stream().filter(t -> t.memory().equals("host") && !t.hca().equals(Fact.UNKNOWN) && !t.node().equals(Fact.UNKNOWN) && t.side().equals("client"))
        .collect(Collectors.groupingBy(t -> t.hca() + " " + t.test() + " " + t.linkLayer() + " " + t.direction() + " " + t.qps(), TreeMap::new, Collectors.toList()));
    hosts.values().forEach(same -> hosts(same, ports, ledger, limits));
  }

  /** Gb/s of the interface behind an HCA: by name, or the only one of the node that is as fast as its only tested HCA needs. */
  private static Map<String, Double> links(Ledger ledger, List<RdmaTest> tests) {
    Map<String, Double> links = new TreeMap<>();
    List<EthernetLink> up = ledger.all(EthernetLink.class).stream().filter(l -> l.speedMbps().above(0) && l.linkDetected() != Tri.NO && !l.node().equals(Fact.UNKNOWN)).toList();
    List<PortNetdev> named = ledger.all(PortNetdev.class);
    for (RdmaTest test : tests) {
      if (test.hca().equals(Fact.UNKNOWN)) {
        continue;
      }
      List<EthernetLink> behind = up.stream().filter(l -> l.node().equals(test.node())
          && named.stream().anyMatch(n -> n.node().equals(test.node()) && n.hca().equals(test.hca()) && n.netdev().equals(l.netdev()))).toList();
      boolean alone = named.stream().noneMatch(n -> n.node().equals(test.node())) && tests.stream().filter(t -> t.node().equals(test.node())).map(RdmaTest::hca).distinct().count() == 1;
      List<EthernetLink> found = behind.isEmpty() && alone ? up.stream().filter(l -> l.node().equals(test.node())).toList() : behind;
      if (found.size() == 1) {
        links.put(test.node() + " " + test.hca(), found.get(0).speedMbps().value() / 1000);
      }
    }
    return links;
  }

  /** The same HCA of alike hosts as sender: one that is slow towards everybody stands out against the best of the others. */
  private static void hosts(List<RdmaTest> same, Ports ports, Ledger ledger, Limits limits) {
    Map<String, RdmaTest> best = new TreeMap<>();
    same.forEach(t -> best.merge(t.node(), t, (a, b) -> a.gbps().atLeast(b.gbps().value()) ? a : b));
    if (best.values().stream().map(t -> rate(t, ports)).filter(Num::known).distinct().count() > 1) {
      return;
    }
    List<RdmaTest> fastest = best.values().stream().sorted((a, b) -> b.gbps().compareTo(a.gbps())).limit(2).toList();
    if (fastest.size() == 2) {
      for (RdmaTest host : best.values()) {
        RdmaTest other = fastest.get(host == fastest.get(0) ? 1 : 0);
        add(ledger, host, "host", "sibling-host", other.gbps(), limits, other);
      }
    }
  }

  private static String twin(RdmaTest test) {
    return test.node() + " " + test.hca() + " " + test.direction() + " " + test.test();
  }

  private static void gpu(RdmaTest gpu, List<RdmaTest> hosts, List<RdmaTest> all, Ports ports, Ledger ledger, Limits limits) {
    if (hosts.isEmpty() && rate(gpu, ports).known()) {
      add(ledger, gpu, "gpu", "port-rate", rate(gpu, ports), limits, null);
      return;
    }
    if (hosts.isEmpty()) {
      // No host memory and no rate to compare with: another GPU through the same HCA, or else this GPU through another HCA, tells what the path can do.
      List<RdmaTest> alike = all.stream().filter(t -> t.memory().equals("cuda") && t.node().equals(gpu.node()) && t.test().equals(gpu.test()) && t.direction().equals(gpu.direction()) && t.qps().equals(gpu.qps())).toList();
      List<RdmaTest> gpus = alike.stream().filter(t -> t.hca().equals(gpu.hca()) && !t.gpu().equals(gpu.gpu())).toList();
      List<RdmaTest> hcas = alike.stream().filter(t -> !t.hca().equals(gpu.hca()) && t.gpu().equals(gpu.gpu())).toList();
      (gpus.isEmpty() ? hcas : gpus).stream().max((a, b) -> a.gbps().compareTo(b.gbps()))
          .ifPresent(best -> add(ledger, gpu, "gpu", gpus.isEmpty() ? "other-hca" : "other-gpu", best.gbps(), limits, best));
      return;
    }
    RdmaTest best = hosts.stream().max((a, b) -> a.gbps().compareTo(b.gbps())).orElseThrow();
    add(ledger, gpu, "gpu", "host-memory", best.gbps(), limits, best);
  }

  /** Rate of the HCA's active port; twice that for both directions together; unknown unless exactly one port fits. */
  private static Num rate(RdmaTest test, Ports ports) {
    List<RdmaPort> own = test.node().equals(Fact.UNKNOWN) ? ports.named(test.hca())
        : Stream.concat(ports.at(test.node(), test.hca()).stream(), ports.at(Fact.UNKNOWN, test.hca()).stream()).toList();
    List<Double> rates = own.stream()
        .filter(p -> p.state().equals("ACTIVE") && p.rateGbps().above(0)).map(p -> p.rateGbps().value()).distinct().toList();
    return rates.size() != 1 ? Num.UNKNOWN : Num.of(rates.get(0) * (test.direction().equals("bidirectional") ? 2 : 1));
  }

  private static void rails(List<RdmaTest> same, Ports ports, Ledger ledger, Limits limits) {
    Map<String, RdmaTest> best = new TreeMap<>();
    same.forEach(t -> best.merge(t.hca(), t, (a, b) -> a.gbps().atLeast(b.gbps().value()) ? a : b));
    long rates = best.values().stream().map(t -> rate(t, ports)).filter(Num::known).distinct().count();
    if (rates > 1) {
      return;
    }
    for (RdmaTest rail : best.values()) {
      List<Double> siblings = best.values().stream().filter(t -> t != rail).map(t -> t.gbps().value()).toList();
      if (siblings.size() >= FEWEST_SIBLINGS) {
        add(ledger, rail, "rail", "sibling-rail", Num.of(Plateau.median(siblings)), limits, null);
      }
    }
  }

  private static void add(Ledger ledger, RdmaTest test, String kind, String reference, Num other, Limits limits, RdmaTest against) {
    Num ratio = test.gbps().over(other);
    if (ratio.below(limits.slowRdma())) {
      RdmaShortfall fact = new RdmaShortfall(test.node(), test.hca(), test.gpu(), kind, reference, test.gbps().rounded(), other.rounded(), ratio.rounded());
      SortedSet<gdrproof.facts.Evidence> sources = ledger.of(test);
      ledger.add(fact, List.copyOf(sources));
      if (against != null) {
        ledger.add(fact, List.copyOf(ledger.of(against)));
      }
    }
  }
}
