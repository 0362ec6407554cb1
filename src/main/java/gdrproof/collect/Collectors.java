package gdrproof.collect;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.bundle.Text;
import gdrproof.collect.bench.BenchCollectors;
import gdrproof.collect.gpu.GpuCollectors;
import gdrproof.collect.host.HostCollectors;
import gdrproof.collect.kube.KubeCollectors;
import gdrproof.collect.launch.LaunchCollectors;
import gdrproof.collect.log.LogCollectors;
import gdrproof.collect.operator.OperatorCollector;
import gdrproof.collect.rdma.RdmaCollectors;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Unread;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.stream.Stream;

/** Runs every collector over every entry of a bundle. */
public final class Collectors {
  private static final List<Collector> ALL = Stream.of(LogCollectors.all(), BenchCollectors.all(), HostCollectors.all(), GpuCollectors.all(),
      RdmaCollectors.all(), LaunchCollectors.all(), KubeCollectors.all()).flatMap(List::stream).toList();

  private Collectors() {}

  public static Ledger read(List<Entry> entries) {
    Ledger ledger = new Ledger();
    OperatorCollector operator = new OperatorCollector();
    for (Entry entry : entries) {
      read(entry, ledger, operator);
    }
    operator.finish(ledger);
    return Attribution.settle(ledger);
  }

  private static void read(Entry entry, Ledger ledger, OperatorCollector operator) {
    List<String> lines;
    try (InputStream stream = entry.open()) {
      lines = Text.lines(stream.readAllBytes());
    } catch (IOException e) {
      unread(ledger, entry, "cannot be read: " + e.getMessage());
      return;
    }
    if (lines == null) {
      unread(ledger, entry, "not a text file");
      return;
    }
    Sink sink = new Sink(ledger);
    for (Section section : Sections.split(entry.name(), lines)) {
      for (Collector collector : ALL) {
        collector.collect(section, sink);
      }
      operator.section(section, sink);
    }
    if (!sink.anyUnderstood()) {
      unread(ledger, entry, lines.isEmpty() ? "empty" : "no known tool output recognised");
    }
  }

  private static void unread(Ledger ledger, Entry entry, String reason) {
    ledger.add(new Unread(Fact.UNKNOWN, entry.name(), 0, reason), Evidence.of(entry.name(), 0, ""));
  }
}
