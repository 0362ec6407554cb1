package gdrproof.collect.bench;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Sink;
import gdrproof.facts.Bench.PairResult;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A square table of nodes: a line of names, then one line for each node with a figure for every other. */
final class NodeMatrix {
  private static final int FEWEST = 3;

  private NodeMatrix() {}

  static boolean read(Section section, List<Integer> body, String unit, boolean metric, Sink sink) {
    if (!metric && !section.name().contains("pair")) {
      return false;
    }
    List<String> names = words(section.lines().get(body.get(0)));
    if (names.size() < FEWEST || names.stream().anyMatch(n -> !n.matches("[A-Za-z][A-Za-z0-9._-]*")) || body.size() < names.size() + 1) {
      return false;
    }
    String table = section.file() + "#" + section.line(body.get(0));
    boolean any = false;
    List<Integer> torn = new ArrayList<>();
    for (int row : body.subList(1, body.size())) {
      List<String> cells = words(section.lines().get(row));
      if (cells.isEmpty() || !names.contains(cells.get(0))) {
        continue;
      }
      if (cells.size() != names.size() + 1) {
        torn.add(row);
        continue;
      }
      for (int i = 0; i < names.size(); i++) {
        Num value = Num.parse(cells.get(i + 1));
        if (value.known() && !names.get(i).equals(cells.get(0))) {
          sink.fact(new PairResult(Sections.shortName(cells.get(0)), Sections.shortName(names.get(i)), table, value, unit, ""), section.at(row));
          any = true;
        }
      }
    }
    if (any) {
      // Words that come again at the start of other lines are no table.
      torn.forEach(row -> sink.unread(section, row, "row of a table of nodes is not whole"));
    }
    return any;
  }

  private static List<String> words(String line) {
    return Arrays.stream(line.split("[\\s,;|]+")).filter(w -> !w.isEmpty()).toList();
  }
}
