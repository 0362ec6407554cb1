package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How full the links of a switch are: SONiC `show interfaces counters [-p N]` and `-i`, EOS `show interfaces counters rates`. Percent of the port's rate, of the interval that the switch averages. */
final class SwitchRates implements Collector {
  private static final Pattern SONIC_HEAD = Pattern.compile("^\\s*IFACE\\s+STATE\\s+.*RX_UTIL.*TX_UTIL.*");
  private static final Pattern SONIC = Pattern.compile("^\\s*(?<port>[A-Za-z][\\w/.-]*)\\s+(?<state>[UDX])\\s+.*?(?<rx>[\\d.]+)%.*?(?<tx>[\\d.]+)%.*$");
  private static final Pattern EOS_HEAD = Pattern.compile("^\\s*Port\\s+.*Intvl\\s+.*In Mbps.*Out Mbps.*");
  private static final Pattern EOS = Pattern.compile("^\\s*(?<port>(?:Et|Ethernet)[\\d/]+)\\s+.*?\\d+:\\d+\\s+[\\d.]+\\s+(?<rx>[\\d.]+)%.*?\\s[\\d.]+\\s+(?<tx>[\\d.]+)%.*$");

  @Override
  public String tool() {
    return "show interfaces counters";
  }

  @Override
  public void collect(Section section, Sink sink) {
    Moments moments = new Moments(section);
    Pattern row = null;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Pattern below = SONIC_HEAD.matcher(line).matches() ? SONIC : EOS_HEAD.matcher(line).matches() ? EOS : null;
      if (below != null) {
        row = below;
        sink.understood(section, i);
        continue;
      }
      Matcher port = row == null || line.length() > 400 ? null : row.matcher(line);
      if (port != null && port.matches()) {
        sink.understood(section, i);
        if (row == EOS || port.group("state").equals("U")) {
          util(section, sink, moments, i, port, "rx");
          util(section, sink, moments, i, port, "tx");
        }
      }
    }
  }

  private static void util(Section section, Sink sink, Moments moments, int i, Matcher port, String way) {
    String device = section.node().equals(Fact.UNKNOWN) ? port.group("port") : section.node() + " " + port.group("port");
    sink.fact(CounterNames.reading(Fact.UNKNOWN, device, Num.UNKNOWN, way + "_util", Num.parse(port.group(way)), "switch", moments.at(i)), section.at(i));
  }
}
