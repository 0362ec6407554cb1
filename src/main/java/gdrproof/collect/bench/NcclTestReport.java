package gdrproof.collect.bench;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Sink;
import gdrproof.collect.bench.NcclTestLayout.Group;
import gdrproof.collect.bench.NcclTestLayout.Row;
import gdrproof.facts.Bench.NcclTestBuild;
import gdrproof.facts.Bench.NcclTestCommand;
import gdrproof.facts.Bench.NcclTestConfig;
import gdrproof.facts.Bench.NcclTestFailure;
import gdrproof.facts.Bench.NcclTestIterations;
import gdrproof.facts.Bench.NcclTestRow;
import gdrproof.facts.Bench.NcclTestSummary;
import gdrproof.facts.Bench.SeparateReports;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import org.jspecify.annotations.Nullable;

/** One nccl-tests report while it is read; its facts are given when it is whole. */
final class NcclTestReport {
  /** Busbw and time are printed with two decimals or four digits; a row mended from pieces must agree within this. */
  private static final double ROUNDING = 0.02;

  private record RankLine(Num rank, String host, int at) {}

  private final Section section;
  private final int start;
  /** Runs are told apart after collection, by the place of every fact. */
  private final String run = Fact.UNKNOWN;
  private final BenchCommand command;
  private final List<RankLine> ranks = new ArrayList<>();
  private final Set<String> hosts = new TreeSet<>();
  private final List<Runnable> rows = new ArrayList<>();
  private NcclTestLayout layout = new NcclTestLayout(List.of());
  private String program;
  private NcclTestConfig config;
  private int configAt = -1;
  private String version = Fact.UNKNOWN;
  private String headers = Fact.UNKNOWN;
  private int versionAt = -1;
  private String library = Fact.UNKNOWN;
  private boolean began;
  private int rowCount;
  private boolean sawCount;
  private Num bounds = Num.UNKNOWN;
  private Num average = Num.UNKNOWN;
  private Tri floor = Tri.UNKNOWN;
  private boolean hasAverage;
  private boolean hasEnd;
  private int footer = -1;
  private boolean failed;
  private List<String> pending = new ArrayList<>();
  private int pendingAt = -1;

  NcclTestReport(Section section, int start, BenchCommand command) {
    this.section = section;
    this.start = start;
    this.command = command;
    this.program = command == null ? Fact.UNKNOWN : command.program();
  }

  /** Whether an informational line belongs to the next report, not to this one. */
  boolean startsAnew(String line) {
    boolean first = line.contains("# nccl-tests version") || line.contains("# Collective test starting");
    boolean params = line.contains("# nThread");
    boolean devices = line.contains("# Using devices");
    return (first || params || devices) && (rowCount > 0 || footer >= 0 || failed || hasEnd) || params && config != null || first && began && config != null
        || devices && began && !ranks.isEmpty();
  }

  boolean concluded() {
    return hasEnd || footer >= 0 && hasAverage || failed && rowCount == 0 && footer >= 0;
  }

  void version(String tests, String built, String nccl, int at) {
    version = tests;
    headers = built;
    versionAt = at;
    library = nccl;
  }

  void program(String name) {
    program = name.replaceAll("(_perf).*$", "$1");
  }

  void params(Matcher m, int at) {
    began = true;
    String sweep = m.group("min") + "-" + m.group("max") + (m.group("kind").equals("factor") ? "*" : "+") + m.group("step");
    config = new NcclTestConfig(Fact.UNKNOWN, run, program, sweep, Num.parse(m.group("threads")), Num.parse(m.group("gpus")), Num.parse(m.group("warmup")),
        Num.parse(m.group("iters")), Num.parse(m.group("agg")), Tri.of(!m.group("check").equals("0")),
        m.group("graph") == null ? Tri.UNKNOWN : Tri.of(!m.group("graph").equals("0")), version, library);
    configAt = at;
  }

