package gdrproof.finding.reading;

import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.GpuPcie;
import gdrproof.facts.Ledger;
import gdrproof.facts.Measure.NicUse;
import gdrproof.facts.Nccl.NcclHca;
import gdrproof.facts.Num;
import gdrproof.facts.Pcie.DeviceAddress;
import gdrproof.facts.Pcie.PciDevice;
import gdrproof.facts.Pcie.PciLink;
import gdrproof.facts.Pcie.PciSettings;
import gdrproof.facts.Rdma.HcaPart;
import gdrproof.facts.Rdma.HcaPcieLink;
import gdrproof.facts.Rdma.PortMtu;
import gdrproof.facts.Rdma.RdmaPort;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the bundle shows of the ports, links and GPUs that runs may use. */
final class Hardware {
  private static final double[] GENERATIONS = {2.5, 5, 8, 16, 32, 64};

  /** Active ports with their rate, by node, then by HCA. */
  final Map<String, Map<String, RdmaPort>> ports = new TreeMap<>();
  private final Map<String, Num> mtus = new HashMap<>();
  private final Map<String, String> addresses = new HashMap<>();
  private final Map<String, PciLink> links = new HashMap<>();
  private final Map<String, HcaPcieLink> hcaLinks = new HashMap<>();
  private final Map<String, Num> payloads = new HashMap<>();
  /** Addresses of HCA functions, by node: for nodes where nothing tells which HCA has which. */
  private final Map<String, Set<String>> functions = new HashMap<>();
  private final Map<String, List<GpuPcie>> gpus = new TreeMap<>();
  private final Map<String, Map<String, Set<String>>> taken = new TreeMap<>();
  private final Map<String, Map<String, NicUse>> uses = new TreeMap<>();

  Hardware(Ledger ledger) {
    for (Fact fact : ledger.facts()) {
      see(fact);
    }
  }

  private void see(Fact fact) {
    String node = fact.node();
    if (fact instanceof RdmaPort port && port.state().equals("ACTIVE") && port.rateGbps().above(0)) {
      ports.computeIfAbsent(node, n -> new TreeMap<>()).merge(port.hca(), port, (a, b) -> a.rateGbps().below(b.rateGbps()) ? b : a);
    } else if (fact instanceof PortMtu mtu && mtu.activeBytes().known()) {
      mtus.merge(node + "\n" + mtu.hca(), mtu.activeBytes(), (a, b) -> a.below(b) ? a : b);
    } else if (fact instanceof DeviceAddress address) {
      addresses.put(node + "\n" + address.name(), address.address());
    } else if (fact instanceof HcaPart part && !part.pci().equals(Fact.UNKNOWN)) {
      addresses.putIfAbsent(node + "\n" + part.hca(), part.pci());
    } else if (fact instanceof PciDevice device && device.hca() && device.pciClass().startsWith("Infiniband")) {
      functions.computeIfAbsent(node, n -> new TreeSet<>()).add(device.address());
    } else if (fact instanceof PciLink link && link.gts().known() && link.width().known()) {
      links.put(node + "\n" + link.address(), link);
    } else if (fact instanceof HcaPcieLink link && link.gts().known() && link.lanes().known()) {
      hcaLinks.put(node + "\n" + link.hca(), link);
    } else if (fact instanceof PciSettings settings && settings.maxPayload().known()) {
      payloads.put(node + "\n" + settings.address(), settings.maxPayload());
    } else if (fact instanceof GpuPcie pcie && pcie.width().known()) {
      gpus.computeIfAbsent(node, n -> new java.util.ArrayList<>()).add(pcie);
    } else if (fact instanceof NcclHca hca) {
      taken.computeIfAbsent(hca.run(), r -> new TreeMap<>()).computeIfAbsent(node, n -> new TreeSet<>()).add(hca.hca());
    } else if (fact instanceof NicUse use) {
      uses.computeIfAbsent(use.run(), r -> new TreeMap<>()).put(node, use);
    }
  }

