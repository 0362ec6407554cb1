package gdrproof.collect.bench;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Bench.GpuMatrixCell;
import gdrproof.facts.Num;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Device-to-device matrices of nvbandwidth. */
final class GpuMatrix implements Collector {
  private static final Pattern TITLE = Pattern.compile("^(?<title>.*GPU\\(row\\).*bandwidth) ?\\((?<unit>GB/s|us)\\)\\s*$");
  private static final Pattern RUNNING = Pattern.compile("^Running (?<name>\\w+)");
  /** Lines between a test's name and the last of its matrices: three of up to a rack's GPUs. */
  private static final int FAR = 250;
  private static final Pattern COLUMNS = Pattern.compile("^\\s*(?:D\\\\D|GPU|CPU)?(?:\\s+\\d+)+\\s*$");

  @Override
  public String tool() {
    return "nvbandwidth";
  }

  @Override
  public void collect(Section section, Sink sink) {
    for (int i = 0; i + 1 < section.lines().size(); i++) {
      Matcher title = TITLE.matcher(section.lines().get(i));
      if (title.matches() && COLUMNS.matcher(section.lines().get(i + 1)).matches()) {
        i = cells(section, i, title.group("title").strip(), title.group("unit"), sink);
      }
    }
  }

  /** In tests over several nodes the numbers are those of processes, one for each GPU, and name no GPU of a node. */
  static String end(String test) {
    return test.startsWith("multinode") ? "process " : "GPU";
  }

  static String metric(String test, String title) {
    return test.startsWith("multinode") ? "multinode " + title : title;
  }

  /** Name of the test above a title. */
  private static String test(Section section, int title) {
    for (int i = title - 1; i >= Math.max(0, title - FAR); i--) {
      Matcher running = RUNNING.matcher(section.lines().get(i));
      if (running.find()) {
        return running.group("name");
      }
    }
    return "";
  }

  private static int cells(Section section, int title, String heading, String unit, Sink sink) {
    String test = test(section, title);
    String end = end(test);
    String metric = metric(test, heading);
    List<String> columns = Arrays.stream(section.lines().get(title + 1).strip().split("\\s+")).filter(w -> w.matches("\\d+")).toList();
    String table = section.file() + "#" + section.line(title);
    int at = title + 2;
    for (; at < section.lines().size(); at++) {
      List<String> cells = Arrays.asList(section.lines().get(at).strip().split("\\s+"));
      if (cells.isEmpty() || !cells.get(0).matches("\\d+")) {
        break;
      }
      if (cells.size() != columns.size() + 1) {
        sink.unread(section, at, "row of a GPU matrix is not whole");
        continue;
      }
      for (int c = 0; c < columns.size(); c++) {
        Num value = Num.parse(cells.get(c + 1));
        if (value.known()) {
          sink.fact(new GpuMatrixCell(section.node(), table, metric, end + cells.get(0), end + columns.get(c), value, unit), section.at(at));
        }
      }
    }
    return at - 1;
  }
}
