package gdrproof.collect.bench;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text reports of nccl-tests 1.0 to 2.19, by their own lines, wherever they stand: between lines of NCCL, behind launcher
 * tags, several in one file. Runs are told apart after collection.
 */
final class NcclTests implements Collector {
  private static final Pattern VERSION = Pattern.compile("# nccl-tests version (?<tests>\\S+) nccl-headers=(?<headers>\\d+) nccl-library=(?<library>\\d+)");
  private static final Pattern START = Pattern.compile("# Collective test starting: (?<program>\\S+)");
  private static final Pattern PARAMS = Pattern.compile("# nThread (?<threads>\\d+) nGpus (?<gpus>\\d+) minBytes (?<min>\\d+) maxBytes (?<max>\\d+) step: "
      + "(?<step>\\d+)\\((?<kind>bytes|factor)\\) warmup iters: (?<warmup>\\d+) iters: (?<iters>\\d+)(?: agg iters: (?<agg>\\d+))? validation: "
      + "(?<check>\\d+)(?: graph: (?<graph>\\d+))?");
  private static final Pattern RANK = Pattern.compile("#\\s+Rank\\s+(?<rank>\\d+)(?:\\s+Group\\s+(?<group>\\d+))?(?:\\s+Pid\\s+(?<pid>\\d+))?\\s+on\\s+"
      + "(?<host>\\S+)\\s+device\\s+(?<device>\\d+)\\s+\\[(?<pci>0x[0-9a-fA-F]+|[0-9a-fA-F]{4}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2})\\]\\s+(?<gpu>.+)$");
  private static final Pattern HEADER = Pattern.compile("#\\s+size\\s+count\\s+type\\b.*\\b(?:time|cputime)\\s+algbw\\s+busbw\\b.*");
  private static final Pattern BOUNDS = Pattern.compile("#? ?Out of bounds values\\s*: (?<errors>\\d+) (?<verdict>OK|FAILED)");
  private static final Pattern AVERAGE = Pattern.compile("#? ?Avg bus bandwidth\\s*: (?<avg>[-+0-9.eEnaif]+)\\s*(?<verdict>OK|FAILED)?");
  private static final Pattern END = Pattern.compile("# Collective test concluded: ");
  private static final Pattern FAILURE = Pattern.compile("(?:(?:^|[\\s>])(?<host>[^:\\s]+): |^)Test (?<kind>CUDA|NCCL) failure (?<src>\\S+):(?<line>\\d+) "
      + "'(?<error>.*?)(?: / (?<last>.*))?'");
  private static final Pattern TIMEOUT = Pattern.compile("(?<host>[^:\\s]+): Test timeout \\((?<secs>\\d+)s\\) \\S+:\\d+");
  private static final Pattern UNWOUND = Pattern.compile("\\.\\. (?<host>\\S+) pid (?<pid>\\d+): Test failure (?<src>\\S+:\\d+)");
  private static final Pattern GPUS = Pattern.compile("Invalid number of GPUs: (?<asked>\\d+) requested but only (?<have>\\d+) were found");
  /** A wrapper that stops a run after a time, in the words of scripts: time and the stop in one line. */
  private static final Pattern OVERDUE = Pattern.compile("(?i)(?:no output (?:for|in|since)|tim(?:ed |e)out|time limit|did not (?:finish|end)|still running after|hung).*\\b(?:SIG(?:KILL|TERM|ABRT|INT)|kill(?:ing|ed)?|terminat(?:ing|ed))\\b"
      + "|\\b(?:SIG(?:KILL|TERM|ABRT|INT)|kill(?:ing|ed)|terminat(?:ing|ed))\\b.*(?:no output|timed out|timeout|time limit|after \\d+ ?(?:s|sec|seconds|min|minutes)\\b)");
  private static final Pattern KILLED = Pattern.compile("^(?:Terminated\\b.*|Killed\\b.*|.*\\brc=(?:124|137|143)\\)?\\s*)$");

  @Override
  public String tool() {
    return "nccl-tests";
  }

