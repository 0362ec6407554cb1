package gdrproof.collect.bench;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Bench.PairResult;
import gdrproof.facts.Bench.TableResult;
import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tables that people write of many measurements: one line for each pair of nodes (`n1,n2 25.1`), a matrix of nodes, or one
 * line for each run or variant. The whole text must be such a table; units come from a comment, a heading, the line, or are
 * unknown.
 */
final class ResultTables implements Collector {
  private static final String HOST = "[A-Za-z][A-Za-z0-9._-]*";
  private static final String NUMBER = "(?<value>\\d+(?:\\.\\d+)?)\\s*(?<unit>" + Units.UNIT + ")?\\s*[,;|]?\\s*(?<comment>(?:#|//|\\().*)?";
  private static final Pattern PAIR = Pattern.compile(
      "^[|\\s]*(?<a>" + HOST + ")\\s*(?:<?-+>|,|;|\\||/|\\s-\\s|\\s+(?:to|and|vs)\\s+|\\s)\\s*(?<b>" + HOST + ")\\s*[,;:=|\\s]\\s*(?:busbw|algbw|bw)?\\s*[=:]?\\s*" + NUMBER + "\\s*$");
  /** Where a host stands, written at its name: `g0701[leaf-ib07]`, `g0701(rack3)`. */
  private static final Pattern PLACE = Pattern.compile("(?<=[A-Za-z0-9])[\\[(][A-Za-z][\\w.:-]{0,40}[\\])](?=[\\s,;|<>-])");
  private static final Pattern RUN = Pattern.compile("^(?<label>[A-Za-z0-9][A-Za-z0-9_=./+ -]*?)\\s*(?:[,;:|]|\\s)\\s*(?:(?:busbw|bus_bw|Avg bus bandwidth)\\s*[=:]?\\s*)?" + NUMBER + "\\s*$");
  private static final Pattern BLANKS = Pattern.compile("\\s{2,}");
  private static final Pattern METRIC = Pattern.compile("(?i)\\b(?:bus_?bw|alg_?bw|bandwidth|throughput|plateau)|busbw|algbw|(?:write|read|send)_bw\\b|report_gbits");
  private static final Pattern COMMENT = Pattern.compile("^\\s*(?:#|//|--+$|=+$).*");
  private static final Pattern FIGURE = Pattern.compile(".*[\\s,;|:=]\\d+(?:\\.\\d+)?\\s*(?:" + Units.UNIT + ")?\\s*(?:[#(].*)?$");
  private static final Pattern LOOP = Pattern.compile("\\b(?:for (?:(?<name>\\w+) in\\b|\\(\\()|while\\b).*?\\bdo\\b(?<body>.*)\\bdone\\b");
  private static final Pattern TEST = Pattern.compile("\\b(?:all_reduce|all_gather|reduce_scatter|alltoallv?|broadcast|reduce|gather|scatter|sendrecv|hypercube)_perf(?:_mpi)?\\b");
  private static final Pattern BARE = Pattern.compile("(?:#?\\s*(?:Avg bus bandwidth|[Aa]vg|busbw)\\s*[:=]?\\s*)?(?<value>\\d+(?:\\.\\d+)?)\\s*(?:" + Units.UNIT + ")?");
  private static final int FEWEST = 2;
  /** Longer texts are logs, not tables somebody wrote. */
  private static final int LONGEST_TABLE = 5000;
  private static final int LONGEST_LINE = 200;

  private record Line(int at, Matcher match) {}

  @Override
  public String tool() {
    return "table of results";
  }

