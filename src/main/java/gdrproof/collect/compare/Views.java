package gdrproof.collect.compare;

import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.GpuDevice;
import gdrproof.facts.Gpu.TopoNic;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Meta.Looked;
import gdrproof.facts.Pcie.DeviceAddress;
import gdrproof.policy.Policies;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Turns the facts of a bundle into one comparable view for each node. */
final class Views {
  /** Which whole list makes the absence of a part known. */
  private static final Map<String, List<String>> COMPLETE = Map.of(Kind.MODULES, List.of("module"), Kind.KERNEL_PARAMETERS, List.of("kernel-parameter"), Kind.MEMORY_PEERS,
      List.of("memory-peer"), Kind.RDMA_DEVICE_NODES, List.of("device-node"), Kind.RDMA_DEVICES, List.of("port-state"));

  /** Names of devices by `node address` and by `node NICn`. */
  final Map<String, String> names = new HashMap<>();
  final SortedMap<String, NodeView> nodes = new TreeMap<>();
  private final Set<String> identity = new TreeSet<>(Policies.texts(Policies.read("compare.yaml").get("identity-parameters")));

  private final boolean scoped;

  private Views(boolean scoped) {
    this.scoped = scoped;
  }

  /**
   * Views of the nodes by name; what is about no named node counts as one node where nothing else is there.
   *
   * @param scoped whether what a shell, a rank and a container say of one thing are different parts
   */
  static SortedMap<String, NodeView> of(Ledger ledger, boolean scoped) {
    Views views = new Views(scoped);
    List.of(GpuDevice.class, DeviceAddress.class, TopoNic.class).forEach(type -> ledger.all(type).forEach(views::name));
    ledger.facts().forEach(views::see);
    views.nodes.values().removeIf(v -> v.aspects.isEmpty());
    if (views.nodes.size() > 1) {
      views.nodes.remove(Fact.UNKNOWN);
    }
    return views.nodes;
  }

  String scope(String scope) {
    return !scoped || scope.equals(Fact.UNKNOWN) ? "" : " (" + scope + ")";
  }

  private void name(Fact fact) {
    if (fact instanceof GpuDevice d) {
      names.put(d.node() + " " + d.address(), d.gpu());
    } else if (fact instanceof DeviceAddress d && !d.name().startsWith("GPU")) {
      // A verbs name says more than that of its interface.
      names.merge(d.node() + " " + d.address(), d.name(), (a, b) -> a.startsWith("mlx") ? a : b);
    } else if (fact instanceof TopoNic n) {
      names.put(n.node() + " " + n.nic(), n.hca());
    }
  }

  String name(String node, String thing) {
    return names.getOrDefault(node + " " + thing, thing);
  }

  boolean identity(String parameter) {
    return identity.contains(parameter);
  }

  private void see(Fact fact) {
    NodeView view = nodes.computeIfAbsent(fact.node(), NodeView::new);
    if (fact instanceof Looked looked) {
      view.complete.addAll(COMPLETE.getOrDefault(looked.kind(), List.of()));
    } else if (!DeviceViews.gpu(fact, view, this) && !DeviceViews.pci(fact, view, this) && !RdmaViews.see(fact, view, this)) {
      HostViews.see(fact, view, this);
    }
  }
}
