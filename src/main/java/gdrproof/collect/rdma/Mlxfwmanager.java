package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.HcaPart;
import gdrproof.facts.Rdma.PortCapability;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `mlxfwmanager --query` (MFT, mstflint): what each adapter card is, in its maker's words. */
final class Mlxfwmanager implements Collector {
  private static final Pattern HEAD = Pattern.compile("Device #\\d+:\\s*");
  private static final Pattern PAIR = Pattern.compile("\\s+(Device Type|Part Number|Description|PSID|PCI Device Name):\\s+(.*?)\\s*");
  private static final Pattern FIRMWARE = Pattern.compile("\\s+FW\\s+([\\d.]+)\\s+.*");
  private static final Pattern RATE = Pattern.compile("\\b(\\d{2,3})\\s*Gb(?:/s|ps|E)\\b|\\b(\\d{2,3})GbE\\b", Pattern.CASE_INSENSITIVE);

  @Override
  public String tool() {
    return "mlxfwmanager";
  }

  @Override
  public void collect(Section section, Sink sink) {
    Map<String, String> values = new HashMap<>();
    Map<String, Integer> lineOf = new HashMap<>();
    boolean inside = false;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher pair = PAIR.matcher(line);
      Matcher firmware = FIRMWARE.matcher(line);
      if (HEAD.matcher(line.strip()).matches()) {
        give(section, sink, values, lineOf);
        values.clear();
        inside = true;
        sink.understood(section, i);
      } else if (inside && pair.matches()) {
        values.put(pair.group(1), pair.group(2));
        lineOf.put(pair.group(1), i);
      } else if (inside && firmware.matches()) {
        values.put("FW", firmware.group(1));
      }
    }
    give(section, sink, values, lineOf);
  }

  private static void give(Section section, Sink sink, Map<String, String> values, Map<String, Integer> lineOf) {
    String name = values.getOrDefault("PCI Device Name", "");
    if (name.isEmpty()) {
      return;
    }
    boolean pci = name.matches("(?:[0-9a-fA-F]{4}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7]");
    String hca = pci || name.startsWith("/") ? Fact.UNKNOWN : name;
    int at = lineOf.getOrDefault("Description", lineOf.get("PCI Device Name"));
    sink.fact(new HcaPart(section.node(), hca, pci ? name.toLowerCase(java.util.Locale.ROOT) : Fact.UNKNOWN, Words.orUnknown(values.get("Part Number")),
        Words.orUnknown(values.get("Description")), Words.orUnknown(values.get("FW"))), section.at(at));
    Matcher rate = RATE.matcher(values.getOrDefault("Description", ""));
    Num best = Num.UNKNOWN;
    while (rate.find()) {
      Num each = Num.parse(rate.group(1) == null ? rate.group(2) : rate.group(1));
      best = !best.known() || each.above(best) ? each : best;
    }
    if (best.known() && !hca.equals(Fact.UNKNOWN)) {
      sink.fact(new PortCapability(section.node(), hca, best, "mlxfwmanager"), section.at(at));
    }
  }
}
