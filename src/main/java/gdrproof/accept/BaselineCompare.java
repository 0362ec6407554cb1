package gdrproof.accept;

import gdrproof.accept.Samples.Key;
import gdrproof.accept.Samples.Value;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Gate.BaselineCheck;
import gdrproof.facts.Gate.BaselineState;
import gdrproof.facts.Gate.Distribution;
import gdrproof.facts.Gate.ScopeRail;
import gdrproof.facts.Gate.TopologyClass;
import gdrproof.facts.Gate.VersionCheck;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Setting;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Sets a bundle's distributions beside a baseline's of the same class. A regression is a distribution that has moved: its median is worse than the
 * baseline's by more than the tolerance and worse than the worst value of the baseline; or its worst value is beyond what the baseline's tail allows; or
 * its own spread is beyond both the allowed spread and twice the baseline's. A mean is never looked at.
 */
public final class BaselineCompare {
  private static final double TWICE = 2;

  private final Ledger ledger;
  private final FabricBaseline baseline;
  private final double tolerance;
  private final double tail;
  private final double spread;
  private final double fewest;

  BaselineCompare(Ledger ledger, FabricBaseline baseline) {
    this.ledger = ledger;
    this.baseline = baseline;
    tolerance = setting("baseline.tolerance");
    tail = setting("baseline.tail");
    spread = setting("repeat.spread");
    fewest = setting("baseline.runs");
  }

  private double setting(String key) {
    return ledger.all(Setting.class).stream().filter(s -> s.key().equals(key)).map(s -> s.value().value()).findFirst().orElseThrow(() -> new IllegalStateException("policies/thresholds.yaml has no " + key));
  }

  private Evidence here(String excerpt) {
    return Evidence.of(baseline.file(), 0, excerpt);
  }

  void derive(TopologyClass here, Map<Key, List<Value>> samples) {
    List<String> differ = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    differences(here, baseline.topology(), differ, missing);
    Tri same = !differ.isEmpty() ? Tri.NO : missing.isEmpty() ? Tri.YES : Tri.UNKNOWN;
    FabricBaseline.SignOff sign = baseline.signOff();
    String by = sign.signed() == Tri.YES ? sign.who() + " on " + sign.when() + " (" + sign.why() + ")" : Fact.UNKNOWN;
    ledger.add(new BaselineState(Fact.UNKNOWN, baseline.file(), same, same == Tri.NO ? differ : missing, sign.signed(), by), here("class of " + baseline.file()));
    versions();
    if (same != Tri.YES) {
      return;
    }
    Set<String> done = new TreeSet<>();
    for (Distribution expected : baseline.series()) {
      List<Key> keys = samples.keySet().stream().filter(k -> k.metric().equals(expected.metric()) && k.subject().equals(expected.subject()) && k.bytes().equals(expected.bytes())).toList();
      if (expected.condition().equals("load") || !done.add(expected.metric() + " " + expected.subject() + " " + expected.bytes())) {
        continue;
      }
      Set<String> seen = new TreeSet<>();
      for (Key key : keys) {
        seen.add(key.node());
        check(key, samples.get(key), expected);
      }
      absent(expected, seen);
    }
  }

  /** A rail of the baseline that a node in scope did not measure, or a collective that nobody did. */
  private void absent(Distribution expected, Set<String> seen) {
    Set<String> wanted = new TreeSet<>();
    if (expected.metric().contains("-rdma-")) {
      ledger.all(ScopeRail.class).stream().filter(r -> r.hca().equals(expected.subject())).forEach(r -> wanted.add(r.node()));
    } else {
      wanted.add(Fact.UNKNOWN);
    }
    wanted.removeAll(seen);
    wanted.forEach(node -> ledger.add(new BaselineCheck(node, expected.metric(), expected.subject(), expected.bytes(), expected.unit(), Num.UNKNOWN, expected.p50(), Num.UNKNOWN, "not-measured", "the bundle holds no such measurement"),
        here(expected.metric() + " " + expected.subject())));
  }

  private void check(Key key, List<Value> values, Distribution expected) {
    Distribution measured = Distributions.of(key, values.stream().map(Value::value).toList(), Fact.UNKNOWN);
    List<Evidence> sources = Distributions.sources(values);
    ledger.add(judge(key.node(), measured, expected, values.size()), sources);
  }

