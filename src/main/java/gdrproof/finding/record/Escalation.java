package gdrproof.finding.record;

import gdrproof.facts.Bench.RdmaTest;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** What whoever takes a problem over needs, by `policies/escalation.yaml`, and what of it a bundle lacks. */
public final class Escalation {
  /**
   * @param what in words
   * @param present whether it is there, on every node where it has to be
   * @param missingOn nodes that lack it; empty where it is there or belongs to no node
   * @param command that would provide it
   */
  public record Need(String name, String what, boolean present, List<String> missingOn, String command) {}

  private Escalation() {}

  public static List<Need> of(Ledger ledger) {
    Map<String, Set<String>> nodesOf = new TreeMap<>();
    Set<String> nodes = new TreeSet<>();
    Map<String, Set<String>> files = new TreeMap<>();
    ledger.forEach((fact, sources) -> {
      kinds(fact).forEach(kind -> nodesOf.computeIfAbsent(kind, k -> new TreeSet<>()).add(fact.node()));
      if (machine(fact)) {
        nodes.add(fact.node());
      }
      for (Evidence source : sources) {
        files.computeIfAbsent(source.file(), f -> new TreeSet<>()).add(fact.node());
      }
    });
    Map<String, Object> measurements = Policies.read("measurements.yaml");
    List<Need> needs = new ArrayList<>();
    Policies.read("escalation.yaml").forEach((name, value) -> {
      Map<String, Object> entry = Policies.map(value);
      Set<String> seen = new TreeSet<>();
      Policies.texts(entry.get("facts")).forEach(kind -> seen.addAll(nodesOf.getOrDefault(kind, Set.of())));
      if (entry.containsKey("files")) {
        Pattern pattern = Pattern.compile(String.valueOf(entry.get("files")));
        files.forEach((file, of) -> {
          if (pattern.matcher(file).find()) {
            seen.addAll(of);
          }
        });
      }
      Set<String> lacking = new TreeSet<>();
      if ("node".equals(entry.get("per"))) {
        lacking.addAll(nodes);
        lacking.removeAll(seen);
      }
      String command = String.valueOf(Policies.map(measurements.get(String.valueOf(entry.get("measurement")))).get("command"));
      needs.add(new Need(name, String.valueOf(entry.get("what")), !seen.isEmpty() && lacking.isEmpty(), List.copyOf(lacking), command));
    });
    return needs;
  }

  /** Names that the policy may ask for: the fact's type, and for RDMA tests also the memory. */
  private static List<String> kinds(Fact fact) {
    String type = fact.getClass().getSimpleName();
    return fact instanceof RdmaTest test ? List.of(type, type + ":memory=" + test.memory()) : List.of(type);
  }

  /** Whether a fact comes from a machine itself, so that its node is one that has to be looked at. */
  private static boolean machine(Fact fact) {
    return !fact.node().equals(Fact.UNKNOWN) && (fact instanceof gdrproof.facts.Gpu || fact instanceof gdrproof.facts.Rdma || fact instanceof gdrproof.facts.Pcie || fact instanceof gdrproof.facts.Host);
  }
}
