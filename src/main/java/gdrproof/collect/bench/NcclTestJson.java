package gdrproof.collect.bench;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Bench.NcclTestConfig;
import gdrproof.facts.Bench.NcclTestFailure;
import gdrproof.facts.Bench.NcclTestIterations;
import gdrproof.facts.Bench.NcclTestRow;
import gdrproof.facts.Bench.NcclTestSummary;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.EnvValue;
import gdrproof.facts.Launch.RankPlacement;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** The JSON report of nccl-tests (`-J`, 2.17.3 and later, versions 1 to 3). Of the environment only NCCL's own names are kept. */
final class NcclTestJson implements Collector {
  private static final Pattern OURS = Pattern.compile("^(?:NCCL_|CUDA_VISIBLE_DEVICES|CUDA_DEVICE_ORDER|UCX_|FI_|OMPI_MCA_(?:btl|pml)|MELLANOX_|NVIDIA_VISIBLE_DEVICES)");
  private static final Pattern SECRET = Pattern.compile("(?i)token|secret|passw|api_?key|credential");

  @Override
  public String tool() {
    return "nccl-tests -J";
  }

  @Override
  public void collect(Section section, Sink sink) {
    int from = Json.begin(section.lines());
    if (from < 0 || section.lines().stream().skip(from).noneMatch(l -> l.contains("\"nccl_version\"") || l.contains("\"out_of_place\"")
        || l.contains("\"average_bus_bandwi"))) {
      return;
    }
    JsonNode report = Json.read(section, from);
    if (report == null) {
      sink.unread(section, from, "JSON report of nccl-tests is not whole");
      return;
    }
    if (!report.path("config").isObject() && !report.path("results").isArray()) {
      return;
    }
    read(report, section, from, sink);
  }

  private static void read(JsonNode report, Section section, int from, Sink sink) {
    String run = Fact.UNKNOWN;
    String program = Fact.UNKNOWN;
    for (JsonNode arg : report.path("args")) {
      Matcher name = BenchCommand.PROGRAM.matcher(arg.asString(""));
      if (program.equals(Fact.UNKNOWN) && name.find()) {
        program = name.group(1);
      }
    }
    JsonNode config = report.path("config");
    Set<String> hosts = new TreeSet<>();
    List<RankPlacement> ranks = new ArrayList<>();
    for (JsonNode device : config.path("devices")) {
      String host = Sections.shortName(Json.text(device, "hostname", Fact.UNKNOWN));
      hosts.add(host);
      ranks.add(new RankPlacement(host, run, host + ":" + Json.number(device, "pid"), Json.number(device, "rank"), Json.number(device, "group"),
          Json.number(device, "device"), Json.text(device, "device_hex", Fact.UNKNOWN).replaceFirst("^0x", ""), Json.text(device, "device_info", Fact.UNKNOWN)));
    }
    String node = hosts.size() == 1 ? hosts.iterator().next() : hosts.isEmpty() ? section.node() : Fact.UNKNOWN;
    ranks.forEach(r -> sink.fact(r, place(section, from, "\"hostname\"", "config.devices")));
    Num step = Json.number(config, "step_factor");
    String sweep = Json.number(config, "minimum_bytes") + "-" + Json.number(config, "maximum_bytes")
        + (step.known() ? "*" + step : "+" + Json.number(config, "step_bytes"));
    sink.fact(new NcclTestConfig(node, run, program, sweep, Json.number(config, "nthreads"), Json.number(config, "ngpus"), Json.number(config, "warmup_iters"),
        Json.number(config, "iterations"), Json.number(config, "aggregated_iterations"), Json.tri(config, "validation"), Json.tri(config, "graph"), Fact.UNKNOWN,
        Json.number(report, "nccl_version").toString()), place(section, from, "\"config\"", "config"));
    int index = 0;
    for (JsonNode result : report.path("results")) {
      Evidence evidence = place(section, from, "\"size\"", "results[" + index++ + "]");
      row(result, "out_of_place", "out-of-place", node, run, program, evidence, sink);
      row(result, "in_place", "in-place", node, run, program, evidence, sink);
    }
    JsonNode average = report.path("average_bus_bandwidth").isObject() ? report.path("average_bus_bandwidth") : report.path("average_bus_bandwidith");
    Tri okay = Json.tri(average, "okay");
    long distinct = ranks.stream().map(RankPlacement::rank).distinct().count();
    sink.fact(new NcclTestSummary(node, run, program, distinct > 0 ? Num.of(distinct) : Num.UNKNOWN, Json.number(report.path("out_of_bounds"), "count"),
        Json.tri(config, "validation"), Json.number(average, "bandwidth"), okay == Tri.UNKNOWN ? okay : Tri.of(okay == Tri.NO),
        Tri.of(report.has("end_time") && average.isObject())), place(section, from, "\"out_of_bounds\"", "out_of_bounds"));
    for (JsonNode error : report.path("errors")) {
      if (!error.asString("").isBlank()) {
        sink.fact(new NcclTestFailure(node, run, program, "nccl", error.asString(""), ""), place(section, from, "\"errors\"", "errors"));
      }
    }
    environment(report, node, section, from, sink);
  }

