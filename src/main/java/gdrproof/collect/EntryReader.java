package gdrproof.collect;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.bundle.Redaction;
import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.bundle.Text;
import gdrproof.collect.StreamCollector.Source;
import gdrproof.collect.operator.OperatorCollector;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Unread;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads one entry: small ones by all collectors, large ones by those that need no whole text in memory. */
final class EntryReader {
  private final List<Collector> blocks;
  private final Streams streams;

  EntryReader(List<Collector> blocks, Streams streams) {
    this.blocks = blocks;
    this.streams = streams;
  }

  void read(Entry entry, Ledger ledger, OperatorCollector operator) {
    Sink sink = new Sink(ledger);
    try (InputStream stream = entry.open()) {
      byte[] head = stream.readNBytes(Streams.BLOCK_LIMIT + 1);
      if (head.length == 0) {
        unread(ledger, entry, "empty");
      } else if (head.length > Streams.BLOCK_LIMIT) {
        large(entry, head, stream, sink, ledger);
      } else {
        small(entry, head, sink, ledger, operator);
      }
    } catch (IOException e) {
      unread(ledger, entry, "cannot be read: " + e.getMessage());
    }
  }

  private void small(Entry entry, byte[] bytes, Sink sink, Ledger ledger, OperatorCollector operator) throws IOException {
    List<String> read = Text.lines(bytes);
    if (read == null) {
      unread(ledger, entry, "not a text file");
      return;
    }
    List<String> lines = Redaction.lines(read);
    List<Section> sections = Sections.split(entry, lines);
    String[] nodes = new String[lines.size() + 1];
    for (Section section : sections) {
      for (Collector collector : blocks) {
        collector.collect(section, sink);
      }
      operator.section(section, sink);
      for (int i = 0; i < section.lines().size(); i++) {
        nodes[section.line(i)] = section.node();
      }
    }
    Source source = new Source(entry.name(), n -> n > 0 && n < nodes.length && nodes[n] != null ? nodes[n] : Fact.UNKNOWN);
    // Through the decoded lines, so that a text in UTF-16 or with a mark at its start reads like any other.
    streams.read(new ByteArrayInputStream(String.join("\n", lines).getBytes(StandardCharsets.UTF_8)), source, sink);
    if (!sink.anyUnderstood()) {
      unread(ledger, entry, "no known tool output recognised");
    }
  }

  private void large(Entry entry, byte[] head, InputStream rest, Sink sink, Ledger ledger) throws IOException {
    for (int i = 0; i < 4096; i++) {
      if (head[i] == 0) {
        unread(ledger, entry, "larger than " + (Streams.BLOCK_LIMIT >> 20) + " MiB and no text in UTF-8");
        return;
      }
    }
    streams.read(new SequenceInputStream(new ByteArrayInputStream(head), rest), new Source(entry.name(), n -> entry.node()), sink);
    if (!sink.anyUnderstood()) {
      unread(ledger, entry, "larger than " + (Streams.BLOCK_LIMIT >> 20) + " MiB, read for log and benchmark lines only, and none was recognised");
    }
  }

  private static void unread(Ledger ledger, Entry entry, String reason) {
    ledger.add(new Unread(Fact.UNKNOWN, entry.name(), 0, reason), Evidence.of(entry.name(), 0, ""));
  }
}