  @Override
  public void collect(Section section, Sink sink) {
    List<Integer> heads = new ArrayList<>();
    List<Integer> body = new ArrayList<>();
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      if (!line.isBlank() && !ColumnTables.ruler(line)) {
        // A heading says what the columns are: it has a unit or a metric and no figure of its own; or it is a sentence.
        boolean heading = body.isEmpty() && line.length() <= LONGEST_LINE && (line.matches("\\D*[:.]\\s*") || METRIC.matcher(line).find() || !Units.find(line).equals(Fact.UNKNOWN)) && !FIGURE.matcher(line).matches();
        (COMMENT.matcher(line).matches() || heading ? heads : body).add(i);
      }
    }
    if (LOOP.matcher(section.command()).find() && loop(section, filled(section), sink)) {
      return;
    }
    if (body.size() < FEWEST || heads.size() > body.size() + 10) {
      return;
    }
    if (body.size() > LONGEST_TABLE || body.stream().anyMatch(i -> section.lines().get(i).length() > LONGEST_LINE)) {
      return;
    }
    if (NodeRuns.read(section, sink)) {
      return;
    }
    String above = String.join(" ", heads.stream().map(i -> section.lines().get(i)).toList());
    // A remark of the command in front reads like a prompt of root: then the text above the table is its command.
    String told = above + " " + section.command().replace("--report_gbits", "Gb/s");
    String unit = Units.find(told);
    boolean metric = !unit.equals(Fact.UNKNOWN) || METRIC.matcher(told).find();
    if (NodeMatrix.read(section, body, unit, metric, sink) || NodeSets.read(section, heads, body, metric, unit, sink) || ColumnTables.pairs(section, metric, unit, sink)) {
      return;
    }
    List<Line> pairs = match(section, body, PAIR);
    if (pairs.size() >= FEWEST && pairs.size() * 10 >= body.size() * 8 && pairs(section, pairs, unit, metric, sink)) {
      unread(section, body, pairs, sink);
      return;
    }
    List<Line> runs = match(section, body, RUN);
    if (!runs.isEmpty() && runs.stream().allMatch(r -> r.match().group("label").matches(HcaTables.HCA + "(?:\\s.*)?"))) {
      // One line for each HCA is no series of repeats.
      return;
    }
    boolean named = runs.stream().allMatch(r -> METRIC.matcher(r.match().group()).find());
    if (runs.size() == body.size() && (metric || named || runs.stream().allMatch(r -> r.match().group("unit") != null) || section.name().matches(".*\\b(?:runs?|repeats?)\\b.*"))) {
      runs(section, runs, unit, sink);
    } else if (!section.command().matches("(?:sudo )?(?:ibstat|ethtool|nvidia-smi|lspci|ip)\\b.*")) {
      ColumnTables.runs(section, heads, body, metric, unit, sink);
    }
  }

  /**
   * Bare numbers below a loop that calls a benchmark of NCCL and prints one figure of each run; they are in GB/s, as all its columns are. A loop over a variable that the
   * command uses compares settings, it does not repeat.
   */
  private static boolean loop(Section section, List<Integer> body, Sink sink) {
    Matcher loop = LOOP.matcher(section.command());
    body.removeIf(i -> ColumnTables.clock(section.lines().get(i)));
    if (body.size() < FEWEST || !loop.find() || !TEST.matcher(loop.group("body")).find() || body.stream().anyMatch(i -> !BARE.matcher(section.lines().get(i).strip()).matches())) {
      return false;
    }
    boolean repeats = loop.group("name") == null || !loop.group("body").matches(".*\\$\\{?" + loop.group("name") + "\\b.*");
    String table = section.file() + "#" + section.line(body.get(0));
    int order = 0;
    for (int i : body) {
      order++;
      Matcher figure = BARE.matcher(section.lines().get(i).strip());
      figure.matches();
      sink.fact(new TableResult(section.node(), table, repeats ? "run " + order : "step " + order, Num.of(order), Num.parse(figure.group("value")), "GB/s", ""), section.at(i));
    }
    return true;
  }

  private static List<Integer> filled(Section section) {
    return new ArrayList<>(java.util.stream.IntStream.range(0, section.lines().size()).filter(i -> !section.lines().get(i).isBlank()).boxed().toList());
  }

  private static List<Line> match(Section section, List<Integer> body, Pattern pattern) {
    List<Line> found = new ArrayList<>();
    for (int i : body) {
      // Columns filled up with blanks would be tried at every blank of every gap.
      String line = BLANKS.matcher(section.lines().get(i)).replaceAll(" ");
      Matcher m = pattern.matcher(pattern == PAIR ? PLACE.matcher(line).replaceAll("") : line);
      if (m.matches()) {
        found.add(new Line(i, m));
      }
    }
    return found;
  }

  private static boolean pairs(Section section, List<Line> lines, String unit, boolean metric, Sink sink) {
    Set<String> left = new HashSet<>();
    Set<String> right = new HashSet<>();
    boolean unitEach = lines.stream().allMatch(l -> l.match().group("unit") != null);
    for (Line line : lines) {
      if (line.match().group("a").equals(line.match().group("b"))) {
        return false;
      }
      left.add(line.match().group("a"));
      right.add(line.match().group("b"));
    }
    // Words that repeat on one side only ("rx packets", "tx packets") are no pairs of nodes.
    boolean hosts = left.stream().anyMatch(right::contains) || left.stream().allMatch(ResultTables::numbered) && right.stream().allMatch(ResultTables::numbered);
    if (!hosts || !(metric || unitEach || section.name().contains("pair"))) {
      return false;
    }
    String table = section.file() + "#" + section.line(lines.get(0).at());
    for (Line line : lines) {
      Matcher m = line.match();
      String own = m.group("unit") == null ? unit : Units.normal(m.group("unit"));
      String comment = m.group("comment") == null ? "" : m.group("comment").replaceFirst("^[#/(\\s]+", "").strip();
      sink.fact(new PairResult(Sections.shortName(m.group("a")), Sections.shortName(m.group("b")), table, Num.parse(m.group("value")), own, comment),
          section.at(line.at()));
    }
    return true;
  }

  static boolean numbered(String name) {
    return name.chars().anyMatch(Character::isDigit);
  }

  private static void unread(Section section, List<Integer> body, List<Line> taken, Sink sink) {
    Set<Integer> known = new HashSet<>();
    taken.forEach(l -> known.add(l.at()));
    body.stream().filter(i -> !known.contains(i)).forEach(i -> sink.unread(section, i, "line of a table of pairs is not readable"));
  }

  private static void runs(Section section, List<Line> lines, String unit, Sink sink) {
    String table = section.file() + "#" + section.line(lines.get(0).at());
    int order = 0;
    for (Line line : lines) {
      Matcher m = line.match();
      String own = m.group("unit") == null ? unit : Units.normal(m.group("unit"));
      String comment = m.group("comment") == null ? "" : m.group("comment").replaceFirst("^[#/(\\s]+", "").strip();
      sink.fact(new TableResult(section.node(), table, m.group("label").strip(), Num.of(++order), Num.parse(m.group("value")), own, comment), section.at(line.at()));
    }
  }
}
