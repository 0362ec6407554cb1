package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Statistics that switches print in tables of their own: SONiC `show priority-group drop counters`, `show queue counters` (also of virtual output queues), `show pfcwd stats`; NVUE
 * `nv show interface PORT counters`, `... counters qos` and `... link stats`, whose port only the command names. The layouts are provisional. Rounded
 * figures (`16.86 GB`) are no counters and are passed over.
 */
final class SwitchStats implements Collector {
  private static final Pattern RULER = Pattern.compile("\\s*[-=]{2,}(?:\\s+[-=]{2,})+\\s*");
  private static final Pattern NVUE = Pattern.compile("\\bnv show interface (?<port>[A-Za-z][\\w/.-]*) (?:counters|link|qos)\\b");
  private static final Pattern PORT = Pattern.compile("[A-Za-z][A-Za-z0-9_/.-]*\\d");
  private static final Pattern COUNT = Pattern.compile("\\d[\\d,]*");

  /** One number of a row. */
  @FunctionalInterface
  private interface Take {
    void counter(String port, String name, String value);
  }

  /** Reads the cells of a row under given headings. */
  @FunctionalInterface
  private interface Form {
    void row(List<String> heads, List<String> cells, Take take);
  }

  @Override
  public String tool() {
    return "show priority-group drop counters";
  }

  @Override
  public void collect(Section section, Sink sink) {
    Matcher nvue = NVUE.matcher(section.command());
    String port = nvue.find() ? nvue.group("port") : "";
    Moments moments = new Moments(section);
    for (int i = 1; i < section.lines().size(); i++) {
      if (!RULER.matcher(section.lines().get(i)).matches()) {
        continue;
      }
      List<String> heads = cells(section.lines().get(i - 1));
      Form form = form(heads, section, i, port);
      if (form == null) {
        continue;
      }
      sink.understood(section, i - 1);
      sink.understood(section, i);
      for (; i + 1 < section.lines().size() && !section.lines().get(i + 1).isBlank(); i++) {
        int at = i + 1;
        sink.understood(section, at);
        form.row(heads, cells(section.lines().get(at)), (of, name, value) -> {
          if (COUNT.matcher(value).matches() && CounterNames.known(name)) {
            SwitchTables.counter(section, sink, section.node(), of, name, value, moments.at(at), at);
          }
        });
      }
    }
  }

  private static List<String> cells(String line) {
    return List.of(line.strip().split("\\s{2,}"));
  }

  private static @Nullable Form form(List<String> heads, Section section, int ruler, String port) {
    String first = heads.get(0).toLowerCase(Locale.ROOT);
    if (first.equals("port") && heads.size() > 1 && heads.get(1).equals("PG0")) {
      // The same columns hold watermarks, which are no counters; only the line above tells.
      boolean drops = ruler >= 2 && section.lines().get(ruler - 2).toLowerCase(Locale.ROOT).contains("drop") || section.command().contains("drop");
      return drops ? SwitchStats::priorityGroups : null;
    }
    if (first.equals("port") && (heads.contains("TxQ") || heads.contains("Voq")) && heads.contains("Drop/pkts")) {
      return SwitchStats::queues;
    }
    if (first.equals("queue") && heads.contains("STORM DETECTED/RESTORED")) {
      return SwitchStats::storms;
    }
    if (port.isEmpty()) {
      return null;
    }
    return switch (first) {
      case "priority-group" -> (h, c, take) -> numbered(port, "pg", h, c, take);
      case "traffic-class" -> (h, c, take) -> numbered(port, "tc", h, c, take);
      case "switch-priority" -> (h, c, take) -> pauses(port, h, c, take);
      case "counter" -> (h, c, take) -> {
        // Two columns, received and sent; what only one side has is n/a on the other.
        for (int i = 1; i < c.size(); i++) {
          take.counter(port, c.get(0).replace('-', '_'), c.get(i));
        }
      };
      case "operational" -> (h, c, take) -> {
        if (c.size() > 1) {
          take.counter(port, c.get(0).replace('-', '_'), c.get(1));
        }
      };
      default -> null;
    };
  }

  private static void priorityGroups(List<String> heads, List<String> cells, Take take) {
    if (cells.size() == heads.size() && PORT.matcher(cells.get(0)).matches()) {
      for (int i = 1; i < cells.size(); i++) {
        take.counter(cells.get(0), heads.get(i).toLowerCase(Locale.ROOT) + "_dropped", cells.get(i));
      }
    }
  }

  /** Queues of a port; virtual output queues of a chassis name the card before it. */
  private static void queues(List<String> heads, List<String> cells, Take take) {
    String port = cells.get(0).replaceFirst("^[^|]*\\|", "");
    int queue = heads.contains("TxQ") ? heads.indexOf("TxQ") : heads.indexOf("Voq");
    if (cells.size() == heads.size() && PORT.matcher(port).matches()) {
      take.counter(port, cells.get(queue).toLowerCase(Locale.ROOT) + "_dropped", cells.get(heads.indexOf("Drop/pkts")));
    }
  }

  private static void storms(List<String> heads, List<String> cells, Take take) {
    Matcher queue = Pattern.compile("(?<port>" + PORT.pattern() + "):(?<queue>\\d+)").matcher(cells.get(0));
    if (cells.size() == heads.size() && queue.matches()) {
      take.counter(queue.group("port"), "pfcwd_storm_detected_q" + queue.group("queue"), cells.get(heads.indexOf("STORM DETECTED/RESTORED")).replaceFirst("/.*", ""));
    }
  }

  private static void numbered(String port, String what, List<String> heads, List<String> cells, Take take) {
    if (cells.size() == heads.size() && cells.get(0).matches("[0-7]")) {
      for (int i = 1; i < cells.size(); i++) {
        take.counter(port, what + cells.get(0) + "_" + heads.get(i).replace('-', '_'), cells.get(i).replaceFirst(" (?:Bytes?|B)$", ""));
      }
    }
  }

  /** By the names of SONiC, so that one rule reads both. */
  private static void pauses(String port, List<String> heads, List<String> cells, Take take) {
    if (cells.size() == heads.size() && cells.get(0).matches("[0-7]")) {
      for (int i = 1; i < cells.size(); i++) {
        String name = heads.get(i).equals("rx-pause-frames") ? "rx" : heads.get(i).equals("tx-pause-frames") ? "tx" : "";
        if (!name.isEmpty()) {
          take.counter(port, "pfc" + cells.get(0) + "_" + name, cells.get(i));
        }
      }
    }
  }
}
