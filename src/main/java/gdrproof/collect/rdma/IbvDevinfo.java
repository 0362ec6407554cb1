package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Gids;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.Gid;
import gdrproof.facts.Rdma.PortLink;
import gdrproof.facts.Rdma.PortMtu;
import gdrproof.facts.Rdma.RdmaDevice;
import gdrproof.facts.Rdma.RdmaPort;
import gdrproof.facts.Rdma.RdmaToolError;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** `ibv_devinfo`, plain and `-v`, and `ibv_devices`, of rdma-core (libibverbs). */
final class IbvDevinfo implements Collector {
  private static final String NVIDIA = "0x02c9";
  private static final Pattern HEAD = Pattern.compile("\\s*hca_id:\\s*(\\S+)\\s*");
  private static final Pattern PAIR = Pattern.compile("\\s+([a-z_0-9]+):\\s*(.*?)\\s*");
  /** A key, or the beginning of one, without its colon. */
  private static final Pattern BEGUN = Pattern.compile("\\s+[a-z][a-z_0-9]*");
  private static final Pattern NAMED = Pattern.compile("ibv_devinfo\\b.* (?:-d|--ib-dev)[ =]?(\\w+)\\b.*\\|");
  private static final Pattern STATE = Pattern.compile("\\s+state:\\s+PORT_\\w+.*");
  private static final Pattern GID = Pattern.compile("\\s+GID\\[\\s*(\\d+)\\]:\\s*([0-9a-fA-F:.]+)(?:,\\s*(.*?))?\\s*");
  private static final Pattern WIDTH = Pattern.compile("(\\d+)X.*");
  private static final Pattern SPEED = Pattern.compile("(?:([\\d.]+) Gbps|.*?)\\s*\\((\\d+)\\)");
  private static final Pattern NONE = Pattern.compile("\\s*No IB devices found\\s*");
  private static final Pattern ABSENT = Pattern.compile("\\s*IB device '[^']*' wasn't found\\s*");
  private static final Pattern ENOSYS = Pattern.compile("\\s*Failed to get IB devices list: (.*)");
  private static final Pattern LIST_HEAD = Pattern.compile("\\s*device\\s+node GUID\\s*");
  private static final Pattern LIST_ROW = Pattern.compile("\\s+(\\S+)\\s+([0-9a-f]{16})\\s*");

  @Override
  public String tool() {
    return "ibv_devinfo";
  }

