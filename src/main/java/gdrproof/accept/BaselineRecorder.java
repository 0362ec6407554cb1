package gdrproof.accept;

import gdrproof.accept.FabricBaseline.Counter;
import gdrproof.accept.FabricBaseline.SignOff;
import gdrproof.accept.Samples.Key;
import gdrproof.accept.Samples.Value;
import gdrproof.facts.Fact;
import gdrproof.facts.Gate.Distribution;
import gdrproof.facts.Gate.MatrixRow;
import gdrproof.facts.Gate.TopologyClass;
import gdrproof.facts.Ledger;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.CounterDelta;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Puts a baseline together from the bundles of comparable runs, in the order given. */
public final class BaselineRecorder {
  private static final Set<String> CALM = Set.of("traffic", "teardown", "other", Fact.UNKNOWN);

  private final int fewest;
  private final Map<String, Map<Key, List<Double>>> values = new TreeMap<>();
  private final Map<String, Set<String>> versions = new TreeMap<>();
  private final Map<String, Double> grown = new TreeMap<>();
  private final Map<String, Set<String>> ports = new TreeMap<>();
  private final List<String> sources = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();
  private TopologyClass topology;

  /** @param fewest comparable runs that a distribution needs, the warm-up among them */
  public BaselineRecorder(int fewest) {
    this.fewest = fewest;
  }

  /**
   * Adds a bundle.
   *
   * @param condition `idle` or `load`
   * @throws IllegalArgumentException with a message for the user, if it is of another topology class than the first
   */
  public void add(String name, Ledger ledger, String condition) {
    Scopes.derive(ledger);
    List<MatrixRow> rows = Matrix.derive(ledger);
    TopologyClass here = TopologyClasses.derive(ledger);
    if (topology == null) {
      topology = here;
    } else if (!here.equals(topology)) {
      throw new IllegalArgumentException(name + " is of another topology class than the bundles before it: " + here + " against " + topology);
    }
    sources.add(name);
    Map<Key, List<Double>> own = values.computeIfAbsent(condition, c -> new TreeMap<>());
    // Rails are pooled over the nodes: the baseline is one of a class, not of host names. Runs of one node stay in their order.
    Samples.of(ledger, rows).forEach((key, list) -> own.computeIfAbsent(key, k -> new ArrayList<>()).addAll(list.stream().map(Value::value).toList()));
    BaselineCompare.Versions.of(ledger).forEach((component, seen) -> versions.computeIfAbsent(component, c -> new TreeSet<>()).addAll(seen));
    for (CounterDelta delta : ledger.all(CounterDelta.class)) {
      if (delta.grown().known() && !CALM.contains(delta.meaning())) {
        String key = condition + "\t" + delta.meaning();
        grown.merge(key, delta.grown().value(), Math::max);
        ports.computeIfAbsent(key, k -> new HashSet<>()).add(delta.node() + " " + delta.device() + " " + delta.port());
      }
    }
  }

  /** The baseline of what was added. */
  public FabricBaseline build(Map<String, Map<String, String>> conditions, SignOff signOff) {
    List<Distribution> series = new ArrayList<>();
    values.forEach((condition, byKey) -> {
      Map<Key, List<Double>> pooled = new TreeMap<>();
      Map<Key, Integer> warm = new LinkedHashMap<>();
      Map<String, List<Num>> few = new LinkedHashMap<>();
      byKey.forEach((key, list) -> {
        Key shared = new Key(Fact.UNKNOWN, key.metric(), key.subject(), key.bytes(), key.unit());
        if (list.size() < fewest) {
          String what = key.metric() + " " + key.subject() + (key.node().equals(Fact.UNKNOWN) ? "" : " on " + key.node());
          few.computeIfAbsent(what + "\n" + list.size(), k -> new ArrayList<>()).add(key.bytes());
          return;
        }
        pooled.computeIfAbsent(shared, k -> new ArrayList<>()).addAll(list.subList(1, list.size()));
        warm.merge(shared, 1, Integer::sum);
      });
      few.forEach((what, sizes) -> remarks.add(leftOut(what.split("\n"), sizes)));
      pooled.forEach((key, list) -> series.add(distribution(key, list, warm.get(key), condition)));
    });
    List<Counter> counters = new ArrayList<>();
    grown.forEach((key, most) -> counters.add(new Counter(key.substring(0, key.indexOf('\t')), key.substring(key.indexOf('\t') + 1), Num.of(most), Num.of(ports.get(key).size()))));
    Map<String, List<String>> seen = new TreeMap<>();
    versions.forEach((component, set) -> seen.put(component, List.copyOf(set)));
    return new FabricBaseline("", topology, conditions, signOff, seen, sources, series, counters);
  }

  /** One line for all sizes of a measurement: a sweep has dozens. */
  private String leftOut(String[] what, List<Num> sizes) {
    String at = !sizes.get(0).known() ? "" : sizes.size() == 1 ? " at " + sizes.get(0) + " bytes" : " at " + sizes.size() + " sizes";
    return what[0] + at + ": " + what[1] + (what[1].equals("1") ? " run" : " comparable runs") + ", left out (" + fewest + " comparable ones are needed)";
  }

  private static Distribution distribution(Key key, List<Double> counted, int warm, String condition) {
    Percentiles p = Percentiles.of(counted);
    return new Distribution(Fact.UNKNOWN, key.metric(), key.subject(), condition, key.bytes(), key.unit(), Num.of(p.count()), Num.of(warm), fine(p.low()), fine(p.at(0.5)), fine(p.at(0.95)), fine(p.at(0.99)), fine(p.high()),
        fine(p.spreadPercent()));
  }

  private static Num fine(double value) {
    return Num.of(Math.round(value * 1e4) / 1e4);
  }

  /** What was left out and why; call after {@link #build}. */
  public List<String> remarks() {
    return List.copyOf(remarks);
  }
}