  void rank(Matcher m, int at) {
    began = true;
    String host = Sections.shortName(m.group("host"));
    hosts.add(host);
    ranks.add(new RankLine(Num.parse(m.group("rank")), host, at));
  }

  void layout(NcclTestLayout next) {
    layout = next;
  }

  /** A line that begins a row; it may be whole, or cut by a line of another process. */
  void row(List<String> tokens, String line, int at, Sink sink) {
    drop(sink);
    pending = new ArrayList<>();
    pendingAt = at;
    for (String token : tokens) {
      // Another process may have written right behind the last figure.
      if (pending.size() >= 3 && !NcclTestLayout.figure(token) && !token.matches("[a-z]+")) {
        Matcher glued = java.util.regex.Pattern.compile("^(-?\\d+)(?=[A-Za-z\\[])").matcher(token);
        if (glued.find()) {
          pending.add(glued.group(1));
        }
        break;
      }
      pending.add(token);
    }
    complete(at, sink);
  }

  /** Figures that continue a cut row. */
  void fragment(List<String> tokens, int at, Sink sink) {
    if (pendingAt < 0 || tokens.stream().anyMatch(t -> !NcclTestLayout.figure(t))) {
      return;
    }
    pending.addAll(tokens);
    complete(at, sink);
  }

  private void complete(int at, Sink sink) {
    Row row = layout.row(pending);
    boolean half = row != null && row.outOfPlace() == null;
    // A row with one placement leaves the other's columns blank; without that gap it is a whole row that was cut.
    if (row == null || half && !section.lines().get(at).contains("              ")) {
      return;
    }
    boolean mended = at != pendingAt;
    int first = pendingAt;
    pendingAt = -1;
    if (mended && !(agrees(row, row.outOfPlace()) && agrees(row, row.inPlace()))) {
      sink.unread(section, first, "row cut by other output; its parts do not belong together");
      return;
    }
    rowCount++;
    Evidence evidence = section.at(first, at);
    rows.add(() -> give(row, evidence, sink));
    sawCount |= !row.deviation() && (known(row.outOfPlace()) || known(row.inPlace()));
  }

  private static boolean known(Group group) {
    return group != null && Num.parse(group.wrong()).known();
  }

  /** Size over time must be the printed algorithm bandwidth; hypercube and alltoallv count otherwise and are not mended. */
  private static boolean agrees(Row row, Group group) {
    if (group == null) {
      return true;
    }
    Num time = Num.parse(group.time());
    Num algbw = Num.parse(group.algbw());
    if (!time.known() || !algbw.known() || time.value() <= 0) {
      return false;
    }
    double expected = Double.parseDouble(row.size()) / time.value() / 1000;
    return Math.abs(expected - algbw.value()) <= Math.max(ROUNDING, expected * ROUNDING);
  }

  private void drop(Sink sink) {
    if (pendingAt >= 0) {
      sink.unread(section, pendingAt, "row of an nccl-tests table is not whole");
      pendingAt = -1;
    }
  }

  void bounds(String errors, String verdict, int at) {
    bounds = Num.parse(errors);
    footer = at;
  }

  void average(String text, String verdict, int at) {
    average = Num.parse(text);
    hasAverage = true;
    floor = verdict == null ? Tri.UNKNOWN : Tri.of(verdict.equals("FAILED"));
    footer = footer < 0 ? at : footer;
  }

  void end(int at) {
    hasEnd = true;
  }

  /** @param host that the line names, or null */
  void failed(@Nullable String host, String kind, String text, String detail, int at, Sink sink) {
    failed = true;
    Evidence evidence = section.at(at);
    rows.add(() -> sink.fact(new NcclTestFailure(host == null ? node() : Sections.shortName(host), run, program, kind, text, detail), evidence));
  }

  private String node() {
    if (hosts.size() == 1) {
      return hosts.iterator().next();
    }
    return hosts.isEmpty() ? section.node() : Fact.UNKNOWN;
  }

