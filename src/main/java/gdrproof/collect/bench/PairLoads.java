package gdrproof.collect.bench;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Bench.PairLoad;
import gdrproof.facts.Bench.PairResult;
import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Lists in which people write what pairs of nodes reach alone and beside another pair: `n1 -> n2  391`, `n1 -> n2 with n3 -> n4  196 / 195`. A text without a line of the
 * second kind is another collector's.
 */
final class PairLoads implements Collector {
  private static final String HOST = "[A-Za-z][A-Za-z0-9._-]*";
  private static final String ARROW = "\\s*(?:<?-+>|→|\\bto\\b|:)\\s*";
  private static final String FIGURE = "(\\d+(?:\\.\\d+)?)\\s*(?:" + Units.UNIT + ")?";
  private static final Pattern ALONE = Pattern.compile("^[|\\s]*(?<a>" + HOST + ")" + ARROW + "(?<b>" + HOST + ")(?:\\s+(?:alone|only|by itself|solo))?[\\s|:=,]+(?<value>\\d+(?:\\.\\d+)?)\\s*(?<unit>"
      + Units.UNIT + ")?[|\\s]*$");
  private static final Pattern TOGETHER = Pattern.compile("^[|\\s]*(?<a>" + HOST + ")" + ARROW + "(?<b>" + HOST + ")\\s*(?:,|\\+|&|\\||\\b(?:with|and|beside|plus|together with|while|at once with|alongside)\\b)\\s*(?<c>"
      + HOST + ")" + ARROW + "(?<d>" + HOST + ")(?:\\s+(?:together|at once|in parallel|concurrently|simultaneously))?[\\s|:=,]+(?<values>" + FIGURE + "(?:\\s*(?:/|,|\\||;|\\+|and|\\s)\\s*" + FIGURE
      + ")?)[|\\s]*$");

  @Override
  public String tool() {
    return "table of pairs that ran together";
  }

  @Override
  public void collect(Section section, Sink sink) {
    List<Integer> together = new ArrayList<>();
    for (int i = 0; i < section.lines().size(); i++) {
      if (section.lines().get(i).length() < 300 && TOGETHER.matcher(section.lines().get(i)).matches()) {
        together.add(i);
      }
    }
    if (together.isEmpty()) {
      return;
    }
    String unit = Fact.UNKNOWN;
    String table = section.file() + "#" + section.line(together.get(0));
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher alone = ALONE.matcher(line.length() < 300 ? line : "");
      Matcher both = TOGETHER.matcher(line.length() < 300 ? line : "");
      if (both.matches()) {
        both(section, sink, i, both, table, unit);
      } else if (alone.matches()) {
        sink.fact(new PairResult(Sections.shortName(alone.group("a")), Sections.shortName(alone.group("b")), table, Num.parse(alone.group("value")), unit(alone.group("unit"), unit), ""),
            section.at(i));
      } else if (unit.equals(Fact.UNKNOWN)) {
        unit = Units.find(line);
      }
    }
  }

  private static void both(Section section, Sink sink, int index, Matcher both, String table, String unit) {
    Matcher figures = Pattern.compile(FIGURE).matcher(both.group("values"));
    figures.find();
    Num first = Num.parse(figures.group(1));
    Num second = figures.find() ? Num.parse(figures.group(1)) : Num.UNKNOWN;
    String own = unit(Units.find(both.group("values")), unit);
    String a = Sections.shortName(both.group("a"));
    String b = Sections.shortName(both.group("b"));
    String c = Sections.shortName(both.group("c"));
    String d = Sections.shortName(both.group("d"));
    sink.fact(new PairLoad(a, b, c, d, table, first, own), section.at(index));
    if (second.known()) {
      sink.fact(new PairLoad(c, d, a, b, table, second, own), section.at(index));
    }
  }

  private static String unit(String own, String above) {
    return own == null || own.equals(Fact.UNKNOWN) ? above : Units.normal(own);
  }
}
