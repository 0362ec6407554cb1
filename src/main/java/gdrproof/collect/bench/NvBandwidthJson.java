package gdrproof.collect.bench;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Bench.GpuMatrixCell;
import gdrproof.facts.Num;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** `nvbandwidth --json`, 0.3 to 0.8, by its json_output.cpp: the same matrices as its text. Cells are strings, `N/A` where nothing was measured. */
final class NvBandwidthJson implements Collector {
  private static final Pattern DESCRIPTION = Pattern.compile("(?<title>.*bandwidth) ?\\((?<unit>GB/s|us)\\)");

  @Override
  public String tool() {
    return "nvbandwidth -j";
  }

  @Override
  public java.util.List<String> hints() {
    return java.util.List.of("\"nvbandwidth\"");
  }

  @Override
  public void collect(Section section, Sink sink) {
    if (section.lines().stream().noneMatch(l -> l.contains("\"nvbandwidth\""))) {
      return;
    }
    JsonNode root = Json.read(section, Math.max(0, Json.begin(section.lines())));
    if (root == null) {
      sink.unread(section, 0, "output of nvbandwidth is no whole JSON");
      return;
    }
    int at = 0;
    for (JsonNode test : root.path("nvbandwidth").path("testcases")) {
      String name = Json.text(test, "name", "");
      at = line(section, name, at);
      Matcher description = DESCRIPTION.matcher(Json.text(test, "bandwidth_description", ""));
      if (!description.matches() || !test.path("bandwidth_matrix").isArray()) {
        continue;
      }
      int row = 0;
      for (JsonNode cells : test.path("bandwidth_matrix")) {
        int column = 0;
        for (JsonNode cell : cells) {
          Num value = Num.parse(cell.asString());
          if (value.known()) {
            put(section, at, name, description, row, column, cells.size(), value, sink);
          }
          column++;
        }
        row++;
      }
    }
  }

  private static void put(Section section, int at, String name, Matcher description, int row, int column, int gpus, Num value, Sink sink) {
    String title = description.group("title");
    if (title.contains("GPU(row)") && gpus > 1) {
      String end = GpuMatrix.end(name);
      sink.fact(new GpuMatrixCell(section.node(), section.file() + "#" + name, GpuMatrix.metric(name, title), end + row, end + column, value, description.group("unit")), section.at(at));
    } else {
      GpuSets.host(section, at, name, column, gpus, value, sink);
    }
  }

  private static int line(Section section, String name, int from) {
    for (int i = from; i < section.lines().size(); i++) {
      if (section.lines().get(i).contains("\"" + name + "\"")) {
        return i;
      }
    }
    return from;
  }
}
