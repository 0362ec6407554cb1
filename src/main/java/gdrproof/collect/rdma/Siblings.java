package gdrproof.collect.rdma;

import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.PortCapability;
import gdrproof.facts.Rdma.PortSiblings;
import gdrproof.facts.Rdma.RateShortfall;
import gdrproof.facts.Rdma.RdmaDevice;
import gdrproof.facts.Rdma.RdmaPort;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Compares each port with the others of its kind on the node: the odd one out needs no stated intent. */
final class Siblings {
  private Siblings() {}

  static void compare(Ledger ledger) {
    Map<String, String> types = new HashMap<>();
    for (RdmaDevice device : ledger.all(RdmaDevice.class)) {
      if (!device.type().equals(Fact.UNKNOWN)) {
        types.put(device.node() + "/" + device.hca(), device.type());
      }
    }
    Map<String, RdmaPort> ports = new TreeMap<>();
    Set<String> contradictory = new HashSet<>();
    for (RdmaPort port : ledger.all(RdmaPort.class)) {
      String key = port.node() + "/" + port.hca() + "/" + port.port();
      RdmaPort other = ports.merge(key, port, Siblings::fuller);
      if (!other.state().equals(port.state()) && !port.state().equals(Fact.UNKNOWN)) {
        // Two hosts without a name, or two times: such a port says nothing about its siblings.
        contradictory.add(key);
      }
    }
    ports.keySet().removeAll(contradictory);
    shortfall(ledger, ports);
    Map<String, List<RdmaPort>> kinds = new TreeMap<>();
    ports.values().stream().filter(p -> !p.linkLayer().equals(Fact.UNKNOWN)).forEach(
        p -> kinds.computeIfAbsent(p.node() + " " + p.linkLayer() + " " + types.get(p.node() + "/" + p.hca()), k -> new ArrayList<>()).add(p));
    kinds.values().forEach(kind -> kind.forEach(port -> {
      List<RdmaPort> others = kind.stream().filter(o -> o != port).toList();
      List<RdmaPort> active = others.stream().filter(o -> o.state().equals("ACTIVE")).toList();
      Num best = active.stream().map(RdmaPort::rateGbps).max(Num::compareTo).orElse(Num.UNKNOWN);
      ledger.add(new PortSiblings(port.node(), port.hca(), port.port(), Num.of(active.size()), Num.of(others.stream().filter(o -> o.state().equals("DOWN")).count()), best,
          Num.of(active.stream().filter(o -> best.known() && o.rateGbps().equals(best)).count())), ledger.of(port));
    }));
  }

  private static void shortfall(Ledger ledger, Map<String, RdmaPort> ports) {
    Map<String, Num> best = new HashMap<>();
    ledger.all(PortCapability.class).forEach(c -> best.merge(c.node() + "/" + c.hca(), c.rateGbps(), (a, b) -> a.above(b) ? a : b));
    Map<String, double[]> sums = new TreeMap<>();
    Map<String, RdmaPort> first = new HashMap<>();
    for (RdmaPort port : ports.values()) {
      Num capable = best.getOrDefault(port.node() + "/" + port.hca(), Num.UNKNOWN);
      if (port.state().equals("ACTIVE") && port.rateGbps().known() && capable.known()) {
        double[] sum = sums.computeIfAbsent(port.node(), n -> new double[2]);
        sum[0] += port.rateGbps().value();
        sum[1] += capable.value();
        first.putIfAbsent(port.node(), port);
      }
    }
    sums.forEach((node, sum) -> {
      if (sum[0] < sum[1]) {
        ledger.add(new RateShortfall(node, Num.of(sum[0]), Num.of(sum[1])), ledger.of(first.get(node)));
      }
    });
  }

  private static RdmaPort fuller(RdmaPort a, RdmaPort b) {
    boolean first = !a.linkLayer().equals(Fact.UNKNOWN) && !a.state().equals(Fact.UNKNOWN) && (a.rateGbps().known() || !b.rateGbps().known());
    return first ? a : b;
  }
}
