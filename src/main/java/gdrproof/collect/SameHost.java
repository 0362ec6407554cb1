package gdrproof.collect;

import gdrproof.facts.Bench.NcclTestCommand;
import gdrproof.facts.Bench.PairLoad;
import gdrproof.facts.Bench.PairResult;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Rdma.FabricRoute;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One name for each machine. Prompts and logs give the whole name of a host (`rk3-h07`), tables and file names often its end (`h07`), and the files of one host may be named
 * so that they differ in more than the host (`ndr07.log`, `ndr08_ibstatus.txt`). Facts that go by two names of one machine, or by none, never meet in a rule.
 */
final class SameHost {
  private static final Pattern NUMBERED = Pattern.compile("[a-z][a-z0-9-]*\\d[a-z0-9-]*", Pattern.CASE_INSENSITIVE);

  /** Longer names are sentences. */
  private static final int MOST_MARKS = 14;

  private SameHost() {}

  static Ledger settle(Ledger read) {
    Set<String> said = new HashSet<>();
    Set<String> loose = new HashSet<>();
    Map<String, Set<String>> byFile = new HashMap<>();
    Set<String> anonymous = new HashSet<>();
    read.forEach((fact, sources) -> {
      for (Evidence source : sources) {
        String node = fact.node();
        if (node.equals(Fact.UNKNOWN)) {
          anonymous.add(source.file());
        } else {
          byFile.computeIfAbsent(source.file(), f -> new HashSet<>()).add(node);
          (source.host().equals(node) && !ends(source.file(), node) ? said : loose).add(node);
        }
      }
      loose.addAll(others(fact));
    });
    loose.removeAll(said);
    Set<String> all = new HashSet<>(said);
    all.addAll(loose);
    Map<String, String> whole = whole(loose, all);
    Map<String, String> named = new HashMap<>();
    for (String file : anonymous) {
      String host = host(file, all);
      if (host != null && byFile.getOrDefault(file, Set.of()).stream().allMatch(n -> whole.getOrDefault(n, n).equals(host))) {
        named.put(file, host);
      }
    }
    return whole.isEmpty() && named.isEmpty() ? read : rewritten(read, whole, named);
  }

  private static Ledger rewritten(Ledger read, Map<String, String> whole, Map<String, String> named) {
    Ledger settled = new Ledger();
    read.forEach((fact, sources) -> {
      Fact own = whole.isEmpty() ? fact : renamed(fact, whole);
      for (Evidence source : sources) {
        String host = fact.node().equals(Fact.UNKNOWN) ? named.get(source.file()) : null;
        settled.add(host == null ? own : Rewrite.withNode(fact, host), source);
      }
    });
    return settled;
  }

  private static Fact renamed(Fact fact, Map<String, String> whole) {
    Fact own = whole.containsKey(fact.node()) ? Rewrite.withNode(fact, whole.get(fact.node())) : fact;
    for (String component : partners(fact)) {
      String name = whole.get(Rewrite.text(fact, component));
      own = name == null ? own : Rewrite.with(own, component, name);
    }
    if (own instanceof NcclTestCommand c && c.hosts().stream().anyMatch(whole::containsKey)) {
      own = new NcclTestCommand(c.node(), c.run(), c.program(), c.ranks(), c.perNode(), c.hosts().stream().map(h -> whole.getOrDefault(h, h)).toList(), c.settings());
    }
    return own;
  }

  /** Components that name further hosts of a fact. */
  private static List<String> partners(Fact fact) {
    return fact instanceof PairResult || fact instanceof FabricRoute ? List.of("other") : fact instanceof PairLoad ? List.of("other", "beside", "besideOther") : List.of();
  }

  private static List<String> others(Fact fact) {
    return fact instanceof NcclTestCommand c ? c.hosts() : partners(fact).stream().map(p -> Rewrite.text(fact, p)).toList();
  }

  /** Short names by the one whole name that ends so; where two hosts do, the short name may be either. */
  private static Map<String, String> whole(Set<String> loose, Set<String> all) {
    Map<String, Set<String>> longer = new HashMap<>();
    for (String name : all) {
      for (int dash = name.indexOf('-'); dash >= 0; dash = name.indexOf('-', dash + 1)) {
        longer.computeIfAbsent(name.substring(dash + 1), n -> new HashSet<>()).add(name);
      }
    }
    Map<String, String> whole = new HashMap<>();
    for (String name : loose) {
      Set<String> names = longer.getOrDefault(name, Set.of());
      if (names.size() == 1 && NUMBERED.matcher(name).matches()) {
        whole.put(name, names.iterator().next());
      }
    }
    return whole;
  }

  /** Whether a file's name gives a name as the end of a longer word, as `h100-b12_journal.txt` gives `b12`: then its content did not say it. */
  private static boolean ends(String file, String name) {
    return file.contains("-" + name) && words(file).contains(name);
  }

  /** The one host that a file's name or its folder gives as a word; null where it gives none, or two. */
  private static @Nullable String host(String file, Set<String> hosts) {
    String found = null;
    for (String word : words(file)) {
      if (hosts.contains(word) && NUMBERED.matcher(word).matches()) {
        if (found != null && !found.contains(word) && !word.contains(found)) {
          return null;
        }
        found = found == null || word.length() > found.length() ? word : found;
      }
    }
    return found;
  }

  /** Parts of a path between two of its marks: of `a/n1-x_ip.txt` among others `n1`, `n1-x` and `n1-x_ip`. */
  private static Set<String> words(String path) {
    Set<String> words = new TreeSet<>();
    for (String part : path.split("/")) {
      List<Integer> cuts = new ArrayList<>(List.of(-1));
      for (int i = 0; i < part.length(); i++) {
        if ("-_.".indexOf(part.charAt(i)) >= 0) {
          cuts.add(i);
        }
      }
      cuts.add(part.length());
      for (int a = 0; a < cuts.size() && cuts.size() <= MOST_MARKS; a++) {
        for (int b = a + 1; b < cuts.size(); b++) {
          words.add(part.substring(cuts.get(a) + 1, cuts.get(b)));
        }
      }
    }
    return words;
  }
}
