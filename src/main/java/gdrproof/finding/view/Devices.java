package gdrproof.finding.view;

import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.GpuAffinity;
import gdrproof.facts.Gpu.GpuDevice;
import gdrproof.facts.Gpu.GpuPcie;
import gdrproof.facts.Gpu.TopoLink;
import gdrproof.facts.Gpu.TopoNic;
import gdrproof.facts.Host.HostMessage;
import gdrproof.facts.Num;
import gdrproof.facts.Pcie.DeviceAddress;
import gdrproof.facts.Pcie.PathBridge;
import gdrproof.facts.Pcie.PciLink;
import gdrproof.facts.Pcie.PciNuma;
import gdrproof.facts.Rdma.HcaPcieLink;
import gdrproof.facts.Rdma.PortNetdev;
import gdrproof.facts.Rdma.RdmaDevice;
import gdrproof.facts.Rdma.RdmaPort;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** GPUs and HCAs of one node, under one name each, with what several tools say of them. */
final class Devices {
  private static final int SWITCH = 2;
  private static final int NODE = 4;
  private static final int SYSTEM = 5;

  final TreeMap<String, String> kinds = new TreeMap<>(Names.NATURAL);
  final Map<String, String> notes = new HashMap<>();
  final Map<String, String> links = new HashMap<>();
  final Map<String, String> numas = new HashMap<>();
  /** Distance of two devices as in {@link TopoLink#distance()}, by both orders of names. */
  final Map<String, Map<String, Integer>> distances = new HashMap<>();
  final List<TopoLink> gpuPairs = new ArrayList<>();
  final List<PathBridge> bridges = new ArrayList<>();
  private final Map<String, String> aliases = new HashMap<>();
  private final Map<String, Map<Num, String>> ports = new TreeMap<>();
  private final List<Fact> facts;
  String source = "the lists of devices; their placement is not in the evidence";

  Devices(List<Fact> facts) {
    this.facts = facts;
    names();
    for (Fact fact : facts) {
      describe(fact);
    }
    ports.forEach((hca, texts) -> notes.put(hca, String.join("; ", texts.values())));
    for (Fact fact : facts) {
      place(fact);
    }
  }

  /** Names first: the other facts may use an address or a column's name. */
  private void names() {
    for (Fact fact : facts) {
      if (fact instanceof TopoNic nic) {
        aliases.put(nic.nic(), nic.hca());
        kinds.put(nic.hca(), "hca");
      } else if (fact instanceof RdmaPort port) {
        kinds.put(port.hca(), "hca");
      } else if (fact instanceof RdmaDevice device) {
        kinds.put(device.hca(), "hca");
      } else if (fact instanceof GpuDevice gpu) {
        kinds.put(gpu.gpu(), "gpu");
        aliases.put(gpu.address(), gpu.gpu());
      } else if (fact instanceof DeviceAddress address) {
        aliases.putIfAbsent(address.address(), address.name());
      } else if (fact instanceof PortNetdev netdev && !netdev.netdev().equals("none") && !netdev.netdev().equals(Fact.UNKNOWN)) {
        aliases.put(netdev.netdev(), netdev.hca());
      } else if (fact instanceof HostMessage message && !message.field("pci").equals(Fact.UNKNOWN) && !message.field("netdev").equals(Fact.UNKNOWN)) {
        // The driver's own line joins an address to an interface where no listing of /sys does.
        aliases.putIfAbsent(message.field("pci"), message.field("netdev"));
      }
    }
    for (Fact fact : facts) {
      if (fact instanceof TopoLink link) {
        for (String end : List.of(link.from(), link.to())) {
          kinds.putIfAbsent(name(end), end.startsWith("GPU") ? "gpu" : "hca");
        }
      }
    }
    kinds.remove(Fact.UNKNOWN);
  }

  /** The one name of a device, whatever it was called by. */
  String name(String called) {
    String name = called;
    for (int hops = 0; hops < 3 && !kinds.containsKey(name) && aliases.containsKey(name); hops++) {
      name = aliases.get(name);
    }
    return name;
  }