  @Override
  public void collect(Section section, Sink sink) {
    Device device = filtered(section);
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher head = HEAD.matcher(line);
      Matcher enosys = ENOSYS.matcher(line);
      if (head.matches()) {
        if (device != null) {
          device.close(sink);
        }
        device = new Device(section, head.group(1), i);
      } else if (NONE.matcher(line).matches()) {
        sink.fact(new RdmaToolError(section.node(), "ibv_devinfo", "no-rdma-device"), section.at(i));
      } else if (enosys.matches()) {
        sink.fact(new RdmaToolError(section.node(), "ibv_devinfo", "no-rdma-support"), section.at(i));
      } else if (ABSENT.matcher(line).matches()) {
        sink.fact(new RdmaToolError(section.node(), "ibv_devinfo", "device-not-found"), section.at(i));
      } else if (LIST_HEAD.matcher(line).matches()) {
        i = list(section, sink, i);
      } else if (device != null && !device.take(line, i, sink) && !line.isBlank() && !Character.isWhitespace(line.charAt(0))) {
        device.close(sink);
        device = null;
      }
    }
    if (device != null) {
      device.close(sink);
      int last = section.lines().size() - 1;
      while (section.lines().get(last).isBlank()) {
        last--;
      }
      if (last > device.last && BEGUN.matcher(section.lines().get(last)).matches()) {
        sink.unread(section, last, "the block of " + device.hca + " is cut inside a line");
      }
    }
  }

  /** The one port of the device that the command names, where grep took the device's own line away. */
  private static @Nullable Device filtered(Section section) {
    Matcher named = NAMED.matcher(section.command());
    if (!named.find() || section.lines().stream().anyMatch(l -> HEAD.matcher(l).matches()) || section.lines().stream().filter(l -> STATE.matcher(l).matches()).count() != 1) {
      return null;
    }
    Device device = new Device(section, named.group(1), 0);
    device.port = new HashMap<>();
    device.number = Num.of(1);
    return device;
  }

  /** The table of `ibv_devices`: what libibverbs can open, in whatever container it ran. */
  private static int list(Section section, Sink sink, int head) {
    int i = head;
    while (i + 1 < section.lines().size()) {
      String line = section.lines().get(i + 1);
      Matcher row = LIST_ROW.matcher(line);
      if (row.matches()) {
        sink.fact(new RdmaDevice(section.node(), row.group(1), Fact.UNKNOWN, Fact.UNKNOWN, "0x" + row.group(2)), section.at(i + 1));
      } else if (!line.isBlank() && !line.strip().matches("[-\\s]+")) {
        break;
      }
      i++;
    }
    if (Words.unfiltered(section)) {
      sink.looked(section, Kind.RDMA_DEVICES, head);
    }
    return i;
  }

  /** One hca_id block. */
  private static final class Device {
    private final Section section;
    private final String hca;
    private final int start;
    private final Map<String, String> device = new HashMap<>();
    private final Map<String, Integer> lineOf = new HashMap<>();
    private Map<String, String> port;
    private Num number = Num.UNKNOWN;
    private int last;

    Device(Section section, String hca, int start) {
      this.section = section;
      this.hca = hca;
      this.start = start;
      this.last = start;
    }

    boolean take(String line, int index, Sink sink) {
      Matcher gid = GID.matcher(line);
      Matcher pair = PAIR.matcher(line);
      if (gid.matches() && port != null) {
        gid(sink, gid, index);
      } else if (pair.matches()) {
        if (pair.group(1).equals("port")) {
          closePort(sink);
          port = new HashMap<>();
          lineOf.clear();
          number = Num.parse(pair.group(2));
        } else {
          (port == null ? device : port).put(pair.group(1), pair.group(2));
          lineOf.put(pair.group(1), index);
        }
      } else {
        return false;
      }
      last = index;
      return true;
    }

    private void gid(Sink sink, Matcher row, int index) {
      String gid = Gids.canonical(row.group(2));
      if (gid.equals(Fact.UNKNOWN)) {
        sink.unread(section, index, "no GID: " + row.group(2));
        return;
      }
      String type = row.group(3) == null ? Fact.UNKNOWN : row.group(3);
      String version = type.equals("RoCE v1") || type.equals("IB/RoCE v1") ? "v1" : type.equals("RoCE v2") ? "v2" : Fact.UNKNOWN;
      sink.fact(new Gid(section.node(), hca, number, Num.parse(row.group(1)), gid, Gids.kind(gid), Gids.ipv4(gid), version, Fact.UNKNOWN), section.at(index));
    }

    /** The type as ibstat prints it: NVIDIA's adapters are called after their part. */
    private String type() {
      String part = device.getOrDefault("vendor_part_id", "");
      return device.getOrDefault("vendor_id", "").equals(NVIDIA) && part.matches("\\d+") ? "MT" + part : Fact.UNKNOWN;
    }

    void close(Sink sink) {
      closePort(sink);
      String guid = device.getOrDefault("node_guid", "").replace(":", "");
      sink.fact(new RdmaDevice(section.node(), hca, type(), Words.orUnknown(device.get("fw_ver")), guid.isEmpty() ? Fact.UNKNOWN : "0x" + guid), section.at(start));
      if (port == null) {
        sink.unread(section, last, "the block of " + hca + " is cut");
      }
    }

    private void closePort(Sink sink) {
      if (port == null) {
        return;
      }
      String node = section.node();
      if (port.containsKey("state")) {
        int at = lineOf.get("state");
        Matcher width = WIDTH.matcher(port.getOrDefault("active_width", ""));
        Matcher speed = SPEED.matcher(port.getOrDefault("active_speed", ""));
        Num lanes = width.matches() ? Num.parse(width.group(1)) : Num.UNKNOWN;
        boolean rated = speed.matches();
        Num lane = rated ? Num.parse(speed.group(1)) : Num.UNKNOWN;
        Num rate = lanes.known() && lane.known() ? Num.of(lanes.value() * lane.value()) : Num.UNKNOWN;
        sink.fact(new RdmaPort(node, hca, number, Words.state(port.get("state")), Words.physical(port.getOrDefault("phys_state", "")), rate,
            Words.linkLayer(port.getOrDefault("link_layer", "")), Words.integer(port.getOrDefault("port_lid", "")), Words.integer(port.getOrDefault("sm_lid", ""))),
            Words.span(section, at, last));
        if (lanes.known() || rated) {
          int line = lineOf.getOrDefault("active_width", at);
          sink.fact(new PortLink(node, hca, number, lanes, Fact.UNKNOWN, lane, rated ? Num.parse(speed.group(2)) : Num.UNKNOWN, Num.UNKNOWN),
              section.at(line, Math.max(line, lineOf.getOrDefault("active_speed", line))));
        }
      }
      Num active = Words.leading(port.getOrDefault("active_mtu", ""));
      if (active.known()) {
        sink.fact(new PortMtu(node, hca, number, active, Words.leading(port.getOrDefault("max_mtu", ""))), section.at(lineOf.get("active_mtu")));
      }
      if (!port.containsKey("link_layer") && !port.containsKey("port_lid") && !port.containsKey("active_mtu")) {
        sink.unread(section, last, "the block of " + hca + " port " + number + " is cut");
      }
    }
  }
}
