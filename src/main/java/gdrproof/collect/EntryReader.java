package gdrproof.collect;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.bundle.CommandLine;
import gdrproof.bundle.LongLines;
import gdrproof.bundle.ProbeHeader;
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
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads one entry: small ones by all collectors, large ones by those that need no whole text in memory. */
final class EntryReader {
  /** Sections of fewer lines are offered to every collector. */
  private static final int SEARCHED_FROM = 64;

  private final Hints blocks;
  private final Streams streams;

  EntryReader(List<Collector> blocks, Streams streams) {
    this(blocks, streams, SEARCHED_FROM);
  }

  /** @param searchedFrom lines of a section from which on its text decides who reads it */
  EntryReader(List<Collector> blocks, Streams streams, int searchedFrom) {
    this.blocks = new Hints(blocks, searchedFrom);
    this.streams = streams;
  }

  void read(Entry entry, Ledger ledger, OperatorCollector operator, Observer observer) {
    try (InputStream stream = entry.open()) {
      byte[] head = stream.readNBytes(Streams.BLOCK_LIMIT + 1);
      if (head.length == 0) {
        unread(ledger, entry, "empty");
      } else if (head.length > Streams.BLOCK_LIMIT) {
        InputStream whole = new SequenceInputStream(new ByteArrayInputStream(head), stream);
        if (new String(head, 0, 64, StandardCharsets.UTF_8).startsWith("{\"v\":1,\"type\":")) {
          facts(entry, whole, ledger);
        } else {
          large(entry, head, whole, new Sink(ledger), ledger);
        }
      } else {
        small(entry, head, ledger, operator, observer);
      }
    } catch (IOException e) {
      unread(ledger, entry, "cannot be read: " + e.getMessage());
    }
  }

  private void small(Entry entry, byte[] bytes, Ledger ledger, OperatorCollector operator, Observer observer) throws IOException {
    List<String> read = Text.lines(bytes);
    if (read == null) {
      unread(ledger, entry, "not a text file");
      return;
    }
    int cut = LongLines.first(read);
    List<String> lines = Redaction.lines(LongLines.cut(read));
    if (!lines.isEmpty() && FactLines.is(lines.get(0))) {
      facts(entry, lines, ledger);
      return;
    }
    if (Collected.index(lines)) {
      Collected.read(entry.name(), lines, ledger);
      return;
    }
    if (cut >= 0) {
      ledger.add(new Unread(Fact.UNKNOWN, entry.name(), cut + 1, "longer than " + LongLines.LONGEST + " characters, the rest of such lines is not read"),
          Evidence.of(entry.name(), cut + 1, lines.get(cut)));
    }
    ProbeHeader header = ProbeHeader.of(lines);
    int open = OpenEnd.line(bytes, lines);
    Sink sink = new Sink(ledger, header == null || header.status().whole() && (header.exit() == 0 || lines.size() > 1), open);
    List<Section> sections = Sections.split(entry, lines);
    String[] nodes = new String[lines.size() + 1];
    for (Section whole : sections) {
      Section section = OpenEnd.without(whole, open);
      if (section != whole && sink.open(section)) {
        sink.unread(whole, whole.lines().size() - 1, "the text ends inside this line, which is not read");
      }
      for (Collector collector : blocks.of(section)) {
        collect(collector, section, sink);
      }
      operator.section(section, sink);
      for (int i = 0; i < section.lines().size(); i++) {
        nodes[section.line(i)] = section.node();
      }
    }
    Source source = new Source(entry.name(), n -> n > 0 && n < nodes.length && nodes[n] != null ? nodes[n] : Fact.UNKNOWN);
    // Through the decoded lines, so that a text in UTF-16 or with a mark at its start reads like any other.
    streams.read(String.join("\n", lines).getBytes(StandardCharsets.UTF_8), source, sink);
    if (header == null && sink.anyUnderstood()) {
      unread(sections, sink);
    }
    if (header != null) {
      Collected.header(entry.name(), header, lines, sink.anyUnderstood(), ledger);
    } else if (!sink.anyUnderstood()) {
      boolean nccl = lines.stream().anyMatch(l -> l.contains("NCCL INFO ") || l.contains("NCCL WARN "));
      String reason = sink.reason(1, lines.size());
      unread(ledger, entry, !reason.isEmpty() ? reason : nccl ? "lines of NCCL, and none of them tells of devices, transports or failures" : "no known tool output recognised");
    }
    observer.file(entry.name(), lines, sink.understoodLines());
  }

  /** Outputs of query tools of which no reader took a single line. */
  private static void unread(List<Section> sections, Sink sink) {
    java.util.BitSet understood = sink.understoodLines();
    for (Section section : sections) {
      String tool = CommandLine.queryTool(section.command());
      int first = -1;
      boolean taken = tool.isEmpty();
      for (int i = 0; i < section.lines().size() && !taken; i++) {
        taken = understood.get(section.line(i));
        first = first < 0 && !section.lines().get(i).isBlank() ? i : first;
      }
      if (!taken && first >= 0) {
        String reason = sink.reason(section.line(first), section.line(section.lines().size() - 1));
        sink.unread(section, first, reason.isEmpty() ? "no reader for this output of " + tool : reason);
      }
    }
  }

  /** No collector throws on content; should one, the others still read, and the reader of the report is told. */
  private static void collect(Collector collector, Section section, Sink sink) {
    try {
      collector.collect(section, sink);
    } catch (RuntimeException | StackOverflowError e) {
      sink.failed(section, collector.tool() + ": reader failed (" + e + "); please report it");
    }
  }

  /** Facts that another run of this program wrote. */
  private static void facts(Entry entry, List<String> lines, Ledger ledger) {
    for (int i = 0; i < lines.size(); i++) {
      fact(entry, lines.get(i), i + 1, ledger);
    }
  }

  private static void facts(Entry entry, InputStream stream, Ledger ledger) throws IOException {
    BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
    int number = 0;
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      fact(entry, line, ++number, ledger);
    }
  }

  private static void fact(Entry entry, String line, int number, Ledger ledger) {
    if (line.isBlank()) {
      return;
    }
    try {
      FactLines.read(line, ledger);
    } catch (IOException | RuntimeException e) {
      ledger.add(new Unread(Fact.UNKNOWN, entry.name(), number, String.valueOf(e.getMessage())), Evidence.of(entry.name(), number, ""));
    }
  }

  private void large(Entry entry, byte[] head, InputStream whole, Sink sink, Ledger ledger) throws IOException {
    for (int i = 0; i < 4096; i++) {
      if (head[i] == 0) {
        unread(ledger, entry, "larger than " + (Streams.BLOCK_LIMIT >> 20) + " MiB and no text in UTF-8");
        return;
      }
    }
    streams.read(whole, new Source(entry.name(), n -> entry.node()), sink);
    if (!sink.anyUnderstood()) {
      unread(ledger, entry, "larger than " + (Streams.BLOCK_LIMIT >> 20) + " MiB, read for log and benchmark lines only, and none was recognised");
    }
  }

  private static void unread(Ledger ledger, Entry entry, String reason) {
    ledger.add(new Unread(Fact.UNKNOWN, entry.name(), 0, reason), Evidence.of(entry.name(), 0, ""));
  }
}
