package gdrproof.collect.rdma;

import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.PortSiblings;
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

  private static RdmaPort fuller(RdmaPort a, RdmaPort b) {
    boolean first = !a.linkLayer().equals(Fact.UNKNOWN) && !a.state().equals(Fact.UNKNOWN) && (a.rateGbps().known() || !b.rateGbps().known());
    return first ? a : b;
  }
}
