package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Net.DriverByCounters;
import gdrproof.facts.Num;
import gdrproof.policy.Policies;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `ethtool -S DEV`, whole or filtered by grep, and what `diff` (plain or `-u`) shows of two readings. */
final class EthtoolStats implements Collector {
  private static final Pattern ROW = Pattern.compile("[<>+-]?\\s+(\\S.*?):\\s(\\d+)\\s*");
  private static final Map<String, Pattern> DRIVERS = new TreeMap<>();

  static {
    Policies.read("nic-counters.yaml").forEach((driver, entry) -> DRIVERS.put(driver, Pattern.compile(String.valueOf(Policies.map(entry).get("pattern")))));
  }

  private static final Pattern DIFF = Pattern.compile("\\bdiff\\b");
  private static final Pattern PAUSE = Pattern.compile("\\bsleep (\\d{1,6})\\b");

  @Override
  public String tool() {
    return "ethtool -S";
  }

  @Override
  public void collect(Section section, Sink sink) {
    boolean open = section.command().matches(".*\\bethtool\\s+(?:-S|--statistics)\\b.*");
    Moments moments = null;
    String driver = "";
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher row = ROW.matcher(line);
      if (line.strip().equals("NIC statistics:")) {
        open = true;
        driver = "";
        sink.understood(section, i);
      } else if (open && row.matches()) {
        // Some drivers put the queue before the name ("[0]: rx_discards: 0"): the value is behind the last colon.
        Num value = Num.parse(row.group(2));
        driver = driver.isEmpty() ? driver(section, sink, row.group(1), i) : driver;
        moments = moments == null ? new Moments(section) : moments;
        if (CounterNames.keep(row.group(1), value)) {
          sink.fact(CounterNames.reading(section.node(), Ethtool.device(section), Num.UNKNOWN, row.group(1), value, "ethtool", moment(section, line, moments.at(i))), section.at(i));
        } else {
          sink.understood(section, i);
        }
      } else if (open && !line.isBlank() && !Character.isWhitespace(line.charAt(0)) && !section.command().contains("ethtool")) {
        open = false;
      }
    }
  }

  /** The driver whose counter only it has, or "". */
  private static String driver(Section section, Sink sink, String name, int index) {
    for (Map.Entry<String, Pattern> each : DRIVERS.entrySet()) {
      if (each.getValue().matcher(name).matches()) {
        sink.fact(new DriverByCounters(section.node(), Ethtool.device(section), each.getKey(), name), section.at(index));
        return each.getKey();
      }
    }
    return "";
  }

  /** Which of two readings a line of `diff` is of; seconds where the command slept between them. */
  private static String moment(Section section, String line, String otherwise) {
    char mark = line.charAt(0);
    if (Character.isWhitespace(mark) || !DIFF.matcher(section.command()).find()) {
      return otherwise;
    }
    Matcher sleep = PAUSE.matcher(section.command());
    boolean slept = sleep.find();
    return mark == '<' || mark == '-' ? slept ? "0" : "before" : slept ? sleep.group(1) : "after";
  }
}
