package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Gids;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Net.EcnSetting;
import gdrproof.facts.Net.TrafficClass;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.EmptyGids;
import gdrproof.facts.Rdma.Gid;
import gdrproof.facts.Rdma.Pkey;
import gdrproof.facts.Rdma.PortLink;
import gdrproof.facts.Rdma.RdmaDevice;
import gdrproof.facts.Rdma.RdmaPort;
import gdrproof.facts.Tri;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Files below `/sys/class/infiniband/HCA/ports/N`: counters, hw_counters, state, rate, pkeys. Forms: `grep . PATHS` (`path:value`), `head`,
 * `tail` or `more` of several files (`==> path <==`), and `cat` of files that the command names.
 */
final class SysfsRdma implements Collector {
  private static final Pattern FILE = Pattern.compile("(?<path>\\S*/infiniband/[^/\\s]+/\\S+?):\\s?(?<value>.*)");
  private static final Pattern BANNER = Pattern.compile("(?:==> )?(?<path>\\S*/infiniband/[^/\\s]+/\\S+?)(?: <==|:)\\s*");
  private static final Pattern PORT = Pattern.compile("\\S*/infiniband/(?<hca>[^/]+)/ports/(?<port>\\d+)/(?<rest>\\S+)");
  private static final Pattern PATH = Pattern.compile("/sys/class/infiniband/[^\\s;|]+");
  private static final Pattern RATE = Pattern.compile("([\\d.]+) Gb/sec(?: \\((\\d+)X ?(\\w*)\\))?.*");
  private static final Pattern TOS = Pattern.compile("\\S*/infiniband/([^/]+)/tc/(\\d+)/traffic_class:.*?(?:Global tclass=)?(\\d+)\\s*");
  private static final Pattern ECN = Pattern.compile("\\S*/net/([^/]+)/ecn/roce_(np|rp)/enable/(\\d):\\s*([01])\\s*");

  /** A file below the variable of a loop, and the text that such files hold. */
  private static final Pattern LOOPED = Pattern.compile("\\$\\{?\\w+}?/ports/(\\d+)/((?:gids|pkeys)/\\d+|state|phys_state|rate|link_layer|lid|sm_lid)\\b");
  private static final Map<String, String> FORMS = Map.of("rate", "[\\d.]+ Gb/sec(?: \\([^)]*\\))?", "state", "\\d: [A-Z_]+", "phys_state", "\\d: \\w+", "gids", "[0-9a-f:]{39}");
  private static final int LONGEST_ROW = 400;

  record Value(String text, int line) {}

  @Override
  public String tool() {
    return "grep . /sys/class/infiniband/*/ports/*/counters/*";
  }

  @Override
  public List<String> hints() {
    return List.of("infiniband/", "/ecn/roce_");
  }