  @Override
  public void collect(Section section, Sink sink) {
    List<NcclTestReport> reports = new ArrayList<>();
    NcclTestReport report = null;
    BenchCommand command = command(section);
    for (int i = 0; i < section.lines().size(); i++) {
      String line = Tags.strip(section.lines().get(i));
      if (line.isBlank()) {
        continue;
      }
      if (line.indexOf('#') >= 0 && header(line)) {
        if (report == null || report.startsAnew(line)) {
          report = new NcclTestReport(section, i, command);
          reports.add(report);
        }
        sink.understood(section, i);
        comment(report, line, i);
        continue;
      }
      BenchCommand other = line.contains("_perf") && !line.startsWith("#") ? BenchCommand.parse(line) : null;
      if (other != null && line.matches("^(?:[+$>] *)?\\S*(?:mpirun|srun|mpiexec|_perf|[A-Z_]+=).*")) {
        command = other;
        report = null;
        continue;
      }
      if (failure(section, line, i, report, command, reports, sink)) {
        continue;
      }
      char first = line.stripLeading().charAt(0);
      if (first != '-' && !Character.isDigit(first) && !line.startsWith("N/A")) {
        continue;
      }
      List<String> tokens = tokens(line);
      if (NcclTestLayout.begins(tokens)) {
        if (report == null || report.concluded()) {
          report = new NcclTestReport(section, i, command);
          reports.add(report);
        }
        report.row(tokens, line, i, sink);
      } else if (report != null) {
        report.fragment(tokens, i, sink);
      }
    }
    reports.forEach(r -> r.finish(sink));
    NcclTestReport.separate(section, reports, sink);
  }

  private static boolean header(String line) {
    return HEADER.matcher(line).find() || VERSION.matcher(line).find() || START.matcher(line).find() || PARAMS.matcher(line).find() || RANK.matcher(line).find()
        || BOUNDS.matcher(line).find() || AVERAGE.matcher(line).find() || END.matcher(line).find() || line.contains("# Using devices");
  }

  private static void comment(NcclTestReport report, String line, int at) {
    Matcher m = PARAMS.matcher(line);
    if (m.find()) {
      report.params(m, at);
    } else if ((m = RANK.matcher(line)).find()) {
      report.rank(m, at);
    } else if ((m = VERSION.matcher(line)).find()) {
      report.version(m.group("tests"), m.group("headers"), m.group("library"), at);
    } else if ((m = START.matcher(line)).find()) {
      report.program(m.group("program"));
    } else if (HEADER.matcher(line).find()) {
      report.layout(NcclTestLayout.ofHeader(line));
    } else if ((m = BOUNDS.matcher(line)).find()) {
      report.bounds(m.group("errors"), m.group("verdict"), at);
    } else if ((m = AVERAGE.matcher(line)).find()) {
      report.average(m.group("avg"), m.group("verdict"), at);
    } else if (END.matcher(line).find()) {
      report.end(at);
    }
  }

  private static boolean failure(Section section, String line, int at, NcclTestReport report, BenchCommand command, List<NcclTestReport> reports, Sink sink) {
    if (!line.contains("Test ") && !line.contains("Invalid number") && !line.startsWith("Terminated") && !line.startsWith("Killed") && !line.contains("rc=")
        && !OVERDUE.matcher(line).find()) {
      return false;
    }
    Matcher m = FAILURE.matcher(line);
    String host = null;
    String kind = null;
    String text = "";
    String detail = "";
    if (m.find()) {
      host = m.group("host");
      kind = m.group("kind").toLowerCase(java.util.Locale.ROOT);
      text = m.group("error");
      detail = m.group("last") == null ? "" : m.group("last");
    } else if ((m = TIMEOUT.matcher(line)).find()) {
      host = m.group("host");
      kind = "timeout";
      text = "Test timeout";
      detail = m.group("secs") + " s";
    } else if ((m = GPUS.matcher(line)).find()) {
      kind = "gpus";
      text = m.group("asked") + " GPUs requested, " + m.group("have") + " found";
    } else if ((m = UNWOUND.matcher(line)).find()) {
      host = m.group("host");
      kind = "test";
      text = "Test failure";
      detail = m.group("src");
    } else if ((report != null || command != null) && OVERDUE.matcher(line).find()) {
      kind = "timeout";
      text = "stopped from outside";
      detail = line.strip();
    } else if ((report != null || command != null) && KILLED.matcher(line).find()) {
      kind = "terminated";
      text = line.strip();
    }
    if (kind == null) {
      return false;
    }
    NcclTestReport owner = report;
    if (owner == null) {
      owner = new NcclTestReport(section, at, command);
      reports.add(owner);
    }
    owner.failed(host, kind, text, detail, at, sink);
    return true;
  }

  /** The command of the section: from its prompt, with continuation lines. */
  private static BenchCommand command(Section section) {
    String text = section.command();
    for (int i = 0; i < section.lines().size() && text.endsWith("\\"); i++) {
      text = text.substring(0, text.length() - 1) + " " + section.lines().get(i);
    }
    return BenchCommand.parse(text);
  }

  static List<String> tokens(String line) {
    return List.of(line.strip().split("\\s+"));
  }
}
