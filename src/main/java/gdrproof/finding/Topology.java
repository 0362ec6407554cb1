package gdrproof.finding;

import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.GpuAffinity;
import gdrproof.facts.Gpu.GpuDevice;
import gdrproof.facts.Gpu.TopoLink;
import gdrproof.facts.Gpu.TopoNic;
import gdrproof.facts.Ledger;
import gdrproof.facts.Pcie.DeviceAddress;
import gdrproof.facts.Pcie.NumaNode;
import gdrproof.facts.Pcie.PciDevice;
import gdrproof.facts.Pcie.PciNuma;
import gdrproof.facts.Pcie.PciParent;
import gdrproof.facts.Rdma.HcaPart;
import gdrproof.facts.Rdma.RdmaPort;
import gdrproof.facts.Tri;
import gdrproof.finding.AffinityMap.Way;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** GPUs, HCAs and the ways between them on one node, as far as the evidence tells. */
final class Topology {
  /** Text order in which runs of digits count as numbers: GPU10 comes after GPU9. */
  static final Comparator<String> NATURAL = Comparator.comparing((String s) -> {
    StringBuilder key = new StringBuilder();
    for (String part : s.split("(?<=\\d)(?=\\D)|(?<=\\D)(?=\\d)")) {
      key.append(part.matches("\\d{1,9}") ? String.format("%09d", Long.parseLong(part)) : part);
    }
    return key.toString();
  });

  final String node;
  final SortedSet<String> gpus = new TreeSet<>(NATURAL);
  private final Map<String, GpuAffinity> affinities = new HashMap<>();
  private final Map<String, String> addresses = new HashMap<>();
  private final Map<String, Map<String, String>> matrix = new HashMap<>();
  private final Map<String, String> nics = new HashMap<>();
  private final SortedMap<String, String> hcas = new TreeMap<>(NATURAL);
  private final SortedMap<String, List<RdmaPort>> ports = new TreeMap<>(NATURAL);
  private final Map<String, PciParent> parents = new HashMap<>();
  private final Map<String, PciNuma> numa = new HashMap<>();
  private final Map<String, String> cpus = new HashMap<>();
  private final Set<String> unnamed = new TreeSet<>();

  private Topology(String node) {
    this.node = node;
  }

  static SortedMap<String, Topology> of(Ledger ledger) {
    SortedMap<String, Topology> nodes = new TreeMap<>(NATURAL);
    ledger.facts().forEach(f -> nodes.computeIfAbsent(f.node(), Topology::new).see(f));
    nodes.values().forEach(Topology::settle);
    return nodes;
  }

  private void see(Fact fact) {
    if (fact instanceof TopoLink link && link.gpuToNic()) {
      gpus.add(link.from());
      matrix.computeIfAbsent(link.from(), g -> new HashMap<>()).put(link.to(), link.path().equals("SOC") ? "SYS" : link.path());
    } else if (fact instanceof TopoLink link && link.from().startsWith("GPU")) {
      gpus.add(link.from());
    } else if (fact instanceof TopoNic nic) {
      nics.put(nic.nic(), nic.hca());
    } else if (fact instanceof GpuAffinity affinity) {
      affinities.put(affinity.gpu(), affinity);
    } else if (fact instanceof GpuDevice device && device.gpu().startsWith("GPU")) {
      gpus.add(device.gpu());
      addresses.put(device.gpu(), device.address());
    } else if (fact instanceof DeviceAddress device && !device.name().startsWith("GPU")) {
      hcas.put(device.name(), device.address());
    } else if (fact instanceof HcaPart part && !part.pci().equals(Fact.UNKNOWN)) {
      hcas.putIfAbsent(part.hca(), part.pci());
    } else if (fact instanceof RdmaPort port) {
      ports.computeIfAbsent(port.hca(), h -> new ArrayList<>()).add(port);
    } else if (fact instanceof PciParent parent && parent.certain() == Tri.YES) {
      parents.put(parent.child(), parent);
    } else if (fact instanceof PciNuma n && n.told()) {
      numa.put(n.address(), n);
    } else if (fact instanceof NumaNode n) {
      cpus.put(n.numa().toString(), n.cpus());
    } else if (fact instanceof PciDevice device && device.gpu()) {
      unnamed.add(device.address());
    }
  }

  /** A tool that numbers no GPUs leaves their addresses as names. */
  private void settle() {
    if (gpus.isEmpty()) {
      unnamed.forEach(a -> {
        gpus.add(a);
        addresses.put(a, a);
      });
    }
  }