  private static void row(JsonNode result, String name, String placement, String node, String run, String program, Evidence evidence, Sink sink) {
    JsonNode figures = result.path(name);
    Num bytes = Json.number(result, "size");
    if (figures.isObject()) {
      Num time = Json.number(figures, "time");
      sink.fact(new NcclTestRow(node, run, program, bytes, placement, time.known() ? time : Json.number(figures, "cpu_time"), Json.number(figures, "alg_bw"),
          Json.number(figures, "bus_bw"), Json.number(figures, "nwrong")), evidence);
    }
    JsonNode each = result.path(name + "_per_iter");
    if (each.isObject()) {
      List<Double> times = new ArrayList<>();
      each.path("times_us").forEach(t -> times.add(t.asDouble()));
      Collections.sort(times);
      sink.fact(new NcclTestIterations(node, run, bytes, placement, Json.number(each, "min_us"), or(Json.number(each, "p50_us"), times, 50),
          or(Json.number(each, "p95_us"), times, 95), or(Json.number(each, "p99_us"), times, 99), Json.number(each, "max_us"), Json.number(each, "cv_pct")),
          evidence);
    }
  }

  private static Num or(Num printed, List<Double> sorted, double percent) {
    return printed.known() || sorted.isEmpty() ? printed : Num.of(sorted.get((int) Math.max(0, Math.ceil(percent / 100 * sorted.size()) - 1)));
  }

  private static void environment(JsonNode report, String node, Section section, int from, Sink sink) {
    for (JsonNode entry : report.path("env")) {
      String text = entry.asString("");
      int equals = text.indexOf('=');
      if (equals > 0 && OURS.matcher(text).find() && !SECRET.matcher(text.substring(0, equals)).find()) {
        Evidence evidence = new Evidence(section.file(), section.line(from), section.line(from), 0, "env", text, node, section.command(), section.time());
        sink.fact(new EnvValue(node, "benchmark-json", section.file(), text.substring(0, equals), text.substring(equals + 1)), evidence);
      }
    }
  }

  /**
   * Place of a part. The line with the name if the document has several lines; the excerpt never holds the line itself, which
   * may be the whole document with its environment.
   */
  private static Evidence place(Section section, int from, String name, String path) {
    int line = from;
    int wanted = path.endsWith("]") ? Integer.parseInt(path.substring(path.indexOf('[') + 1, path.length() - 1)) : 0;
    int seen = 0;
    for (int i = from; i < section.lines().size(); i++) {
      if (section.lines().get(i).contains(name) && seen++ == wanted) {
        line = i;
        break;
      }
    }
    String text = section.lines().get(line).strip();
    String excerpt = text.length() > 120 ? name : text;
    return new Evidence(section.file(), section.line(line), section.line(line), 0, path, excerpt, section.node(), section.command(), section.time());
  }
}