  @Override
  public void collect(Section section, Sink sink) {
    Map<String, Value> files = new LinkedHashMap<>();
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i).strip();
      Matcher file = FILE.matcher(line);
      Matcher banner = BANNER.matcher(line);
      if (banner.matches() && i + 1 < section.lines().size()) {
        files.put(banner.group("path"), new Value(section.lines().get(i + 1).strip(), i + 1));
      } else if (file.matches() && !file.group("value").isBlank()) {
        files.put(file.group("path"), new Value(file.group("value").strip(), i));
      }
      other(section, sink, line, i);
    }
    named(section, files);
    looped(section, files);
    IndexLoops.read(section, files);
    gids(section, sink, files);
    Map<String, Map<String, Value>> ports = new LinkedHashMap<>();
    Moments moments = new Moments(section);
    files.forEach((path, value) -> {
      Matcher port = PORT.matcher(path);
      if (port.matches()) {
        file(section, sink, port, value, moments, ports);
      }
    });
    ports.forEach((key, values) -> port(section, sink, key, values));
    pkeys(section, sink, files);
  }

  /** A table that begins at 0 and has no gap was printed whole, empty entries and all; one named file is no table. */
  private static void pkeys(Section section, Sink sink, Map<String, Value> files) {
    Map<String, Set<Integer>> tables = new LinkedHashMap<>();
    int last = 0;
    for (Map.Entry<String, Value> file : files.entrySet()) {
      Matcher port = PORT.matcher(file.getKey());
      if (port.matches() && port.group("rest").matches("pkeys/\\d{1,4}")) {
        tables.computeIfAbsent(port.group("hca") + "/" + port.group("port"), k -> new HashSet<>()).add(Integer.parseInt(port.group("rest").substring(6)));
        last = file.getValue().line();
      }
    }
    if (!tables.isEmpty() && tables.values().stream().allMatch(t -> t.size() > 1 && t.stream().allMatch(i -> i < t.size()))) {
      sink.looked(section, Kind.PKEYS, last);
    }
  }

  /** The outputs of `cat FILE FILE`, where the command names every file and each gave one line. */
  private static void named(Section section, Map<String, Value> files) {
    if (section.command().equals(Fact.UNKNOWN) || !section.command().matches(".*\\bcat\\b.*")) {
      return;
    }
    List<String> paths = new ArrayList<>();
    Matcher path = PATH.matcher(section.command());
    while (path.find()) {
      braces(path.group(), paths);
    }
    List<Integer> lines = new ArrayList<>();
    for (int i = 0; i < section.lines().size(); i++) {
      if (!section.lines().get(i).isBlank()) {
        lines.add(i);
      }
    }
    paths.replaceAll(p -> p.replaceAll("[\"')]+$", ""));
    if (!paths.isEmpty() && paths.size() == lines.size() && paths.stream().noneMatch(p -> p.contains("*") || p.contains("$"))) {
      for (int i = 0; i < paths.size(); i++) {
        files.putIfAbsent(paths.get(i), new Value(section.lines().get(lines.get(i)).strip(), lines.get(i)));
      }
    }
  }

  /** Rows of a loop over devices that prints each name and then the files that the command names (`echo $d $(cat .../$d/ports/1/gids/0)`). */
  private static void looped(Section section, Map<String, Value> files) {
    if (!section.command().contains("infiniband") || !section.command().contains("$")) {
      return;
    }
    List<String> read = new ArrayList<>();
    StringBuilder row = new StringBuilder("[\\s|]*(?:\\S*/)?(?<hca>[A-Za-z][\\w-]*\\d)(?::\\d+)?");
    Matcher file = LOOPED.matcher(section.command());
    while (file.find()) {
      read.add("ports/" + file.group(1) + "/" + file.group(2));
      row.append("[\\s|,:=]+(").append(FORMS.getOrDefault(file.group(2).replaceAll("/.*", ""), "\\S+")).append(')');
    }
    Pattern pattern = Pattern.compile(row.append("[\\s|]*").toString());
    for (int i = 0; !read.isEmpty() && i < section.lines().size(); i++) {
      Matcher line = pattern.matcher(section.lines().get(i).length() > LONGEST_ROW ? "" : section.lines().get(i));
      if (line.matches()) {
        for (int f = 0; f < read.size(); f++) {
          files.putIfAbsent("/sys/class/infiniband/" + line.group("hca") + "/" + read.get(f), new Value(line.group(f + 2), i));
        }
      }
    }
  }

  /** Ports of whose GID table only empty entries were read, and entries whose files the command alone names. */
  private static void gids(Section section, Sink sink, Map<String, Value> files) {
    Map<String, Value> empty = new LinkedHashMap<>();
    Set<String> filled = new HashSet<>();
    files.forEach((path, value) -> {
      Matcher port = PORT.matcher(path);
      if (!port.matches() || !port.group("rest").matches("gids/\\d+")) {
        return;
      }
      String gid = Gids.canonical(value.text());
      String key = port.group("hca") + "/" + port.group("port");
      if (Gids.kind(gid).equals("zero")) {
        empty.putIfAbsent(key, value);
        sink.understood(section, value.line());
      } else if (!gid.equals(Fact.UNKNOWN)) {
        filled.add(key);
        if (!section.lines().get(value.line()).contains("/gids/")) {
          sink.fact(new Gid(section.node(), port.group("hca"), Num.parse(port.group("port")), Num.parse(port.group("rest").substring(5)), gid, Gids.kind(gid), Gids.ipv4(gid),
              Fact.UNKNOWN, Fact.UNKNOWN), section.at(value.line()));
        }
      }
    });
    empty.forEach((key, value) -> {
      if (!filled.contains(key)) {
        sink.fact(new EmptyGids(section.node(), key.substring(0, key.indexOf('/')), Num.parse(key.substring(key.indexOf('/') + 1)), "sysfs"), section.at(value.line()));
      }
    });
  }

  private static void braces(String path, List<String> paths) {
    Matcher brace = Pattern.compile("(.*?)\\{([^{}]*)}(.*)").matcher(path);
    if (!brace.matches()) {
      paths.add(path);
      return;
    }
    for (String each : brace.group(2).split(",")) {
      braces(brace.group(1) + each + brace.group(3), paths);
    }
  }

  private static void file(Section section, Sink sink, Matcher port, Value value, Moments moments, Map<String, Map<String, Value>> ports) {
    String rest = port.group("rest");
    String hca = port.group("hca");
    Num number = Num.parse(port.group("port"));
    if (rest.startsWith("counters/") || rest.startsWith("hw_counters/")) {
      String name = rest.substring(rest.indexOf('/') + 1);
      Num count = Words.integer(value.text());
      if (!count.known()) {
        sink.unread(section, value.line(), "no number in counter " + name);
      } else {
        sink.fact(CounterNames.reading(section.node(), hca, number, name, count, rest.startsWith("hw_") ? "hw" : "port", moments.at(value.line())), section.at(value.line()));
      }
    } else if (rest.startsWith("pkeys/") && value.text().matches("0x[0-9a-fA-F]{4}")) {
      if (!value.text().equals("0x0000")) {
        sink.fact(new Pkey(section.node(), hca, number, Num.parse(rest.substring(6)), value.text().toLowerCase(java.util.Locale.ROOT)), section.at(value.line()));
      }
    } else if (List.of("state", "phys_state", "rate", "link_layer", "lid", "sm_lid").contains(rest)) {
      ports.computeIfAbsent(hca + "/" + port.group("port"), k -> new LinkedHashMap<>()).put(rest, value);
    }
  }

  private static void port(Section section, Sink sink, String key, Map<String, Value> values) {
    String hca = key.substring(0, key.indexOf('/'));
    Num port = Num.parse(key.substring(key.indexOf('/') + 1));
    Value first = values.containsKey("state") ? values.get("state") : values.values().iterator().next();
    Matcher rate = RATE.matcher(text(values, "rate"));
    boolean rated = rate.matches();
    sink.fact(new RdmaDevice(section.node(), hca, Fact.UNKNOWN, Fact.UNKNOWN, Fact.UNKNOWN), section.at(first.line()));
    sink.fact(new RdmaPort(section.node(), hca, port, Words.state(text(values, "state")), Words.physical(text(values, "phys_state")), rated ? Num.parse(rate.group(1)) : Num.UNKNOWN,
        Words.linkLayer(text(values, "link_layer")), Words.integer(text(values, "lid")), Words.integer(text(values, "sm_lid"))), section.at(first.line()));
    if (rated && rate.group(2) != null) {
      sink.fact(new PortLink(section.node(), hca, port, Num.parse(rate.group(2)), Words.orUnknown(rate.group(3)), Num.UNKNOWN, Num.UNKNOWN, Num.UNKNOWN),
          section.at(values.get("rate").line()));
    }
  }

  private static String text(Map<String, Value> values, String name) {
    return values.containsKey(name) ? values.get(name).text() : "";
  }

  private static void other(Section section, Sink sink, String line, int index) {
    Matcher tos = TOS.matcher(line);
    Matcher ecn = ECN.matcher(line);
    if (tos.matches()) {
      sink.fact(new TrafficClass(section.node(), tos.group(1), "device", Num.parse(tos.group(3))), section.at(index));
    } else if (ecn.matches()) {
      sink.fact(new EcnSetting(section.node(), ecn.group(1), ecn.group(2), Num.parse(ecn.group(3)), Tri.of(ecn.group(4).equals("1"))), section.at(index));
    }
  }
}
