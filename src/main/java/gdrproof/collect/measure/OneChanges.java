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
import gdrproof.facts.Pcie.PciSettings;
import gdrproof.facts.Rdma.RdmaDevice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Finds, in one transcript, the same raw test before and after one thing of the machine was changed. What a line tells of the machine holds from there on,
 * until another line of the file tells otherwise; both tests must have such a line above them.
 */
final class OneChanges {
  private record Reading(int line, String what, String value, Fact fact) {}

  private record Test(int line, RdmaTest test) {}

  /** Name of the thing that the read request of a device is, before its address. */
  private static final String REQUEST = "max-read-request of ";

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
    ledger.all(PciSettings.class).stream().filter(p -> p.maxReadRequest().known()).forEach(p -> requests(readings, ledger, p));
    return readings;
  }

  /**
   * A read request: what is read first in a transcript held before, since nothing had written it; a write holds from its line on. Where a transcript only writes, what
   * another file of the node read is what held before.
   */
  private static void requests(Map<String, List<Reading>> readings, Ledger ledger, PciSettings settings) {
    String what = REQUEST + settings.address();
    for (Evidence evidence : ledger.of(settings)) {
      List<Reading> own = readings.computeIfAbsent(evidence.file() + " " + settings.node(), k -> new ArrayList<>());
      own.add(new Reading(evidence.line(), what, settings.maxReadRequest().toString(), settings));
      if (writes(evidence)) {
        first(ledger, settings, evidence).ifPresent(before -> own.add(new Reading(0, what, before.maxReadRequest().toString(), before)));
      }
    }
  }

  private static boolean writes(Evidence evidence) {
    return evidence.command().matches(".*\\bsetpci\\b.*\\.[wW]=.*");
  }

  /** What was read of the device before its first write: in the same file above it, else the one value that other files have. */
  private static Optional<PciSettings> first(Ledger ledger, PciSettings written, Evidence write) {
    List<PciSettings> same = ledger.all(PciSettings.class).stream().filter(p -> p.node().equals(written.node()) && p.address().equals(written.address()) && p.maxReadRequest().known()).toList();
    boolean earlier = same.stream().anyMatch(p -> ledger.of(p).stream().anyMatch(e -> writes(e) && e.file().equals(write.file()) && e.line() < write.line()));
    if (earlier) {
      return Optional.empty();
    }
    Optional<PciSettings> above = same.stream().filter(p -> ledger.of(p).stream().anyMatch(e -> !writes(e) && e.file().equals(write.file()) && e.line() < write.line())).findFirst();
    List<PciSettings> elsewhere = same.stream().filter(p -> ledger.of(p).stream().anyMatch(e -> !writes(e) && !e.file().equals(write.file()))).toList();
    boolean one = elsewhere.stream().map(p -> p.maxReadRequest().toString()).distinct().count() == 1;
    return above.isPresent() ? above : one ? Optional.of(elsewhere.get(0)) : Optional.empty();
  }

  private static void add(Map<String, List<Reading>> readings, Ledger ledger, Fact fact, String node, String what, String value) {
    ledger.of(fact).forEach(e -> readings.computeIfAbsent(e.file() + " " + node, k -> new ArrayList<>()).add(new Reading(e.line(), what, value, fact)));
  }
}
