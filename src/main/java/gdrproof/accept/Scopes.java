package gdrproof.accept;

import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Gate.IntendedNode;
import gdrproof.facts.Gate.IntendedPort;
import gdrproof.facts.Gate.ScopeNode;
import gdrproof.facts.Gate.ScopeRail;
import gdrproof.facts.Gpu.GpuCount;
import gdrproof.facts.Gpu.GpuDevice;
import gdrproof.facts.Gpu.TopoLink;
import gdrproof.facts.Ledger;
import gdrproof.facts.Measure.RunSummary;
import gdrproof.facts.Nccl.NcclHca;
import gdrproof.facts.Rdma.RdmaPort;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What is to be accepted: the nodes and ports of `site.yaml` where it is given, whether the evidence shows them or not, and nothing else; otherwise
 * the nodes that the multi-node runs used (else every node that the bundle shows), and on them the HCAs that NCCL took. Without a run on verbs and
 * without intent no rail is known, and nothing is said of rails.
 */
final class Scopes {
  private Scopes() {}

  /** Whether the intent says what is to be accepted. */
  private static boolean intended(Ledger ledger) {
    List<IntendedPort> ports = ledger.all(IntendedPort.class);
    Map<String, IntendedNode> nodes = new TreeMap<>();
    ledger.all(IntendedNode.class).stream().filter(n -> n.why().startsWith("site.yaml")).forEach(n -> nodes.put(n.node(), n));
    nodes.values().forEach(n -> ledger.add(new ScopeNode(n.node(), n.why()), ledger.of(n).stream().limit(1).toList()));
    ports.forEach(p -> ledger.add(new ScopeRail(p.node(), p.hca(), "site.yaml names it"), ledger.of(p).stream().limit(1).toList()));
    ledger.all(NcclHca.class).stream().filter(h -> nodes.containsKey(h.node()) && ports.stream().noneMatch(p -> p.node().equals(h.node())))
        .forEach(h -> ledger.add(new ScopeRail(h.node(), h.hca(), "NCCL took it"), ledger.of(h).stream().limit(1).toList()));
    return !nodes.isEmpty();
  }

  static void derive(Ledger ledger) {
    if (intended(ledger)) {
      return;
    }
    Map<String, List<Evidence>> nodes = new TreeMap<>();
    String why = "ran the multi-node benchmark";
    for (RunSummary run : ledger.all(RunSummary.class)) {
      if (run.multiNode()) {
        run.hosts().forEach(host -> nodes.computeIfAbsent(host, h -> new ArrayList<>()).addAll(ledger.of(run)));
      }
    }
    if (nodes.isEmpty()) {
      why = "its own evidence is in the bundle";
      ledger.forEach((fact, sources) -> {
        if (fact instanceof GpuDevice || fact instanceof GpuCount || fact instanceof TopoLink || fact instanceof RdmaPort) {
          nodes.computeIfAbsent(fact.node(), n -> new ArrayList<>()).addAll(sources);
        }
      });
      if (nodes.size() > 1) {
        nodes.remove(Fact.UNKNOWN);
      }
    }
    for (Map.Entry<String, List<Evidence>> node : nodes.entrySet()) {
      List<Evidence> first = node.getValue().stream().sorted().limit(1).toList();
      ledger.add(new ScopeNode(node.getKey(), why), first);
      ledger.add(new IntendedNode(node.getKey(), why), first);
    }
    Set<String> seen = new HashSet<>();
    for (NcclHca hca : ledger.all(NcclHca.class)) {
      if (nodes.containsKey(hca.node()) && seen.add(hca.node() + " " + hca.hca())) {
        ledger.add(new ScopeRail(hca.node(), hca.hca(), "NCCL took it"), ledger.of(hca).stream().limit(1).toList());
      }
    }
  }
}
