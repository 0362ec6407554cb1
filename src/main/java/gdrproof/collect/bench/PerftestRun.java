package gdrproof.collect.bench;

import gdrproof.bundle.Section;
import gdrproof.collect.Sink;
import gdrproof.facts.Bench.RdmaLatency;
import gdrproof.facts.Bench.RdmaTest;
import gdrproof.facts.Bench.RdmaTestError;
import gdrproof.facts.Bench.RdmaTestOrdering;
import gdrproof.facts.Bench.RdmaTestRow;
import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One perftest run while it is read. */
final class PerftestRun {
  private static final Pattern PAIR = Pattern.compile("^\\s*([A-Za-z][^:\\t]*?)\\s*: ?(.*?)\\s*$");
  private static final Pattern GID = Pattern.compile("^\\s*GID:\\s*((?:\\d{2,3}:){15}\\d{2,3})");
  private static final Pattern PICK = Pattern.compile("^Picking (?:GPU number|device No\\.) ?(\\d+)");
  private static final Pattern MODEL = Pattern.compile("device name = \\[([^\\]]+)\\]");
  private static final Pattern SETTING = Pattern.compile("^\\s*(?:Dual-port|Number of qps|Connection type|PCIe relax order|TX depth|RX depth|CQ Moderation|Mtu|Link type|GID index|Data ex\\. method)\\s*: ?\\S.*");
  static final Pattern ROW = Pattern.compile("^\\s*\\d+\\s+\\d+(?:\\s.*)?$");

  private record Pending(PerftestErrors.Found found, int at) {}

  private final Section section;
  private final String id;
  private final PerftestCommand command;
  private final Map<String, String> keys = new HashMap<>();
  private final List<Pending> errors = new ArrayList<>();
  private String test = Fact.UNKNOWN;
  private String mentionedHca = Fact.UNKNOWN;
  private String remarked = "";
  private boolean titled;
  private int titleAt;
  private boolean both;
  private boolean cuda;
  private boolean allocated;
  private boolean dmabuf;
  private boolean waited;
  private boolean noPeak;
  private boolean local = true;
  private String gpu = Fact.UNKNOWN;
  private String model = Fact.UNKNOWN;
  private String localIp = Fact.UNKNOWN;
  private PerftestTable table;
  private Num bytes = Num.UNKNOWN;
  private Num gbps = Num.UNKNOWN;
  private int rowAt = -1;
  private int orderingAt = -1;
  private int pairAt = -1;

  PerftestRun(Section section, int start, PerftestCommand command) {
    this.section = section;
    this.id = section.file() + "#" + section.line(start);
    this.command = command;
    this.cuda = command != null && command.cuda().known();
    this.dmabuf = command != null && command.dmabuf();
    this.both = command != null && command.bidirectional();
    this.gpu = cuda ? "GPU" + command.cuda() : Fact.UNKNOWN;
  }

  /** Lines that stand before the title and belong to the run that follows. */
  static boolean preface(String line) {
    return line.startsWith("Perftest doesn't supports CUDA") || line.startsWith("initializing CUDA") || line.contains("Waiting for client to connect")
        || line.stripLeading().startsWith("WARNING: BW peak won't");
  }

  /** A line of the block between title and table. */
  static boolean setting(String line) {
    return line.indexOf(':') > 0 && SETTING.matcher(line).matches();
  }

  boolean hasRow() {
    return rowAt >= 0;
  }

  boolean titled() {
    return titled;
  }

  boolean failedBefore() {
    return !errors.isEmpty();
  }

  void title(String verb, String kind, boolean bidirectional, int at) {
    titled = true;
    titleAt = at;
    test = verb + " " + (kind.equals("BW") ? "BW" : "Latency");
    both |= bidirectional;
  }

  /** What the line of a script above a table without a title says. */
  void mentioned(String name, String hca) {
    test = name;
    mentionedHca = hca;
  }

  /** What a remark above says of the end that printed the table. */
  void side(String side) {
    remarked = side;
  }

