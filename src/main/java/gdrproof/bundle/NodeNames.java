package gdrproof.bundle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which node the path of an evidence file names: the layouts of must-gather and sosreport, one folder for each node, and
 * file names that differ in a host name only. A name that may be anything else stays unattributed.
 */
final class NodeNames {
  private static final Pattern SOSREPORT = Pattern.compile("^sosreport-(?<host>[A-Za-z0-9][A-Za-z0-9.-]*?)(?:-\\d{5,})?-\\d{4}-\\d{2}-\\d{2}-[a-z0-9]+$");
  private static final Set<String> CONTAINERS = Set.of("nodes", "node", "hosts", "host", "per-node", "by-node", "pods", "pod");
  /** Words that number things which are no nodes: `run1`, `rank0`, `mlx5_0`, `h100`. */
  private static final Pattern NO_HOST = Pattern.compile(
      "(?:^|[-_.])(?:(?:run|rank|gpu|test|trial|attempt|iter|iteration|pass|step|job|exp|case|before|after|log|nic|rail|hca|mlx\\d?|eth|ib|port|ver|v|try|baseline|round|sweep|day|"
          + "week|nccl|cuda|ompi|mpi|openmpi|ofed|driver|ucx|kernel|size|np|ppn|channel|msg|part|file|out|output|snapshot|sample|config|cpu|numa|lane|bond|sm|dev|qp|ring|tree|rev|phase|"
          + "stage|q|flow|stream|mtu|tc|sl|vlan|prio|nps|snc|gen|pcie?|socket|thread|level|bw|lat|lo|version|line|chunk|page|gid|uverbs|nvme|loop|tty)s?[-_.]?\\d+|en[ospx]\\d\\w*|roce\\w*\\d|ibp\\d\\w*|"
          + "[hp]100|h20|h200|h800|a100|a800|a[134]0|a6000|v100|b[23]00|l40s?|l4|t4|g[bh][23]00|mi\\d+x?)(?:$|[-_.])");
  private static final Pattern HOST = Pattern.compile("^[a-z][a-z0-9-]*(?:\\.[a-z0-9-]+)*$");

  private static final Pattern BY_MODEL = Pattern.compile("(?:[a-z]{1,12}[-_.]){0,3}(?:(?:[hp]100|h20|h200|h800|a100|a800|a[134]0|v100|b[23]00|l40s?|g[bh][23]00|mi\\d{3}x?)[-_.](?:[a-z]{1,8}[-_.]?\\d{1,4})?[-_.]?[a-z]{0,8}[-_.]?\\d{1,4}|gpu[-_]?0\\d{1,4})(?:\\.[a-z0-9.-]{1,60})?");

  private NodeNames() {}

  /** Node by entry name, for those entries whose name tells it. */
  static Map<String, String> of(List<String> names) {
    Map<String, String> nodes = new HashMap<>();
    for (String name : names) {
      String node = layout(name);
      if (node != null) {
        nodes.put(name, Sections.shortName(node));
      }
    }
    folders(names, nodes);
    files(names, nodes);
    return nodes;
  }

  /** Whether a word may be a host's name: it numbers something, and not a run, a device or a release. */
  static boolean hostLike(String word) {
    String lower = word.toLowerCase(Locale.ROOT);
    return HOST.matcher(lower).matches() && lower.length() >= 2 && lower.length() <= 64 && lower.chars().anyMatch(Character::isDigit) && !NO_HOST.matcher(lower).find();
  }

  /** Whether a name numbers nodes though it holds the name of a GPU or the word: `a100-11`, `dgx-h100-03`, `gb200-r1n2`, and `gpu07`, since GPUs are numbered without zeros in front. */
  static boolean numbered(String word) {
    return BY_MODEL.matcher(word.toLowerCase(Locale.ROOT)).matches();
  }

  /** A name without its numbers. */
  static String stem(String word) {
    return word.toLowerCase(Locale.ROOT).replaceAll("\\d+", "#");
  }

  private static String layout(String name) {
    String[] parts = name.split("/");
    String node = null;
    for (int i = 0; i + 1 < parts.length; i++) {
      Matcher sos = SOSREPORT.matcher(parts[i]);
      if (sos.matches()) {
        node = sos.group("host");
      } else if (CONTAINERS.contains(parts[i].toLowerCase(Locale.ROOT)) && i + 2 < parts.length) {
        node = parts[i + 1];
      }
    }
    return node;
  }

  /** Sibling folders that look like hosts and hold files of the same names. */
  private static void folders(List<String> names, Map<String, String> nodes) {
    Map<String, Map<String, Set<String>>> children = new TreeMap<>();
    for (String name : names) {
      for (int slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', slash + 1)) {
        String parent = name.substring(0, name.lastIndexOf('/', slash - 1) + 1);
        children.computeIfAbsent(parent, p -> new TreeMap<>()).computeIfAbsent(name.substring(parent.length(), slash), c -> new TreeSet<>()).add(name.substring(slash + 1));
      }
    }
    children.forEach((parent, folders) -> {
      List<String> hosts = folders.keySet().stream().filter(NodeNames::hostLike).toList();
      for (String host : hosts) {
        boolean alike = hosts.stream().anyMatch(other -> !other.equals(host) && folders.get(other).stream().anyMatch(folders.get(host)::contains));
        if (alike) {
          folders.get(host).forEach(rest -> nodes.putIfAbsent(parent + host + "/" + rest, Sections.shortName(host)));
        }
      }
    });
  }

  /** Files of one folder whose names differ in a host name only: `ibstat-node1.txt` and `ibstat-node2.txt`. */
  private static void files(List<String> names, Map<String, String> nodes) {
    record Choice(String name, String word) {}
    Map<String, List<Choice>> byRest = new TreeMap<>();
    for (String name : names) {
      if (nodes.containsKey(name)) {
        continue;
      }
      int slash = name.lastIndexOf('/') + 1;
      String base = name.substring(slash).replaceFirst("\\.(?:txt|log|out|json|xml|csv|yaml|yml|err)$", "");
      List<Integer> cuts = new ArrayList<>(List.of(-1));
      for (int i = 0; i < base.length(); i++) {
        if ("-_.".indexOf(base.charAt(i)) >= 0) {
          cuts.add(i);
        }
      }
      cuts.add(base.length());
      for (int a = 0; a < cuts.size() && cuts.size() <= 12; a++) {
        for (int b = a + 1; b < cuts.size(); b++) {
          String word = base.substring(cuts.get(a) + 1, cuts.get(b));
          String rest = name.substring(0, slash) + base.substring(0, cuts.get(a) + 1) + "*" + name.substring(slash + cuts.get(b));
          if (hostLike(word) && word.length() < base.length()) {
            byRest.computeIfAbsent(rest, r -> new ArrayList<>()).add(new Choice(name, word));
          }
        }
      }
    }
    Map<String, String> longest = new HashMap<>();
    byRest.values().stream().filter(choices -> choices.size() > 1).forEach(choices -> choices.forEach(
        c -> longest.merge(c.name(), c.word(), (x, y) -> y.length() > x.length() ? y : x)));
    longest.forEach((name, word) -> nodes.putIfAbsent(name, Sections.shortName(word)));
  }
}
