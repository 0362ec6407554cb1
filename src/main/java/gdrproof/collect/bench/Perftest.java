package gdrproof.collect.bench;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Bench.RdmaTestRow;
import gdrproof.facts.Bench.RdmaTestVersion;
import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Output of `ib_write_bw`, `ib_read_bw`, `ib_send_bw` and the latency tests, perftest 4.4 to 26.x; several runs in one text. */
final class Perftest implements Collector {
  private static final Pattern TITLE = Pattern.compile("^\\s*(?<verb>[A-Z][A-Za-z_]+(?: (?!Bidirectional|Post List)[A-Z][A-Za-z_]+)?)(?: Post List)?(?<both> Bidirectional)?(?: Post List)? (?<kind>BW|Latency) Test\\s*$");
  /** A script's own line about what it starts: `Starting RDMA client 'ib_read_bw' for mlx5_0 ...`. */
  private static final Pattern MENTION = Pattern.compile("(?<![\\w/-])(?:ib|raw_ethernet)_(?:write|read|send|atomic)_(?:bw|lat)\\b");
  private static final Pattern MENTIONED_HCA = Pattern.compile("\\b(?:mlx[45]_(?:bond_|ib)?\\d+|bnxt_re\\d+|irdma\\d+|roce[pP]\\w*\\d|ibp\\d\\w*|rdmap\\d\\w*)\\b");
  /** A remark above a table that says which end printed it: `# n7 as server`, `// client side`. */
  private static final Pattern END = Pattern.compile("(?i)^\\s*(?:#|//|--+ |==+ ).{0,120}?\\b(?<side>server|client|receiver|sender)\\b.*");
  private static final Pattern BOTH_ENDS = Pattern.compile("(?i)\\b(?:server|receiver)\\b.*\\b(?:client|sender)\\b|\\b(?:client|sender)\\b.*\\b(?:server|receiver)\\b");
  /** Lines between such a line and the table it speaks of. */
  private static final int NEAR = 6;
  private static final int LONGEST_REMARK = 200;
  private static final Pattern ONLY_NUMBER = Pattern.compile("^\\s*(\\d+\\.\\d{6})\\s*$");
  private static final Pattern VERSION = Pattern.compile("^Version: (\\d+\\.\\d+)\\s*$");
  private static final Pattern RULER = Pattern.compile("^-{20,}\\s*$");

  @Override
  public String tool() {
    return "ib_write_bw";
  }

  @Override
  public void collect(Section section, Sink sink) {
    PerftestCommand command = PerftestCommand.parse(section.command());
    if (bare(section, command, sink)) {
      return;
    }
    PerftestRun run = null;
    int mention = -1;
    int said = -1;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      PerftestCommand other = line.contains("ib_") ? PerftestCommand.parse(line.replaceFirst("^[+>$ ]+", "")) : null;
      if (other != null && line.matches("^[+>$ ]*(?:\\S*=\\S* )*(?:sudo |numactl \\S+ |taskset \\S+ \\S+ )*\\S*ib_\\w+_(?:bw|lat)\\b(?!:).*")) {
        finish(run, sink);
        run = null;
        command = other;
        mention = -1;
        continue;
      }
      mention = line.contains("ib_") && MENTION.matcher(line).find() ? i : mention;
      Matcher title = TITLE.matcher(line.endsWith("Test") || line.contains(" Test ") ? line : "");
      boolean preface = PerftestRun.preface(line);
      said = END.matcher(line.length() > LONGEST_REMARK ? "" : line).matches() && !BOTH_ENDS.matcher(line).find() ? i : said;
      if (title.matches() || preface) {
        if (run == null || run.titled() || run.failedBefore()) {
          finish(run, sink);
          run = new PerftestRun(section, i, command);
          if (said >= 0 && i - said <= NEAR) {
            run.side(section.lines().get(said).matches("(?i).*\\b(?:server|receiver)\\b.*") ? "server" : "client");
          }
          said = -1;
        }
        if (title.matches()) {
          run.title(title.group("verb"), title.group("kind"), title.group("both") != null, i);
        }
      }
      boolean header = line.contains("#bytes") && line.contains("#iterations") && PerftestTable.of(line) != null;
      boolean headless = header || command != null && (PerftestRun.setting(line) || PerftestRun.ROW.matcher(line).matches() && PerftestTable.of(command, line) != null);
      if (headless && (run == null || header && !run.titled() && run.hasRow())) {
        // A filter left the table, or its last row, without the title.
        finish(run, sink);
        run = new PerftestRun(section, i, command);
        if (header && command == null && mention >= 0 && i - mention <= NEAR) {
          mentioned(section.lines().get(mention), run);
        }
      }
      if (run != null || PerftestErrors.find(line) != null) {
        run = run == null ? new PerftestRun(section, i, command) : run;
        run.line(line, i, sink);
        if (preface || title.matches() || RULER.matcher(line).matches()) {
          sink.understood(section, i);
        }
      }
    }
    finish(run, sink);
  }

  private static void mentioned(String line, PerftestRun run) {
    Matcher program = MENTION.matcher(line);
    Matcher hca = MENTIONED_HCA.matcher(line);
    if (program.find()) {
      run.mentioned(PerftestCommand.test(program.group()), hca.find() ? hca.group() : Fact.UNKNOWN);
    }
  }

  private static void finish(PerftestRun run, Sink sink) {
    if (run != null) {
      run.finish(sink);
    }
  }

  /** Outputs that are one bare line: `--output=bandwidth` and `-V`. */
  private static boolean bare(Section section, PerftestCommand command, Sink sink) {
    int at = -1;
    for (int i = 0; i < section.lines().size(); i++) {
      if (!section.lines().get(i).isBlank()) {
        if (at >= 0) {
          return false;
        }
        at = i;
      }
    }
    if (at < 0) {
      return false;
    }
    String line = section.lines().get(at);
    Matcher version = VERSION.matcher(line);
    if (version.matches() && (command == null ? section.command().equals(Fact.UNKNOWN) : command.onlyVersion())) {
      sink.fact(new RdmaTestVersion(section.node(), version.group(1)), section.at(at));
      return true;
    }
    Matcher number = ONLY_NUMBER.matcher(line);
    boolean named = command == null ? section.command().equals(Fact.UNKNOWN) && section.name().matches(".*(?:bw|bandwidth|perftest).*") : command.onlyBandwidth();
    if (number.matches() && named) {
      String id = section.file() + "#" + section.line(at);
      String unit = command == null ? Fact.UNKNOWN : command.gbits() ? "Gb/sec" : "MiB/sec";
      Num value = Num.parse(number.group(1));
      sink.fact(new RdmaTestRow(section.node(), id, command == null ? Fact.UNKNOWN : command.hca(), Num.UNKNOWN, Num.UNKNOWN, unit, Fact.UNKNOWN, Num.UNKNOWN,
          value, PerftestTable.gbps(value, unit), Num.UNKNOWN), section.at(at));
      return true;
    }
    return false;
  }

  static Num of(Map<String, Num> row, String name) {
    return row.getOrDefault(name, Num.UNKNOWN);
  }
}
