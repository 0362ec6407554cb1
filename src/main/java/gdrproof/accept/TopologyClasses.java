package gdrproof.accept;

import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Gate.ScopeNode;
import gdrproof.facts.Gate.ScopeRail;
import gdrproof.facts.Gate.ServerModel;
import gdrproof.facts.Gate.TopologyClass;
import gdrproof.facts.Gpu.GpuCount;
import gdrproof.facts.Gpu.GpuDevice;
import gdrproof.facts.Launch.RankPlacement;
import gdrproof.facts.Ledger;
import gdrproof.facts.Measure.RunSummary;
import gdrproof.facts.Nccl.NcclHca;
import gdrproof.facts.Num;
import gdrproof.facts.Pcie.PciDevice;
import gdrproof.facts.Pcie.PciLink;
import gdrproof.facts.Rdma.PortCapability;
import gdrproof.facts.Rdma.RdmaPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The class that makes a bundle comparable with a baseline. A value that differs between the nodes, or that nothing tells, stays unknown. */
final class TopologyClasses {
  private final Ledger ledger;
  private final Set<String> nodes;
  private final List<Evidence> sources = new ArrayList<>();

  private TopologyClasses(Ledger ledger) {
    this.ledger = ledger;
    nodes = ledger.all(ScopeNode.class).stream().map(ScopeNode::node).collect(Collectors.toCollection(TreeSet::new));
  }

  static TopologyClass derive(Ledger ledger) {
    TopologyClasses classes = new TopologyClasses(ledger);
    TopologyClass found = classes.build();
    ledger.add(found, classes.sources.stream().sorted().limit(4).toList());
    return found;
  }

  private TopologyClass build() {
    Set<String> servers = new TreeSet<>();
    on(ServerModel.class).forEach(s -> servers.add(s.product()));
    Set<String> models = new TreeSet<>();
    on(GpuDevice.class).forEach(g -> models.add(g.model()));
    ledger.all(RankPlacement.class).stream().filter(r -> nodes.contains(r.node())).forEach(r -> models.add(r.model()));
    models.remove(Fact.UNKNOWN);
    Map<String, Set<String>> rails = new TreeMap<>();
    ledger.all(ScopeRail.class).forEach(r -> rails.computeIfAbsent(r.node(), n -> new TreeSet<>()).add(r.hca()));
    Set<Num> counts = rails.values().stream().map(s -> Num.of(s.size())).collect(Collectors.toCollection(TreeSet::new));
    Set<Num> gpus = on(GpuCount.class).stream().map(GpuCount::gpus).filter(Num::known).collect(Collectors.toCollection(TreeSet::new));
    Set<Num> rates = new TreeSet<>();
    Set<String> fabrics = new TreeSet<>();
    // A port that runs below its best is a fault and no other class, so what the hardware can counts first.
    on(PortCapability.class).stream().filter(c -> rails.getOrDefault(c.node(), Set.of()).contains(c.hca())).forEach(c -> rates.add(c.rateGbps()));
    boolean told = !rates.isEmpty();
    for (RdmaPort port : on(RdmaPort.class)) {
      if (rails.getOrDefault(port.node(), Set.of()).contains(port.hca())) {
        if (!told && port.rateGbps().known() && port.state().equals("ACTIVE")) {
          rates.add(port.rateGbps());
        }
        fabrics.add(port.linkLayer().equals("Ethernet") ? "RoCE" : port.linkLayer());
      }
    }
    ledger.all(NcclHca.class).stream().filter(h -> nodes.contains(h.node())).forEach(h -> fabrics.add(h.link().equals("IB") ? "InfiniBand" : h.link()));
    fabrics.remove(Fact.UNKNOWN);
    Set<Num> speeds = new TreeSet<>();
    Set<Num> lanes = new TreeSet<>();
    Set<String> addresses = on(PciDevice.class).stream().filter(PciDevice::hca).map(d -> d.node() + " " + d.address()).collect(Collectors.toSet());
    for (PciLink link : on(PciLink.class)) {
      if (addresses.contains(link.node() + " " + link.address())) {
        speeds.add(link.gtsMax());
        lanes.add(link.widthMax());
      }
    }
    speeds.remove(Num.UNKNOWN);
    lanes.remove(Num.UNKNOWN);
    Num most = ledger.all(RunSummary.class).stream().filter(RunSummary::multiNode).map(RunSummary::nodes).max(Num::compareTo).orElse(nodes.isEmpty() ? Num.UNKNOWN : Num.of(nodes.size()));
    Num nics = one(counts);
    return new TopologyClass(Fact.UNKNOWN, text(servers), text(models), one(gpus), nics, one(rates), nics, one(speeds), one(lanes), text(fabrics), most);
  }

  private <T extends Fact> List<T> on(Class<T> type) {
    List<T> found = ledger.all(type).stream().filter(f -> nodes.contains(f.node())).toList();
    found.stream().limit(1).forEach(f -> ledger.of(f).stream().limit(1).forEach(sources::add));
    return found;
  }

  private static String text(Set<String> values) {
    return values.size() == 1 ? values.iterator().next() : Fact.UNKNOWN;
  }

  private static Num one(Set<Num> values) {
    return values.size() == 1 ? values.iterator().next() : Num.UNKNOWN;
  }
}
