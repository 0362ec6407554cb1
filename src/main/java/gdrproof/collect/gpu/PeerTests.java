package gdrproof.collect.gpu;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Gpu.PeerTest;
import gdrproof.facts.Num;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** CUDA samples: p2pBandwidthLatencyTest and simpleP2P. */
final class PeerTests implements Collector {
  private static final Pattern ACCESS = Pattern.compile("Device[= ]*(?<a>\\d+) (?<can>CAN|CANNOT) Access Peer Device[= ]*(?<b>\\d+)", Pattern.CASE_INSENSITIVE);
  private static final Pattern SIMPLE = Pattern.compile("Peer access from .*\\(GPU(?<a>\\d+)\\) -> .*\\(GPU(?<b>\\d+)\\) : (?<can>Yes|No)");
  private static final Pattern TITLE = Pattern.compile("^(?<what>Unidirectional|Bidirectional) P2P=(?<on>Enabled|Disabled) Bandwidth.*Matrix|^P2P=(?<latency>Enabled|Disabled) Latency.*Matrix");
  private static final Pattern ROW = Pattern.compile("^\\s*(?<from>\\d+)((?:\\s+[\\d.]+)+)\\s*$");
  private static final Pattern VERIFY = Pattern.compile("Verification error @ element|^\\s*Test failed!|Error: .*P2P.*verif", Pattern.CASE_INSENSITIVE);

  @Override
  public String tool() {
    return "p2pBandwidthLatencyTest";
  }

  @Override
  public void collect(Section section, Sink sink) {
    String measure = "";
    String pair = "";
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher m;
      if ((m = ACCESS.matcher(line)).find()) {
        put(section, i, m.group("a"), m.group("b"), "access", Num.of(m.group("can").equalsIgnoreCase("CAN") ? 1 : 0), sink);
      } else if ((m = SIMPLE.matcher(line)).find()) {
        put(section, i, m.group("a"), m.group("b"), "access", Num.of(m.group("can").equals("Yes") ? 1 : 0), sink);
        pair = m.group("a") + " " + m.group("b");
      } else if ((m = TITLE.matcher(line)).find()) {
        boolean off = "Disabled".equals(m.group("on")) || "Disabled".equals(m.group("latency"));
        measure = m.group("latency") != null ? off ? "latency-off" : "latency"
            : (m.group("what").equals("Bidirectional") ? "bandwidth-both" : "bandwidth") + (off ? "-off" : "");
        sink.understood(section, i);
      } else if (!measure.isEmpty() && (m = ROW.matcher(line)).matches()) {
        List<String> cells = List.of(m.group(2).strip().split("\\s+"));
        // The row of numbers right below "D\D" or "GPU" counts columns and holds whole numbers only.
        for (int c = 0; c < cells.size() && cells.get(0).contains("."); c++) {
          if (!m.group("from").equals(String.valueOf(c))) {
            put(section, i, m.group("from"), String.valueOf(c), measure, Num.parse(cells.get(c)), sink);
          }
        }
      } else if (!pair.isEmpty() && VERIFY.matcher(line).find()) {
        put(section, i, pair.split(" ")[0], pair.split(" ")[1], "verification", Num.of(0), sink);
      }
    }
  }

  private static void put(Section section, int index, String from, String to, String measure, Num value, Sink sink) {
    sink.fact(new PeerTest(section.node(), "GPU" + from, "GPU" + to, measure, value), section.at(index));
  }
}
