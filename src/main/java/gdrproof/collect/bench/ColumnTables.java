package gdrproof.collect.bench;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Sink;
import gdrproof.facts.Bench.PairLoad;
import gdrproof.facts.Bench.PairResult;
import gdrproof.facts.Bench.TableResult;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tables of results with several columns: for each pair of nodes the same test several times, on several rails, or alone and together with the other pairs; for each run of
 * a series its number, its time and its figure. What a column is, its heading says.
 */
final class ColumnTables {
  private static final String HOST = "[A-Za-z][A-Za-z0-9._-]*";
  private static final String VALUE = "(?:\\d+(?:\\.\\d+)?|-+|n/?a|–)";
  private static final Pattern PAIR = Pattern.compile("^[|\\s]*(?<a>" + HOST + ")\\s*(?:<?-+>|→|,|;|\\||/|\\+|\\s-\\s|\\s+(?:to|and|vs|with)\\s+|\\s)\\s*(?<b>" + HOST + ")[\\s,;:=|]+(?<values>" + VALUE + "(?:[\\s,;|/]+"
      + VALUE + ")+)[|\\s]*$");
  private static final Pattern ALONE = Pattern.compile("(?i)\\b(?:alone|single|solo|isolated|idle|quiet|serial(?:ly)?|sequential(?:ly)?|one (?:at a time|by one|pair))\\b");
  private static final Pattern TOGETHER = Pattern.compile("(?i)\\b(?:together|at once|concurrent(?:ly)?|(?:in )?parallel|simultaneous(?:ly)?|all(?: \\d+)?(?: pairs)?|loaded|under load|busy)\\b");
  private static final Pattern REPEAT = Pattern.compile("(?i)(?:(?:run|rep|repeat|iter|trial|try|test|pass|round|#)\\s*_?#?\\s*)?\\d{1,3}|(?:1st|2nd|3rd|\\d+th)(?: run)?|first|second|third");
  private static final Pattern FIGURE = Pattern.compile("(?i).*(?:bus_?bw|alg_?bw|bandwidth|throughput|\\bavg\\b|average|\\bbw\\b|" + Units.UNIT + ").*");
  private static final Pattern OTHER_FIGURE = Pattern.compile("(?i).*(?:alg_?bw|peak|time|lat|msgrate|wrong|iter|size|bytes|count|duration|elapsed|seed).*");
  private static final Pattern CLOCK = Pattern.compile("(?:\\d{4}-\\d{2}-\\d{2}(?:[T_]\\d{2}:\\d{2}(?::\\d{2})?\\S*)?|\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?Z?|[A-Z][a-z]{2}|\\d{1,2}[./]\\d{1,2}[./]\\d{2,4})");
  private static final Pattern SERIES = Pattern.compile("(?i)(?:run|rep|repeat|iter|iteration|trial|try|test|attempt|pass|round|job|no\\.?|nr\\.?|n|#|id|job[_ ]?id|run[_ ]?(?:id|no\\.?|number)?)");
  private static final Pattern NUMBERED = Pattern.compile("(?:[A-Za-z]+[-_ #]?)?\\d{1,9}");
  /** What stands above the names of a pair. */
  private static final Pattern ENDS = Pattern.compile("(?i)(?:node|host|pair|source|src|from|client|server|sender|machine|left|a\\b).*");
  private static final Pattern RULER = Pattern.compile("[\\s|:+=-]+");
  private static final int FEWEST = 2;

  private ColumnTables() {}

  /** Whether a line only rules a table off. */
  static boolean ruler(String line) {
    return RULER.matcher(line).matches();
  }

  /** Whether a line holds a time only, as `date` prints it. */
  static boolean clock(String line) {
    return CLOCK.matcher(line.strip()).matches() || line.matches("[A-Z][a-z]{2},? .*\\d{1,2}:\\d{2}:\\d{2}.*");
  }

  /** `n1-n2` as a pair: names of hosts may hold a hyphen, so only plain ones are taken apart. */
  private static String apart(String line) {
    return line.replaceFirst("^([|\\s]*[A-Za-z]+\\d+)\\s*[-–]\\s*([A-Za-z]+\\d+)(?=[\\s|,;:])", "$1,$2");
  }

