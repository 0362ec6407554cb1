package gdrproof.collect.rdma;

import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.CounterDelta;
import gdrproof.facts.Rdma.CounterReading;
import gdrproof.facts.Rdma.PortHistory;
import gdrproof.facts.Rdma.PortSample;
import gdrproof.facts.Rdma.RdmaPort;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What changed between readings: growth of counters and the states of ports over time. Runs once over the facts of a whole bundle, since before
 * and after usually stand in two files.
 */
public final class OverTime {
  /** @param way the tool where several print one family of names: what one says before is never set beside what another says after */
  private record Key(String node, String device, String port, String name, String source, String way) {}

  private record Reading(CounterReading fact, Evidence evidence) {}

  private static final Pattern RDMA_TOOL = Pattern.compile("(?:^|[\\s/])rdma\\s");

  private OverTime() {}

  /** Adds the deltas and histories to the facts. */
  public static Ledger settle(Ledger ledger) {
    Map<String, RdmaPort> byLid = lids(ledger);
    Map<Key, List<Reading>> groups = new HashMap<>();
    for (CounterReading fact : ledger.all(CounterReading.class)) {
      RdmaPort port = byLid.get(fact.device());
      String node = port == null ? fact.node() : port.node();
      String device = port == null ? fact.device() : port.hca();
      for (Evidence evidence : ledger.of(fact)) {
        groups.computeIfAbsent(new Key(node, device, fact.port().toString(), fact.name(), fact.source(), way(evidence)), k -> new ArrayList<>()).add(new Reading(fact, evidence));
      }
    }
    Set<String> unsteady = unsteady(groups);
    groups.forEach((key, readings) -> {
      Reading[] pair = pair(readings, unsteady);
      if (pair != null && !key.source().endsWith("-sum")) {
        add(ledger, key, pair[0], pair[1]);
      }
    });
    histories(ledger);
    Siblings.compare(ledger);
    return ledger;
  }

  /** `rdma statistic` and the files of /sys print the same counters. */
  private static String way(Evidence evidence) {
    return RDMA_TOOL.matcher(evidence.command()).find() ? "rdma" : "";
  }

  /** The HCA behind `lid N`, where exactly one port of the bundle has that LID. */
  private static Map<String, RdmaPort> lids(Ledger ledger) {
    Map<String, RdmaPort> found = new HashMap<>();
    Set<String> twice = new HashSet<>();
    for (RdmaPort port : ledger.all(RdmaPort.class)) {
      if (port.lid().above(0) && port.lid().below(49152)) {
        RdmaPort other = found.put("lid " + port.lid(), port);
        if (other != null && !(other.hca().equals(port.hca()) && other.node().equals(port.node()))) {
          twice.add("lid " + port.lid());
        }
      }
    }
    twice.forEach(found::remove);
    return found;
  }

  /** First and last reading of a counter, or null where nothing tells their order. */
  private static Reading[] pair(List<Reading> readings, Set<String> unsteady) {
    List<Reading> before = readings.stream().filter(r -> r.fact().moment().equals("before")).toList();
    List<Reading> after = readings.stream().filter(r -> r.fact().moment().equals("after")).toList();
    if (!before.isEmpty() && !after.isEmpty()) {
      return new Reading[] {first(before), last(after)};
    }
    List<Reading> timed = readings.stream().filter(r -> Moments.seconds(r.fact().moment()).known()).sorted(Comparator.comparing(r -> Moments.seconds(r.fact().moment()))).toList();
    if (timed.size() > 1 && !timed.get(0).fact().moment().equals(timed.get(timed.size() - 1).fact().moment())) {
      return new Reading[] {timed.get(0), timed.get(timed.size() - 1)};
    }
    // The same command twice in one transcript: the later line is the later reading.
    Map<String, List<Reading>> files = new TreeMap<>();
    readings.stream().filter(r -> r.fact().moment().equals(Fact.UNKNOWN)).forEach(r -> files.computeIfAbsent(r.evidence().file(), f -> new ArrayList<>()).add(r));
    for (Map.Entry<String, List<Reading>> file : files.entrySet()) {
      if (file.getValue().size() > 1 && !unsteady.contains(file.getKey())) {
        return new Reading[] {first(file.getValue()), last(file.getValue())};
      }
    }
    return null;
  }

  /** Files in which repeated readings fall: they are no sequence of one device (or it was reset), so they give no growth. */
  private static Set<String> unsteady(Map<Key, List<Reading>> groups) {
    Set<String> files = new HashSet<>();
    groups.values().forEach(readings -> {
      Map<String, Reading> previous = new HashMap<>();
      readings.stream().filter(r -> r.fact().moment().equals(Fact.UNKNOWN)).sorted(Comparator.comparing(Reading::evidence)).forEach(r -> {
        Reading earlier = previous.put(r.evidence().file(), r);
        if (earlier != null && r.fact().value().below(earlier.fact().value())) {
          files.add(r.evidence().file());
        }
      });
    });
    return files;
  }

  private static Reading first(List<Reading> readings) {
    return readings.stream().min(Comparator.comparing(Reading::evidence)).orElseThrow();
  }

  private static Reading last(List<Reading> readings) {
    return readings.stream().max(Comparator.comparing(Reading::evidence)).orElseThrow();
  }

  private static void add(Ledger ledger, Key key, Reading first, Reading last) {
    Num before = first.fact().value();
    Num after = last.fact().value();
    double grown = after.value() - before.value();
    String trouble = "none";
    Num growth = Num.of(grown);
    Num wrap = CounterNames.wrapsAt(key.name(), key.source());
    if (grown < 0 && wrap.known() && before.value() > wrap.value() / 2 && before.value() < wrap.value()) {
      growth = Num.of(grown + wrap.value());
      trouble = "wrapped";
    } else if (grown < 0) {
      growth = Num.UNKNOWN;
      trouble = "reset";
    } else if (CounterNames.saturated(key.name(), key.source(), after)) {
      growth = grown > 0 ? growth : Num.UNKNOWN;
      trouble = "saturated";
    }
    String meaning = CounterNames.meaning(key.name());
    if (meaning.equals(Fact.UNKNOWN) && !growth.above(0)) {
      return;
    }
    Num from = Moments.seconds(first.fact().moment());
    Num to = Moments.seconds(last.fact().moment());
    Num seconds = from.known() && to.known() && to.above(from) ? Num.of(to.value() - from.value()) : Num.UNKNOWN;
    // The later reading is the evidence: it is the one that shows the growth; the earlier value stands in the statement.
    ledger.add(new CounterDelta(key.node(), key.device(), Num.parse(key.port()), key.name(), meaning, before, after, growth, seconds, trouble), last.evidence());
  }

  private static void histories(Ledger ledger) {
    Map<String, List<PortSample>> ports = new TreeMap<>();
    ledger.all(PortSample.class).forEach(s -> ports.computeIfAbsent(s.node() + "/" + s.hca() + "/" + s.port(), k -> new ArrayList<>()).add(s));
    ports.values().forEach(samples -> {
      if (samples.size() < 2) {
        return;
      }
      samples.sort(Comparator.comparing(s -> Moments.seconds(s.moment())));
      PortSample one = samples.get(0);
      PortHistory history = new PortHistory(one.node(), one.hca(), one.port(), samples.stream().map(s -> s.state() + "/" + s.physical()).toList());
      ledger.add(history, ledger.of(samples.get(0)));
      ledger.add(history, ledger.of(samples.get(samples.size() - 1)));
    });
  }
}
