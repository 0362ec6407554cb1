package gdrproof.cli;

import gdrproof.collect.Observer;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Ended;
import gdrproof.facts.Meta.Looked;
import gdrproof.facts.Meta.Setting;
import gdrproof.facts.Meta.Unread;
import java.io.PrintWriter;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What was found where: facts by file, node and type, what was looked at as a whole, what was not understood. */
final class FactSummary implements Observer {
  private record File(List<String> lines, BitSet understood) {}

  private final Map<String, File> files = new TreeMap<>();

  @Override
  public synchronized void file(String file, List<String> lines, BitSet understood) {
    files.put(file, new File(lines, understood));
  }

  void print(Ledger ledger, boolean unmatched, PrintWriter out) {
    Map<String, Map<String, Integer>> types = new TreeMap<>();
    Map<String, Set<String>> nodes = new TreeMap<>();
    Map<String, Set<String>> looked = new TreeMap<>();
    Set<String> all = new TreeSet<>();
    int[] count = {0};
    ledger.forEach((fact, sources) -> {
      if (fact instanceof Setting || fact instanceof Unread) {
        return;
      }
      if (fact instanceof Looked whole) {
        looked.computeIfAbsent(whole.node(), n -> new TreeSet<>()).add(whole.kind());
        return;
      }
      count[0]++;
      all.add(fact.node());
      for (String file : sources.stream().map(Evidence::file).distinct().toList()) {
        types.computeIfAbsent(file, f -> new TreeMap<>()).merge(fact.getClass().getSimpleName(), 1, Integer::sum);
        if (!fact.node().equals(Fact.UNKNOWN)) {
          nodes.computeIfAbsent(file, f -> new TreeSet<>()).add(fact.node());
        }
      }
    });
    all.remove(Fact.UNKNOWN);
    out.println(count[0] + " facts from " + types.size() + " files, nodes: " + (all.isEmpty() ? "none named" : few(all)));
    Set<String> names = new TreeSet<>(files.keySet());
    names.addAll(types.keySet());
    for (String file : names) {
      out.println();
      out.println(file + (nodes.containsKey(file) ? "  (" + few(nodes.get(file)) + ")" : "") + understood(file));
      types.getOrDefault(file, Map.of()).forEach((type, n) -> out.println("  " + n + " " + type));
      if (unmatched) {
        lines(file, out);
      }
    }
    if (!looked.isEmpty()) {
      out.println();
      out.println("read as a whole (what is not there, is not there):");
      looked.forEach((node, kinds) -> out.println("  " + node + ": " + String.join(", ", kinds)));
    }
    List<Ended> ended = ledger.all(Ended.class).stream().filter(e -> e.exit().above(0)).toList();
    if (!ended.isEmpty()) {
      out.println();
      out.println("ended with an error (exit status of the tool itself, printed or implied by what it said):");
      ended.forEach(e -> ledger.of(e).stream().limit(1).forEach(s -> out.println("  " + s.file() + ":" + s.line() + ": " + e.tool() + ": " + e.error() + ", exit status " + e.exit() + ", " + e.basis())));
    }
    List<Unread> unread = ledger.all(Unread.class);
    if (!unread.isEmpty()) {
      out.println();
      out.println("not read:");
      unread.forEach(u -> out.println("  " + u.file() + (u.line() > 0 ? ":" + u.line() : "") + ": " + u.reason()));
    }
  }

  private static String few(Set<String> names) {
    String first = names.stream().limit(8).collect(Collectors.joining(", "));
    return names.size() > 8 ? first + " and " + (names.size() - 8) + " more" : first;
  }

  private String understood(String file) {
    File read = files.get(file);
    if (read == null) {
      return "";
    }
    long filled = read.lines().stream().filter(l -> !l.isBlank()).count();
    return "  " + (filled - missed(read)) + " of " + filled + " lines understood";
  }

  private static long missed(File file) {
    long missed = 0;
    for (int i = 0; i < file.lines().size(); i++) {
      missed += !file.lines().get(i).isBlank() && !file.understood().get(i + 1) ? 1 : 0;
    }
    return missed;
  }

  private void lines(String file, PrintWriter out) {
    File read = files.get(file);
    if (read == null) {
      return;
    }
    for (int i = 0; i < read.lines().size(); i++) {
      if (!read.lines().get(i).isBlank() && !read.understood().get(i + 1)) {
        out.println("  unmatched " + (i + 1) + ": " + read.lines().get(i).strip());
      }
    }
  }
}
