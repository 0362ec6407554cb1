package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.HcaPcieLink;
import gdrproof.facts.Rdma.MlxLink;
import gdrproof.facts.Rdma.PortCapability;
import gdrproof.facts.Rdma.RdmaToolError;
import gdrproof.facts.Speeds;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** `mlxlink` / `mstlink` of MFT and mstflint, text (with or without colours) and `--json`. */
final class Mlxlink implements Collector {
  private static final Pattern PAIR = Pattern.compile("([A-Z][A-Za-z0-9 ,()./\\[\\]-]*?)\\s*: ?(.*?)\\s*");
  private static final Pattern SPEEDS = Pattern.compile("(?:0x[0-9a-fA-F]+ )?\\(?([A-Z0-9_,a-z]+)\\)?");
  private static final Pattern PCIE = Pattern.compile("([\\d.]+)G-Gen \\d \\(([\\d.]+)G-Gen \\d\\)");
  private static final Pattern WIDTH = Pattern.compile("(\\d+)X \\((\\d+)X\\)");
  private static final Pattern NO_DEVICE = Pattern.compile("-E- Failed to open device.*");

  @Override
  public String tool() {
    return "mlxlink";
  }

  @Override
  public void collect(Section section, Sink sink) {
    int start = -1;
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i).strip();
      Matcher pair = PAIR.matcher(line);
      if (line.equals("Operational Info") || line.equals("PCIe Operational (Enabled) Info")) {
        give(section, sink, values, start, i);
        values.clear();
        start = i;
        sink.understood(section, i);
      } else if (NO_DEVICE.matcher(line).matches()) {
        sink.fact(new RdmaToolError(section.node(), "mlxlink", "open-device"), section.at(i));
      } else if (start >= 0 && pair.matches()) {
        values.putIfAbsent(pair.group(1), pair.group(2));
        values.putIfAbsent("@" + pair.group(1), String.valueOf(i));
      }
    }
    give(section, sink, values, start, section.lines().size());
    if (section.lines().stream().anyMatch(l -> l.contains("\"Operational Info\""))) {
      json(section, sink);
    }
  }

  private static void json(Section section, Sink sink) {
    JsonNode root = Json.read(section);
    JsonNode output = root == null ? null : root.at("/result/output");
    if (output == null || output.isMissingNode()) {
      sink.unread(section, 0, "damaged JSON of mlxlink");
      return;
    }
    Map<String, String> values = new HashMap<>();
    for (JsonNode group : output) {
      for (var member : group.properties()) {
        JsonNode list = member.getValue().get("values");
        StringBuilder names = new StringBuilder();
        if (list != null) {
          list.forEach(v -> names.append(names.isEmpty() ? "" : ",").append(v.asString()));
        }
        values.put(member.getKey(), list != null ? "(" + names + ")" : member.getValue().isValueNode() ? member.getValue().asString() : "");
      }
    }
    give(section, sink, values, Json.line(section, "\"State\"", 0), section.lines().size());
  }

  private static void give(Section section, Sink sink, Map<String, String> values, int start, int end) {
    String hca = Words.option(section, "-d", "--device").replaceFirst("^/dev/mst/", "");
    int at = Integer.parseInt(values.getOrDefault("@State", String.valueOf(Math.max(0, start))));
    Matcher pcie = PCIE.matcher(values.getOrDefault("Link Speed Active (Enabled)", ""));
    Matcher width = WIDTH.matcher(values.getOrDefault("Link Width Active (Enabled)", ""));
    if (pcie.matches() && width.matches()) {
      int line = Integer.parseInt(values.getOrDefault("@Link Speed Active (Enabled)", String.valueOf(at)));
      sink.fact(new HcaPcieLink(section.node(), hca, Num.parse(pcie.group(1)), Num.parse(pcie.group(2)), Num.parse(width.group(1)), Num.parse(width.group(2))), section.at(line));
    }
    if (!values.containsKey("State")) {
      return;
    }
    String enabled = best(values, "Enabled Link Speed");
    String cable = best(values, "Supported Cable Speed");
    sink.fact(new MlxLink(section.node(), hca, values.get("State"), text(values, "Physical state"), text(values, "Speed"), Words.leading(text(values, "Width")), text(values, "FEC"),
        enabled, Num.parse(values.get("Status Opcode")), text(values, "Recommendation"), Num.parse(values.get("Effective Physical BER")), Num.parse(values.get("Symbol BER")),
        Num.parse(values.get("Raw Physical BER")), Num.parse(values.get("Symbol Errors")), Num.parse(values.get("Link Down Counter")),
        Num.parse(values.get("Time Since Last Clear [Min]"))), Words.span(section, at, Math.min(end - 1, at + 3)));
    Num lane = Speeds.laneGbps(enabled);
    if (lane.known() && !cable.equals(Fact.UNKNOWN)) {
      int line = values.keySet().stream().filter(k -> k.startsWith("@Enabled Link Speed")).map(values::get).map(Integer::parseInt).findFirst().orElse(at);
      // HCA ports of the trade have four lanes; a port split in two says so in its width.
      sink.fact(new PortCapability(section.node(), hca, Num.of(4 * lane.value()), "mlxlink"), section.at(line));
    }
  }

  private static String text(Map<String, String> values, String key) {
    return Words.orUnknown(values.get(key));
  }

  private static String best(Map<String, String> values, String prefix) {
    for (Map.Entry<String, String> entry : values.entrySet()) {
      Matcher speeds = SPEEDS.matcher(entry.getValue());
      if (entry.getKey().startsWith(prefix) && speeds.matches()) {
        return speeds.group(1).split(",")[0];
      }
    }
    return Fact.UNKNOWN;
  }
}