  void line(String line, int at, Sink sink) {
    cuda |= line.startsWith("initializing CUDA");
    allocated |= line.startsWith("allocated GPU buffer") || line.startsWith("cuMemAlloc()");
    dmabuf |= line.startsWith("using DMA-BUF");
    waited |= line.contains("Waiting for client to connect");
    noPeak |= line.contains("BW peak won't be measured");
    Matcher m = PICK.matcher(line);
    if (m.find()) {
      gpu = "GPU" + m.group(1);
    } else if ((m = MODEL.matcher(line)).find()) {
      model = m.group(1);
    } else if ((m = GID.matcher(line)).find()) {
      localIp = local ? ip(m.group(1)) : localIp;
    } else if (line.stripLeading().startsWith("remote address")) {
      local = false;
    }
    PerftestErrors.Found found = PerftestErrors.find(line);
    if (found != null) {
      errors.add(new Pending(found, at));
      return;
    }
    if (!errors.isEmpty()) {
      errors.get(errors.size() - 1).found().fields().putAll(PerftestErrors.detail(line));
    }
    PerftestTable header = PerftestTable.of(line);
    if (header != null) {
      table = header;
      sink.understood(section, at);
    } else if (table == null && !titled && command != null && ROW.matcher(line).matches()) {
      table = PerftestTable.of(command, line);
      if (table != null) {
        row(line, at, sink);
      }
    } else if (table != null && ROW.matcher(line).matches()) {
      row(line, at, sink);
    } else if (table == null && (titled || setting(line)) && !line.contains("address:")) {
      for (String part : line.split("\\t+| {2,}(?=[A-Z][A-Za-z ]+ +:)")) {
        Matcher pair = PAIR.matcher(part);
        if (pair.matches()) {
          keys.putIfAbsent(pair.group(1), pair.group(2));
          pairAt = at;
          orderingAt = pair.group(1).equals("PCIe relax order") ? at : orderingAt;
        }
      }
    }
  }

  /** Of a bandwidth test in one direction only the client sends, and only who sends has a send queue to print; the server of a send test has a receive queue. */
  private String sender() {
    boolean oneWay = titled && !both && test.endsWith(" BW");
    return !oneWay ? Fact.UNKNOWN : keys.containsKey("TX depth") ? "client" : keys.containsKey("RX depth") ? "server" : Fact.UNKNOWN;
  }

  private Num qps() {
    return keys.containsKey("Number of qps") ? Num.parse(keys.get("Number of qps")) : command == null ? Num.UNKNOWN : command.qps();
  }

  private Tri relaxedOrdering() {
    String printed = keys.getOrDefault("PCIe relax order", "");
    return printed.isEmpty() ? command == null ? Tri.UNKNOWN : command.relaxedOrdering() : printed.equals("ON") ? Tri.YES : printed.equals("OFF") ? Tri.NO : Tri.UNKNOWN;
  }

  private String hca() {
    return keys.getOrDefault("Device", command == null ? mentionedHca : command.hca());
  }

  private void row(String line, int at, Sink sink) {
    Map<String, Num> row = table.row(line);
    if (row == null) {
      sink.unread(section, at, "row of a perftest table is not whole");
      return;
    }
    Num size = Perftest.of(row, "bytes");
    if (table.latency()) {
      sink.fact(new RdmaLatency(section.node(), id, hca(), size, Perftest.of(row, "min"), Perftest.of(row, "max"), Perftest.of(row, "typical"),
          Perftest.of(row, "avg"), Perftest.of(row, "p99"), Perftest.of(row, "p999")), section.at(at));
      return;
    }
    Num average = Perftest.of(row, "average");
    Num rate = PerftestTable.gbps(average, table.unit());
    sink.fact(new RdmaTestRow(section.node(), id, hca(), size, Perftest.of(row, "iterations"), table.unit(), table.headerUnit(), Perftest.of(row, "peak"), average,
        rate, Perftest.of(row, "cpu")), section.at(at));
    if (!bytes.known() || size.value() >= bytes.value()) {
      bytes = size;
      gbps = rate;
      rowAt = at;
    }
  }

