package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Num;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `ethtool -S DEV`, whole or filtered by grep. */
final class EthtoolStats implements Collector {
  private static final Pattern ROW = Pattern.compile("\\s+(\\S.*?):\\s(\\d+)\\s*");

  @Override
  public String tool() {
    return "ethtool -S";
  }

  @Override
  public void collect(Section section, Sink sink) {
    boolean open = section.command().matches(".*\\bethtool\\s+(?:-S|--statistics)\\b.*");
    Moments moments = null;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher row = ROW.matcher(line);
      if (line.strip().equals("NIC statistics:")) {
        open = true;
        sink.understood(section, i);
      } else if (open && row.matches()) {
        // Some drivers put the queue before the name ("[0]: rx_discards: 0"): the value is behind the last colon.
        Num value = Num.parse(row.group(2));
        moments = moments == null ? new Moments(section) : moments;
        if (CounterNames.keep(row.group(1), value)) {
          sink.fact(CounterNames.reading(section.node(), Ethtool.device(section), Num.UNKNOWN, row.group(1), value, "ethtool", moments.at(i)), section.at(i));
        } else {
          sink.understood(section, i);
        }
      } else if (open && !line.isBlank() && !Character.isWhitespace(line.charAt(0)) && !section.command().contains("ethtool")) {
        open = false;
      }
    }
  }
}
