package gdrproof.finding;

import gdrproof.facts.Bench.NcclTestCommand;
import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.GpuAffinity;
import gdrproof.facts.Gpu.GpuDevice;
import gdrproof.facts.Gpu.TopoLink;
import gdrproof.facts.Gpu.TopoNic;
import gdrproof.facts.Launch.LaunchMessage;
import gdrproof.facts.Launch.MpiVersion;
import gdrproof.facts.Launch.RankPlacement;
import gdrproof.facts.Launch.RankTag;
import gdrproof.facts.Launch.SlurmJob;
import gdrproof.facts.Nccl.NcclHca;
import gdrproof.facts.Nccl.NcclMessage;
import gdrproof.facts.Nccl.NcclRank;
import gdrproof.facts.Net.InterfaceAddress;
import gdrproof.facts.Net.Route;
import gdrproof.facts.Num;
import gdrproof.facts.Pcie.DeviceAddress;
import gdrproof.facts.Pcie.PciNuma;
import gdrproof.facts.Rdma.Gid;
import gdrproof.facts.Rdma.HcaPart;
import gdrproof.facts.Rdma.PortNetdev;
import gdrproof.facts.Rdma.RdmaDevice;
import gdrproof.facts.Rdma.RdmaPort;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the facts say of nodes, for commands that name their devices: HCAs and ports in use, GIDs, interfaces, GPUs and what lies near what, processes, hosts of the run. */
public final class Hardware {
  /** `mlx5_2` before `mlx5_10`. */
  static final Comparator<String> NATURAL = Comparator.comparing((String s) -> s.replaceAll("\\d+$", "")).thenComparing(s -> {
    String digits = s.replaceAll("^.*?(\\d{0,9})$", "$1");
    return digits.isEmpty() ? -1 : Integer.parseInt(digits);
  }).thenComparing(Comparator.naturalOrder());

  private static final String BOOTSTRAP = "bootstrap-if";

  /** One port of an HCA. */
  private record Port(Num number, String state, String link, Num lid) {}

  /** A node's devices, each map by the device's name. */
  static final class Node {
    private final Set<String> used = new TreeSet<>(NATURAL);
    private final Set<String> devices = new TreeSet<>(NATURAL);
    private final Map<String, Port> ports = new TreeMap<>(NATURAL);
    private final Map<String, Gid> gids = new TreeMap<>(NATURAL);
    private final Map<String, String> netdevs = new TreeMap<>(NATURAL);
    private final Map<String, String> addresses = new TreeMap<>(NATURAL);
    private final Map<String, String> interfaceAddresses = new TreeMap<>();
    private final Map<String, String> gpus = new TreeMap<>(NATURAL);
    private final Map<String, String> gpuNuma = new TreeMap<>(NATURAL);
    private final Map<String, String> gpuCpus = new TreeMap<>(NATURAL);
    private final Map<String, String> nics = new TreeMap<>(NATURAL);
    private final Map<String, Integer> distances = new TreeMap<>();
    private final Map<String, String> numa = new TreeMap<>();
    private final Map<String, String> placed = new TreeMap<>(NATURAL);
    private final Set<String> processes = new TreeSet<>();
    private String bootstrap = Fact.UNKNOWN;
    private String defaultNetdev = Fact.UNKNOWN;

    /** HCAs that matter: those NCCL took, else those with an active port, else all. */
    List<String> hcas() {
      if (!used.isEmpty()) {
        return List.copyOf(used);
      }
      List<String> active = ports.entrySet().stream().filter(p -> p.getValue().state().equals("ACTIVE")).map(Map.Entry::getKey).toList();
      return active.isEmpty() ? List.copyOf(devices) : active;
    }

    Collection<String> gpuNames() {
      return gpus.keySet();
    }

    String gpuIndex(String gpu) {
      return gpu.matches("GPU\\d+") ? gpu.substring(3) : Fact.UNKNOWN;
    }

    /** A GPU by its name or PCI address. */
    String gpu(String name) {
      return gpus.containsKey(name) ? name : gpus.entrySet().stream().filter(g -> g.getValue().equals(name)).map(Map.Entry::getKey).findFirst().orElse(name.startsWith("GPU") ? name : Fact.UNKNOWN);
    }

