package gdrproof.collect;

import gdrproof.bundle.Section;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.ModuleAbsent;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Ended;
import gdrproof.facts.Meta.Looked;
import gdrproof.facts.Meta.Unread;
import gdrproof.facts.Num;
import java.util.TreeMap;

/** Where collectors put what they read. */
public final class Sink {
  private final Ledger ledger;
  private final java.util.BitSet understood = new java.util.BitSet();
  private final TreeMap<Integer, Ended> endings = new TreeMap<>();
  private final boolean whole;
  /** A line that ends the text without being whole, or -1. */
  private final int open;

  public Sink(Ledger ledger) {
    this(ledger, true, -1);
  }

  /**
   * @param whole whether the outputs are as long as their commands had them; of others nothing is proven absent
   * @param open line in which the text ends though it goes on, or -1
   */
  Sink(Ledger ledger, boolean whole, int open) {
    this.ledger = ledger;
    this.whole = whole;
    this.open = open;
  }

  public void fact(Fact fact, Evidence evidence) {
    if (open > 0 && fact instanceof ModuleAbsent && evidence.endLine() >= open - 1) {
      return;
    }
    ledger.add(fact, evidence);
    understood.set(Math.max(0, evidence.line()), Math.max(0, evidence.endLine()) + 1);
  }

  /** How a command ended. Its lines are not understood by that: whether another reader takes them decides whether the output was read. */
  public void ended(Ended fact, Evidence evidence) {
    ledger.add(fact, evidence);
    endings.put(evidence.line(), fact);
  }

  /** Why there is no answer between two lines, or "" where nothing tells it. */
  String reason(int from, int to) {
    return endings.subMap(from, true, Math.max(from, to), true).values().stream().filter(e -> !e.exit().is(0)).findFirst()
        .map(e -> e.tool() + " gave no answer: " + e.error() + " (exit status " + e.exit() + ")").orElse("");
  }

  /** A kind of fact on the section's node was read completely: what is not there, is not there. */
  public void looked(Section section, String kind, int index) {
    if (!whole || open(section)) {
      return;
    }
    ledger.add(new Looked(section.node(), kind), section.lines().isEmpty()
        ? Evidence.of(section.file(), section.firstLine(), "").from(section.node(), section.command(), section.time())
        : section.at(Math.max(0, Math.min(index, section.lines().size() - 1))));
  }

  /** A command that printed nothing, and whose every error prints something, ended well. */
  public void answered(Section section, String tool) {
    if (whole && !open(section)) {
      ledger.add(new Ended(section.node(), tool, "answered", Num.of(0), "implied"), Evidence.of(section.file(), section.firstLine(), "").from(section.node(), section.command(), section.time()));
    }
  }

  /** Whether the section was cut: what it lists may go on. */
  boolean open(Section section) {
    return open > 0 && (section.lines().isEmpty() ? section.firstLine() : section.line(section.lines().size() - 1)) >= open - 1;
  }

  /** @param index of a line; one beyond the end, where a parser missed something, counts as the last */
  public void unread(Section section, int index, String reason) {
    if (section.lines().isEmpty()) {
      failed(section, reason);
      return;
    }
    int line = Math.max(0, Math.min(index, section.lines().size() - 1));
    ledger.add(new Unread(section.node(), section.file(), section.line(line), reason), section.at(line));
  }

  /** A reader failed on a section: that is said without a line of it. */
  void failed(Section section, String reason) {
    ledger.add(new Unread(section.node(), section.file(), section.firstLine(), reason), Evidence.of(section.file(), section.firstLine(), ""));
  }

  /** A line that carries nothing but was understood (a heading, a separator). */
  public void understood(Section section, int index) {
    understood.set(section.line(index));
  }

  /** A line, by its number, that a reader of streams understood. */
  public void understoodLine(int line) {
    understood.set(Math.max(0, line));
  }

  boolean anyUnderstood() {
    return !understood.isEmpty();
  }

  /** Lines of the entry that some collector understood, by number. */
  public java.util.BitSet understoodLines() {
    return (java.util.BitSet) understood.clone();
  }
}
