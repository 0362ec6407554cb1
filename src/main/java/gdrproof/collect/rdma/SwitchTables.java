package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Net.SwitchAttachment;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Neutral tables of the switch side, CSV or a JSON array of objects with the same names: counters (`switch, port, time, counter, value`, or one
 * column for each counter) and cable maps (`node, hca` or `netdev`, `switch, switch_port`).
 */
final class SwitchTables implements Collector {
  private static final Map<String, String> COLUMNS = new HashMap<>();

  static {
    Map.of("switch", List.of("switch", "switch_name", "sw"), "port", List.of("port", "switch_port", "switchport", "interface", "ifname", "switch_interface"), "time",
        List.of("time", "timestamp", "ts", "moment", "phase"), "counter", List.of("counter", "counter_name", "name", "metric"), "value", List.of("value", "count"), "node",
        List.of("node", "host", "server", "hostname"), "device", List.of("hca", "netdev", "device", "nic", "host_port"))
        .forEach((column, names) -> names.forEach(n -> COLUMNS.put(n, column)));
  }

  @Override
  public String tool() {
    return "switch counters (CSV, JSON)";
  }

  @Override
  public void collect(Section section, Sink sink) {
    Moments moments = new Moments(section);
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      char separator = separator(line);
      if (line.indexOf(separator, line.indexOf(separator) + 1) <= line.indexOf(separator)) {
        continue;
      }
      String[] header = cells(line);
      if (header.length >= 3 && mine(List.of(header))) {
        i = csv(section, sink, moments, header, i);
      }
    }
    if (section.lines().stream().anyMatch(l -> l.contains("\"switch\"")) && section.lines().stream().anyMatch(l -> l.contains("\"port\"") || l.contains("\"switch_port\""))) {
      json(section, sink, moments);
    }
  }

  private static boolean mine(List<String> names) {
    List<String> known = names.stream().map(n -> COLUMNS.getOrDefault(n.toLowerCase(Locale.ROOT), "")).toList();
    boolean counters = known.contains("counter") && known.contains("value") || names.stream().anyMatch(CounterNames::known);
    return known.contains("switch") && known.contains("port") && (counters || known.contains("node") && known.contains("device"));
  }

  private static char separator(String line) {
    return line.indexOf('\t') >= 0 ? '\t' : line.indexOf(';') >= 0 ? ';' : ',';
  }

  private static String[] cells(String line) {
    String[] cells = line.split(String.valueOf(separator(line)), -1);
    for (int i = 0; i < cells.length; i++) {
      cells[i] = cells[i].strip().replaceAll("^\"|\"$", "");
    }
    return cells;
  }

  private static int csv(Section section, Sink sink, Moments moments, String[] header, int start) {
    sink.understood(section, start);
    int i = start;
    for (; i + 1 < section.lines().size() && !section.lines().get(i + 1).isBlank(); i++) {
      String[] cells = cells(section.lines().get(i + 1));
      if (cells.length != header.length) {
        sink.unread(section, i + 1, "row with " + cells.length + " of " + header.length + " cells");
        continue;
      }
      Map<String, String> row = new HashMap<>();
      for (int c = 0; c < header.length; c++) {
        row.put(header[c], cells[c]);
      }
      row(section, sink, moments, row, i + 1);
    }
    return i;
  }

  private static void json(Section section, Sink sink, Moments moments) {
    JsonNode root = Json.read(section);
    if (root == null || !root.isArray()) {
      sink.unread(section, 0, "damaged JSON of a switch table");
      return;
    }
    List<Integer> lines = Json.lines(section, "\"switch\"");
    int nth = 0;
    for (JsonNode each : root) {
      Map<String, String> row = new HashMap<>();
      each.properties().forEach(m -> row.put(m.getKey(), Json.text(each, m.getKey())));
      if (mine(new ArrayList<>(row.keySet()))) {
        row(section, sink, moments, row, lines.get(nth < lines.size() ? nth : 0));
      }
      nth++;
    }
  }

  private static void row(Section section, Sink sink, Moments moments, Map<String, String> row, int index) {
    Map<String, String> known = new HashMap<>();
    row.forEach((name, value) -> {
      String column = COLUMNS.get(name.toLowerCase(Locale.ROOT));
      if (column != null) {
        known.put(column, value);
      }
    });
    String switchName = known.get("switch");
    String port = known.get("port");
    String time = known.getOrDefault("time", Fact.UNKNOWN);
    String moment = time.equals(Fact.UNKNOWN) ? moments.at(index) : time.toLowerCase(Locale.ROOT).matches("before|after") ? time.toLowerCase(Locale.ROOT) : time;
    if (known.containsKey("node") && known.containsKey("device")) {
      sink.fact(new SwitchAttachment(Sections.shortName(known.get("node")), known.get("device"), switchName, port, Num.UNKNOWN, "cable-map"), section.at(index));
    }
    if (known.containsKey("counter") && known.containsKey("value")) {
      counter(section, sink, switchName, port, known.get("counter"), known.get("value"), moment, index);
    } else {
      row.forEach((name, value) -> {
        if (CounterNames.known(name)) {
          counter(section, sink, switchName, port, name, value, moment, index);
        }
      });
    }
  }

  /** Switches are devices of no node: their name stands in the device. */
  static void counter(Section section, Sink sink, String switchName, String port, String name, String text, String moment, int index) {
    Num value = Num.parse(text.replace(",", ""));
    if (value.known()) {
      sink.fact(CounterNames.reading(Fact.UNKNOWN, switchName + " " + port, Num.UNKNOWN, name, value, "switch", moment), section.at(index));
    } else if (!text.isBlank() && !text.equals("N/A")) {
      sink.unread(section, index, "no number in counter " + name);
    }
  }
}
