package gdrproof.collect.bench;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Sink;
import gdrproof.facts.Bench.TableResult;
import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A list of runs on changing nodes: a heading, a column with the nodes of each run (`"n[01,04]"`, `n01,n04`), one with the figure. Runs on the same nodes, alike in all other
 * columns but number and time, are repeats of one thing; runs on other nodes are not, since the nodes may differ.
 */
final class NodeRuns {
  private static final Pattern NODES = Pattern.compile("(?i)(?:node|host|server|machine)(?:s|[ _-]?(?:list|names?|set))?|pair");
  private static final Pattern FIGURE = Pattern.compile("(?i)(?:bus_?bw|alg_?bw|bw|bandwidth|throughput).*|" + Units.UNIT);
  /** What tells one run from the other, and what is a figure of its own. */
  private static final Pattern APART = Pattern.compile("(?i).*(?:date|day|night|time|when|start|end|job|run|id|no\\.?|nr\\.?|#|alg_?bw|peak|lat|wrong|duration|elapsed|exit|status|remark|comment|note).*");
  private static final Pattern CSV = Pattern.compile("\\G\\s*(?:\"(?<quoted>[^\"]*)\"|(?<plain>(?:[^,\"\\[]|\\[[^\\]]*\\])*))\\s*(?:,|$)");
  private static final Pattern HOST = Pattern.compile("[A-Za-z][A-Za-z0-9._-]*\\d[A-Za-z0-9._-]*");
  private static final int FEWEST = 2;
  private static final int LONGEST = 400;

  private NodeRuns() {}

  /** Whether the lines are such a list with repeats in it; then they are given, each set of nodes as a table of its own. */
  static boolean read(Section section, Sink sink) {
    List<Integer> lines = java.util.stream.IntStream.range(0, section.lines().size())
        .filter(i -> !section.lines().get(i).isBlank() && !ColumnTables.ruler(section.lines().get(i))).boxed().toList();
    if (lines.size() <= FEWEST || lines.stream().anyMatch(i -> section.lines().get(i).length() > LONGEST)) {
      return false;
    }
    String heading = section.lines().get(lines.get(0)).strip().replaceFirst("^#\\s*", "");
    char separator = heading.indexOf('|') >= 0 ? '|' : heading.indexOf('\t') >= 0 ? '\t' : heading.indexOf(';') >= 0 ? ';' : heading.indexOf(',') >= 0 ? ',' : ' ';
    List<String> head = cells(heading, separator);
    int nodes = column(head, NODES);
    int figure = column(head, FIGURE);
    if (nodes < 0 || figure < 0) {
      return false;
    }
    Map<String, List<Integer>> alike = new LinkedHashMap<>();
    Map<Integer, Num> values = new LinkedHashMap<>();
    for (int i : lines.subList(1, lines.size())) {
      List<String> row = cells(section.lines().get(i), separator);
      TreeSet<String> names = row.size() == head.size() ? names(row.get(nodes)) : new TreeSet<>();
      if (names.isEmpty() || !Num.parse(row.get(figure)).known()) {
        return false;
      }
      StringBuilder key = new StringBuilder(String.join(",", names));
      for (int c = 0; c < head.size(); c++) {
        key.append(c == nodes || c == figure || APART.matcher(head.get(c)).matches() ? "" : " " + row.get(c));
      }
      alike.computeIfAbsent(key.toString(), k -> new ArrayList<>()).add(i);
      values.put(i, Num.parse(row.get(figure)));
    }
    boolean found = false;
    String unit = Units.find(heading).equals(Fact.UNKNOWN) && head.get(figure).matches("(?i)(?:bus|alg)_?bw.*") ? "GB/s" : Units.find(heading);
    for (Map.Entry<String, List<Integer>> same : alike.entrySet()) {
      for (int n = 0; same.getValue().size() >= FEWEST && n < same.getValue().size(); n++) {
        int at = same.getValue().get(n);
        sink.fact(new TableResult(section.node(), section.file() + "#" + section.line(lines.get(0)) + " " + same.getKey(), "run " + (n + 1), Num.of(n + 1), values.get(at), unit, ""), section.at(at));
        found = true;
      }
    }
    if (found) {
      lines.forEach(i -> sink.understood(section, i));
    }
    return found;
  }

  private static int column(List<String> head, Pattern title) {
    for (int c = 0; c < head.size(); c++) {
      if (title.matcher(head.get(c)).matches()) {
        return c;
      }
    }
    return -1;
  }

  private static TreeSet<String> names(String list) {
    TreeSet<String> names = new TreeSet<>();
    for (String name : Hosts.expand(list.strip().replaceAll("[\\s+;&/]+(?![^\\[]*\\])", ","))) {
      if (!HOST.matcher(name).matches()) {
        return new TreeSet<>();
      }
      names.add(Sections.shortName(name));
    }
    return names;
  }

  private static List<String> cells(String line, char separator) {
    List<String> cells = new ArrayList<>();
    if (separator == ',') {
      Matcher cell = CSV.matcher(line.strip());
      while (cell.find() && cell.end() > cell.start()) {
        cells.add((cell.group("quoted") == null ? cell.group("plain") : cell.group("quoted")).strip());
      }
      return cells;
    }
    String text = separator == '|' ? line.strip().replaceAll("^\\||\\|$", "") : line.strip();
    for (String cell : text.split(separator == ' ' ? "\\s+" : Pattern.quote(String.valueOf(separator)))) {
      cells.add(cell.strip());
    }
    return cells;
  }
}