  /**
   * Ports that training may use on a node: all active InfiniBand ports of the highest rate, or, where there are none, those that the run's own log lists. An
   * Ethernet port may be anybody's.
   */
  Map<String, RdmaPort> rails(String node, String run) {
    Map<String, RdmaPort> all = ports.getOrDefault(node, Map.of());
    double best = all.values().stream().filter(p -> p.linkLayer().startsWith("I")).mapToDouble(p -> p.rateGbps().value()).max().orElse(0);
    Set<String> listed = taken.getOrDefault(run, Map.of()).getOrDefault(node, Set.of());
    Map<String, RdmaPort> rails = new TreeMap<>();
    all.forEach((hca, port) -> {
      if (port.linkLayer().startsWith("I") ? port.rateGbps().is(best) || listed.contains(hca) : listed.contains(hca)) {
        rails.put(hca, port);
      }
    });
    return rails;
  }

  /** How many HCAs the run's channels use on a node, by its log; unknown without. */
  Num used(String node, String run) {
    NicUse use = uses.getOrDefault(run, Map.of()).get(node);
    return use == null ? Num.UNKNOWN : use.used();
  }

  /** Smallest MTU of these HCAs; unknown if one is not known. */
  Num mtu(String node, Collection<String> hcas) {
    Num least = Num.UNKNOWN;
    for (String hca : hcas) {
      Num mtu = mtus.getOrDefault(node + "\n" + hca, Num.UNKNOWN);
      if (!mtu.known()) {
        return Num.UNKNOWN;
      }
      least = !least.known() || mtu.below(least) ? mtu : least;
    }
    return least;
  }

  /** What the PCIe link of an HCA carries, GB/s; unknown without a reading. */
  Num pcie(String node, String hca, Overheads overheads) {
    String address = addresses.getOrDefault(node + "\n" + hca, "");
    HcaPcieLink own = hcaLinks.get(node + "\n" + hca);
    PciLink link = links.get(node + "\n" + address);
    Num payload = payloads.getOrDefault(node + "\n" + address, Num.UNKNOWN);
    if (link != null) {
      return overheads.pcie(link.gts(), link.width(), payload);
    }
    return own == null ? alike(node, overheads) : overheads.pcie(own.gts(), own.lanes(), payload);
  }

  /** Where nothing tells which HCA has which address: what all InfiniBand functions of the node carry, if it is the same for all. */
  private Num alike(String node, Overheads overheads) {
    Set<Num> rates = new HashSet<>();
    for (String address : functions.getOrDefault(node, Set.of())) {
      PciLink link = links.get(node + "\n" + address);
      rates.add(link == null ? Num.UNKNOWN : overheads.pcie(link.gts(), link.width(), payloads.getOrDefault(node + "\n" + address, Num.UNKNOWN)));
    }
    return rates.size() == 1 ? rates.iterator().next() : Num.UNKNOWN;
  }

  /** What the slowest GPU's PCIe link of a node carries, GB/s, by the generation that GPU and slot share; unknown without a reading. */
  Num gpuPcie(String node, Overheads overheads) {
    Num least = Num.UNKNOWN;
    for (GpuPcie gpu : gpus.getOrDefault(node, List.of())) {
      Num gen = gpu.genMax().known() ? gpu.genMax() : gpu.gen();
      Num gts = gen.atLeast(1) && gen.value() <= GENERATIONS.length ? Num.of(GENERATIONS[(int) gen.value() - 1]) : Num.UNKNOWN;
      Num rate = overheads.pcie(gts, gpu.width(), Num.UNKNOWN);
      least = !least.known() || rate.below(least) ? rate : least;
    }
    return least;
  }

  /** Nodes with ports that these hosts may be; all of them where a run names none. */
  Set<String> nodes(List<String> hosts) {
    Set<String> nodes = new HashSet<>(ports.keySet());
    if (!hosts.isEmpty()) {
      nodes.removeIf(n -> !hosts.contains(n) && !n.equals(Fact.UNKNOWN));
    }
    return new TreeSet<>(nodes);
  }
}
