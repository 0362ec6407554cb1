package gdrproof.finding;

import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which fault can produce which symptom or fault: the data of `policies/causality` and `policies/faults.yaml`. */
public final class Causality {
  /** How a symptom shows: the run broke, it was slow, or something is not as meant. */
  public enum Kind {
    FAILURE,
    SLOW,
    ODDITY
  }

  /**
   * @param anywhere whether the cause may sit on any subject of the run, not only a related one
   * @param weight how often this cause stands behind that effect, 1 to 5
   */
  public record Edge(String from, String to, String how, boolean anywhere, int weight) {}

  private static final Set<Object> PLACES = Set.of("related", "run");
  private static final Set<String> KEYS = Set.of("from", "through", "to", "how", "on", "weight");

  private final Map<String, Kind> symptoms = new HashMap<>();
  private final Map<String, Map<String, Edge>> edges = new HashMap<>();
  /** Faults that only tell what a symptom of the key leads to, by that symptom. */
  private final Map<String, Set<String>> through = new HashMap<>();
  private final Map<String, Layer> faults = new HashMap<>();
  private final Set<String> observations = new HashSet<>();

  private Causality() {}

  public static Causality load() {
    List<Map<String, Object>> files = new ArrayList<>();
    Map<String, Object> index = Policies.read("causality/index.yaml");
    files.add(index);
    Policies.texts(index.get("files")).forEach(name -> files.add(Policies.read("causality/" + name)));
    return of(files, Policies.read("faults.yaml"));
  }

  static Causality of(List<Map<String, Object>> files, Map<String, Object> faults) {
    Causality causality = new Causality();
    faults.forEach((name, entry) -> causality.faults.put(name, Layer.parse(String.valueOf(Policies.map(entry).get("layer")))));
    faults.forEach((name, entry) -> {
      if (Boolean.TRUE.equals(Policies.map(entry).get("observation"))) {
        causality.observations.add(name);
      }
    });
    for (Map<String, Object> data : files) {
      Policies.map(data.get("symptoms"))
          .forEach((name, entry) -> causality.symptoms.put(name,
              Kind.valueOf(String.valueOf(Policies.map(entry).get("kind")).toUpperCase(java.util.Locale.ROOT))));
    }
    files.forEach(causality::addEdges);
    return causality;
  }

  private void addEdges(Map<String, Object> data) {
    for (Map<String, Object> edge : Policies.maps(data.get("edges"))) {
      // A key that nothing reads would change an answer in silence.
      if (!KEYS.containsAll(edge.keySet()) || !PLACES.contains(edge.getOrDefault("on", "related"))) {
        throw new IllegalStateException("policies/causality: an edge from " + edge.get("from") + " has keys " + edge.keySet() + ", on " + edge.get("on"));
      }
      for (String symptom : Policies.texts(edge.get("through"))) {
        if (!symptoms.containsKey(symptom) || !faults.keySet().containsAll(Policies.texts(edge.get("to")))) {
          throw new IllegalStateException("policies/causality: an edge through " + symptom + " to " + edge.get("to") + " is none from a symptom to faults");
        }
        through.computeIfAbsent(symptom, f -> new HashSet<>()).addAll(Policies.texts(edge.get("to")));
      }
      for (String from : Policies.texts(edge.get("from"))) {
        for (String to : Policies.texts(edge.get("to"))) {
          add(new Edge(from, to, String.valueOf(edge.get("how")), "run".equals(edge.get("on")),
              ((Number) edge.getOrDefault("weight", 3)).intValue()));
        }
      }
    }
  }

  private void add(Edge edge) {
    if (!faults.containsKey(edge.from())) {
      throw new IllegalStateException("policies/causality: " + edge.from() + " is no fault of policies/faults.yaml");
    }
    if (!symptoms.containsKey(edge.to()) && !faults.containsKey(edge.to())) {
      throw new IllegalStateException("policies/causality: " + edge.to() + " is neither symptom nor fault");
    }
    // Two mechanisms of one pair: the later is told, and the reach of the wider one holds.
    edges.computeIfAbsent(edge.from(), f -> new HashMap<>())
        .merge(edge.to(), edge, (first, later) -> new Edge(later.from(), later.to(), later.how(), first.anywhere() || later.anywhere(), later.weight()));
  }

  public Layer layer(String fault) {
    Layer layer = faults.get(fault);
    if (layer == null) {
      throw new IllegalStateException(fault + " is no fault of policies/faults.yaml");
    }
    return layer;
  }

  /** Whether the fault is worth a line and never a cause by itself. */
  public boolean observation(String fault) {
    return observations.contains(fault);
  }

  public Set<String> faults() {
    return Set.copyOf(faults.keySet());
  }

  public Set<String> symptoms() {
    return Set.copyOf(symptoms.keySet());
  }

  public Kind kind(String symptom) {
    return symptoms.getOrDefault(symptom, Kind.ODDITY);
  }

  /** The edge from a fault to a symptom or fault, directly or through other faults; null if there is none. The weakest step counts. */
  public Edge path(String from, String to, boolean sameSubject) {
    return search(from, to, sameSubject, new HashSet<>());
  }

  private Edge search(String from, String to, boolean related, Set<String> seen) {
    if (!seen.add(from)) {
      return null;
    }
    Edge direct = edges.getOrDefault(from, Map.of()).get(to);
    if (direct != null && (related || direct.anywhere())) {
      return direct;
    }
    Edge best = null;
    for (Edge step : edges.getOrDefault(from, Map.of()).values()) {
      if (faults.containsKey(step.to()) && (related || step.anywhere())) {
        Edge rest = search(step.to(), to, related || step.anywhere(), seen);
        if (rest != null) {
          Edge whole = new Edge(from, to, step.how() + "; " + rest.how(), step.anywhere() || rest.anywhere(), Math.min(step.weight(), rest.weight()) - 1);
          best = best == null || whole.weight() > best.weight() ? whole : best;
        }
      }
    }
    return best;
  }

  /** The direct edge from a fault to a symptom or fault; null if there is none. */
  Edge edge(String from, String to) {
    return edges.getOrDefault(from, Map.of()).get(to);
  }

  /** Whether a symptom that is at hand, whatever explains it, leads to a fault. */
  boolean through(String symptom, String fault) {
    return through.getOrDefault(symptom, Set.of()).contains(fault);
  }

  /** Whether a fault shows as slowness and never as a run that breaks. */
  boolean slows(String fault) {
    List<Kind> kinds = effects(fault).stream().filter(symptoms::containsKey).map(this::kind).toList();
    return kinds.contains(Kind.SLOW) && !kinds.contains(Kind.FAILURE);
  }

  public List<String> effects(String fault) {
    return new ArrayList<>(edges.getOrDefault(fault, Map.of()).keySet());
  }
}
