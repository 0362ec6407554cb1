package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Net.DscpPriority;
import gdrproof.facts.Net.Qos;
import gdrproof.facts.Net.TrafficClass;
import gdrproof.facts.Num;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `mlnx_qos -i DEV` (layout provisional), and `cma_roce_tos -d HCA`. */
final class MlnxQos implements Collector {
  private static final Pattern HEAD = Pattern.compile("DCBX mode:.*");
  private static final Pattern PFC = Pattern.compile("PFC configuration:\\s*");
  private static final Pattern TRUST = Pattern.compile("Priority trust state: (\\w+)\\s*");
  private static final Pattern MAP = Pattern.compile("\\s*prio:(\\d) dscp:([\\d,]+)\\s*");
  private static final Pattern ENABLED = Pattern.compile("\\s*enabled\\s+((?:[01]\\s*){8})");

  @Override
  public String tool() {
    return "mlnx_qos";
  }

  @Override
  public void collect(Section section, Sink sink) {
    String trust = Fact.UNKNOWN;
    String dev = Words.option(section, "-i", "--interface");
    boolean open = false;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher state = TRUST.matcher(line.strip());
      Matcher map = MAP.matcher(line);
      Matcher enabled = ENABLED.matcher(line);
      if (HEAD.matcher(line).matches()) {
        open = true;
        trust = Fact.UNKNOWN;
        sink.understood(section, i);
      } else if (state.matches()) {
        open = true;
        trust = state.group(1);
        sink.understood(section, i);
      } else if (PFC.matcher(line).matches()) {
        // A filter may have left nothing above the table.
        open = true;
        sink.understood(section, i);
      } else if (open && map.matches()) {
        for (String dscp : map.group(2).split(",")) {
          sink.fact(new DscpPriority(section.node(), dev, Num.parse(dscp), Num.parse(map.group(1))), section.at(i));
        }
      } else if (open && enabled.matches()) {
        String pfc = String.join(",", enabled.group(1).strip().split("\\s+"));
        sink.fact(new Qos(section.node(), dev, trust, pfc, Num.of(pfc.chars().filter(c -> c == '1').count())), section.at(i));
        open = false;
      }
    }
    if (open && !trust.equals(Fact.UNKNOWN)) {
      sink.fact(new Qos(section.node(), dev, trust, Fact.UNKNOWN, Num.UNKNOWN), section.at(0));
      sink.unread(section, section.lines().size() - 1, "mlnx_qos is cut before its PFC table");
    }
    if (Words.runs(section, "cma_roce_tos") && !section.lines().isEmpty()) {
      Num tos = Num.parse(section.lines().get(0));
      if (tos.known()) {
        sink.fact(new TrafficClass(section.node(), Words.option(section, "-d"), "rdma-cm", tos), section.at(0));
      }
    }
  }
}
