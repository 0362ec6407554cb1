package gdrproof.collect.bench;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Bench.GpuMatrixCell;
import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Copies between host and GPUs, one GPU at a time and several at once: lists that people write (`0,1  13.2 13.1` below a heading with `GPU` and a unit), and the pairs of
 * nvbandwidth (`device_to_host_memcpy_ce` measures one after the other, `all_to_host_memcpy_ce` all together).
 */
final class GpuSets implements Collector {
  /** Title of the cells. */
  static final String METRIC = "copies at the same time";
  private static final String GPU = "(?:GPU ?)?\\d{1,2}";
  private static final Pattern ROW = Pattern.compile("^[|\\s]*(?<set>" + GPU + "(?:\\s*[,+&]\\s*" + GPU + ")*)\\s*(?:GPUs?)?\\s*[:|=]?\\s+(?<figures>\\d+(?:\\.\\d+)?(?:[\\s,/|]+\\d+(?:\\.\\d+)?)*)\\s*(?<unit>"
      + Units.UNIT + ")?[|\\s]*$");
  private static final Pattern HEADING = Pattern.compile("(?i).*\\bgpus?\\b.*");
  private static final Pattern COUNTS = Pattern.compile("(?i).*(?:#\\s?gpus?\\b(?!\\s*,)|\\b(?:number|count|num|no\\.?) of gpus?|\\bn_?gpus?\\b|concurrent gpus|gpus at once).*");
  private static final Pattern EACH = Pattern.compile("(?i).*(?:per|each|a) ?gpu.*|.*/gpu.*");
  private static final Pattern HOST_TEST = Pattern.compile("(?:device_to_host|host_to_device|all_to_host|host_to_all)_memcpy_(?:ce|sm)");
  private static final Pattern TEST = Pattern.compile("^Running (?<name>" + HOST_TEST.pattern() + ")\\b.*");
  private static final Pattern VALUES = Pattern.compile("^\\s*0\\s+(?<values>\\d+(?:\\.\\d+)?(?:\\s+\\d+(?:\\.\\d+)?)+)\\s*$");
  private static final int LONGEST_LINE = 300;
  private static final int FEWEST = 2;
  private static final int BELOW_TITLE = 6;

  private record Row(int at, List<String> set, List<Num> figures, String unit) {}

  @Override
  public String tool() {
    return "table of copies to several GPUs";
  }

  @Override
  public void collect(Section section, Sink sink) {
    nvbandwidth(section, sink);
    List<Row> rows = new ArrayList<>();
    String heading = "";
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher row = ROW.matcher(line.length() > LONGEST_LINE ? "" : line);
      if (row.matches() && !heading.isEmpty()) {
        List<Num> figures = Arrays.stream(row.group("figures").split("[\\s,/|]+")).map(Num::parse).toList();
        rows.add(new Row(i, Arrays.stream(row.group("set").split("\\s*[,+&]\\s*")).map(g -> g.replaceAll("\\D", "")).toList(), figures, row.group("unit") == null ? Fact.UNKNOWN : Units.normal(row.group("unit"))));
      } else if (line.length() <= LONGEST_LINE && HEADING.matcher(line).matches()) {
        table(section, heading, rows, sink);
        rows.clear();
        heading = line;
      } else if (!line.isBlank() && !rows.isEmpty()) {
        table(section, heading, rows, sink);
        rows.clear();
        heading = "";
      }
    }
    table(section, heading, rows, sink);
  }

  private static void table(Section section, String heading, List<Row> rows, Sink sink) {
    String unit = Units.find(heading);
    boolean counts = COUNTS.matcher(heading).matches() && rows.stream().allMatch(r -> r.set().size() == 1);
    boolean several = counts ? rows.stream().anyMatch(r -> !r.set().get(0).equals("1")) && rows.stream().anyMatch(r -> r.set().get(0).equals("1"))
        : rows.stream().anyMatch(r -> r.set().size() > 1) && rows.stream().anyMatch(r -> r.set().size() == 1);
    if (rows.size() < FEWEST || !several || unit.equals(Fact.UNKNOWN) && rows.stream().anyMatch(r -> r.unit().equals(Fact.UNKNOWN))) {
      return;
    }
    String table = section.file() + "#" + section.line(rows.get(0).at());
    for (Row row : rows) {
      List<String> set = counts ? IntStream.range(0, (int) Math.min(64, Num.parse(row.set().get(0)).value())).mapToObj(String::valueOf).toList() : row.set();
      List<Num> each = each(row.figures(), set.size(), EACH.matcher(heading).matches());
      for (int g = 0; g < set.size(); g++) {
        Num value = Units.gigabytes(each.get(g), row.unit().equals(Fact.UNKNOWN) ? unit : row.unit());
        sink.fact(new GpuMatrixCell(section.node(), table, METRIC, String.join(",", set), counts && set.size() > 1 ? "each" : "GPU" + set.get(g), value, "GB/s"), section.at(row.at()));
      }
    }
  }

  /** What each GPU of a set gets: a figure for each (their sum may follow), one for all alike, or their sum. */
  private static List<Num> each(List<Num> figures, int gpus, boolean perGpu) {
    if (figures.size() >= gpus && figures.size() <= gpus + 1) {
      return figures.subList(0, gpus);
    }
    Num one = perGpu ? figures.get(0) : figures.get(0).over(Num.of(gpus));
    return IntStream.range(0, gpus).mapToObj(i -> one).toList();
  }

  private static void nvbandwidth(Section section, Sink sink) {
    for (int i = 0; i < section.lines().size(); i++) {
      Matcher test = TEST.matcher(section.lines().get(i));
      if (!test.matches()) {
        continue;
      }
      String name = test.group("name").toLowerCase(Locale.ROOT);
      for (int j = i + 1; j < Math.min(section.lines().size(), i + BELOW_TITLE); j++) {
        Matcher values = VALUES.matcher(section.lines().get(j));
        // The line of column numbers looks like one of values: it has no decimals.
        if (values.matches() && values.group("values").contains(".")) {
          String[] each = values.group("values").strip().split("\\s+");
          for (int g = 0; g < each.length; g++) {
            host(section, j, name, g, each.length, Num.parse(each[g]), sink);
          }
          break;
        }
      }
    }
  }

  /** A figure of one GPU in one of nvbandwidth's tests with the host; of other tests nothing. */
  static void host(Section section, int at, String test, int gpu, int gpus, Num value, Sink sink) {
    if (!HOST_TEST.matcher(test).matches()) {
      return;
    }
    String way = test.startsWith("device_to_host") || test.startsWith("all_to_host") ? "device-to-host" : "host-to-device";
    String set = test.contains("all") ? String.join(",", IntStream.range(0, gpus).mapToObj(String::valueOf).toList()) : String.valueOf(gpu);
    sink.fact(new GpuMatrixCell(section.node(), section.file() + "#" + way + test.replaceAll(".*_", ""), METRIC, set, "GPU" + gpu, value, "GB/s"), section.at(at));
  }
}