  String address(String gpu) {
    return addresses.getOrDefault(gpu, Fact.UNKNOWN);
  }

  String numa(String gpu) {
    GpuAffinity affinity = affinities.get(gpu);
    if (affinity != null && !affinity.numa().equals(Fact.UNKNOWN)) {
      return affinity.numa();
    }
    PciNuma read = numa.get(address(gpu));
    return read == null ? Fact.UNKNOWN : read.numa().toString();
  }

  String cpus(String gpu) {
    GpuAffinity affinity = affinities.get(gpu);
    if (affinity != null && !affinity.cpus().equals(Fact.UNKNOWN)) {
      return affinity.cpus();
    }
    return cpus.getOrDefault(numa(gpu), Fact.UNKNOWN);
  }

  /** All ways from a GPU, nearest first; those of unknown length come last. */
  List<Way> ways(String gpu) {
    List<Way> ways = new ArrayList<>();
    Set<String> done = new HashSet<>();
    matrix.getOrDefault(gpu, Map.of()).forEach((nic, path) -> {
      String hca = nics.getOrDefault(nic, nic);
      done.add(hca);
      ways.addAll(ports(hca, path, "topo -m"));
    });
    hcas.forEach((hca, address) -> {
      boolean verbs = ports.containsKey(hca) || hca.matches("(?:mlx|bnxt_re|irdma|rdmap|efa|ibp|roce).*");
      String path = verbs && !done.contains(hca) ? path(address(gpu), address) : Fact.UNKNOWN;
      if (!path.equals(Fact.UNKNOWN)) {
        ways.addAll(ports(hca, path, "pcie"));
      }
    });
    ways.sort(Comparator.comparingInt(Way::distance).thenComparing(Way::port, NATURAL));
    return ways;
  }

  private List<Way> ports(String hca, String path, String source) {
    List<RdmaPort> known = ports.getOrDefault(hca, List.of());
    if (known.isEmpty()) {
      return List.of(new Way(hca, hca, path, Fact.UNKNOWN, gdrproof.facts.Num.UNKNOWN, Fact.UNKNOWN, source));
    }
    // Two tools may print one port: what one leaves out the other may tell.
    Map<String, RdmaPort> byNumber = new TreeMap<>();
    known.forEach(p -> byNumber.merge(p.port().toString(), p, (a, b) -> a.state().equals(Fact.UNKNOWN) ? b : a));
    return byNumber.values().stream().map(p -> new Way(hca, p.port().known() ? hca + ":" + p.port() : hca, path, p.state(), p.rateGbps(), p.linkLayer(), source)).toList();
  }

  /** Path type between two functions by the tree and the NUMA nodes; unknown where they do not tell. */
  private String path(String gpu, String hca) {
    List<String> a = way(gpu);
    List<String> b = way(hca);
    String meeting = a.stream().filter(b::contains).findFirst().orElse("");
    if (!meeting.isEmpty() && !meeting.startsWith("root:")) {
      int bridges = a.indexOf(meeting) + b.indexOf(meeting);
      return isRootPort(meeting) ? "PHB" : bridges <= 2 ? "PIX" : "PXB";
    }
    if (!meeting.isEmpty()) {
      return "PHB";
    }
    PciNuma left = numa.get(gpu);
    PciNuma right = numa.get(hca);
    return left == null || right == null ? Fact.UNKNOWN : left.numa().equals(right.numa()) ? "NODE" : "SYS";
  }

  private boolean isRootPort(String bridge) {
    PciParent above = parents.get(bridge);
    return above != null && above.parent().startsWith("root:");
  }

  private List<String> way(String address) {
    List<String> way = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    String at = address;
    while (parents.containsKey(at) && seen.add(at)) {
      at = parents.get(at).parent();
      way.add(at);
    }
    return way;
  }

  /** Active ports of the link layer that the map uses which no GPU prefers. */
  Stream<String> unusedPorts(Collection<String> used) {
    Set<String> layers = new HashSet<>();
    ports.values().stream().flatMap(List::stream).filter(p -> used.contains(p.hca() + ":" + p.port())).forEach(p -> layers.add(p.linkLayer()));
    return ports.values().stream().flatMap(List::stream).filter(p -> p.state().equals("ACTIVE") && layers.contains(p.linkLayer()))
        .map(p -> p.hca() + ":" + p.port()).filter(p -> !used.contains(p)).distinct();
  }
}
