package gdrproof.finding;

import gdrproof.facts.Fact;
import gdrproof.finding.Diagnosis.Step;
import gdrproof.finding.Hardware.Node;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Fills the commands of `policies/measurements.yaml` with the nodes, devices, ports and processes at hand. */
final class AskCommands {
  private static final Pattern SLOT = Pattern.compile("\\{([a-z_]+)\\}");
  /** Names come from evidence and end in a shell: only what such names are made of passes. */
  private static final Pattern SAFE = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.:@-]*");
  private static final int MOST_STEPS = 64;
  private static final int FIRST_TCP_PORT = 18515;

  /** What a command is about; "" where the subject leaves it open. */
  private record Place(String node, String hca, String port, String gpu, String pid, String peer) {}

  private final Hardware hardware;
  private final Launching launching;
  private final Map<String, Object> slots = Policies.read("ask-slots.yaml");

  AskCommands(Hardware hardware, String launcher) {
    this.hardware = hardware;
    this.launching = new Launching(hardware, launcher);
  }

  /**
   * @param steps what runs where, in order
   * @param fill slots that the facts do not fill, with what would
   */
  record Filled(List<Step> steps, Map<String, String> fill) {}

  /** @param hosts of a test over ranks; none for what its shape says */
  Filled fill(Map<String, Object> entry, Collection<Subject> subjects, List<String> hosts) {
    Map<String, String> fill = new TreeMap<>();
    String boundary = String.valueOf(entry.get("boundary"));
    Set<String> suspects = new TreeSet<>();
    subjects.forEach(s -> {
      suspects.add(s.node());
      if (s.kind() == Subject.Kind.PAIR) {
        suspects.add(s.name());
      }
    });
    suspects.remove(Fact.UNKNOWN);
    if (entry.containsKey("shape")) {
      List<Step> steps = launching.steps(entry, suspects, subjects.stream().filter(s -> s.kind() == Subject.Kind.GPU).toList(), hosts);
      if (!steps.isEmpty()) {
        steps.forEach(s -> note(s.command(), fill));
        return new Filled(steps, fill);
      }
    }
    Set<Step> steps = new LinkedHashSet<>();
    boolean twoSided = entry.containsKey("client");
    String template = String.valueOf(entry.get("command"));
    for (Place place : places(subjects, boundary, template)) {
      if (twoSided) {
        pairs(entry, place, suspects, steps, fill);
      } else {
        for (Place exact : expand(place, template)) {
          String command = text(template, exact, suspects, fill);
          steps.add(new Step(exact.node().isEmpty() ? "" : exact.node(), Step.RUN, 0, command));
        }
      }
      if (steps.size() >= MOST_STEPS && twoSided) {
        break;
      }
    }
    return new Filled(List.copyOf(steps), fill);
  }

  private List<Place> places(Collection<Subject> subjects, String boundary, String template) {
    if (boundary.equals("cluster") || boundary.equals("job")) {
      return List.of(new Place("", "", "", "", "", ""));
    }
    Set<Place> places = new LinkedHashSet<>();
    for (Subject subject : subjects) {
      String node = subject.node().equals(Fact.UNKNOWN) ? "" : subject.node();
      switch (subject.kind()) {
        case PORT -> {
          String[] parts = subject.name().split(":");
          places.add(new Place(node, parts[0], parts.length > 1 ? parts[1] : "", "", "", ""));
        }
        case GPU -> places.add(new Place(node, "", "", subject.name(), "", ""));
        case PATH -> {
          Node at = hardware.of(node);
          String[] ends = ends(subject.name(), at);
          places.add(new Place(node, known(at.hca(ends[1])), "", known(at.gpu(ends[0])), "", ""));
        }
        case PAIR -> {
          places.add(new Place(node, "", "", "", "", subject.name()));
          if (boundary.equals("node") || boundary.equals("rank")) {
            places.add(new Place(subject.name(), "", "", "", "", node));
          }
        }
        case PROCESS -> places.add(new Place(node, "", "", "", subject.name().replaceFirst("^.*:", ""), ""));
        case NODE, RUN, CONTAINER, OBJECT, SETTING, LINK -> places.add(new Place(node, "", "", "", "", ""));
      }
    }
    Set<Place> located = new LinkedHashSet<>();
    for (Place place : places) {
      if (!place.node().isEmpty()) {
        located.add(place);
      } else if (!boundary.equals("fabric")) {
        // The whole run is meant: every node reads; a pair is enough to load the fabric.
        hardware.hosts().stream().limit(boundary.equals("pair") ? 1 : Integer.MAX_VALUE).forEach(h -> located.add(new Place(h, place.hca(), place.port(), place.gpu(), place.pid(), place.peer())));
      }
    }
    return located.isEmpty() ? List.of(new Place("", "", "", "", "", "")) : List.copyOf(located);
  }

  private static String known(String name) {
    return name.equals(Fact.UNKNOWN) ? "" : name;
  }

  /** Two ends of a path joined by `-`; names may hold one, so the devices decide. */
  private static String[] ends(String name, Node node) {
    for (int dash = name.indexOf('-'); dash >= 0; dash = name.indexOf('-', dash + 1)) {
      String from = name.substring(0, dash);
      if (!node.gpu(from).equals(Fact.UNKNOWN) || from.startsWith("GPU")) {
        return new String[] {from, name.substring(dash + 1)};
      }
    }
    int dash = name.indexOf('-');
    return dash < 0 ? new String[] {name, ""} : new String[] {name.substring(0, dash), name.substring(dash + 1)};
  }

  /** One place for each HCA (or process) where the command names one and the subject does not. */
  private List<Place> expand(Place place, String template) {
    Node node = hardware.of(place.node());
    List<Place> places = List.of(place);
    if (place.hca().isEmpty() && (template.contains("{hca}") || template.contains("{netdev}") || template.contains("{lid}"))) {
      String near = place.gpu().isEmpty() ? Fact.UNKNOWN : node.hcaNear(place.gpu());
      List<String> hcas = near.equals(Fact.UNKNOWN) ? node.hcas() : List.of(near);
      places = hcas.isEmpty() ? places : hcas.stream().map(h -> new Place(place.node(), h, "", place.gpu(), place.pid(), place.peer())).toList();
    }
    if (place.pid().isEmpty() && template.contains("{pid}") && !node.processes().isEmpty()) {
      // Ranks of a node share limits and environment: one of them tells.
      String pid = node.processes().iterator().next();
      places = places.stream().map(p -> new Place(p.node(), p.hca(), p.port(), p.gpu(), pid, p.peer())).toList();
    }
    return places;
  }

  private void pairs(Map<String, Object> entry, Place place, Set<String> suspects, Set<Step> steps, Map<String, String> fill) {
    String server = String.valueOf(entry.get("server"));
    String client = String.valueOf(entry.get("client"));
    boolean both = "both".equals(entry.get("directions"));
    boolean far = "far".equals(entry.get("gpu"));
    for (Place near : expand(place, client)) {
      String peer = near.peer().isEmpty() ? hardware.peer(near.node(), suspects) : near.peer();
      String peerName = peer.equals(Fact.UNKNOWN) ? "" : peer;
      String rail = peerName.isEmpty() || near.hca().isEmpty() ? "" : known(hardware.sameRail(near.node(), near.hca(), peer));
      Place from = new Place(near.node(), near.hca(), near.port(), gpu(near.node(), near.hca(), near.gpu(), far), "", peerName);
      Place to = new Place(peerName, rail, "", gpu(peerName, rail, "", far), "", near.node());
      for (int direction = 0; direction < (both ? 2 : 1); direction++) {
        int unit = (int) steps.stream().mapToInt(Step::unit).max().orElse(0) + 1;
        Map<String, String> tcp = Map.of("tcp", String.valueOf(FIRST_TCP_PORT + unit % 400));
        Place serving = direction == 0 ? to : from;
        Place calling = direction == 0 ? from : to;
        steps.add(new Step(serving.node(), Step.SERVER, unit, text(server, serving, suspects, tcp, fill)));
        steps.add(new Step(calling.node(), Step.CLIENT, unit, text(client, calling, suspects, tcp, fill)));
      }
    }
  }

  private String gpu(String node, String hca, String gpu, boolean far) {
    Node at = hardware.of(node);
    if (!gpu.isEmpty()) {
      return gpu;
    }
    String near = hca.isEmpty() ? Fact.UNKNOWN : at.gpuNear(hca, far);
    return near.equals(Fact.UNKNOWN) && at.gpuNames().size() == 1 ? at.gpuNames().iterator().next() : known(near);
  }

  private String text(String template, Place place, Set<String> suspects, Map<String, String> fill) {
    return text(template, place, suspects, Map.of(), fill);
  }

  private String text(String template, Place place, Set<String> suspects, Map<String, String> given, Map<String, String> fill) {
    Function<String, String> value = name -> given.containsKey(name) ? given.get(name) : value(name, place, suspects);
    Matcher m = SLOT.matcher(template);
    StringBuilder text = new StringBuilder();
    while (m.find()) {
      String found = value.apply(m.group(1));
      m.appendReplacement(text, Matcher.quoteReplacement(found.equals(Fact.UNKNOWN) ? m.group() : found));
    }
    String filled = m.appendTail(text).toString();
    note(filled, fill);
    return filled;
  }

  private void note(String command, Map<String, String> fill) {
    Matcher open = SLOT.matcher(command);
    while (open.find()) {
      if (slots.containsKey(open.group(1))) {
        fill.put(open.group(1), String.valueOf(slots.get(open.group(1))));
      }
    }
  }

  /** A slot's value, "" where it does not apply, or unknown. */
  private String value(String slot, Place place, Set<String> suspects) {
    Node node = hardware.of(place.node());
    String hca = safe(place.hca());
    boolean roce = node.ethernet(place.hca());
    String peer = place.peer().isEmpty() ? hardware.peer(place.node(), suspects) : place.peer();
    String port = place.port().isEmpty() ? node.port(place.hca()) : place.port();
    return switch (slot) {
      case "node" -> safe(place.node());
      case "peer" -> safe(peer);
      case "hca" -> hca;
      case "port" -> safe(port);
      case "port_number" -> safe(port).equals(Fact.UNKNOWN) ? "1" : safe(port);
      case "port_option" -> port.matches("[2-9]") ? " -i " + port : "";
      case "gid" -> safe(node.gidIndex(place.hca()));
      case "gid_option" -> !roce ? "" : node.gidIndex(place.hca()).equals(Fact.UNKNOWN) ? " -x {gid}" : " -x " + node.gidIndex(place.hca());
      case "netdev" -> safe(node.netdev(place.hca()));
      case "address" -> safe(hardware.of(peer).address(hardware.sameRail(place.node(), place.hca(), peer)));
      case "lid" -> safe(node.lid(place.hca()));
      case "peer_lid" -> safe(hardware.of(peer).lid(hardware.sameRail(place.node(), place.hca(), peer)));
      case "gpu" -> safe(place.gpu());
      case "gpu_index" -> node.gpuIndex(place.gpu());
      case "bind" -> node.numaOf(place.hca()).equals(Fact.UNKNOWN) ? "" : "numactl -N " + node.numaOf(place.hca()) + " -m " + node.numaOf(place.hca()) + " ";
      case "pid" -> place.pid().matches("\\d+") ? place.pid() : Fact.UNKNOWN;
      case "iface" -> safe(node.bootstrap());
      // A test over nodes is none with one of them.
      case "hosts" -> hardware.hosts().size() < 2 ? Fact.UNKNOWN : joined(hardware.hosts());
      case "nodes" -> hardware.hosts().isEmpty() ? Fact.UNKNOWN : String.valueOf(hardware.hosts().size());
      default -> Fact.UNKNOWN;
    };
  }

  private static String joined(List<String> hosts) {
    return hosts.isEmpty() || hosts.stream().anyMatch(h -> safe(h).equals(Fact.UNKNOWN)) ? Fact.UNKNOWN : String.join(",", hosts);
  }

  /** A name as it may stand in a command, else unknown. */
  static String safe(String name) {
    return SAFE.matcher(name).matches() && !name.equals("none") ? name : Fact.UNKNOWN;
  }

  /** Steps as one text: the command alone where it is the same everywhere. */
  static String text(List<Step> steps) {
    Set<String> commands = new LinkedHashSet<>();
    steps.forEach(s -> commands.add(s.command()));
    if (commands.size() == 1) {
      return commands.iterator().next();
    }
    Map<String, List<String>> by = new LinkedHashMap<>();
    for (Step step : steps) {
      String side = step.role().equals(Step.RUN) || step.role().equals(Step.MEMBER) ? "" : " (" + step.role() + ")";
      by.computeIfAbsent(step.command() + "   # on ", c -> new ArrayList<>()).add((step.node().isEmpty() ? "{node}" : step.node()) + side);
    }
    List<String> lines = new ArrayList<>();
    by.forEach((command, places) -> lines.add(command + String.join(", ", places.stream().distinct().toList())));
    return String.join("\n", lines);
  }
}
