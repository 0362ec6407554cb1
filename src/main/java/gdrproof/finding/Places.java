package gdrproof.finding;

import gdrproof.facts.Fact;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Subjects by their node, so that what is related to one of thousands is found without asking each. */
final class Places {
  /** Subjects of one node by its name; those that may lie anywhere under "". */
  private final Map<String, List<Subject>> byNode = new HashMap<>();

  void add(Subject subject) {
    byNode.computeIfAbsent(anywhere(subject) ? "" : subject.node(), n -> new ArrayList<>()).add(subject);
  }

  boolean related(Subject subject) {
    if (anywhere(subject)) {
      return byNode.values().stream().anyMatch(all -> all.stream().anyMatch(subject::related));
    }
    return byNode.getOrDefault("", List.of()).stream().anyMatch(subject::related) || byNode.getOrDefault(subject.node(), List.of()).stream().anyMatch(subject::related);
  }

  private static boolean anywhere(Subject subject) {
    return switch (subject.kind()) {
      case RUN, SETTING, PAIR, OBJECT, CONTAINER -> true;
      default -> subject.node().equals(Fact.UNKNOWN);
    };
  }
}