  private void give(Row row, Evidence evidence, Sink sink) {
    give(row, row.outOfPlace(), "out-of-place", evidence, sink);
    give(row, row.inPlace(), "in-place", evidence, sink);
  }

  private void give(Row row, Group g, String placement, Evidence evidence, Sink sink) {
    if (g == null) {
      return;
    }
    Num bytes = Num.parse(row.size());
    sink.fact(new NcclTestRow(node(), run, program, bytes, placement, Num.parse(g.time()), Num.parse(g.algbw()), Num.parse(g.busbw()),
        row.deviation() ? Num.UNKNOWN : Num.parse(g.wrong())), evidence);
    if (!g.p99().isEmpty()) {
      sink.fact(new NcclTestIterations(node(), run, bytes, placement, Num.parse(g.min()), Num.UNKNOWN, Num.UNKNOWN, Num.parse(g.p99()), Num.parse(g.max()),
          Num.parse(g.cv())), evidence);
    }
  }

  void finish(Sink sink) {
    if (pendingAt >= 0) {
      drop(sink);
    }
    rows.forEach(Runnable::run);
    ranks.forEach(r -> sink.understood(section, r.at()));
    if (config != null) {
      sink.fact(new NcclTestConfig(node(), run, program, config.sweep(), config.threads(), config.gpusPerThread(), config.warmup(), config.iterations(),
          config.aggregated(), config.checked(), config.graph(), version, library), section.at(configAt));
    }
    if (versionAt >= 0) {
      sink.fact(new NcclTestBuild(node(), run, headers, library), section.at(versionAt));
    }
    if (command != null) {
      // The first line behind the prompt: the prompt's own line would count to the run before.
      Evidence evidence = section.at(0);
      sink.fact(new NcclTestCommand(node(), run, command.program(), command.ranks(), command.perNode(), command.hosts(), command.settings()), evidence);
    }
    Num count = rankCount();
    Tri checked = config != null ? config.checked() : sawCount ? Tri.YES : Tri.UNKNOWN;
    int at = footer >= 0 ? footer : start;
    boolean whole = hasEnd || hasAverage || footer >= 0 && !failed;
    sink.fact(new NcclTestSummary(node(), run, program, count, bounds, checked, average, floor, Tri.of(whole)), section.at(at));
  }

  /** Ranks of the table: the highest number and one, if the table is whole; unknown for a cut table. */
  private Num rankCount() {
    if (ranks.isEmpty()) {
      return Num.UNKNOWN;
    }
    long distinct = ranks.stream().map(r -> r.rank()).distinct().count();
    double highest = ranks.stream().mapToDouble(r -> r.rank().value()).max().orElse(0);
    return distinct == highest + 1 ? Num.of(distinct) : Num.UNKNOWN;
  }

  private boolean onlyRankZero() {
    return !ranks.isEmpty() && ranks.stream().allMatch(r -> r.rank().is(0));
  }

  /** Several processes that each print a report with rank 0 only did not join one communicator. */
  static void separate(Section section, List<NcclTestReport> reports, Sink sink) {
    long zero = reports.stream().filter(NcclTestReport::onlyRankZero).mapToLong(r -> r.ranks.size()).sum();
    // One after the other they are runs of one GPU; started together, or mixed into one table, they are one job that fell apart.
    boolean together = reports.stream().anyMatch(r -> r.onlyRankZero() && r.ranks.size() > 1 || r.command != null && r.command.processes().atLeast(2));
    // What processes print together is torn into several reports, and one of them may have lost its table.
    if (zero > 1 && together && reports.stream().allMatch(r -> r.ranks.isEmpty() || r.onlyRankZero())) {
      NcclTestReport first = reports.stream().filter(NcclTestReport::onlyRankZero).findFirst().orElseThrow();
      sink.fact(new SeparateReports(section.node(), Fact.UNKNOWN, Num.of(zero)), section.at(first.ranks.get(first.ranks.size() - 1).at()));
    }
  }
}
