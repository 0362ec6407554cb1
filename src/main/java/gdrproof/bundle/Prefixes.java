package gdrproof.bundle;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Outputs of several nodes in one file, each line after its host: `node1: text` (pdsh, clush), `[pod/name/container] text`
 * (kubectl logs --prefix). Lines of one node are put together again; they keep their numbers.
 */
final class Prefixes {
  private static final Pattern COLON = Pattern.compile("^(?<host>[A-Za-z][A-Za-z0-9._-]{1,63}|\\d{1,3}(?:\\.\\d{1,3}){3}):(?: (?<rest>.*))?$");
  private static final Pattern KUBECTL = Pattern.compile("^\\[pod/(?<host>[a-z0-9][a-z0-9.-]*)/[a-z0-9-]+\\] ?(?<rest>.*)$");
  /** Share of a file's lines that must carry a prefix; the rest is noise of the launcher. */
  private static final double ENOUGH = 0.9;

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
    return List.of();
  }

  private static List<View> split(List<String> lines, Pattern pattern) {
    int seen = 0;
    int prefixed = 0;
    for (String line : lines) {
      if (!line.isBlank()) {
        seen++;
        prefixed += host(pattern, line) == null ? 0 : 1;
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
      Matcher matcher = host(pattern, lines.get(i));
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

  private static Matcher host(Pattern pattern, String line) {
    Matcher matcher = pattern.matcher(line);
    return matcher.matches() && (pattern == KUBECTL || Character.isDigit(line.charAt(0)) || NodeNames.hostLike(matcher.group("host"))) ? matcher : null;
  }
}