    /** An HCA by its name or PCI address. */
    String hca(String name) {
      return devices.contains(name) ? name : addresses.entrySet().stream().filter(d -> d.getValue().equals(name) && devices.contains(d.getKey())).map(Map.Entry::getKey).findFirst().orElse(Fact.UNKNOWN);
    }

    /** The GPU with the cheapest (or dearest) path to an HCA; unknown where the paths are not known. */
    String gpuNear(String hca, boolean far) {
      List<String> known = gpus.keySet().stream().filter(g -> distances.containsKey(g + " " + hca)).toList();
      Comparator<String> byDistance = Comparator.comparingInt(g -> distances.get(g + " " + hca));
      return known.stream().min((far ? byDistance.reversed() : byDistance).thenComparing(NATURAL)).orElse(Fact.UNKNOWN);
    }

    /** The HCA in use with the cheapest path to a GPU; unknown where the paths are not known. */
    String hcaNear(String gpu) {
      return hcas().stream().filter(h -> distances.containsKey(gpu + " " + h)).min(Comparator.<String>comparingInt(h -> distances.get(gpu + " " + h)).thenComparing(NATURAL)).orElse(Fact.UNKNOWN);
    }

    boolean ethernet(String hca) {
      return ports.containsKey(hca) && ports.get(hca).link().equals("Ethernet");
    }

    String port(String hca) {
      return ports.containsKey(hca) ? ports.get(hca).number().toString() : Fact.UNKNOWN;
    }

    String lid(String hca) {
      Num lid = ports.containsKey(hca) ? ports.get(hca).lid() : Num.UNKNOWN;
      return lid.above(0) && lid.below(65535) ? lid.toString() : Fact.UNKNOWN;
    }

    /** Index of the RoCE v2 IPv4 entry of the port's GID table. */
    String gidIndex(String hca) {
      return gids.containsKey(hca) ? gids.get(hca).index().toString() : Fact.UNKNOWN;
    }

    String netdev(String hca) {
      String name = netdevs.getOrDefault(hca, gids.containsKey(hca) ? gids.get(hca).netdev() : Fact.UNKNOWN);
      return name.equals("none") ? Fact.UNKNOWN : name;
    }

    /** IPv4 address of the HCA's interface. */
    String address(String hca) {
      return gids.containsKey(hca) ? gids.get(hca).ipv4() : interfaceAddresses.getOrDefault(netdev(hca), Fact.UNKNOWN);
    }

    /** NUMA node of an HCA, or of a GPU; unknown where the platform tells none. */
    String numaOf(String device) {
      String told = numa.getOrDefault(addresses.getOrDefault(device, gpus.getOrDefault(device, "")), gpuNuma.getOrDefault(device, Fact.UNKNOWN));
      return told.matches("\\d+") ? told : Fact.UNKNOWN;
    }

    String cpusOf(String gpu) {
      return gpuCpus.getOrDefault(gpu, Fact.UNKNOWN);
    }

    /** Process ids of ranks. */
    Set<String> processes() {
      return processes;
    }

    /** Interface of NCCL's bootstrap, else of the default route. */
    String bootstrap() {
      return bootstrap.equals(Fact.UNKNOWN) ? defaultNetdev : bootstrap;
    }
  }

  private final Map<String, Node> nodes = new TreeMap<>(NATURAL);
  private final Set<String> runHosts = new TreeSet<>(NATURAL);
  private final Map<String, Set<String>> ranks = new TreeMap<>();
  private final Set<String> programs = new TreeSet<>();
  private String launcher = Fact.UNKNOWN;

  public Hardware(Collection<? extends Fact> facts) {
    facts.forEach(this::read);
    nodes.values().forEach(Hardware::join);
  }

  private Node node(String name) {
    return nodes.computeIfAbsent(name, n -> new Node());
  }

