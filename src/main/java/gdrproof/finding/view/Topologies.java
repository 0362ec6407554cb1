package gdrproof.finding.view;

import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.TopoLink;
import gdrproof.facts.Ledger;
import gdrproof.finding.view.View.BadPath;
import gdrproof.finding.view.View.Device;
import gdrproof.finding.view.View.Flaw;
import gdrproof.finding.view.View.Group;
import gdrproof.finding.view.View.NodeView;
import gdrproof.finding.view.View.Socket;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;

/** The hardware of each node as boxes within boxes; nodes that are alike are one picture. */
final class Topologies {
  private static final int MOST_PICTURES = 8;
  private static final int SWITCH = 2;
  private static final int BRIDGE = 3;
  private static final int NODE = 4;

  private final List<NodeView> nodes = new ArrayList<>();
  private String left = "";

  Topologies(Ledger ledger, List<Flaw> flaws) {
    Map<String, List<Fact>> facts = new TreeMap<>(Names.NATURAL);
    ledger.facts().forEach(f -> facts.computeIfAbsent(f.node(), n -> new ArrayList<>()).add(f));
    if (facts.keySet().stream().anyMatch(n -> !n.equals(Fact.UNKNOWN) && !new Devices(facts.get(n)).kinds.isEmpty())) {
      facts.remove(Fact.UNKNOWN);
    }
    Map<NodeView, List<String>> alike = new LinkedHashMap<>();
    facts.forEach((node, own) -> {
      Devices devices = new Devices(own);
      if (!devices.kinds.isEmpty()) {
        alike.computeIfAbsent(picture(devices, new Marks(node, devices, flaws, facts.size() == 1)), p -> new ArrayList<>()).add(node);
      }
    });
    List<NodeView> all = new ArrayList<>();
    alike.forEach((view, names) -> all.add(new NodeView(names, view.sockets(), view.nvlink(), view.bad(), view.marks(), view.source())));
    all.sort((a, b) -> Boolean.compare(b.marked(), a.marked()));
    nodes.addAll(all.subList(0, Math.min(MOST_PICTURES, all.size())));
    if (all.size() > MOST_PICTURES) {
      left = "Not drawn: " + all.subList(MOST_PICTURES, all.size()).stream().flatMap(v -> v.names().stream()).collect(Collectors.joining(", "));
    }
  }

  List<NodeView> nodes() {
    return nodes;
  }

  String left() {
    return left;
  }

  private static NodeView picture(Devices devices, Marks marks) {
    List<String> placed = devices.kinds.keySet().stream().filter(devices::placed).toList();
    List<Socket> sockets = new ArrayList<>();
    for (List<String> members : clusters(placed, (a, b) -> devices.distance(a, b) <= NODE || devices.numas.containsKey(a) && devices.numas.get(a).equals(devices.numas.get(b)))) {
      sockets.add(new Socket(numa(members, devices), groups(members, devices, marks)));
    }
    List<String> rest = devices.kinds.keySet().stream().filter(d -> !devices.placed(d)).toList();
    if (!rest.isEmpty()) {
      sockets.add(new Socket("placement not in the evidence", List.of(group("", rest, devices, marks))));
    }
    List<BadPath> bad = marks.paths();
    return new NodeView(List.of(), sockets, nvlink(devices.gpuPairs), bad, marks.node(), devices.source);
  }

  private static List<Group> groups(List<String> members, Devices devices, Marks marks) {
    List<List<String>> switches = clusters(members, (a, b) -> devices.distance(a, b) <= SWITCH);
    boolean direct = switches.stream().allMatch(s -> s.size() == 1);
    List<List<String>> parts = direct ? clusters(members, (a, b) -> devices.distance(a, b) <= BRIDGE) : switches;
    boolean bridges = direct && parts.stream().anyMatch(p -> p.size() > 1);
    List<Group> groups = new ArrayList<>();
    for (List<String> part : parts) {
      groups.add(group(part.size() == 1 ? "root port" : bridges ? "host bridge" : "PCIe switch", part, devices, marks));
    }
    return groups;
  }

  private static Group group(String label, List<String> members, Devices devices, Marks marks) {
    List<Device> all = members.stream()
        .map(d -> new Device(d, devices.kinds.get(d), devices.notes.getOrDefault(d, ""), devices.links.getOrDefault(d, ""), marks.of(d))).toList();
    return new Group(label, all.stream().filter(d -> d.kind().equals("gpu")).toList(), all.stream().filter(d -> d.kind().equals("hca")).toList());
  }

  private static String numa(List<String> members, Devices devices) {
    Set<String> numas = new TreeSet<>(Names.NATURAL);
    members.stream().filter(devices.numas::containsKey).forEach(m -> numas.add(devices.numas.get(m)));
    return numas.isEmpty() ? "NUMA node not told" : "NUMA " + String.join(", ", numas);
  }

  /** Parts of a set that a relation joins, in the order of their first members. */
  private static List<List<String>> clusters(Collection<String> members, BiPredicate<String, String> joined) {
    List<List<String>> parts = new ArrayList<>();
    for (String member : members) {
      List<List<String>> touching = parts.stream().filter(p -> p.stream().anyMatch(other -> joined.test(member, other))).toList();
      if (touching.isEmpty()) {
        parts.add(new ArrayList<>(List.of(member)));
        continue;
      }
      List<String> first = touching.get(0);
      first.add(member);
      touching.stream().skip(1).forEach(other -> {
        first.addAll(other);
        parts.remove(other);
      });
    }
    parts.forEach(p -> p.sort(Names.NATURAL));
    return parts;
  }

  private static String nvlink(List<TopoLink> pairs) {
    if (pairs.isEmpty()) {
      return "";
    }
    long joined = pairs.stream().filter(TopoLink::nvlink).count();
    if (joined == 0) {
      return "no NVLink between the GPUs";
    }
    Set<String> counts = pairs.stream().filter(TopoLink::nvlink).map(p -> p.links().toString()).collect(Collectors.toCollection(() -> new TreeSet<>(Names.NATURAL)));
    String links = "NVLink (" + String.join(" or ", counts) + " links) between ";
    return links + (joined == pairs.size() ? "all GPUs" : joined + " of " + pairs.size() + " pairs of GPUs");
  }
}
