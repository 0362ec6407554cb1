package gdrproof.collect.operator;

import gdrproof.collect.operator.Releases.Range;
import gdrproof.policy.Policies;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the operator release of a set: what the user gives, the chart's or operator image's version, the component tags,
 * the driver's tag, and last the keys that only some releases have.
 */
final class ReleaseFinder {
  private static final Map<String, Object> KEYS = Policies.map(Policies.read("operator/values.yaml").get("keys"));
  private static final Pattern CHART = Pattern.compile("^v?\\d+\\.\\d+\\.\\d+.*");

  private ReleaseFinder() {}

  static Range find(OperatorSet set) {
    if (!set.given().isEmpty()) {
      return Releases.exactly(set.given(), "given");
    }
    if (CHART.matcher(set.chartVersion()).matches()) {
      return Releases.exactly(set.chartVersion(), "chart");
    }
    for (OperatorDoc doc : set.docs()) {
      if (doc.isValues(OperatorSet.NETWORK_OPERATOR)) {
        for (String key : new String[] {"tag", "version"}) {
          String tag = doc.root().get("operator", key).text();
          if (CHART.matcher(tag).matches()) {
            return Releases.exactly(tag, "image");
          }
        }
      }
    }
    String tag = mostFrequent(set);
    if (!tag.isEmpty()) {
      return Releases.exactly(tag, "component-tag");
    }
    for (OperatorDoc doc : set.docs()) {
      Part driver = doc.isPolicy() ? doc.root().get("spec", "ofedDriver", "version") : doc.root().get("ofedDriver", "version");
      String release = Releases.ofDriver(driver.text());
      if (!release.isEmpty() && (doc.isPolicy() || doc.isValues(OperatorSet.NETWORK_OPERATOR))) {
        return Releases.exactly(release, "driver-tag");
      }
    }
    return byKeys(set);
  }

  /** The component tag that most images carry; of two the younger. */
  private static String mostFrequent(OperatorSet set) {
    Map<String, Integer> count = new HashMap<>();
    for (OperatorDoc doc : set.docs()) {
      if (OperatorKinds.reviewed(doc)) {
        count(doc.root(), count);
      }
    }
    String best = "";
    for (Map.Entry<String, Integer> each : count.entrySet()) {
      int most = best.isEmpty() ? 0 : count.get(best);
      if (each.getValue() > most || each.getValue() == most && Releases.compare(each.getKey(), best) > 0) {
        best = each.getKey();
      }
    }
    return best;
  }

  private static void count(Part part, Map<String, Integer> count) {
    if (part.kind() == Part.Kind.TEXT) {
      String release = Releases.ofTag(part.text());
      if (!release.isEmpty()) {
        count.merge(release, 1, Integer::sum);
      }
    }
    part.fields().values().forEach(p -> count(p, count));
    part.items().forEach(p -> count(p, count));
  }

  /** Bounds from keys of values: a young key proves more than an old one, which may simply be dead. */
  private static Range byKeys(OperatorSet set) {
    int first = 0;
    int last = Range.ANY.last();
    for (OperatorDoc doc : set.docs()) {
      if (doc.isValues(OperatorSet.NETWORK_OPERATOR)) {
        for (Map.Entry<String, Object> each : KEYS.entrySet()) {
          Map<String, Object> bounds = Policies.map(each.getValue());
          if (doc.root().get(each.getKey().split("\\.")).exists() && bounds.containsKey("since")) {
            first = Math.max(first, Releases.index(String.valueOf(bounds.get("since"))));
          }
        }
      } else if (doc.kind().equals("NicNodePolicy") || doc.kind().equals("NicClusterPolicy") && doc.root().get("spec", "global").exists()) {
        first = Math.max(first, Releases.index("26.4"));
      } else if (doc.kind().equals("NicClusterPolicy") && doc.root().get("spec", "nicConfigurationOperator").exists()) {
        first = Math.max(first, Releases.index("25.4"));
      }
    }
    return first == 0 && last == Range.ANY.last() ? Range.ANY : new Range(first, last, gdrproof.facts.Fact.UNKNOWN, "keys");
  }

  /** Major of an operator release in a text, as the chart, an image tag or a component tag write it. */
  static String plain(String version) {
    Matcher matcher = CHART.matcher(version);
    return matcher.matches() ? version.replaceFirst("^v", "") : version;
  }
}
