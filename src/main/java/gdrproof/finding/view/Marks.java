package gdrproof.finding.view;

import gdrproof.facts.Fact;
import gdrproof.facts.Pcie.PathBridge;
import gdrproof.finding.Subject;
import gdrproof.finding.view.View.BadPath;
import gdrproof.finding.view.View.Flaw;
import gdrproof.finding.view.View.Mark;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Where on a node the flaws lie: at the node itself, at devices, or on the way between two. */
final class Marks {
  private static final List<String> PATHS = List.of("NVLink", "PIX", "PXB", "PHB", "NODE", "SYS");

  private final Map<String, List<Mark>> devices = new HashMap<>();
  private final Map<String, List<Mark>> ways = new TreeMap<>(Names.NATURAL);
  private final List<Mark> node = new ArrayList<>();
  private final Devices known;

  Marks(String node, Devices known, List<Flaw> flaws, boolean only) {
    this.known = known;
    int number = 0;
    for (Flaw flaw : flaws) {
      Mark mark = new Mark(flaw.kind(), ++number, flaw.name());
      for (Subject subject : flaw.subjects()) {
        boolean pair = subject.kind() == Subject.Kind.PAIR && subject.name().equals(node);
        if (subject.node().equals(node) || pair || only && subject.node().equals(Fact.UNKNOWN) && subject.kind() != Subject.Kind.RUN) {
          place(subject, mark);
        }
      }
    }
  }

  private void place(Subject subject, Mark mark) {
    String name = subject.name();
    switch (subject.kind()) {
      case PORT, GPU, LINK -> {
        String device = known.has(name) ? name : name.replaceFirst(":\\d+$", "");
        if (known.has(device)) {
          add(devices, known.name(device), mark);
        } else if (!bridge(name, mark)) {
          add(node, mark);
        }
      }
      case PATH -> {
        if (!path(name, mark)) {
          add(node, mark);
        }
      }
      case NODE, PROCESS, CONTAINER, PAIR, OBJECT -> add(node, mark);
      case RUN, SETTING -> {
      }
    }
  }

  /** A way is named by its ends, joined by a hyphen, which names may contain as well. */
  private boolean path(String name, Mark mark) {
    for (int at = name.indexOf('-'); at > 0; at = name.indexOf('-', at + 1)) {
      if (known.has(name.substring(0, at)) && known.has(name.substring(at + 1))) {
        add(ways, known.name(name.substring(0, at)) + "\n" + known.name(name.substring(at + 1)), mark);
        return true;
      }
    }
    return false;
  }

  /** A fault of a bridge is one of the ways that pass it: of each GPU to its nearest HCA there. */
  private boolean bridge(String address, Mark mark) {
    Map<String, String> nearest = new TreeMap<>();
    for (PathBridge way : known.bridges) {
      String from = known.name(way.from());
      String to = known.name(way.to());
      if (way.bridge().equals(address) && "hca".equals(known.kinds.get(to)) && known.kinds.containsKey(from)) {
        nearest.merge(from, to, (a, b) -> known.distance(from, a) <= known.distance(from, b) ? a : b);
      }
    }
    nearest.forEach((from, to) -> add(ways, from + "\n" + to, mark));
    return !nearest.isEmpty();
  }

  private static void add(Map<String, List<Mark>> marks, String key, Mark mark) {
    add(marks.computeIfAbsent(key, k -> new ArrayList<>()), mark);
  }

  private static void add(List<Mark> marks, Mark mark) {
    if (!marks.contains(mark)) {
      marks.add(mark);
    }
  }

  List<Mark> of(String device) {
    return List.copyOf(devices.getOrDefault(device, List.of()));
  }

  List<Mark> node() {
    return List.copyOf(node);
  }

  List<BadPath> paths() {
    List<BadPath> bad = new ArrayList<>();
    ways.forEach((key, marks) -> {
      String[] ends = key.split("\n");
      int distance = known.distance(ends[0], ends[1]);
      bad.add(new BadPath(ends[0], ends[1], distance < PATHS.size() ? PATHS.get(distance) : "path not told", List.copyOf(marks)));
    });
    return bad;
  }
}
