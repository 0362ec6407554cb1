package gdrproof.collect;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.collect.bench.BenchCollectors;
import gdrproof.collect.compare.Defects;
import gdrproof.collect.compare.Drift;
import gdrproof.collect.compare.Firmware;
import gdrproof.collect.gate.GateCollectors;
import gdrproof.collect.gpu.GpuCollectors;
import gdrproof.collect.gpu.PciePaths;
import gdrproof.collect.gpu.PeerControls;
import gdrproof.collect.gpu.Uplinks;
import gdrproof.collect.host.HostCollectors;
import gdrproof.collect.kube.KubeCollectors;
import gdrproof.collect.launch.Bindings;
import gdrproof.collect.launch.LaunchCollectors;
import gdrproof.collect.log.FirstFailures;
import gdrproof.collect.log.LogCollectors;
import gdrproof.collect.log.RankComparisons;
import gdrproof.collect.log.ReleaseClashes;
import gdrproof.collect.measure.Measures;
import gdrproof.collect.operator.HelmReleases;
import gdrproof.collect.operator.OperatorCollector;
import gdrproof.collect.rdma.OverTime;
import gdrproof.collect.rdma.RdmaCollectors;
import gdrproof.facts.Ledger;
import java.util.List;
import java.util.stream.Stream;

/** Runs every collector over every entry of a bundle. */
public final class Collectors {
  static final List<Collector> ALL = Stream.of(LogCollectors.all(), BenchCollectors.all(), HostCollectors.all(), GpuCollectors.all(),
      RdmaCollectors.all(), LaunchCollectors.all(), KubeCollectors.all(), GateCollectors.all(), List.<Collector>of(new HelmReleases())).flatMap(List::stream).toList();

  private static final EntryReader ENTRIES = new EntryReader(ALL, new Streams(LogCollectors.streams()));
  /** Below this size of all entries together threads cost more than they bring. */
  private static final long PARALLEL_FROM = 1 << 20;

  private Collectors() {}

  /** Facts of all entries, bound to runs and nodes. Several entries are read by as many threads as there are cores. */
  public static Ledger read(List<Entry> entries) {
    return read(entries, Observer.NONE);
  }

  /** The same, and the observer is told of every file; it may be called by several threads. */
  public static Ledger read(List<Entry> entries, Observer observer) {
    return settle(raw(entries, observer));
  }

  /** What the entries say, each for itself. Ledgers of parts of a bundle may be joined before {@link #settle} (configuration of the operator in one part). */
  public static Ledger raw(List<Entry> entries, Observer observer) {
    Ledger ledger = new Ledger();
    OperatorCollector operator = new OperatorCollector();
    // A stream of unknown length, such as standard input, may block and counts as long.
    long bytes = entries.stream().mapToLong(e -> e.bytes() < 0 ? PARALLEL_FROM : e.bytes()).sum();
    if (entries.size() > 1 && bytes >= PARALLEL_FROM) {
      entries.parallelStream().forEach(entry -> ENTRIES.read(entry, ledger, operator, observer));
    } else {
      entries.forEach(entry -> ENTRIES.read(entry, ledger, operator, observer));
    }
    return finish(ledger, operator);
  }

  /** Reads one entry alone; what it gives is bound to nothing yet. */
  static void read(Entry entry, Ledger ledger, OperatorCollector operator) {
    ENTRIES.read(entry, ledger, operator, Observer.NONE);
  }

  /** Adds what the operator's files say as one set. */
  static Ledger finish(Ledger ledger, OperatorCollector operator) {
    operator.finish(ledger);
    return ledger;
  }

  /** Binds facts to runs and nodes, and adds what follows from several files together. */
  public static Ledger settle(Ledger ledger) {
    Ledger settled = Attribution.settle(OverTime.settle(ledger));
    ReleaseClashes.derive(settled);
    RankComparisons.derive(settled);
    FirstFailures.derive(settled);
    Bindings.derive(settled);
    PciePaths.derive(settled);
    Uplinks.derive(settled);
    Drift.derive(settled);
    Firmware.derive(settled);
    Defects.derive(settled);
    PeerControls.derive(settled);
    Endings.derive(settled);
    return Measures.derive(settled);
  }
}
