package gdrproof.collect.bench;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Bench.StatedFigures;
import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a person wrote about a figure: measured so much, expected so much, each with its unit; or, as a remark behind the command of a benchmark of NCCL, what it should reach,
 * in the benchmark's own GB/s where no unit is given (the measured figure is then unknown here: the table below has it).
 */
final class Statements implements Collector {
  private static final String FIGURE = "\\D{0,40}?(?:\\d+\\s*[x×*]\\s*\\d+(?:\\.\\d+)?\\s*(?:" + Units.UNIT + ")?\\s*=\\s*)?(?<value>\\d+(?:\\.\\d+)?)\\s*(?<unit>" + Units.UNIT + ")(?<after>[^\\d;\\n]{0,24})";
  private static final Pattern MEASURED = Pattern.compile("(?i:\\b(?:measured|observed|actual|achieved|we (?:get|see|got)|result|only (?:get|reach)\\w*)\\b)" + FIGURE);
  private static final Pattern EXPECTED = Pattern.compile("(?i:\\b(?:vendor figure|expected|expect|spec(?:ification)?|data ?sheet|theoretical|nominal|advertised|target|should (?:be|reach|get)|"
      + "line rate|reference)\\b)" + FIGURE);
  private static final Pattern REMARK = Pattern.compile("\\b(?:all_reduce|all_gather|reduce_scatter|alltoallv?|broadcast|reduce|gather|scatter|sendrecv|hypercube)_perf\\b[^#]*\\s#.*?(?i:\\b(?:expect(?:ed|ing)?|"
      + "should (?:be|get|reach|give|show|do)|goal|target|supposed to (?:be|reach|get)|want(?:ed)?)\\b)\\D{0,20}(?<value>\\d+(?:\\.\\d+)?)(?![\\d.]|\\s*(?:%|x\\b|[um]?s\\b|nodes?|GPUs?|ranks?|HCAs?|rails?))\\s*(?<unit>"
      + Units.UNIT + ")?");
  /** A goal of a collective, beside no measured figure: the report has that. */
  private static final Pattern GOAL = Pattern.compile("(?i:\\b(?:acceptance|accepted|expect(?:ed|ation)?|vendor|published|reference|target|goal|baseline|should (?:be|reach|get|give)|supposed to (?:be|reach|get)|"
      + "minimum|floor)\\b)[^\\n;]{0,60}?(?<value>\\d+(?:\\.\\d+)?)\\s*(?<unit>" + Units.UNIT + ")(?<after>[^\\n;]{0,24})");
  private static final Pattern OF_COLLECTIVE = Pattern.compile("(?i:bus_?bw|bus bandwidth|all_?-?reduce|all_?-?gather|reduce_?-?scatter)");
  /** `8 x ConnectX-7 (400 Gb/s) per node`: ports of one kind, each with its rate. */
  private static final Pattern PORTS = Pattern.compile("(?<![\\d.])(?<count>\\d{1,2})\\s*(?:x|×|\\*)\\s*(?=[^;\\n]{0,60}?(?i:connectx|\\bcx-?\\d|hca|\\bnics?\\b|\\b[nhef]dr\\b|infiniband|roce|rail|bluefield|ports?\\b))"
      + "[^;,\\n]{0,60}?(?<![\\d.])(?<rate>\\d{2,4})\\s*(?i:Gb/s|Gbps|Gbit/s|Gbits/sec|GbE|G\\b)[^;,\\n]{0,40}?(?i:per|each|a|/) ?(?i:node|host|server)");
  private static final double BITS = 8;
  private static final int NEAR = 3;
  /** A note about machines or a run, not a log. */
  private static final int LONGEST_NOTE = 12;
  private static final int LONGEST = 2000;

  @Override
  public String tool() {
    return "statement of expected and measured figures";
  }

  @Override
  public void collect(Section section, Sink sink) {
    Matcher remark = REMARK.matcher(section.command().length() > LONGEST ? "" : section.command());
    if (remark.find() && !section.lines().isEmpty()) {
      Num expected = remark.group("unit") == null ? Num.parse(remark.group("value")) : Units.gigabytes(Num.parse(remark.group("value")), Units.normal(remark.group("unit")));
      sink.fact(new StatedFigures(section.node(), Num.UNKNOWN, Fact.UNKNOWN, expected, remark.group().strip()), section.at(0));
    }
    boolean planned = section.lines().stream().noneMatch(l -> l.length() <= LONGEST && MEASURED.matcher(l).find()) && plans(section, sink);
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher measured = line.length() > LONGEST ? MEASURED.matcher("") : MEASURED.matcher(line);
      if (!measured.find()) {
        continue;
      }
      for (int j = Math.max(0, i - NEAR); j <= Math.min(section.lines().size() - 1, i + NEAR); j++) {
        String other = section.lines().get(j);
        Matcher expected = other.length() > LONGEST ? EXPECTED.matcher("") : EXPECTED.matcher(other);
        if (expected.find()) {
          String around = measured.group().toLowerCase(Locale.ROOT);
          String metric = around.contains("algbw") ? "algbw" : around.contains("busbw") ? "busbw" : Fact.UNKNOWN;
          sink.fact(new StatedFigures(section.node(), gigabytes(measured), metric, gigabytes(expected), line.strip()), section.at(Math.min(i, j), Math.max(i, j)));
          return;
        }
      }
    }
    if (!planned) {
      note(section, sink);
    }
  }

  /** A note that says what should be reached, without what was: its measured figure stands in a report. */
  private static void note(Section section, Sink sink) {
    List<Integer> filled = java.util.stream.IntStream.range(0, section.lines().size()).filter(i -> !section.lines().get(i).isBlank()).boxed().toList();
    if (filled.size() > LONGEST_NOTE || !section.command().equals(Fact.UNKNOWN)) {
      return;
    }
    for (int i : filled) {
      String line = section.lines().get(i);
      Matcher expected = line.length() > 1000 ? EXPECTED.matcher("") : EXPECTED.matcher(line);
      if (expected.find() && !line.contains("NCCL INFO") && !line.contains("NCCL WARN")) {
        sink.fact(new StatedFigures(section.node(), Num.UNKNOWN, Fact.UNKNOWN, gigabytes(expected), line.strip()), section.at(i));
        return;
      }
    }
  }

  /** @return whether a goal or an inventory was found */
  private static boolean plans(Section section, Sink sink) {
    boolean found = false;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher goal = GOAL.matcher(line.length() > LONGEST ? "" : line);
      Matcher ports = PORTS.matcher(line.length() > LONGEST ? "" : line);
      boolean isGoal = goal.find() && goal.group("unit").indexOf('B') >= 0 && OF_COLLECTIVE.matcher(goal.group()).find();
      boolean inventory = !isGoal && ports.find();
      found |= isGoal || inventory;
      if (isGoal) {
        sink.fact(new StatedFigures(section.node(), Num.UNKNOWN, "busbw", gigabytes(goal), goal.group().strip()), section.at(i));
      } else if (inventory) {
        sink.fact(new StatedFigures(section.node(), Num.UNKNOWN, "inventory", Num.of(Num.parse(ports.group("count")).value() * Num.parse(ports.group("rate")).value() / BITS), ports.group().strip()), section.at(i));
      }
    }
    return found;
  }

  private static Num gigabytes(Matcher figure) {
    return Units.gigabytes(Num.parse(figure.group("value")), Units.normal(figure.group("unit")));
  }
}
