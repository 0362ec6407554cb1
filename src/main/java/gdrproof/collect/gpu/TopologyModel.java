package gdrproof.collect.gpu;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import gdrproof.facts.Pcie.ModelLink;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The topology NCCL works with: XML of NCCL_TOPO_FILE and NCCL_TOPO_DUMP_FILE, and the `=== System` lines of the log (subsystem GRAPH). */
final class TopologyModel implements Collector {
  private static final Pattern SYSTEM = Pattern.compile("<system\\b[^>]*\\bversion=\"\\d+\"");
  private static final Pattern LOG = Pattern.compile(
      "^(?:.*?\\b(?<host>[A-Za-z0-9][\\w.-]*):(?<pid>\\d+):\\d+ \\[-?\\d+] NCCL INFO )(?<pad>\\s*)\\+ PCI\\[(?<bw>[\\d.]+)(?:/[\\d.]+)?] - (?<kind>PCI|GPU|NIC)/(?:[0-9A-Fa-f]+-)?(?<bus>[0-9A-Fa-f]{4,})(?: \\((?<id>[0-9A-Fa-f]{8})[0-9A-Fa-f]*\\))?.*$");

  /** A PCI element of the log's tree, by its indentation and the process that printed it. */
  private record Level(int pad, String address, String printer) {}

  @Override
  public String tool() {
    return "NCCL_TOPO_DUMP_FILE=topo.xml NCCL_DEBUG_SUBSYS=GRAPH";
  }

  @Override
  public void collect(Section section, Sink sink) {
    Deque<Level> open = new ArrayDeque<>();
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      if (SYSTEM.matcher(line).find()) {
        xml(section, i, sink);
        return;
      }
      Matcher log = line.contains("+ PCI[") ? LOG.matcher(line) : null;
      if (log != null && log.matches()) {
        log(section, i, log, open, sink);
      }
    }
  }

  private static void log(Section section, int index, Matcher m, Deque<Level> open, Sink sink) {
    int pad = m.group("pad").length();
    String printer = m.group("host") + ":" + m.group("pid");
    while (!open.isEmpty() && (open.getLast().pad() >= pad || !open.getLast().printer().equals(printer))) {
      open.removeLast();
    }
    String parent = open.isEmpty() ? Fact.UNKNOWN : open.getLast().address();
    String address = busId(m.group("bus"));
    String id = m.group("id") == null ? Fact.UNKNOWN : m.group("id").substring(0, 4).toLowerCase(java.util.Locale.ROOT) + ":" + m.group("id").substring(4).toLowerCase(java.util.Locale.ROOT);
    open.addLast(new Level(pad, address, printer));
    sink.fact(new ModelLink(Sections.shortName(m.group("host")), "log", address, what(m.group("kind")), id, Num.UNKNOWN, Num.UNKNOWN, Num.parse(m.group("bw")), parent),
        section.at(index));
  }

  private static String what(String kind) {
    return kind.equals("PCI") ? "bridge" : kind.equals("GPU") ? "gpu" : "nic";
  }

  /** NCCL prints an address as one hexadecimal number: `65000` is 0000:65:00.0. */
  static String busId(String hex) {
    if (hex.length() > 12) {
      return Fact.UNKNOWN;
    }
    long value = Long.parseLong(hex, 16);
    return String.format("%04x:%02x:%02x.%x", value >> 20, value >> 12 & 0xff, value >> 4 & 0xff, value & 0xf);
  }

  private static void xml(Section section, int from, Sink sink) {
    Deque<String> parents = new ArrayDeque<>();
    Tags.read(section, from, new Tags.Listener() {
      @Override
      public void open(String path, Map<String, String> a, int index) {
        if (!path.endsWith("/pci")) {
          return;
        }
        String address = Addresses.normal(a.getOrDefault("busid", ""));
        String pciClass = a.getOrDefault("class", "").replace("0x", "");
        String what = pciClass.startsWith("0604") ? "bridge" : pciClass.startsWith("03") ? "gpu" : pciClass.startsWith("02") ? "nic" : "other";
        String id = a.containsKey("vendor") ? (a.get("vendor") + ":" + a.getOrDefault("device", "")).replace("0x", "") : Fact.UNKNOWN;
        sink.fact(new ModelLink(section.node(), "file", address, what, id, Num.parse(a.getOrDefault("link_speed", "").replaceFirst(" GT/s.*", "")),
            Num.parse(a.get("link_width")), Num.UNKNOWN, parents.isEmpty() ? Fact.UNKNOWN : parents.getLast()), section.at(index));
        parents.addLast(address);
      }

      @Override
      public void close(String path, int index) {
        if (path.endsWith("/pci") && !parents.isEmpty()) {
          parents.removeLast();
        }
      }
    });
  }
}