  boolean has(String called) {
    return kinds.containsKey(name(called));
  }

  private void describe(Fact fact) {
    if (fact instanceof RdmaPort port) {
      String state = port.state().equals(Fact.UNKNOWN) ? "state not told" : port.state();
      String rate = port.state().equals("ACTIVE") && port.rateGbps().known() ? " " + port.rateGbps() + " Gb/s" : "";
      String physical = port.state().equals("ACTIVE") || port.physical().equals(Fact.UNKNOWN) ? "" : "/" + port.physical();
      // Several tools tell of one port; a state that is not active counts most, then the fullest text.
      ports.computeIfAbsent(port.hca(), h -> new TreeMap<>()).merge(port.port(), "port " + port.port() + " " + state + physical + rate,
          (a, b) -> a.contains("ACTIVE") == b.contains("ACTIVE") ? a.length() >= b.length() ? a : b : a.contains("ACTIVE") ? b : a);
    } else if (fact instanceof GpuDevice gpu && !gpu.model().equals(Fact.UNKNOWN)) {
      notes.put(gpu.gpu(), gpu.model().replaceFirst("^NVIDIA ", ""));
    } else if (fact instanceof GpuPcie pcie && pcie.width().known()) {
      String most = pcie.width().below(pcie.widthMax()) ? " of x" + pcie.widthMax() : "";
      Num gen = pcie.genMax().known() ? pcie.genMax() : pcie.gen();
      links.put(name(pcie.gpu()), (gen.known() ? "Gen" + gen + " " : "") + "x" + pcie.width() + most);
    } else if (fact instanceof HcaPcieLink pcie && pcie.lanes().known()) {
      links.put(name(pcie.hca()), speed(pcie.gts(), pcie.lanes(), pcie.bestLanes()));
    } else if (fact instanceof PciLink link && link.width().known()) {
      links.putIfAbsent(name(link.address()), speed(link.gts(), link.width(), link.widthMax()));
    } else if (fact instanceof GpuAffinity affinity && !affinity.numa().equals(Fact.UNKNOWN)) {
      numas.put(name(affinity.gpu()), affinity.numa());
    } else if (fact instanceof PciNuma numa && numa.told()) {
      numas.putIfAbsent(name(numa.address()), numa.numa().toString());
    }
  }

  private static String speed(Num gts, Num width, Num best) {
    return (gts.known() ? gts + " GT/s " : "") + "x" + width + (width.below(best) ? " of x" + best : "");
  }

  private void place(Fact fact) {
    if (fact instanceof TopoLink link && !link.from().equals(link.to())) {
      source = "nvidia-smi topo";
      if (link.gpuPair()) {
        gpuPairs.add(link);
      }
      if (!link.nvlink() && link.distance() <= SYSTEM) {
        near(name(link.from()), name(link.to()), link.distance());
      }
    } else if (fact instanceof PathBridge bridge) {
      bridges.add(bridge);
      String from = name(bridge.from());
      String to = name(bridge.to());
      if (kinds.containsKey(from) && kinds.containsKey(to) && !from.equals(to)) {
        if (source.startsWith("the lists")) {
          source = "the PCIe tree of lspci";
        }
        boolean told = numas.containsKey(from) && numas.containsKey(to);
        int apart = told && !numas.get(from).equals(numas.get(to)) ? SYSTEM : NODE;
        near(from, to, bridge.meets().equals("switch") ? SWITCH : apart);
      }
    }
  }

  /** The first reading counts: the matrix of nvidia-smi before the tree. */
  private void near(String a, String b, int distance) {
    distances.computeIfAbsent(a, x -> new HashMap<>()).merge(b, distance, Math::min);
    distances.computeIfAbsent(b, x -> new HashMap<>()).merge(a, distance, Math::min);
  }

  int distance(String a, String b) {
    return distances.getOrDefault(a, Map.of()).getOrDefault(b, SYSTEM + 1);
  }

  /** The shortest of a device's ways, or a large number where none is known. */
  boolean placed(String device) {
    return distances.containsKey(device) || numas.containsKey(device);
  }
}
