package gdrproof.collect.drill;

import gdrproof.facts.Bench.NcclTestFailure;
import gdrproof.facts.Bench.NcclTestIterations;
import gdrproof.facts.Bench.RdmaTest;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.GpuAffinity;
import gdrproof.facts.Gpu.GpuDevice;
import gdrproof.facts.Gpu.TopoLink;
import gdrproof.facts.Gpu.TopoNic;
import gdrproof.facts.Ledger;
import gdrproof.facts.Measure.RunSummary;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Meta.Looked;
import gdrproof.facts.Nccl.NcclHca;
import gdrproof.facts.Net.Route;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.CounterDelta;
import gdrproof.facts.Rdma.FabricLink;
import gdrproof.facts.Rdma.RdmaPort;
import gdrproof.facts.Tri;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** One of the three bundles of a drill, by what can be compared. Keys of parts are `node`, kind and name, joined by newlines. */
final class Phase {
  /** Classes of counters that stand still in health. */
  private static final Set<String> ERRORS = Set.of("loss", "reorder", "timeout", "receiver", "discard", "physical", "link-down", "damage", "access", "pcie-stall", "pause-storm");

  final String name;
  final Map<String, String> parts = new TreeMap<>();
  final Map<String, Num> figures = new TreeMap<>();
  final Map<String, Num> growth = new TreeMap<>();
  final List<RunSummary> runs = new ArrayList<>();
  final List<NcclTestFailure> failures = new ArrayList<>();
  final Map<String, Num> stalls = new TreeMap<>();
  final Set<String> complete = new HashSet<>();
  final Map<String, Set<Evidence>> evidence = new HashMap<>();
  private final Map<String, Set<String>> selection = new TreeMap<>();
  private final Map<String, String> nics = new HashMap<>();

  Phase(String name, Ledger ledger) {
    this.name = name;
    ledger.all(TopoNic.class).forEach(n -> nics.put(n.node() + "\n" + n.nic(), n.hca()));
    for (Fact fact : ledger.facts()) {
      see(fact, ledger);
    }
    selection.forEach((node, hcas) -> parts.put(node + "\nselection\nHCAs of NCCL", String.join(", ", hcas)));
    Map<String, List<Double>> plateaus = new TreeMap<>();
    for (RunSummary run : runs) {
      if (run.plateauGBps().known()) {
        plateaus.computeIfAbsent("\nbusbw\n" + run.collective() + ", " + run.ranks() + " ranks", k -> new ArrayList<>()).add(run.plateauGBps().value());
        evidence.computeIfAbsent("\nbusbw\n" + run.collective() + ", " + run.ranks() + " ranks", k -> new TreeSet<>()).addAll(ledger.of(run));
      }
    }
    plateaus.forEach((key, values) -> {
      values.sort(null);
      figures.put(key, Num.of(values.get(values.size() / 2)));
    });
  }