  /** The last four of sixteen decimal bytes, if the address is an IPv4 one. */
  private static String ip(String gid) {
    String[] part = gid.split(":");
    return part[10].equals("255") && part[11].equals("255")
        ? Integer.parseInt(part[12]) + "." + Integer.parseInt(part[13]) + "." + Integer.parseInt(part[14]) + "." + Integer.parseInt(part[15])
        : Fact.UNKNOWN;
  }

  private String memory() {
    return cuda ? "cuda" : titled || waited || command != null ? "host" : Fact.UNKNOWN;
  }

  void finish(Sink sink) {
    for (Pending pending : errors) {
      Map<String, String> fields = pending.found().fields();
      if (pending.found().error().equals("mr-register") && dmabuf) {
        fields.put("dmabuf", "true");
      }
      if (pending.found().error().equals("mr-register") && command != null) {
        if (command.bytes().known()) {
          fields.put("bytes", String.valueOf((long) command.bytes().value()));
        }
        if (!gpu.equals(Fact.UNKNOWN)) {
          fields.put("gpu", gpu);
        }
      }
      sink.fact(new RdmaTestError(section.node(), id, hca(), memory(), pending.found().error(), fields), section.at(pending.at()));
    }
    // A filter may have taken the title away; what the command line or the table itself says holds as well.
    if (!titled && rowAt < 0) {
      return;
    }
    if (titled && table == null && errors.isEmpty() && pairAt >= 0 && section.lines().subList(pairAt + 1, section.lines().size()).stream().allMatch(String::isBlank)) {
      unend(sink);
    }
    test = titled || command == null ? test : command.test();
    String peer = command == null ? Fact.UNKNOWN : command.peer();
    String failedAt = errors.stream().map(e -> e.found().fields().getOrDefault("side", "")).filter(s -> !s.isEmpty()).findFirst().orElse("");
    String side = !failedAt.isEmpty() ? failedAt : waited ? "server" : !remarked.isEmpty() ? remarked : rowAt >= 0 || !peer.equals(Fact.UNKNOWN) ? "client" : sender();
    boolean duration = noPeak || table != null && table.durationLatency() || command != null && command.duration();
    Tri ordering = relaxedOrdering();
    if (ordering != Tri.UNKNOWN) {
      sink.fact(new RdmaTestOrdering(section.node(), id, hca(), ordering), section.at(orderingAt >= 0 ? orderingAt : rowAt >= 0 ? rowAt : titleAt));
    }
    String mtu = keys.getOrDefault("Mtu", "").replaceAll("\\D.*$", "");
    sink.fact(new RdmaTest(section.node(), id, test, hca(), memory(), !cuda ? Tri.UNKNOWN : dmabuf ? Tri.YES : allocated ? Tri.NO : Tri.UNKNOWN, gpu, model,
        both ? "bidirectional" : titled || command != null ? "unidirectional" : Fact.UNKNOWN, qps(), Num.parse(mtu), keys.getOrDefault("Link type", Fact.UNKNOWN),
        Num.parse(keys.getOrDefault("GID index", keys.get("Gid index"))), localIp, duration ? "duration" : "iterations", side, peer,
        table == null || table.latency() ? Fact.UNKNOWN : table.unit(), bytes, gbps), section.at(rowAt >= 0 ? rowAt : titleAt));
  }

  /** The text ends inside the block of settings, perhaps inside a value: `Mtu : 40` of `4096[B]`. */
  private void unend(Sink sink) {
    sink.unread(section, pairAt, "perftest output ends before its table");
    String[] parts = section.lines().get(pairAt).split("\\t+| {2,}(?=[A-Z][A-Za-z ]+ +:)");
    Matcher pair = PAIR.matcher(parts[parts.length - 1]);
    if (pair.matches()) {
      keys.remove(pair.group(1));
      orderingAt = pair.group(1).equals("PCIe relax order") ? -1 : orderingAt;
    }
  }
}
