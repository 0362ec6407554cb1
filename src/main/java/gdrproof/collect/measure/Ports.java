package gdrproof.collect.measure;

import gdrproof.facts.Fact;
import gdrproof.facts.Rdma.RdmaPort;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Ports by place: a job of a thousand nodes asks for the port of each of its HCAs, and a search over all ports each time would grow with their square. */
final class Ports {
  private final List<RdmaPort> all;
  private final Map<String, List<RdmaPort>> byNode = new HashMap<>();
  private final Map<String, List<RdmaPort>> byHca = new HashMap<>();
  private final Map<String, List<RdmaPort>> byPlace = new HashMap<>();

  Ports(List<RdmaPort> all) {
    this.all = List.copyOf(all);
    for (RdmaPort port : all) {
      byNode.computeIfAbsent(port.node(), n -> new ArrayList<>()).add(port);
      byHca.computeIfAbsent(port.hca(), h -> new ArrayList<>()).add(port);
      byPlace.computeIfAbsent(port.node() + " " + port.hca(), p -> new ArrayList<>()).add(port);
    }
  }

  List<RdmaPort> all() {
    return all;
  }

  /** Ports of HCAs of this name, on any node. */
  List<RdmaPort> named(String hca) {
    return byHca.getOrDefault(hca, List.of());
  }

  List<RdmaPort> at(String node, String hca) {
    return byPlace.getOrDefault(node + " " + hca, List.of());
  }

  /** Ports of a node, and those that no node is told of. */
  List<RdmaPort> near(String node) {
    List<RdmaPort> found = new ArrayList<>(byNode.getOrDefault(node, List.of()));
    if (!node.equals(Fact.UNKNOWN)) {
      found.addAll(byNode.getOrDefault(Fact.UNKNOWN, List.of()));
    }
    return found;
  }
}