  private void see(Fact fact, Ledger ledger) {
    String node = fact.node();
    if (fact instanceof RdmaPort port && !port.state().equals(Fact.UNKNOWN)) {
      part(node, "port", port.hca() + ":" + port.port(), port.state() + (port.state().equals("ACTIVE") && port.rateGbps().known() ? " " + port.rateGbps() + " Gb/s" : ""), fact, ledger);
    } else if (fact instanceof GpuDevice gpu) {
      part(node, "gpu", gpu.gpu(), gpu.model(), fact, ledger);
    } else if (fact instanceof Looked looked && (looked.kind().equals(Kind.RDMA_DEVICES) || looked.kind().equals(Kind.GPUS))) {
      complete.add(node + (looked.kind().equals(Kind.GPUS) ? "\ngpu" : "\nport"));
    } else if (fact instanceof TopoLink link && link.gpuToNic()) {
      part(node, "affinity", link.from() + " to " + nics.getOrDefault(node + "\n" + link.to(), link.to()), link.path(), fact, ledger);
    } else if (fact instanceof GpuAffinity affinity) {
      part(node, "affinity", affinity.gpu() + " CPUs", affinity.cpus() + ", NUMA " + affinity.numa(), fact, ledger);
    } else if (fact instanceof Route route) {
      part(node, "routing", "route to " + route.destination() + " in table " + route.table(), route.netdev() + " " + route.gateway(), fact, ledger);
    } else if (fact instanceof FabricLink link) {
      part(Fact.UNKNOWN, "routing", link.name() + " port " + link.port(), link.state() + " " + link.rateGbps() + " Gb/s to " + link.peer(), fact, ledger);
    } else if (fact instanceof NcclHca hca) {
      selection.computeIfAbsent(node, n -> new TreeSet<>()).add(hca.hca() + ":" + hca.port());
    } else if (fact instanceof RdmaTest test && test.gbps().above(0) && (test.memory().equals("host") || test.memory().equals("cuda"))) {
      String key = node + "\n" + (test.memory().equals("host") ? "host-rdma" : "gpu-rdma") + "\n" + test.hca() + " " + test.test() + " " + test.direction();
      figures.merge(key, test.gbps(), (a, b) -> a.above(b) ? a : b);
      evidence.computeIfAbsent(key, k -> new TreeSet<>()).addAll(ledger.of(fact));
    } else if (fact instanceof CounterDelta delta && ERRORS.contains(delta.meaning()) && delta.grown().known()) {
      String key = node + "\n" + delta.device() + (delta.port().known() ? ":" + delta.port() : "") + "\n" + delta.name() + "\n" + delta.meaning();
      growth.merge(key, delta.grown(), (a, b) -> Num.of(Math.max(a.value(), b.value())));
      evidence.computeIfAbsent(key, k -> new TreeSet<>()).addAll(ledger.of(fact));
    } else if (fact instanceof RunSummary run && !run.network().equals("Socket") && run.gdr() != Tri.NO) {
      runs.add(run);
    } else if (fact instanceof NcclTestFailure failure) {
      failures.add(failure);
      evidence.computeIfAbsent("failure\n" + failure.run(), k -> new TreeSet<>()).addAll(ledger.of(fact));
    } else if (fact instanceof NcclTestIterations times && times.maxUs().known()) {
      Num usual = times.p50Us().known() ? times.p50Us() : times.minUs();
      if (usual.known()) {
        stalls.merge(times.run(), Num.of((times.maxUs().value() - usual.value()) / 1e6), (a, b) -> a.above(b) ? a : b);
        evidence.computeIfAbsent("stall\n" + times.run(), k -> new TreeSet<>()).addAll(ledger.of(fact));
      }
    }
  }

  private void part(String node, String kind, String thing, String value, Fact fact, Ledger ledger) {
    String key = node + "\n" + kind + "\n" + thing;
    // Several readings of one phase: the worst counts, which for ports is the one that is not active, then the one that tells the rate.
    parts.merge(key, value, (a, b) -> a.startsWith("ACTIVE") && (!b.startsWith("ACTIVE") || b.length() > a.length()) ? b : a);
    evidence.computeIfAbsent(key, k -> new TreeSet<>()).addAll(ledger.of(fact));
  }

  /** Value of a part, `absent` where a whole list lacks it, or unknown. */
  String value(String key) {
    String[] names = key.split("\n");
    return parts.getOrDefault(key, complete.contains(names[0] + "\n" + names[1]) ? "absent" : Fact.UNKNOWN);
  }

  /** Where the run with the most ranks was placed. */
  String placement() {
    RunSummary largest = runs.stream().filter(r -> r.ranks().known() && !r.hosts().isEmpty()).max(java.util.Comparator.comparing(RunSummary::ranks)).orElse(null);
    return largest == null ? Fact.UNKNOWN : largest.ranks() + " ranks, " + largest.perNode() + " a node, on " + String.join(", ", largest.hosts());
  }
}
