package gdrproof.accept;

import gdrproof.accept.Samples.Key;
import gdrproof.accept.Samples.Value;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Gate.Distribution;
import gdrproof.facts.Gate.Evenness;
import gdrproof.facts.Ledger;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Distributions over comparable runs. The first of at least three is a warm-up and does not count. */
final class Distributions {
  private static final int WARM_UP_FROM = 3;

  private Distributions() {}

  static Distribution of(Key key, List<Double> values, String condition) {
    int warm = values.size() >= WARM_UP_FROM ? 1 : 0;
    Percentiles p = Percentiles.of(values.subList(warm, values.size()));
    return new Distribution(key.node(), key.metric(), key.subject(), condition, key.bytes(), key.unit(), Num.of(p.count()), Num.of(warm), Num.of(p.low()), fine(p.at(0.5)), fine(p.at(0.95)), fine(p.at(0.99)),
        Num.of(p.high()), fine(p.spreadPercent()));
  }

  /** Four decimals: enough for every tool's own, and no tail of binary digits in files. */
  private static Num fine(double value) {
    return Num.of(Math.round(value * 1e4) / 1e4);
  }

  static void derive(Ledger ledger, Map<Key, List<Value>> samples) {
    samples.forEach((key, values) -> ledger.add(of(key, values.stream().map(Value::value).toList(), Fact.UNKNOWN), sources(values)));
    even(ledger, samples);
  }

  static List<Evidence> sources(List<Value> values) {
    List<Evidence> sources = new ArrayList<>();
    values.forEach(v -> v.sources().stream().limit(1).forEach(sources::add));
    return sources;
  }

  /** One value for each rail of each node: all should do the same. */
  private static void even(Ledger ledger, Map<Key, List<Value>> samples) {
    Map<String, Map<Key, List<Value>>> byMetric = new TreeMap<>();
    samples.forEach((key, values) -> {
      if (key.metric().endsWith("-bandwidth")) {
        byMetric.computeIfAbsent(key.metric(), m -> new TreeMap<>()).put(key, values);
      }
    });
    byMetric.forEach((metric, rails) -> {
      Set<Num> sizes = new TreeSet<>();
      rails.keySet().forEach(k -> sizes.add(k.bytes()));
      if (rails.size() < 2 || sizes.size() != 1) {
        return;
      }
      List<Double> medians = new ArrayList<>();
      String lowest = "";
      double low = Double.MAX_VALUE;
      List<Evidence> sources = new ArrayList<>();
      for (Map.Entry<Key, List<Value>> rail : rails.entrySet()) {
        double median = Percentiles.of(rail.getValue().stream().map(Value::value).toList()).at(0.5);
        medians.add(median);
        if (median < low) {
          low = median;
          lowest = rail.getKey().node() + " " + rail.getKey().subject();
          sources = sources(rail.getValue());
        }
      }
      double median = Percentiles.of(medians).at(0.5);
      ledger.add(new Evenness(Fact.UNKNOWN, metric, Num.of(rails.size()), lowest, Num.of(low), fine(median), fine(low / median)), sources);
    });
  }
}
