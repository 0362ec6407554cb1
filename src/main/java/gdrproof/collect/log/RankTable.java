package gdrproof.collect.log;

import gdrproof.collect.Sink;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Nccl.NcclMessage;
import gdrproof.facts.Nccl.NcclRank;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;

/** Ranks of communicators, from the Init lines of a file, and which process is which rank of the largest one. */
final class RankTable {
  private record Key(ProcessLog process, String comm, Num rank, Num ranks) {}

  private static final class Entry {
    String busId = Fact.UNKNOWN;
    boolean started;
    boolean completed;
    final TreeSet<Evidence> at = new TreeSet<>();
  }

  private final Map<Key, Entry> entries = new LinkedHashMap<>();
  private final Map<Integer, ProcessLog> byRank = new HashMap<>();
  private final Map<ProcessLog, Integer> ranks = new HashMap<>();
  /** Ranks of the smallest communicator of each process that has peers. */
  private final Map<ProcessLog, Double> smallest = new HashMap<>();
  private boolean ambiguous;
  private double largest;

  void see(ProcessLog process, Hit hit) {
    NcclMessage m = hit.message;
    boolean start = m.id().equals("init-start") || m.id().equals("init-old") && m.field("phase").equals("START");
    boolean complete = m.id().equals("init-complete") || m.id().equals("init-old") && m.field("phase").equals("COMPLETE");
    if (!start && !complete && !m.id().equals("init-node")) {
      return;
    }
    Num rank = m.number("rank");
    Num count = m.number("nranks");
    if (start || complete) {
      Entry entry = entries.computeIfAbsent(new Key(process, m.field("commId"), rank, count), k -> new Entry());
      entry.started |= start || complete;
      entry.completed |= complete;
      entry.busId = m.field("busId");
      entry.at.add(hit.first);
      entry.at.add(hit.last());
    }
    if (process.key.length == 0 || !rank.known() || !count.known()) {
      return;
    }
    if (count.value() > 1) {
      smallest.merge(process, count.value(), Math::min);
    }
    if (count.value() > largest) {
      largest = count.value();
      byRank.clear();
      ranks.clear();
      ambiguous = false;
    }
    if (count.value() == largest) {
      // A process with several GPUs holds several ranks: its own lines then tell no single one.
      ProcessLog other = byRank.putIfAbsent((int) rank.value(), process);
      ambiguous |= other != null && other != process;
      ranks.merge(process, (int) rank.value(), (a, b) -> a.equals(b) ? a : -1);
    }
  }

  void emit(Sink sink) {
    entries.forEach((key, entry) -> entry.at.forEach(at -> sink.fact(new NcclRank(key.process.node, Fact.UNKNOWN, key.process.name, key.rank, key.ranks, key.comm, entry.busId,
        Tri.of(entry.started), Tri.of(entry.completed)), at)));
  }

  Num rank(ProcessLog process) {
    Integer rank = ranks.get(process);
    if (rank != null && rank >= 0) {
      return Num.of(rank);
    }
    return Num.parse(process.tagRank);
  }

  /** The process of a rank of the largest communicator; null if the file does not tell. */
  ProcessLog of(int rank) {
    return ambiguous ? null : byRank.get(rank);
  }

  /** Whether the rank numbers in the lines of a process are all those of the largest communicator; a pipeline stage or a data-parallel group counts its own. */
  boolean countsInLargest(ProcessLog process) {
    return smallest.getOrDefault(process, largest) == largest;
  }

  /** The process whose lines these are: itself, or the one that has the rank of the launcher's tag. */
  ProcessLog owner(ProcessLog process) {
    Num tag = Num.parse(process.tagRank);
    ProcessLog owner = process.key.length == 0 && tag.known() ? of((int) tag.value()) : null;
    return owner == null ? process : owner;
  }
}
