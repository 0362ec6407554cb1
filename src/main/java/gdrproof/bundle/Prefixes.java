package gdrproof.bundle;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Outputs of several nodes in one file, each line after its host: `node1: text` (pdsh, clush), `[pod/name/container] text`
 * (kubectl logs --prefix), `0: text` (srun -l). Lines of one node are put together again; they keep their numbers.
 */
final class Prefixes {
  private static final Pattern COLON = Pattern.compile("^(?<host>[A-Za-z][A-Za-z0-9._-]{1,63}|\\d{1,3}(?:\\.\\d{1,3}){3}):(?: (?<rest>.*))?$");
  private static final Pattern KUBECTL = Pattern.compile("^\\[pod/(?<host>[a-z0-9][a-z0-9.-]*)/[a-z0-9-]+\\] ?(?<rest>.*)$");
  /** What launchers say beside the answers: of a node that did not answer, and of how a task ended. */
  private static final Pattern LAUNCHER = Pattern.compile(
      "^(?:(?:pdsh|dsh|xdsh)(?:@[\\w.-]+)?: .*|clush: .*|srun: (?:error|warning|job|Job|launch|step|Force|Terminating)\\b.*|slurmstepd: .*|ssh: .*|ssh_exchange_identification: .*|kex_exchange_identification: .*"
          + "|Connection (?:to|closed|reset)\\b.*|Warning: Permanently added .*|Host key verification failed\\.?)$");
  private static final Pattern LABEL = Pattern.compile("^ {0,6}(?<task>\\d{1,6}): ?(?<rest>.*)$");
  private static final Pattern LABEL_ALONE = Pattern.compile("^ {0,6}\\d{1,6}:(?:[ \\t]|$)");
  private static final Pattern VALUE = Pattern.compile("unlimited|\\d{1,12}");
  private static final Pattern HOST_VALUE = Pattern.compile("^(?<host>[A-Za-z][A-Za-z0-9._-]{1,63})[ \\t]++(?<rest>unlimited|\\d{1,12})[ \\t]*+$");
  /** Interfaces and disks that stand before a colon as hosts do; a single line cannot tell them apart by what stands beside it. */
  private static final Pattern NO_LONE_HOST = Pattern.compile(
      "(?i)(?:br|docker|virbr|vmbr|veth|team|wlan|usb|vxlan|tunl?|tap|cali|flannel|cni|sd[a-z]|md|dm|irq|dummy|ifb|gre|sit|macvlan|ipvlan|hfi|efa|rdmap|irdma|bnxt|cxi|hsn|mana|sas|ata|scsi|card|disk|node|task|worker|host|error|warning|note)[-_]?\\d.*");
  /** What a tool prints on several nodes, not the log of a job. */
  private static final int MOST_LABELLED = 4000;
  /** Share of a file's lines that must carry a prefix; the rest is noise of the launcher. */
  private static final double ENOUGH = 0.9;
  private static final int LONGEST_NAME = 64;

  /** Lines of one node. */
  record View(String node, List<String> lines, List<Integer> numbers) {}

  private Prefixes() {}

  /**
   * One view for each node, and a last one with node "" for lines without a prefix; empty if the file has no such prefixes.
   *
   * @param asked whether the command above puts such prefixes: then one line is enough
   */
  static List<View> split(List<String> lines, boolean asked) {
    for (Pattern pattern : List.of(COLON, KUBECTL)) {
      List<View> views = split(lines, pattern);
      if (!views.isEmpty()) {
        return views;
      }
    }
    List<View> lone = lone(lines, asked);
    return lone.isEmpty() ? labelled(lines, asked) : lone;
  }

  /** What is no answer of a node. */
  private static boolean noise(String line) {
    return line.isBlank() || LAUNCHER.matcher(line).matches();
  }

  /** The one line that one node answered: `node1: sminfo: sm lid 1 ...`. */
  private static List<View> lone(List<String> lines, boolean asked) {
    int at = -1;
    for (int i = 0; i < lines.size(); i++) {
      if (!noise(lines.get(i))) {
        if (at >= 0) {
          return List.of();
        }
        at = i;
      }
    }
    if (at < 0) {
      return List.of();
    }
    Matcher matcher = host(COLON, lines.get(at), stems(lines));
    boolean named = matcher != null && matcher.group("rest") != null && !matcher.group("rest").isBlank() && (asked || !NO_LONE_HOST.matcher(matcher.group("host")).matches());
    return named ? List.of(new View(Sections.shortName(matcher.group("host")), List.of(matcher.group("rest")), List.of(at + 1))) : List.of();
  }