  private record Row(int at, String a, String b, List<Num> values) {}

  /** Pairs with several figures each; lines that are no such pair end the table or belong to another. */
  static boolean pairs(Section section, boolean metric, String unit, Sink sink) {
    List<Row> rows = new ArrayList<>();
    List<String> head = List.of();
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher pair = PAIR.matcher(line.length() > 300 ? "" : apart(line));
      if (pair.matches() && !pair.group("a").equals(pair.group("b"))) {
        List<Num> values = Arrays.stream(pair.group("values").split("[\\s,;|/]+")).map(Num::parse).toList();
        rows.add(new Row(i, pair.group("a"), pair.group("b"), values));
      } else if (head.isEmpty() && rows.isEmpty() && !line.isBlank() && !RULER.matcher(line).matches()) {
        List<String> cells = columns(line);
        head = cells.size() > 1 && ENDS.matcher(cells.get(0)).matches() ? cells : head;
      }
    }
    int wide = rows.isEmpty() ? 0 : rows.get(0).values().size();
    boolean hosts = rows.stream().allMatch(r -> ResultTables.numbered(r.a()) && ResultTables.numbered(r.b()));
    if (rows.size() < FEWEST || !hosts || !metric && !section.name().contains("pair") || rows.stream().anyMatch(r -> r.values().size() != wide)) {
      return false;
    }
    String table = section.file() + "#" + section.line(rows.get(0).at());
    List<String> names = names(head, wide);
    rows.forEach(r -> row(section, r, names, table, unit, sink));
    return true;
  }

  /** The headings of the figures: the last ones, where there is one for each and at least one for the pair. */
  private static List<String> names(List<String> head, int wide) {
    return head.size() > wide && head.size() <= wide + 2 ? head.subList(head.size() - wide, head.size()) : List.of();
  }

  private static void row(Section section, Row row, List<String> names, String table, String unit, Sink sink) {
    String a = Sections.shortName(row.a());
    String b = Sections.shortName(row.b());
    boolean repeats = names.isEmpty() || names.stream().allMatch(n -> REPEAT.matcher(n).matches());
    if (repeats) {
      List<Double> known = row.values().stream().filter(Num::known).map(Num::value).sorted().toList();
      if (!known.isEmpty()) {
        sink.fact(new PairResult(a, b, table, Num.of(known.get(known.size() / 2)), unit, "middle of " + known.size()), section.at(row.at()));
      }
      return;
    }
    List<String> figures = names.stream().filter(n -> FIGURE.matcher(n).matches() && !OTHER_FIGURE.matcher(n).matches()).toList();
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      Num value = row.values().get(i);
      boolean other = !figures.isEmpty() ? !figures.get(figures.size() - 1).equals(name) && figures.size() < names.size() && OTHER_FIGURE.matcher(name).matches() : OTHER_FIGURE.matcher(name).matches();
      if (!value.known() || other) {
        continue;
      }
      if (TOGETHER.matcher(name).find() && !ALONE.matcher(name).find()) {
        sink.fact(new PairLoad(a, b, PairLoad.OTHERS, PairLoad.OTHERS, table + " " + name, value, unit), section.at(row.at()));
      } else {
        sink.fact(new PairResult(a, b, table + " " + name, value, unit, name), section.at(row.at()));
      }
    }
  }

  /** Cells of a heading: separated by bars, commas or at least two blanks, as headings hold blanks themselves; by single blanks where nothing else separates. */
  private static List<String> columns(String line) {
    String text = line.strip().replaceFirst("^(?:#+|//)\\s*", "").replaceAll("^\\||\\|$", "").strip();
    String[] cells = text.contains("|") ? text.split("\\s*\\|\\s*") : text.contains("\t") ? text.split("\\s*\t\\s*") : text.contains("  ") ? text.split("\\s{2,}") : text.split("\\s*,\\s*");
    if (cells.length == 1) {
      cells = text.split("\\s+");
    }
    return Arrays.stream(cells).map(String::strip).filter(c -> !c.isEmpty()).toList();
  }

  /** Runs of one series: number or time in front, one column with the figure. */
  static boolean runs(Section section, List<Integer> heads, List<Integer> body, boolean metric, String unit, Sink sink) {
    List<Integer> lines = body.stream().filter(i -> !RULER.matcher(section.lines().get(i)).matches()).toList();
    List<List<String>> rows = new ArrayList<>(lines.stream().map(i -> cells(section.lines().get(i))).toList());
    List<String> head = heads.isEmpty() ? List.of() : words(section.lines().get(heads.get(heads.size() - 1)));
    int width = rows.isEmpty() ? 0 : rows.get(0).size();
    if (rows.size() < FEWEST || width < FEWEST || rows.stream().anyMatch(r -> r.size() != width)) {
      return false;
    }
    boolean titled = head.size() == width;
    int value = -1;
    for (int c = 0; titled && c < width; c++) {
      String title = head.get(c);
      value = FIGURE.matcher(title).matches() && !OTHER_FIGURE.matcher(title).matches() || title.matches("(?i)bus_?bw.*") ? c : value;
    }
    value = value < 0 && metric ? last(rows, width) : value;
    if (value < 0) {
      return false;
    }
    int figure = value;
    if (rows.stream().anyMatch(r -> !Num.parse(r.get(figure)).known())) {
      return false;
    }
    int number = -1;
    boolean times = false;
    for (int c = 0; c < width; c++) {
      int column = c;
      boolean clock = rows.stream().allMatch(r -> CLOCK.matcher(r.get(column)).matches());
      boolean same = rows.stream().map(r -> r.get(column)).distinct().count() == 1;
      boolean series = rows.stream().allMatch(r -> NUMBERED.matcher(r.get(column)).matches()) && rows.stream().map(r -> r.get(column)).distinct().count() == rows.size()
          && (titled ? SERIES.matcher(head.get(c)).matches() : c == 0);
      times |= clock;
      if (series && number < 0 && c != figure) {
        number = c;
      } else if (c != figure && !clock && !same && !(titled && OTHER_FIGURE.matcher(head.get(c)).matches() || titled && SERIES.matcher(head.get(c)).matches())) {
        // Something else changes from line to line: these are variants, no repeats.
        return false;
      }
    }
    if (number < 0 && !times) {
      return false;
    }
    String table = section.file() + "#" + section.line(lines.get(0));
    for (int i = 0; i < rows.size(); i++) {
      Num read = Num.parse(rows.get(i).get(figure));
      sink.fact(new TableResult(section.node(), table, "run " + (i + 1), Num.of(i + 1), read, unit, ""), section.at(lines.get(i)));
    }
    return true;
  }

  /** The last column that holds numbers only. */
  private static int last(List<List<String>> rows, int width) {
    for (int c = width - 1; c > 0; c--) {
      int column = c;
      if (rows.stream().allMatch(r -> Num.parse(r.get(column)).known())) {
        return c;
      }
    }
    return -1;
  }

  private static List<String> words(String line) {
    String text = line.strip().replaceFirst("^(?:#+|//)\\s*", "").replaceAll("^\\||\\|$", "").strip();
    return Arrays.stream(text.contains("|") ? text.split("\\s*\\|\\s*") : text.contains(",") ? text.split("\\s*,\\s*") : text.contains("  ") ? text.split("\\s{2,}") : text.split("\\s+"))
        .map(String::strip).filter(c -> !c.isEmpty()).toList();
  }

  private static List<String> cells(String line) {
    String text = line.strip().replaceAll("^\\||\\|$", "").replaceAll("(?<=\\d)\\s*" + Units.UNIT, "").strip();
    return Arrays.stream(text.contains("|") ? text.split("\\s*\\|\\s*") : text.contains(",") ? text.split("\\s*,\\s*") : text.split("\\s+")).map(String::strip).filter(c -> !c.isEmpty()).toList();
  }
}
