package gdrproof.collect.measure;

import gdrproof.facts.Bench.RdmaTest;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.NvidiaDriver;
import gdrproof.facts.Host.SoftwareVersion;
import gdrproof.facts.Ledger;
import gdrproof.facts.Measure.OneChange;
import gdrproof.facts.Num;
import gdrproof.facts.Pcie.CpuCounts;
import gdrproof.facts.Rdma.RdmaDevice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Finds, in one transcript, the same raw test before and after one thing of the machine was changed. What a line tells of the machine holds from there on,
 * until another line of the file tells otherwise; both tests must have such a line above them.
 */
final class OneChanges {
  private record Reading(int line, String what, String value, Fact fact) {}

  private record Test(int line, RdmaTest test) {}

  private OneChanges() {}

  static void derive(Ledger ledger, Limits limits) {
    Map<String, List<Test>> tests = new TreeMap<>();
    for (RdmaTest test : ledger.all(RdmaTest.class)) {
      if (test.gbps().above(0)) {
        for (Evidence evidence : ledger.of(test)) {
          tests.computeIfAbsent(evidence.file() + " " + test.node(), k -> new ArrayList<>()).add(new Test(evidence.line(), test));
        }
      }
    }
    tests.values().removeIf(list -> list.size() < 2);
    if (tests.isEmpty()) {
      return;
    }
    Map<String, List<Reading>> readings = readings(ledger);
    tests.forEach((place, list) -> list.stream().collect(Collectors.groupingBy(t -> twin(t.test()), TreeMap::new, Collectors.toList()))
        .values().forEach(same -> compare(same, readings.getOrDefault(place, List.of()), ledger, limits)));
  }

  private static String twin(RdmaTest t) {
    return String.join(" ", t.test(), t.hca(), t.memory(), t.gpu(), t.direction(), t.qps().toString(), t.bytes().toString(), t.side(), t.peer());
  }

  private static void compare(List<Test> same, List<Reading> readings, Ledger ledger, Limits limits) {
    for (Test slow : same) {
      for (Test fast : same) {
        Num ratio = slow.test().gbps().over(fast.test().gbps());
        if (!ratio.below(limits.slowRdma())) {
          continue;
        }
        Map<String, Reading> a = state(readings, slow.line());
        Map<String, Reading> b = state(readings, fast.line());
        List<String> differ = a.keySet().stream().filter(what -> b.containsKey(what) && !a.get(what).value().equals(b.get(what).value())).toList();
        if (differ.size() == 1 && a.keySet().equals(b.keySet())) {
          Reading worse = a.get(differ.get(0));
          Reading better = b.get(differ.get(0));
          List<Evidence> sources = new ArrayList<>();
          List.of(worse.fact(), better.fact(), slow.test(), fast.test()).forEach(fact -> sources.addAll(ledger.of(fact)));
          ledger.add(new OneChange(slow.test().node(), worse.what(), worse.value(), better.value(), "slower", slow.test().gbps().rounded(), fast.test().gbps().rounded(), ratio.rounded(), Num.of(1)), sources);
          return;
        }
      }
    }
  }

  private static Map<String, Reading> state(List<Reading> readings, int line) {
    Map<String, Reading> state = new TreeMap<>();
    for (Reading reading : readings) {
      if (reading.line() < line) {
        state.merge(reading.what(), reading, (x, y) -> x.line() > y.line() ? x : y);
      }
    }
    return state;
  }

  private static Map<String, List<Reading>> readings(Ledger ledger) {
    Map<String, List<Reading>> readings = new HashMap<>();
    ledger.all(SoftwareVersion.class).forEach(v -> add(readings, ledger, v, v.node(), v.component(), v.version()));
    ledger.all(NvidiaDriver.class).forEach(v -> add(readings, ledger, v, v.node(), "nvidia-driver", v.version()));
    ledger.all(CpuCounts.class).stream().filter(c -> c.numaNodes().known()).forEach(c -> add(readings, ledger, c, c.node(), "numa-nodes", c.numaNodes().toString()));
    ledger.all(RdmaDevice.class).stream().filter(d -> !d.firmware().equals(Fact.UNKNOWN)).forEach(d -> add(readings, ledger, d, d.node(), "firmware of " + d.hca(), d.firmware()));
    return readings;
  }

  private static void add(Map<String, List<Reading>> readings, Ledger ledger, Fact fact, String node, String what, String value) {
    ledger.of(fact).forEach(e -> readings.computeIfAbsent(e.file() + " " + node, k -> new ArrayList<>()).add(new Reading(e.line(), what, value, fact)));
  }
}