  private void read(Fact fact) {
    if (fact.node().equals(Fact.UNKNOWN)) {
      launcher(fact);
      return;
    }
    if (fact instanceof RdmaPort p) {
      Node node = node(p.node());
      node.devices.add(p.hca());
      Port port = new Port(p.port(), p.state(), p.linkLayer(), p.lid());
      // Two tools may each know a part; an active port of a dual-port HCA is the one in use.
      node.ports.merge(p.hca(), port, Hardware::better);
    } else if (fact instanceof RdmaDevice d) {
      node(d.node()).devices.add(d.hca());
    } else if (fact instanceof NcclHca h) {
      node(h.node()).used.add(h.hca());
      node(h.node()).devices.add(h.hca());
    } else if (fact instanceof Gid g) {
      if (g.version().equals("v2") && g.kind().equals("ipv4")) {
        node(g.node()).gids.merge(g.hca(), g, (a, b) -> a.index().compareTo(b.index()) <= 0 ? a : b);
      }
    } else if (fact instanceof PortNetdev n) {
      node(n.node()).netdevs.merge(n.hca(), n.netdev(), Hardware::least);
    } else if (fact instanceof InterfaceAddress a) {
      if (a.address().matches("\\d+(?:\\.\\d+){3}")) {
        node(a.node()).interfaceAddresses.merge(a.netdev(), a.address(), Hardware::least);
      }
    } else if (fact instanceof HcaPart p) {
      node(p.node()).addresses.merge(p.hca(), p.pci(), Hardware::least);
      node(p.node()).devices.add(p.hca());
    } else if (fact instanceof DeviceAddress d) {
      node(d.node()).addresses.merge(d.name(), d.address(), Hardware::least);
    } else if (fact instanceof PciNuma n) {
      node(n.node()).numa.merge(n.address(), n.numa().toString(), Hardware::least);
    } else {
      readGpu(fact);
      readRun(fact);
      launcher(fact);
    }
  }

  private void readGpu(Fact fact) {
    if (fact instanceof GpuDevice g) {
      node(g.node()).gpus.merge(g.gpu(), g.address(), Hardware::least);
    } else if (fact instanceof TopoNic n) {
      node(n.node()).nics.merge(n.nic(), n.hca(), Hardware::least);
    } else if (fact instanceof TopoLink l && l.from().startsWith("GPU")) {
      node(l.node()).gpus.putIfAbsent(l.from(), Fact.UNKNOWN);
      if (l.gpuToNic()) {
        node(l.node()).distances.merge(l.from() + " " + l.to(), l.distance(), Math::min);
      }
    } else if (fact instanceof GpuAffinity a) {
      node(a.node()).gpuNuma.merge(a.gpu(), a.numa(), Hardware::least);
      node(a.node()).gpuCpus.merge(a.gpu(), a.cpus(), Hardware::least);
      node(a.node()).gpus.putIfAbsent(a.gpu(), Fact.UNKNOWN);
    }
  }

  private void readRun(Fact fact) {
    if (fact instanceof RankPlacement p) {
      runHosts.add(p.node());
      process(p.node(), p.process());
      ranks.computeIfAbsent(p.node(), n -> new TreeSet<>()).add(p.rank().toString());
      if (p.device().known()) {
        node(p.node()).placed.merge("GPU" + p.device(), p.busId(), Hardware::least);
      }
    } else if (fact instanceof NcclRank r) {
      runHosts.add(r.node());
      process(r.node(), r.process());
      ranks.computeIfAbsent(r.node(), n -> new TreeSet<>()).add(r.rank().toString());
    } else if (fact instanceof NcclMessage m && m.id().equals(BOOTSTRAP)) {
      node(m.node()).bootstrap = least(node(m.node()).bootstrap, m.field("ifname"));
      process(m.node(), m.process());
    } else if (fact instanceof NcclMessage m) {
      process(m.node(), m.process());
    } else if (fact instanceof Route r && r.destination().equals("default") && r.table().equals("main")) {
      node(r.node()).defaultNetdev = least(node(r.node()).defaultNetdev, r.netdev());
    }
  }

  private void process(String node, String process) {
    int colon = process.lastIndexOf(':');
    if (colon > 0 && process.substring(colon + 1).matches("\\d+")) {
      node(node).processes.add(process.substring(colon + 1));
    }
  }

