package gdrproof.collect.gpu;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.DcgmTest;
import gdrproof.facts.Gpu.GpuMemoryErrors;
import gdrproof.facts.Gpu.NvLink;
import gdrproof.facts.Gpu.SmiDriver;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `dcgmi diag -r N` (DCGM 2 to 4): a table of two columns; a result wraps into rows whose first column is empty, errors and warnings stand below their test. */
final class DcgmDiag implements Collector {
  private static final Pattern HEAD = Pattern.compile("^\\|\\s*Diagnostic\\s*\\|\\s*Result\\s*\\|$");
  private static final Pattern ROW = Pattern.compile("^\\|\\s*(?<key>[^|]*?)\\s*\\|(?<value>[^|]*)\\|$");
  private static final Pattern RULER = Pattern.compile("^[|+][-=+].*[-=][|+]$");
  private static final Pattern RESULT = Pattern.compile("^(?<result>Pass|Fail|Skip|Warn)(?: - (?:(?<all>All)|GPUs?: ?(?<gpus>[\\d, ]+)))?$");
  private static final Pattern PENDING = Pattern.compile(
      "GPU (?<gpu>\\d+) ha[ds] (?:uncorrectable )?memory errors and row remappings are pending|[Pp]ending (?:retired page has been|page retirements together with a DBE were) detected [io]n GPU (?<other>\\d+)");
  private static final Pattern FAILED = Pattern.compile("GPU (?<gpu>\\d+) ha[ds] uncorrectable memory errors and row remapping failed");
  private static final Pattern VOLATILE = Pattern.compile("Detected (?<count>\\d+) volatile double-bit ECC error\\(s\\) in GPU (?<gpu>\\d+)");
  private static final Pattern LINK = Pattern.compile("GPU (?<gpu>\\d+)'s NvLink link (?<link>\\d+) is currently down");

  @Override
  public String tool() {
    return "dcgmi diag";
  }

  @Override
  public List<String> hints() {
    return List.of("Diagnostic");
  }

  @Override
  public void collect(Section section, Sink sink) {
    boolean table = false;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i).strip();
      Matcher row = ROW.matcher(line);
      if (HEAD.matcher(line).matches()) {
        table = true;
        sink.understood(section, i);
      } else if (table && RULER.matcher(line).matches()) {
        sink.understood(section, i);
      } else if (table && row.matches()) {
        i = row(section, i, row, sink);
      } else {
        table = false;
      }
    }
  }

  /** @return the last line of the row */
  private static int row(Section section, int first, Matcher row, Sink sink) {
    String key = row.group("key");
    StringBuilder value = new StringBuilder(row.group("value").strip());
    int last = first;
    for (; last + 1 < section.lines().size(); last++) {
      Matcher more = ROW.matcher(section.lines().get(last + 1).strip());
      if (!more.matches() || !more.group("key").isEmpty()) {
        break;
      }
      value.append(' ').append(more.group("value").strip());
    }
    String text = value.toString();
    Evidence at = section.at(first, last);
    Matcher result = RESULT.matcher(text);
    if (result.matches()) {
      String gpus = result.group("gpus") != null ? result.group("gpus").replace(" ", "") : result.group("all") != null ? "all" : Fact.UNKNOWN;
      sink.fact(new DcgmTest(section.node(), key, result.group("result"), gpus), at);
    } else if (key.equals("Driver Version Detected")) {
      sink.fact(new SmiDriver(section.node(), text, Fact.UNKNOWN), at);
    } else {
      told(section.node(), text, at, sink);
    }
    return last;
  }

  private static void told(String node, String text, Evidence at, Sink sink) {
    Matcher m;
    if ((m = PENDING.matcher(text)).find()) {
      sink.fact(new GpuMemoryErrors(node, "GPU" + (m.group("gpu") == null ? m.group("other") : m.group("gpu")), Num.UNKNOWN, Num.UNKNOWN, Tri.YES, Tri.UNKNOWN), at);
    } else if ((m = FAILED.matcher(text)).find()) {
      sink.fact(new GpuMemoryErrors(node, "GPU" + m.group("gpu"), Num.UNKNOWN, Num.UNKNOWN, Tri.UNKNOWN, Tri.YES), at);
    } else if ((m = VOLATILE.matcher(text)).find()) {
      sink.fact(new GpuMemoryErrors(node, "GPU" + m.group("gpu"), Num.parse(m.group("count")), Num.UNKNOWN, Tri.UNKNOWN, Tri.UNKNOWN), at);
    } else if ((m = LINK.matcher(text)).find()) {
      sink.fact(new NvLink(node, "GPU" + m.group("gpu"), Num.parse(m.group("link")), Tri.NO, Num.UNKNOWN), at);
    }
  }
}