  /**
   * `srun -l`: the number of the task before each line. Which node a task ran on tells a prefix behind the number, or its first line (`hostname`); values of one word, and what
   * a single task said, are told apart without it. Other tools number their lines as well (`rdma dev`, `ip -o link`), and with them each number stands once or before one name.
   */
  private static List<View> labelled(List<String> lines, boolean asked) {
    TreeMap<Integer, View> tasks = new TreeMap<>();
    List<String> rests = new ArrayList<>();
    int seen = 0;
    boolean values = true;
    for (int i = 0; i < lines.size(); i++) {
      Matcher label = LABEL.matcher(lines.get(i));
      boolean launcher = noise(lines.get(i));
      rests.add(label.matches() ? label.group("rest") : lines.get(i));
      if (label.matches()) {
        View task = tasks.computeIfAbsent(Integer.parseInt(label.group("task")), t -> new View("", new ArrayList<>(), new ArrayList<>()));
        task.lines().add(label.group("rest"));
        task.numbers().add(i + 1);
        values &= VALUE.matcher(label.group("rest")).matches();
        seen++;
      } else if (!launcher) {
        return List.of();
      }
    }
    boolean counted = !tasks.isEmpty() && (asked || tasks.firstKey() == 0 && tasks.lastKey() == tasks.size() - 1);
    if (tasks.isEmpty() || seen > MOST_LABELLED || tasks.size() == 1 && !asked && !single(lines, tasks.firstEntry().getValue().lines()) || tasks.size() > 1 && !counted) {
      return List.of();
    }
    List<View> named = split(rests, COLON);
    named = named.isEmpty() ? hostValues(rests) : named;
    if (!named.isEmpty()) {
      return named;
    }
    boolean hosts = tasks.values().stream().allMatch(t -> t.lines().size() > 1 && NodeNames.hostLike(t.lines().get(0).strip()));
    return hosts ? tasks.values().stream().map(t -> new View(Sections.shortName(t.lines().get(0).strip()), t.lines(), t.numbers())).toList()
        : values || tasks.size() == 1 ? List.copyOf(tasks.values()) : List.of();
  }

  /** Whether lines that bear one and the same number are what one task printed, and not what `ip -o` and `rdma` say of one device. */
  private static boolean single(List<String> lines, List<String> rests) {
    boolean spaced = lines.stream().allMatch(l -> noise(l) || LABEL_ALONE.matcher(l).find());
    return spaced && rests.stream().filter(r -> !r.isBlank()).map(r -> r.strip().split("[\\s:]", 2)[0]).distinct().count() > 1;
  }

  /** `0: node1 unlimited`: the name and one value on each line. */
  private static List<View> hostValues(List<String> rests) {
    Map<String, View> views = new LinkedHashMap<>();
    for (int i = 0; i < rests.size(); i++) {
      Matcher matcher = HOST_VALUE.matcher(rests.get(i));
      if (matcher.matches() && (NodeNames.hostLike(matcher.group("host")) || NodeNames.numbered(matcher.group("host")))) {
        View view = views.computeIfAbsent(Sections.shortName(matcher.group("host")), h -> new View(h, new ArrayList<>(), new ArrayList<>()));
        view.lines().add(matcher.group("rest"));
        view.numbers().add(i + 1);
      } else if (!noise(rests.get(i))) {
        return List.of();
      }
    }
    return List.copyOf(views.values());
  }

  private static List<View> split(List<String> lines, Pattern pattern) {
    int seen = 0;
    int prefixed = 0;
    Set<String> stems = pattern == COLON ? stems(lines) : Set.of();
    for (String line : lines) {
      if (!noise(line)) {
        seen++;
        prefixed += host(pattern, line, stems) == null ? 0 : 1;
        // Most files have none: decide after a few lines.
        if (seen == 20 && prefixed < 10) {
          return List.of();
        }
      }
    }
    if (prefixed < 2 || prefixed < ENOUGH * seen) {
      return List.of();
    }
    Map<String, View> views = new LinkedHashMap<>();
    View rest = new View("", new ArrayList<>(), new ArrayList<>());
    for (int i = 0; i < lines.size(); i++) {
      Matcher matcher = host(pattern, lines.get(i), stems);
      View view = matcher == null ? rest : views.computeIfAbsent(Sections.shortName(matcher.group("host")), h -> new View(h, new ArrayList<>(), new ArrayList<>()));
      String text = matcher == null ? lines.get(i) : matcher.group("rest") == null ? "" : matcher.group("rest");
      view.lines().add(text);
      view.numbers().add(i + 1);
    }
    List<View> all = new ArrayList<>(views.values());
    if (rest.lines().stream().anyMatch(l -> !l.isBlank())) {
      all.add(rest);
    }
    return all;
  }

  private static Matcher host(Pattern pattern, String line, Set<String> stems) {
    Matcher matcher = pattern.matcher(line);
    boolean host = matcher.matches() && !LAUNCHER.matcher(line).matches()
        && (pattern == KUBECTL || Character.isDigit(line.charAt(0)) || NodeNames.hostLike(matcher.group("host")) || stems.contains(NodeNames.stem(matcher.group("host"))));
    return host ? matcher : null;
  }

  /** Names that number nodes though a GPU's name is in them: a node `gpu07` is told by another one `gpu01`, and no GPU is numbered with zeros in front. */
  private static Set<String> stems(List<String> lines) {
    Set<String> stems = new HashSet<>();
    for (String line : lines) {
      int colon = line.indexOf(':');
      if (colon > 1 && colon <= LONGEST_NAME && (line.length() == colon + 1 || line.charAt(colon + 1) == ' ') && NodeNames.numbered(line.substring(0, colon))) {
        stems.add(NodeNames.stem(line.substring(0, colon)));
      }
    }
    return stems;
  }
}
