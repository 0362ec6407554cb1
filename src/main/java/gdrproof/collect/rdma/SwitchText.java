package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Net.SwitchPort;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tables that switches print: SONiC `show interfaces counters`, `show pfc counters`, `show interfaces status`; NVUE `nv show interface`. The
 * layouts are provisional: columns go by the dashes below the header, and what does not fit is unread.
 */
final class SwitchText implements Collector {
  private static final Pattern RULER = Pattern.compile("\\s*-{2,}(?:\\s+-{2,}){2,}\\s*");
  private static final Pattern PFC_HEAD = Pattern.compile("\\s*Port ([RT]x)\\s+PFC0.*");

  @Override
  public String tool() {
    return "show interfaces counters";
  }

  @Override
  public void collect(Section section, Sink sink) {
    Moments moments = new Moments(section);
    for (int i = 1; i < section.lines().size(); i++) {
      if (RULER.matcher(section.lines().get(i)).matches()) {
        List<int[]> columns = new ArrayList<>();
        Matcher dashes = Pattern.compile("-+").matcher(section.lines().get(i));
        while (dashes.find()) {
          columns.add(new int[] {dashes.start(), dashes.end()});
        }
        List<String> names = cells(section.lines().get(i - 1), columns);
        Matcher pfc = PFC_HEAD.matcher(section.lines().get(i - 1));
        String first = names.get(0).toUpperCase(Locale.ROOT);
        boolean counters = first.equals("IFACE") && names.contains("RX_DRP");
        boolean status = first.equals("INTERFACE") && (names.contains("Oper") || names.contains("State") && names.contains("MTU"));
        if (counters || status || pfc.matches()) {
          sink.understood(section, i);
          i = rows(section, sink, columns, names, i, status, pfc.matches() ? pfc.group(1).toLowerCase(Locale.ROOT) : "", moments);
        }
      }
    }
  }

  private static int rows(Section section, Sink sink, List<int[]> columns, List<String> names, int ruler, boolean status, String pfc, Moments moments) {
    int i = ruler;
    for (; i + 1 < section.lines().size() && !section.lines().get(i + 1).isBlank(); i++) {
      List<String> cells = cells(section.lines().get(i + 1), columns);
      String port = cells.get(0);
      if (!port.matches("[A-Za-z][A-Za-z0-9_/.-]*\\d")) {
        continue;
      }
      if (status) {
        String speed = value(names, cells, "Speed");
        Num mbps = Words.leading(speed);
        sink.fact(new SwitchPort(section.node(), port, Words.orUnknown(value(names, cells, names.contains("Oper") ? "Oper" : "State")).toUpperCase(Locale.ROOT),
            mbps.known() && speed.endsWith("G") ? Num.of(mbps.value() * 1000) : mbps, Num.parse(value(names, cells, "MTU")), Words.orUnknown(value(names, cells, "Alias"))),
            section.at(i + 1));
        continue;
      }
      for (int c = 1; c < cells.size(); c++) {
        String name = pfc.isEmpty() ? names.get(c).toLowerCase(Locale.ROOT) : names.get(c).toLowerCase(Locale.ROOT) + "_" + pfc;
        if (CounterNames.known(name) && !cells.get(c).isBlank()) {
          SwitchTables.counter(section, sink, section.node(), port, name, cells.get(c), moments.at(i + 1), i + 1);
        }
      }
    }
    return i;
  }

  private static String value(List<String> names, List<String> cells, String name) {
    int at = names.indexOf(name);
    return at < 0 ? "" : cells.get(at);
  }

  /** Cells by the columns of the ruler; a cell may reach to the left when it is aligned right. */
  private static List<String> cells(String line, List<int[]> columns) {
    List<String> cells = new ArrayList<>();
    for (int[] column : columns) {
      int from = Math.min(column[0], line.length());
      int to = Math.min(column[1], line.length());
      cells.add(line.substring(from, to).strip());
    }
    return cells;
  }
}