  BaselineCheck judge(String node, Distribution measured, Distribution expected, int runs) {
    boolean lower = expected.unit().equals("us");
    double sign = lower ? -1 : 1;
    double p50 = expected.p50().value();
    double worstBase = lower ? expected.high().known() ? expected.high().value() : p50 : expected.low().known() ? expected.low().value() : p50;
    double limit = p50 * (1 - sign * tolerance);
    limit = lower ? Math.max(limit, worstBase) : Math.min(limit, worstBase);
    double tailBase = lower ? (expected.p99().known() ? expected.p99().value() : p50) : worstBase;
    double tailLimit = lower ? Math.max(limit, tailBase * (1 + tail)) : Math.min(limit, tailBase * (1 - tail));
    double now = measured.p50().value();
    double worstNow = lower ? measured.high().value() : measured.low().value();
    double allowed = Math.max(spread, TWICE * (expected.spreadPercent().known() ? expected.spreadPercent().value() : 0));
    String verdict;
    String why;
    if (sign * (now - limit) < 0) {
      verdict = "regressed";
      why = "median " + show(now) + " is beyond " + show(limit) + " " + expected.unit() + " (baseline median " + show(p50) + ", worst " + show(worstBase) + ")";
    } else if (runs < fewest) {
      verdict = "few-runs";
      why = runs + (runs == 1 ? " run: " : " runs: ") + "a distribution needs " + show(fewest) + ", the first as warm-up";
    } else if (sign * (worstNow - tailLimit) < 0) {
      verdict = "tail-regressed";
      why = "worst " + show(worstNow) + " is beyond " + show(tailLimit) + " " + expected.unit() + " although the median " + show(now) + " is not";
    } else if (measured.spreadPercent().above(allowed)) {
      verdict = "unstable";
      why = "spread " + measured.spreadPercent().rounded() + " % is beyond " + show(allowed) + " % (baseline " + expected.spreadPercent().rounded() + " %)";
    } else {
      verdict = sign * (now - (lower ? expected.low() : expected.high()).value()) > 0 ? "better" : "within";
      why = "median " + show(now) + " against " + show(p50) + " " + expected.unit() + ", limit " + show(limit);
    }
    return new BaselineCheck(node, expected.metric(), expected.subject(), expected.bytes(), expected.unit(), measured.p50(), expected.p50(), Num.of(limit).rounded(), verdict, why);
  }

  private static String show(double value) {
    return Num.of(value).rounded().toString();
  }

  private static void differences(TopologyClass here, TopologyClass there, List<String> differ, List<String> missing) {
    text("server", here.server(), there.server(), differ, missing);
    text("GPU", here.gpu(), there.gpu(), differ, missing);
    number("GPUs per node", here.gpus(), there.gpus(), differ, missing);
    number("NICs per node", here.nics(), there.nics(), differ, missing);
    number("NIC rate (Gb/s)", here.nicGbps(), there.nicGbps(), differ, missing);
    number("rails", here.rails(), there.rails(), differ, missing);
    number("PCIe speed of the NICs (GT/s)", here.pcieGts(), there.pcieGts(), differ, missing);
    number("PCIe lanes of the NICs", here.pcieLanes(), there.pcieLanes(), differ, missing);
    text("fabric", here.fabric(), there.fabric(), differ, missing);
    number("nodes", here.nodes(), there.nodes(), differ, missing);
  }

  private static void text(String what, String here, String there, List<String> differ, List<String> missing) {
    if (there.equals(Fact.UNKNOWN)) {
      return;
    }
    if (here.equals(Fact.UNKNOWN)) {
      missing.add(what);
    } else if (!here.equals(there)) {
      differ.add(what + " is " + here + ", the baseline's is " + there);
    }
  }

  private static void number(String what, Num here, Num there, List<String> differ, List<String> missing) {
    text(what, here.toString(), there.toString(), differ, missing);
  }

  private void versions() {
    Map<String, Set<String>> now = Versions.of(ledger);
    Set<String> names = new LinkedHashSet<>(baseline.versions().keySet());
    for (String name : names) {
      Set<String> seen = now.getOrDefault(name, Set.of());
      List<String> before = baseline.versions().get(name);
      Tri same = seen.isEmpty() ? Tri.UNKNOWN : Tri.of(before.containsAll(seen));
      ledger.add(new VersionCheck(Fact.UNKNOWN, name, seen.isEmpty() ? Fact.UNKNOWN : String.join(", ", seen), String.join(", ", before), same), here(name + ": " + String.join(", ", before)));
    }
  }

  /** Versions of a bundle, by component. */
  static final class Versions {
    private Versions() {}

    static Map<String, Set<String>> of(Ledger ledger) {
      Map<String, Set<String>> versions = new TreeMap<>();
      ledger.forEach((fact, sources) -> {
        if (fact instanceof gdrproof.facts.Host.SoftwareVersion v) {
          put(versions, v.component(), v.version());
        } else if (fact instanceof gdrproof.facts.Nccl.NcclVersion v) {
          put(versions, "nccl", v.version());
        } else if (fact instanceof gdrproof.facts.Rdma.RdmaDevice d) {
          put(versions, "hca-firmware", d.firmware());
        } else if (fact instanceof gdrproof.facts.Operator.OperatorRelease r) {
          put(versions, "network-operator", r.version());
        } else if (fact instanceof gdrproof.facts.Host.NvidiaDriver d && d.source().equals("loaded")) {
          put(versions, "nvidia-driver", d.version());
        }
      });
      return versions;
    }

    private static void put(Map<String, Set<String>> versions, String name, String version) {
      if (!version.equals(Fact.UNKNOWN)) {
        versions.computeIfAbsent(name, n -> new TreeSet<>()).add(version);
      }
    }
  }
}
