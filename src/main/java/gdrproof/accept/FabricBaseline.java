package gdrproof.accept;

import gdrproof.facts.Fact;
import gdrproof.facts.Gate.Distribution;
import gdrproof.facts.Gate.TopologyClass;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Measured distributions of an accepted configuration: a YAML file that people review and sign.
 *
 * @param file where it was read, for messages
 * @param topology its class; only a bundle of the same class is compared
 * @param conditions by `idle` and `load`: window, placement, message mix, routing, maintenance, cluster load, as somebody wrote them
 * @param versions by component, all that were seen
 * @param sources bundles it was recorded from
 * @param series distributions; rails pooled over the nodes of the class, so their node is unknown
 * @param counters growth of error and congestion counters in the window of each condition
 */
public record FabricBaseline(String file, TopologyClass topology, Map<String, Map<String, String>> conditions, SignOff signOff, Map<String, List<String>> versions, List<String> sources,
    List<Distribution> series, List<Counter> counters) {
  public static final String KIND = "fabric-baseline";

  /** Who accepted it, when (YYYY-MM-DD) and why; unknown while nobody has. */
  public record SignOff(String who, String when, String why) {
    public static final SignOff NONE = new SignOff(Fact.UNKNOWN, Fact.UNKNOWN, Fact.UNKNOWN);

    public Tri signed() {
      return Tri.of(!who.equals(Fact.UNKNOWN) && !when.equals(Fact.UNKNOWN) && !why.equals(Fact.UNKNOWN));
    }
  }

  /**
   * A class of counters in the window of a condition.
   *
   * @param meaning class of `policies/counters.yaml`
   * @param grown largest growth on one port
   * @param ports ports read
   */
  public record Counter(String condition, String meaning, Num grown, Num ports) {}

  public FabricBaseline {
    Map<String, Map<String, String>> copy = new TreeMap<>();
    conditions.forEach((name, values) -> copy.put(name, new TreeMap<>(values)));
    conditions = java.util.Collections.unmodifiableMap(copy);
    versions = java.util.Collections.unmodifiableMap(new TreeMap<>(versions));
    sources = List.copyOf(sources);
    series = List.copyOf(series);
    counters = List.copyOf(counters);
  }
}
