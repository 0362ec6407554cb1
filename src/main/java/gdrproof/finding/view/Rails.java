package gdrproof.finding.view;

import gdrproof.facts.Bench.RdmaTest;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.RdmaPort;
import gdrproof.finding.view.View.Rail;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** RDMA bandwidth of each rail beside its siblings. */
final class Rails {
  private Rails() {}

  static List<Rail> of(Ledger ledger) {
    Map<String, Num> rates = new TreeMap<>();
    for (RdmaPort port : ledger.all(RdmaPort.class)) {
      if (port.state().equals("ACTIVE") && port.rateGbps().above(0)) {
        rates.merge(port.node() + "\n" + port.hca(), port.rateGbps(), (a, b) -> a.above(b) ? a : b);
      }
    }
    List<RdmaTest> tests = ledger.all(RdmaTest.class).stream().filter(t -> t.gbps().above(0) && !t.hca().equals(Fact.UNKNOWN)).toList();
    Map<String, List<RdmaTest>> alike = new TreeMap<>();
    tests.forEach(t -> alike.computeIfAbsent(t.test() + t.direction(), k -> new ArrayList<>()).add(t));
    List<Rail> rails = new ArrayList<>();
    for (RdmaTest test : tests) {
      Num rate = rates.getOrDefault(test.node() + "\n" + test.hca(), Num.UNKNOWN);
      Num both = test.direction().equals("bidirectional") && rate.known() ? Num.of(2 * rate.value()) : rate;
      List<RdmaTest> siblings = alike.get(test.test() + test.direction());
      Num best = siblings.size() < 2 ? Num.UNKNOWN : siblings.stream().map(RdmaTest::gbps).max(Comparator.naturalOrder()).orElse(Num.UNKNOWN);
      Num share = test.gbps().over(both.known() ? both : best);
      String title = test.test() + (test.direction().equals("bidirectional") ? ", both directions" : "") + (test.peer().equals(Fact.UNKNOWN) ? "" : " to " + test.peer());
      rails.add(new Rail(test.node(), test.hca(), title, memory(test), test.gbps().rounded(), both, share));
    }
    rails.sort(Comparator.comparing(Rail::node).thenComparing(Rail::memory).thenComparing(Rail::test).thenComparing(Rail::hca, Names.NATURAL).thenComparing(Rail::gbps));
    return rails;
  }

  private static String memory(RdmaTest test) {
    String gpu = test.gpu().equals(Fact.UNKNOWN) ? "GPU memory" : test.gpu() + " memory";
    return switch (test.memory()) {
      case "host" -> "host memory";
      case "cuda" -> switch (test.dmabuf()) {
        case YES -> gpu + " (DMA-BUF)";
        case NO -> gpu + " (peermem)";
        case UNKNOWN -> gpu;
      };
      default -> "memory not told";
    };
  }
}
