package gdrproof.collect.bench;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Bench.RdmaLatency;
import gdrproof.facts.Bench.RdmaTest;
import gdrproof.facts.Bench.RdmaTestRow;
import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** JSON files of perftest (`--out_json`). They name no unit: it is known only where the command line stands beside. */
final class PerftestJson implements Collector {
  @Override
  public String tool() {
    return "ib_write_bw --out_json";
  }

  @Override
  public void collect(Section section, Sink sink) {
    int from = Json.begin(section.lines());
    if (from < 0 || section.lines().stream().skip(from).noneMatch(l -> l.contains("test_info"))) {
      return;
    }
    JsonNode report = Json.read(section, from);
    if (report == null || !report.path("test_info").isObject()) {
      sink.unread(section, from, "JSON result of perftest is not whole");
      return;
    }
    JsonNode info = report.path("test_info");
    PerftestCommand command = PerftestCommand.parse(section.command());
    String unit = command == null ? Fact.UNKNOWN : command.gbits() ? "Gb/sec" : "MiB/sec";
    String hca = Json.text(info, "Device", Fact.UNKNOWN);
    String id = section.file() + "#" + section.line(from);
    List<JsonNode> results = new ArrayList<>();
    if (report.path("results").isArray()) {
      report.path("results").forEach(results::add);
    } else {
      results.add(report.path("results"));
    }
    Num bytes = Num.UNKNOWN;
    Num gbps = Num.UNKNOWN;
    int at = line(section, from);
    for (JsonNode result : results) {
      Num size = Json.number(result, "MsgSize");
      if (result.has("t_avg")) {
        sink.fact(new RdmaLatency(section.node(), id, hca, size, Json.number(result, "t_min"), Json.number(result, "t_max"), Json.number(result, "t_typical"), Json.number(result, "t_avg"),
            Json.number(result, "percentile_99"), Json.number(result, "percentile_99.9")), section.at(at));
        continue;
      }
      Num average = Json.number(result, "BW_average");
      Num rate = PerftestTable.gbps(average, unit);
      sink.fact(new RdmaTestRow(section.node(), id, hca, size, Json.number(result, "n_iterations"), unit, Fact.UNKNOWN, Json.number(result, "BW_peak"), average, rate,
          Json.number(result, "CPU_util")), section.at(at));
      if (!bytes.known() || size.atLeast(bytes.value())) {
        bytes = size;
        gbps = rate;
      }
    }
    String title = Json.text(info, "test", Fact.UNKNOWN).replace("_Test", "").replaceAll("_(BW|Latency)$", " $1").replace("_Bidirectional", "");
    boolean both = Json.text(info, "test", "").contains("Bidirectional");
    sink.fact(new RdmaTest(section.node(), id, title, hca, command == null ? Fact.UNKNOWN : command.cuda().known() ? "cuda" : "host",
        command != null && command.dmabuf() ? Tri.YES : Tri.UNKNOWN, command != null && command.cuda().known() ? "GPU" + command.cuda() : Fact.UNKNOWN,
        Fact.UNKNOWN, both ? "bidirectional" : "unidirectional", Json.number(info, "Number_of_qps"), Json.number(info, "Mtu"),
        Json.text(info, "Link_type", Fact.UNKNOWN), Json.number(info, "GID_index"), Fact.UNKNOWN, "iterations", "client",
        command == null ? Fact.UNKNOWN : command.peer(), unit, bytes, gbps), section.at(at));
  }

  private static int line(Section section, int from) {
    for (int i = from; i < section.lines().size(); i++) {
      if (section.lines().get(i).contains("BW_average") || section.lines().get(i).contains("\"t_avg\"")) {
        return i;
      }
    }
    return from;
  }
}
