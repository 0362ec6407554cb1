package gdrproof.collect;

import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A stretch of lines of one file that belongs to one execution, with what identifies it. A node of a union-find forest. */
final class RunPiece {
  private record Slot(int rank, int ranks) {}

  private static final class Seen {
    final String process;
    final String node;
    int first;
    int last;
    final Set<String> comms = new HashSet<>();
    final Set<Slot> slots = new HashSet<>();

    Seen(String process, String node, int line) {
      this.process = process;
      this.node = node;
      this.first = line;
      this.last = line;
    }
  }

  private final String file;
  private final int from;
  private int to = Integer.MAX_VALUE;
  private final boolean header;
  private boolean bench;
  private boolean forced;
  private final Map<String, Seen> seen = new HashMap<>();
  /** Rows of its benchmark report, each with its line. */
  private final Map<String, Integer> rows = new HashMap<>();
  private RunPiece parent = this;
  private String name = Fact.UNKNOWN;

  RunPiece(String file, int from, boolean header) {
    this.file = file;
    this.from = from;
    this.header = header;
    this.bench = header;
  }

  String file() {
    return file;
  }

  String folder() {
    int slash = file.lastIndexOf('/');
    return slash < 0 ? "" : file.substring(0, slash);
  }

  void endBefore(int line) {
    to = line - 1;
  }

  boolean holds(int line) {
    return line >= from && line <= to;
  }

  void bench() {
    bench = true;
  }

  boolean hasBench() {
    return bench;
  }

  /** Whether anything in it shows an execution of its own. */
  boolean carries() {
    return bench || !seen.isEmpty();
  }

  boolean hasProcesses() {
    return !seen.isEmpty();
  }

  /** Whether its run deserves a name: it or what it joined shows an execution, or the bundle has nothing better. */
  boolean keyed() {
    return root().forced || root().carries();
  }

  void force() {
    root().forced = true;
  }

  void process(String process, String node, int line) {
    Seen at = seen.computeIfAbsent(process, p -> new Seen(p, node, line));
    at.first = Math.min(at.first, line);
    at.last = Math.max(at.last, line);
  }

  void row(String text, int line) {
    rows.putIfAbsent(text, line);
  }

  void rank(String process, String commId, Num rank, Num ranks) {
    Seen at = seen.get(process);
    if (!commId.equals(Fact.UNKNOWN)) {
      at.comms.add(commId);
    }
    if (rank.known() && ranks.known()) {
      at.slots.add(new Slot((int) rank.value(), (int) ranks.value()));
    }
  }

  /**
   * Two executions one after the other without a header: the same rank of a communicator appears again on the same host in
   * another process, after every earlier process has fallen silent, and no communicator connects the two.
   */
  List<RunPiece> split() {
    List<Seen> order = seen.values().stream().sorted(Comparator.comparingInt((Seen s) -> s.first).thenComparing(s -> s.process)).toList();
    int silent = 0;
    int start = 0;
    List<RunPiece> parts = new ArrayList<>();
    RunPiece part = new RunPiece(file, from, header);
    part.bench = bench;
    for (int i = 0; i < order.size(); i++) {
      Seen next = order.get(i);
      if (i > start && next.first > silent && order.subList(start, i).stream().anyMatch(e -> again(e, next))) {
        part.endBefore(next.first);
        parts.add(part);
        part = new RunPiece(file, next.first, false);
        start = i;
      }
      part.seen.put(next.process, next);
      silent = Math.max(silent, next.last);
    }
    part.to = to;
    parts.add(part);
    parts.forEach(p -> rows.forEach((text, line) -> {
      if (p.holds(line)) {
        p.row(text, line);
      }
    }));
    return parts;
  }

  private static boolean again(Seen earlier, Seen later) {
    return earlier.node.equals(later.node) && !earlier.process.equals(later.process) && earlier.comms.stream().noneMatch(later.comms::contains)
        && earlier.slots.stream().anyMatch(s -> s.ranks() > 1 && later.slots.contains(s));
  }

  RunPiece root() {
    RunPiece at = this;
    while (at.parent != at) {
      at.parent = at.parent.parent;
      at = at.parent;
    }
    return at;
  }

  /** Joins two runs; the identity of both is that of the first. */
  void join(RunPiece other) {
    RunPiece a = root();
    RunPiece b = other.root();
    if (a == b) {
      return;
    }
    b.parent = a;
    a.bench |= b.bench;
    a.forced |= b.forced;
    b.rows.forEach(a::row);
    b.seen.forEach((process, at) -> a.seen.merge(process, at, (x, y) -> {
      x.comms.addAll(y.comms);
      x.slots.addAll(y.slots);
      return x;
    }));
  }

  /** Keys that prove a common run: communicators, and processes unless both sides know their communicators and share none. */
  Set<String> comms() {
    Set<String> comms = new HashSet<>();
    seen.values().forEach(s -> comms.addAll(s.comms));
    return comms;
  }

  Set<String> processes() {
    return seen.keySet();
  }

  boolean sameProcess(RunPiece other, String process) {
    Set<String> mine = seen.get(process).comms;
    Set<String> theirs = other.seen.get(process).comms;
    return mine.isEmpty() || theirs.isEmpty() || mine.stream().anyMatch(theirs::contains);
  }

  /** Whether both hold a report and the reports have no row in common: process ids come again (in containers from the same low numbers), timings do not; a copy has the same rows. */
  boolean reportsApart(RunPiece other) {
    Map<String, Integer> mine = root().rows;
    Map<String, Integer> theirs = other.root().rows;
    return !mine.isEmpty() && !theirs.isEmpty() && mine.keySet().stream().noneMatch(theirs::containsKey);
  }

  /** Whether nothing speaks against a common run of two pieces that share no key: other hosts, other ranks of as many. */
  boolean compatible(RunPiece other) {
    Set<String> hosts = new HashSet<>();
    seen.values().forEach(s -> hosts.add(s.node));
    if (other.seen.values().stream().anyMatch(s -> hosts.contains(s.node)) || header && other.header) {
      return false;
    }
    Set<String> comms = comms();
    Set<String> theirs = other.comms();
    if (!comms.isEmpty() && !theirs.isEmpty()) {
      return false;
    }
    Set<Slot> slots = new HashSet<>();
    seen.values().forEach(s -> slots.addAll(s.slots));
    Set<Slot> others = new HashSet<>();
    other.seen.values().forEach(s -> others.addAll(s.slots));
    return slots.isEmpty() || others.isEmpty()
        || slots.stream().noneMatch(others::contains) && slots.stream().anyMatch(a -> others.stream().anyMatch(b -> a.ranks() == b.ranks()));
  }

  String name() {
    return name;
  }

  void name(String text) {
    name = text;
  }
}
