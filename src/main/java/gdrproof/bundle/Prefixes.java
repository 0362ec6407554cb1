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
  private static final Pattern VALUE = Pattern.compile("unlimited|\\d{1,12}");
  /** What a tool prints on several nodes, not the log of a job. */
  private static final int MOST_LABELLED = 4000;
  /** Share of a file's lines that must carry a prefix; the rest is noise of the launcher. */
  private static final double ENOUGH = 0.9;
  private static final int LONGEST_NAME = 64;

  /** Lines of one node. */
  record View(String node, List<String> lines, List<Integer> numbers) {}

  private Prefixes() {}

  /** One view for each node, and a last one with node "" for lines without a prefix; empty if the file has no such prefixes. */
  static List<View> split(List<String> lines) {
    for (Pattern pattern : List.of(COLON, KUBECTL)) {
      List<View> views = split(lines, pattern);
      if (!views.isEmpty()) {
        return views;
      }
    }
    return labelled(lines);
  }

  /**
   * `srun -l`: the number of the task before each line. Which node a task ran on tells a prefix behind the number, or its first line (`hostname`); values of one word are
   * told apart without it. Other tools number their lines as well (`rdma dev`, `ip -o link`), and with them each number stands once.
   */
  private static List<View> labelled(List<String> lines) {
    TreeMap<Integer, View> tasks = new TreeMap<>();
    List<String> rests = new ArrayList<>();
    int seen = 0;
    boolean values = true;
    for (int i = 0; i < lines.size(); i++) {
      Matcher label = LABEL.matcher(lines.get(i));
      boolean launcher = lines.get(i).isBlank() || LAUNCHER.matcher(lines.get(i)).matches();
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
    if (tasks.size() < 2 || tasks.firstKey() != 0 || tasks.lastKey() != tasks.size() - 1 || seen > MOST_LABELLED) {
      return List.of();
    }
    List<View> named = split(rests, COLON);
    if (!named.isEmpty()) {
      return named;
    }
    boolean hosts = tasks.values().stream().allMatch(t -> t.lines().size() > 1 && NodeNames.hostLike(t.lines().get(0).strip()));
    return hosts ? tasks.values().stream().map(t -> new View(Sections.shortName(t.lines().get(0).strip()), t.lines(), t.numbers())).toList() : values ? List.copyOf(tasks.values()) : List.of();
  }

  private static List<View> split(List<String> lines, Pattern pattern) {
    int seen = 0;
    int prefixed = 0;
    Set<String> stems = pattern == COLON ? stems(lines) : Set.of();
    for (String line : lines) {
      if (!line.isBlank() && !LAUNCHER.matcher(line).matches()) {
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
