package gdrproof.collect.gpu;

import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.GpuDevice;
import gdrproof.facts.Ledger;
import gdrproof.facts.Pcie.DeviceAddress;
import gdrproof.facts.Pcie.PathBridge;
import gdrproof.facts.Pcie.PciBridge;
import gdrproof.facts.Pcie.PciDevice;
import gdrproof.facts.Pcie.PciParent;
import gdrproof.facts.Tri;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Derives from the PCIe tree, whatever files it was read from, the bridges between each GPU and each HCA or other GPU. Where bus numbers are
 * filtered out of the evidence, the nearest bridge on a lower bus stands in, marked as not certain.
 */
public final class PciePaths {
  private static final int DEEPEST = 16;

  /** The tree of one node. */
  private static final class Tree {
    final SortedMap<String, PciDevice> devices = new TreeMap<>();
    final Map<String, String> behind = new HashMap<>();
    final Map<String, PciParent> parents = new HashMap<>();
    final Map<String, Set<Evidence>> evidence = new HashMap<>();
    final Set<String> gpus = new TreeSet<>();
    final Set<String> hcas = new TreeSet<>();
  }

  private PciePaths() {}

  /** Adds the derived facts to the ledger, with the evidence of what they come from. */
  public static void derive(Ledger ledger) {
    Map<String, Tree> trees = new TreeMap<>();
    for (PciDevice d : ledger.all(PciDevice.class)) {
      Tree tree = trees.computeIfAbsent(d.node(), n -> new Tree());
      tree.devices.merge(d.address(), d, (a, b) -> a.pciClass().equals(Fact.UNKNOWN) ? b : a);
      tree.evidence.computeIfAbsent(d.address(), a -> new LinkedHashSet<>()).addAll(ledger.of(d));
    }
    for (PciBridge b : ledger.all(PciBridge.class)) {
      trees.computeIfAbsent(b.node(), n -> new Tree()).behind.put(b.address().substring(0, 5) + b.secondary(), b.address());
    }
    for (PciParent p : ledger.all(PciParent.class)) {
      Tree tree = trees.computeIfAbsent(p.node(), n -> new Tree());
      tree.parents.put(p.child(), p);
      tree.evidence.computeIfAbsent(p.child(), a -> new LinkedHashSet<>()).addAll(ledger.of(p));
    }
    ledger.all(GpuDevice.class).stream().filter(g -> !g.address().equals(Fact.UNKNOWN) && trees.containsKey(g.node()))
        .forEach(g -> trees.get(g.node()).gpus.add(g.address()));
    ledger.all(DeviceAddress.class).stream().filter(a -> trees.containsKey(a.node())).forEach(a -> trees.get(a.node()).hcas.add(a.address()));
    trees.forEach((node, tree) -> derive(node, tree, ledger));
  }

  private static void derive(String node, Tree tree, Ledger ledger) {
    tree.devices.values().stream().filter(PciDevice::gpu).forEach(d -> tree.gpus.add(d.address()));
    tree.devices.values().stream().filter(PciDevice::hca).forEach(d -> tree.hcas.add(d.address()));
    tree.devices.keySet().forEach(a -> parent(node, tree, a, ledger));
    Set<String> ends = new TreeSet<>(tree.gpus);
    ends.addAll(tree.hcas);
    Map<String, List<String>> ways = new HashMap<>();
    ends.forEach(e -> ways.put(e, way(tree, e)));
    for (String gpu : tree.gpus) {
      for (String end : ends) {
        boolean later = tree.gpus.contains(end) && end.compareTo(gpu) <= 0;
        if (!later) {
          path(node, tree, gpu, end, ways, ledger);
        }
      }
    }
  }

  /** Finds the bridge above a device by bus numbers, and remembers it as a fact. */
  private static void parent(String node, Tree tree, String address, Ledger ledger) {
    if (tree.parents.containsKey(address)) {
      return;
    }
    String bus = address.substring(0, 7);
    String above = tree.behind.get(bus);
    PciParent found;
    if (above != null) {
      found = new PciParent(node, address, above, Tri.YES);
    } else if (!tree.behind.isEmpty()) {
      found = new PciParent(node, address, "root:" + bus, Tri.YES);
    } else {
      // Only for ends: above a bridge the guess would join ways that have nothing in common.
      PciDevice own = tree.devices.get(address);
      String nearest = own == null || own.bridge() ? "" : nearest(tree, address);
      found = nearest.isEmpty() ? null : new PciParent(node, address, nearest, Tri.NO);
    }
    if (found != null) {
      tree.parents.put(address, found);
      ledger.add(found, tree.evidence.getOrDefault(address, Set.of()));
    }
  }

  /** The only bridge function on the nearest lower bus that has a bridge: numbering goes depth first, so it most likely leads here. */
  private static String nearest(Tree tree, String address) {
    String best = "";
    boolean several = false;
    for (PciDevice d : tree.devices.headMap(address).values()) {
      if (d.bridge() && d.address().startsWith(address.substring(0, 5)) && d.address().substring(0, 7).compareTo(address.substring(0, 7)) < 0) {
        several = !best.isEmpty() && best.substring(0, 7).equals(d.address().substring(0, 7));
        best = d.address();
      }
    }
    return several ? "" : best;
  }

  /** Bridges above a device, nearest first, with the root at the end where it is known. */
  private static List<String> way(Tree tree, String address) {
    List<String> way = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    String at = address;
    while (tree.parents.containsKey(at) && seen.add(at) && way.size() < DEEPEST) {
      at = tree.parents.get(at).parent();
      way.add(at);
    }
    return way;
  }

  private static void path(String node, Tree tree, String gpu, String end, Map<String, List<String>> ways, Ledger ledger) {
    List<String> a = ways.get(gpu);
    List<String> b = ways.get(end);
    String meeting = a.stream().filter(b::contains).findFirst().orElse("");
    boolean known = !a.isEmpty() && !b.isEmpty();
    if (!known || gpu.equals(end)) {
      return;
    }
    boolean root = meeting.isEmpty() || meeting.startsWith("root:");
    List<String> ports = new ArrayList<>(below(a, meeting, root));
    ports.addAll(below(b, meeting, root));
    for (String bridge : ports) {
      Collection<Evidence> evidence = tree.evidence.getOrDefault(bridge, Set.of());
      Tri certain = a.stream().limit(a.indexOf(bridge) + 1L).allMatch(x -> certain(tree, x)) && certain(tree, gpu) && certain(tree, end) ? Tri.YES : Tri.NO;
      ledger.add(new PathBridge(node, gpu, end, bridge, root ? "root" : "switch", certain, Tri.of(tree.hcas.contains(end))),
          evidence.isEmpty() ? tree.evidence.getOrDefault(gpu, Set.of()) : evidence);
    }
  }

  private static boolean certain(Tree tree, String address) {
    PciParent parent = tree.parents.get(address);
    return parent == null || parent.certain() == Tri.YES;
  }

  /** Bridges below the meeting point; where only the root complex joins the ways, the topmost bridge alone decides. */
  private static List<String> below(List<String> way, String meeting, boolean root) {
    List<String> bridges = new ArrayList<>();
    for (String bridge : way) {
      if (bridge.equals(meeting) || bridge.startsWith("root:")) {
        break;
      }
      bridges.add(bridge);
    }
    return root && !bridges.isEmpty() ? bridges.subList(bridges.size() - 1, bridges.size()) : bridges;
  }
}
