package gdrproof.collect.log;

import gdrproof.bundle.Sections;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The processes of one file, found by the bytes of `host:pid`. */
final class Processes {
  private ProcessLog[] table = new ProcessLog[256];
  /** Hashes of `host:pid` beside the table: a known process is told without a look at it, which would cost a line of the cache. */
  private long[] names = new long[256];
  private int size;
  private final int messages;
  private final List<ProcessLog> order = new ArrayList<>();
  private final Map<String, byte[]> hosts = new LinkedHashMap<>();
  private final Map<String, ProcessLog> others = new LinkedHashMap<>();
  /** Lines of the topology's path table, by process: `GPU/0-60` to the text of its entries. */
  private final Map<ProcessLog, Map<String, Path>> paths = new LinkedHashMap<>();

  record Path(String entries, Evidence at) {}

  Processes(int messages) {
    this.messages = messages;
  }

  List<ProcessLog> all() {
    return order;
  }

  Map<ProcessLog, Map<String, Path>> paths() {
    return paths;
  }

  void paths(ProcessLog process, String from, String entries, Evidence at) {
    paths.computeIfAbsent(process, p -> new LinkedHashMap<>()).putIfAbsent(from, new Path(entries, at));
  }

  /** A number of 64 bits for `host:pid`; two names of one number are as good as impossible. */
  static long name(byte[] b, int host, int pidEnd) {
    return Memo.hash(b, host, pidEnd, 0);
  }

  /** The process of that name, or null if it is new. */
  @Nullable
  ProcessLog find(long name) {
    int slot = (int) name & table.length - 1;
    while (table[slot] != null) {
      if (names[slot] == name) {
        return table[slot];
      }
      slot = slot + 1 & table.length - 1;
    }
    return null;
  }

  /** The process, made if it is new. Inside a glued line the host may have text of another line before it. */
  ProcessLog get(byte[] b, int host, int hostEnd, int pidEnd, boolean whole) {
    int start = knownStart(b, host, hostEnd);
    ProcessLog known = find(name(b, start, pidEnd));
    if (known != null) {
      return known;
    }
    String name = new String(b, start, hostEnd - start, StandardCharsets.UTF_8);
    String pid = new String(b, hostEnd, pidEnd - hostEnd, StandardCharsets.UTF_8);
    String node = Sections.shortName(name);
    if (whole) {
      hosts.putIfAbsent(name, name.getBytes(StandardCharsets.UTF_8));
    }
    ProcessLog made = new ProcessLog(order.size(), Arrays.copyOfRange(b, start, pidEnd), node, node + pid, messages);
    insert(made);
    order.add(made);
    return made;
  }

  /** Where a host name seen before begins, when the text before a process only ends with it. */
  int knownStart(byte[] b, int host, int hostEnd) {
    for (byte[] known : hosts.values()) {
      int start = hostEnd - known.length;
      if (start > host && Arrays.equals(known, 0, known.length, b, start, hostEnd)) {
        int end = hostEnd - host;
        if (!hosts.containsKey(new String(b, host, end, StandardCharsets.UTF_8))) {
          return start;
        }
      }
    }
    return host;
  }

  private void insert(ProcessLog process) {
    if (++size * 2 > table.length) {
      ProcessLog[] old = table;
      table = new ProcessLog[old.length * 2];
      names = new long[table.length];
      for (ProcessLog each : old) {
        if (each != null) {
          place(each);
        }
      }
    }
    place(process);
  }

  private void place(ProcessLog process) {
    long name = name(process.key, 0, process.key.length);
    int slot = (int) name & table.length - 1;
    while (table[slot] != null) {
      slot = slot + 1 & table.length - 1;
    }
    table[slot] = process;
    names[slot] = name;
  }

  /** Lines that name no process, by the node they stand on. */
  ProcessLog nobody(String node) {
    return tagged(node, Fact.UNKNOWN);
  }

  /** Lines of frameworks, by node and by the rank of the launcher's tag; the process is found at the end. */
  ProcessLog tagged(String node, String rank) {
    return others.computeIfAbsent(node + " " + rank, k -> {
      ProcessLog made = new ProcessLog(order.size(), new byte[0], node, Fact.UNKNOWN, messages);
      made.tagRank = rank;
      order.add(made);
      return made;
    });
  }
}