  private void launcher(Fact fact) {
    String found = "";
    if (fact instanceof SlurmJob) {
      found = "srun";
    } else if (fact instanceof RankTag t) {
      found = t.source();
    } else if (fact instanceof MpiVersion) {
      found = "mpirun";
    } else if (fact instanceof LaunchMessage m && m.id().startsWith("store-")) {
      found = "torchrun";
    } else if (fact instanceof NcclTestCommand c) {
      runHosts.addAll(c.hosts());
      programs.add(c.program());
    }
    // MPI inside a Slurm job is started by either; what is installed least surely decides last.
    if (found.equals("srun") || found.equals("mpirun") && !launcher.equals("srun") || found.equals("torchrun") && launcher.equals(Fact.UNKNOWN)) {
      launcher = found;
    }
  }

  /** Of two statements the known one, else the first by name: facts come in no order. */
  private static String least(String a, String b) {
    return a.equals(Fact.UNKNOWN) ? b : b.equals(Fact.UNKNOWN) || a.compareTo(b) <= 0 ? a : b;
  }

  private static Port better(Port a, Port b) {
    Port first = b.state().equals("ACTIVE") && !a.state().equals("ACTIVE") ? b : a;
    Port second = first == a ? b : a;
    boolean same = !first.number().known() || !second.number().known() || first.number().equals(second.number());
    return same ? new Port(first.number().known() ? first.number() : second.number(), first.state(), first.link().equals(Fact.UNKNOWN) ? second.link() : first.link(),
        first.lid().known() ? first.lid() : second.lid()) : first.state().equals(second.state()) && second.number().compareTo(first.number()) < 0 ? second : first;
  }

  /** Distances by NIC column become distances by HCA; where nothing lists a node's GPUs, the ranks' own are those known. */
  private static void join(Node node) {
    if (node.gpus.isEmpty()) {
      node.gpus.putAll(node.placed);
    }
    Map<String, Integer> byHca = new TreeMap<>();
    node.distances.forEach((pair, distance) -> {
      int blank = pair.indexOf(' ');
      byHca.put(pair.substring(0, blank + 1) + node.nics.getOrDefault(pair.substring(blank + 1), pair.substring(blank + 1)), distance);
    });
    node.distances.clear();
    node.distances.putAll(byHca);
  }

  Node of(String name) {
    return nodes.getOrDefault(name, new Node());
  }

  /** Nodes that facts speak of. */
  public Set<String> names() {
    Set<String> all = new TreeSet<>(NATURAL);
    all.addAll(nodes.keySet());
    all.addAll(runHosts);
    return all;
  }

  /** Hosts of the run; without a run, all nodes with a GPU or an HCA. */
  public List<String> hosts() {
    return runHosts.isEmpty() ? nodes.entrySet().stream().filter(n -> !n.getValue().devices.isEmpty() || !n.getValue().gpus.isEmpty()).map(Map.Entry::getKey).toList() : List.copyOf(runHosts);
  }

  /** GPUs that every one of some nodes has; 0 where one's count is not known. */
  public int gpusPerNode(List<String> hosts) {
    return hosts.stream().mapToInt(h -> Math.max(of(h).gpus.size(), ranks.getOrDefault(h, Set.of()).size())).min().orElse(0);
  }

  /** `mpirun`, `srun`, `torchrun` as the evidence shows it, else unknown. */
  public String launcher() {
    return launcher;
  }

  /** Another node to measure with: of the run, not suspect itself where there is a choice. */
  String peer(String node, Set<String> suspects) {
    List<String> others = new ArrayList<>(hosts().stream().filter(h -> !h.equals(node)).toList());
    names().stream().filter(n -> !n.equals(node) && !others.contains(n)).forEach(others::add);
    return others.stream().filter(o -> !suspects.contains(o)).findFirst().orElse(others.isEmpty() ? Fact.UNKNOWN : others.get(0));
  }

  /** The HCA of another node on the same rail: of the same name, else the one at the same place in its list. */
  String sameRail(String node, String hca, String peer) {
    List<String> own = of(node).hcas();
    List<String> theirs = of(peer).hcas();
    int place = own.indexOf(hca);
    return theirs.contains(hca) || of(peer).devices.contains(hca) ? hca : place >= 0 && place < theirs.size() ? theirs.get(place) : Fact.UNKNOWN;
  }
}
