package gdrproof.collect;

import gdrproof.bundle.Bundle;
import gdrproof.cli.Pipeline;
import gdrproof.engine.Engine;
import gdrproof.engine.RuleBase;
import gdrproof.facts.Bench.RdmaTest;
import gdrproof.facts.Ledger;
import gdrproof.facts.Rdma.CounterDelta;
import gdrproof.finding.Conclusion.Cause;
import gdrproof.finding.Conclusion.Hypothesis;
import gdrproof.finding.Conclusion.Signal;
import gdrproof.finding.Conclusion.Symptom;
import gdrproof.finding.Derived;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Keys that are conclusions: what the rules of `diagnose` say of a file together with those that it belongs to (`-before` of a set; of a raw test with GPU memory the one with
 * host memory over the same link).
 */
final class ConcludedKeys {
  /** Verdict by the fault that a rule proves or leaves open, or by `symptom:`, first match. */
  private static final List<Map.Entry<String, String>> VERDICTS = List.of(Map.entry("roce-traffic-class-mismatch", "lossy-wrong-priority"), Map.entry("pfc-pause-storm", "pfc-pressure"),
      Map.entry("rule:FAB281", "loss-and-congestion"), Map.entry("symptom:slow-gpu-rdma", "gpu-path-slow"));

  private static RuleBase rules;

  private ConcludedKeys() {}

  static Map<String, Set<String>> of(Path file, Path before) throws IOException {
    Map<String, Set<String>> keys = new TreeMap<>();
    List<Bundle.Entry> entries = new ArrayList<>(Bundle.open(file));
    if (!before.equals(file) && Files.exists(before)) {
      entries.addAll(0, Bundle.open(before));
    }
    for (RdmaTest test : Collectors.read(entries).all(RdmaTest.class)) {
      if (test.memory().equals("cuda")) {
        host(file, test, keys, entries);
      }
    }
    Ledger ledger = Pipeline.settled(Collectors.read(entries));
    Set<String> said = said(ledger);
    boolean traffic = ledger.all(CounterDelta.class).stream().anyMatch(d -> d.meaning().equals("traffic") && d.grown().above(0));
    if (said.stream().noneMatch(s -> s.startsWith("symptom:") || s.startsWith("fault:")) && traffic) {
      keys.put("verdict", Set.of("clean"));
    }
    VERDICTS.stream().filter(v -> said.contains(v.getKey()) || said.contains("fault:" + v.getKey())).findFirst().ifPresent(v -> keys.put("verdict", Set.of(v.getValue())));
    if (said.contains("signal:flat-topology") || said.contains("signal:virtual-machine")) {
      keys.put("virtualised", Set.of("suspected"));
    }
    return keys;
  }

  private static Set<String> said(Ledger ledger) {
    rules = rules == null ? RuleBase.load("diagnose", List.of()) : rules;
    Set<String> said = new TreeSet<>();
    for (Derived derived : new Engine(rules).conclude(ledger).conclusions()) {
      said.add("rule:" + derived.rule().code());
      if (derived.conclusion() instanceof Cause cause) {
        said.add("fault:" + cause.fault());
      } else if (derived.conclusion() instanceof Hypothesis open) {
        said.add("fault:" + open.fault());
      } else if (derived.conclusion() instanceof Symptom symptom) {
        said.add("symptom:" + symptom.name());
      } else if (derived.conclusion() instanceof Signal signal) {
        said.add("signal:" + signal.name());
      }
    }
    return said;
  }

  /** The same test with host memory, which another file of the folder holds. */
  private static void host(Path file, RdmaTest gpu, Map<String, Set<String>> keys, List<Bundle.Entry> entries) throws IOException {
    try (Stream<Path> beside = Files.list(file.getParent())) {
      for (Path other : beside.filter(Files::isRegularFile).sorted().toList()) {
        for (RdmaTest test : Collectors.read(Bundle.open(other)).all(RdmaTest.class)) {
          boolean same = test.memory().equals("host") && test.test().equals(gpu.test()) && test.hca().equals(gpu.hca()) && test.linkLayer().equals(gpu.linkLayer()) && test.mtuBytes().equals(gpu.mtuBytes())
              && test.qps().equals(gpu.qps()) && test.direction().equals(gpu.direction()) && test.unit().equals(gpu.unit()) && test.bytes().equals(gpu.bytes());
          if (same && keys.computeIfAbsent("hostBwAvgAtMax", k -> new TreeSet<>()).add(test.gbps().toString()) && keys.get("hostBwAvgAtMax").size() == 1) {
            entries.addAll(Bundle.open(other));
          }
        }
      }
    }
  }
}
