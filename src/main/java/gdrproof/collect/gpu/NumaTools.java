package gdrproof.collect.gpu;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Meta.Layout;
import gdrproof.facts.Num;
import gdrproof.facts.Pcie.Cpu;
import gdrproof.facts.Pcie.CpuCounts;
import gdrproof.facts.Pcie.CpuPower;
import gdrproof.facts.Pcie.NumaBinding;
import gdrproof.facts.Pcie.NumaDistance;
import gdrproof.facts.Pcie.NumaNode;
import gdrproof.facts.Tri;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** `numactl --hardware` and `--show`, `lscpu`, `lscpu -e` and `-p`, `cpupower`. */
final class NumaTools implements Collector {
  private static final Pattern CPUS = Pattern.compile("^node (\\d+) cpus:((?: \\d+)*)\\s*$");
  private static final Pattern SIZE = Pattern.compile("^node (\\d+) size: (\\d+) MB$");
  private static final Pattern DISTANCE = Pattern.compile("^\\s+(\\d+):((?:\\s+\\d+)+)\\s*$");
  private static final Pattern AVAILABLE = Pattern.compile("^available: (\\d+) nodes? \\(.*\\)\\s*$");
  private static final Pattern SHOW = Pattern.compile("^(physcpubind|cpubind|membind): (.+?)\\s*$");
  private static final Pattern COLUMN = Pattern.compile("CPU|CORE|SOCKET|CLUSTER|NODE|BOOK|DRAWER|CACHE|POLARIZATION|ADDRESS|CONFIGURED|ONLINE|BOGOMIPS|(?:SCAL|MAX|MIN)?MHZ%?|L\\d[A-Za-z]?(?::L\\d[A-Za-z]?)*+|");
  /** The last comment above what `lscpu -p` prints. */
  private static final Pattern PARSABLE = Pattern.compile("^# (?<names>[A-Za-z0-9%,:]*\\bCPU\\b[A-Za-z0-9%,:]*)$");
  private static final Pattern FIELD = Pattern.compile("^\\s*(?<key>CPU\\(s\\)|Socket\\(s\\)|NUMA node\\(s\\)|NUMA node(?<numa>\\d+) CPU\\(s\\)|CPU max MHz|CPU MHz):\\s+(?<value>\\S+)\\s*$");
  private static final Pattern GOVERNOR = Pattern.compile("The governor \"(\\w+)\" may decide");

  @Override
  public String tool() {
    return "numactl -H";
  }

  @Override
  public void collect(Section section, Sink sink) {
    for (Section view : HostViews.of(section)) {
      read(view, sink);
    }
  }

  private static void read(Section section, Sink sink) {
    Map<String, String> cpus = new TreeMap<>();
    Map<String, Integer> lines = new HashMap<>();
    Map<String, Num> sizes = new HashMap<>();
    Map<String, String> show = new HashMap<>();
    Map<String, Num> fields = new HashMap<>();
    List<Num> heads = List.of();
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher m;
      List<String> columns;
      if ((m = CPUS.matcher(line)).matches()) {
        cpus.put(m.group(1), fold(m.group(2)));
        lines.put(m.group(1), i);
      } else if ((m = SIZE.matcher(line)).matches()) {
        sizes.put(m.group(1), Num.parse(m.group(2)));
        sink.understood(section, i);
      } else if ((m = AVAILABLE.matcher(line)).matches()) {
        sink.fact(new CpuCounts(section.node(), Num.UNKNOWN, Num.UNKNOWN, Num.UNKNOWN, Num.parse(m.group(1))), section.at(i));
      } else if (line.matches("node\\s+(?:\\d+\\s*)+")) {
        heads = numbers(line.substring(4));
        sink.understood(section, i);
      } else if (!heads.isEmpty() && (m = DISTANCE.matcher(line)).matches()) {
        List<Num> row = numbers(m.group(2));
        for (int c = 0; c < Math.min(heads.size(), row.size()); c++) {
          sink.fact(new NumaDistance(section.node(), Num.parse(m.group(1)), heads.get(c), row.get(c)), section.at(i));
        }
      } else if ((m = SHOW.matcher(line)).matches()) {
        show.put(m.group(1), m.group(2).replace(' ', ','));
        lines.putIfAbsent("show", i);
      } else if ((columns = line.contains("CPU") ? columns(line) : null) != null) {
        i = table(section, i, columns, line.startsWith("#") ? "," : "\\s+", sink);
      } else if ((m = FIELD.matcher(line)).matches()) {
        field(section, i, m, fields, sink);
        lines.putIfAbsent("lscpu", i);
      } else if ((m = GOVERNOR.matcher(line)).find()) {
        sink.fact(new CpuPower(section.node(), "governor", m.group(1)), section.at(i));
      } else if (line.startsWith("No NUMA support available") || line.contains("No NUMA available on this system")) {
        sink.unread(section, i, "kernel without NUMA support");
      }
    }
    cpus.forEach((numa, list) -> sink.fact(new NumaNode(section.node(), Num.parse(numa), list, sizes.getOrDefault(numa, Num.UNKNOWN)), section.at(lines.get(numa))));
    if (!show.isEmpty()) {
      sink.fact(new NumaBinding(section.node(), show.getOrDefault("cpubind", Fact.UNKNOWN), show.getOrDefault("membind", Fact.UNKNOWN),
          show.containsKey("physcpubind") ? fold(" " + show.get("physcpubind").replace(',', ' ')) : Fact.UNKNOWN), section.at(lines.get("show")));
    }
    if (fields.containsKey("NUMA node(s)") || fields.containsKey("Socket(s)")) {
      sink.fact(new CpuCounts(section.node(), fields.getOrDefault("CPU(s)", Num.UNKNOWN), Num.UNKNOWN, fields.getOrDefault("Socket(s)", Num.UNKNOWN),
          fields.getOrDefault("NUMA node(s)", Num.UNKNOWN)), section.at(lines.get("lscpu")));
    }
  }

  private static void field(Section section, int index, Matcher m, Map<String, Num> fields, Sink sink) {
    if (m.group("numa") != null) {
      sink.fact(new NumaNode(section.node(), Num.parse(m.group("numa")), m.group("value"), Num.UNKNOWN), section.at(index));
    } else if (m.group("key").startsWith("CPU m") || m.group("key").startsWith("CPU M")) {
      sink.fact(new CpuPower(section.node(), m.group("key").equals("CPU max MHz") ? "frequency-max-mhz" : "frequency-mhz", m.group("value")), section.at(index));
    } else {
      fields.put(m.group("key"), Num.parse(m.group("value")));
      sink.understood(section, index);
    }
  }

  /** Columns of `lscpu -e` or `-p`, which stand in any order that was asked for; null where a line is no heading of theirs. */
  private static @Nullable List<String> columns(String line) {
    Matcher parsable = PARSABLE.matcher(line);
    String upper = (parsable.matches() ? parsable.group("names") : line.strip()).toUpperCase(Locale.ROOT);
    List<String> names = List.of(upper.split(parsable.matches() ? "," : "\\s+", -1));
    boolean known = names.size() > 1 && names.stream().allMatch(n -> COLUMN.matcher(n).matches());
    return known && names.contains("CPU") && (names.contains("NODE") || names.contains("SOCKET") || names.contains("CORE")) ? names : null;
  }

  /** The column of caches holds colons and is `-` for CPUs that are off. */
  private static int table(Section section, int at, List<String> names, String gap, Sink sink) {
    int cpu = names.indexOf("CPU");
    Set<Num> sockets = new HashSet<>();
    Set<Num> nodes = new HashSet<>();
    int online = 0;
    int offline = 0;
    int i = at + 1;
    for (; i < section.lines().size(); i++) {
      String[] cells = section.lines().get(i).strip().split(gap, -1);
      if (cells.length != names.size() || !cells[cpu].matches("\\d+")) {
        break;
      }
      boolean on = !names.contains("ONLINE") || cells[names.indexOf("ONLINE")].matches("(?i)yes|y");
      online += on ? 1 : 0;
      offline += on ? 0 : 1;
      Num socket = cell(names, cells, "SOCKET");
      Num numa = cell(names, cells, "NODE");
      if (on) {
        sockets.add(socket);
        nodes.add(numa);
      }
      sink.fact(new Cpu(section.node(), Num.parse(cells[cpu]), cell(names, cells, "CORE"), socket, numa, Tri.of(on)), section.at(i));
    }
    if (i == at + 1) {
      return at;
    }
    // As written: the names of the caches differ in case between releases.
    String heading = section.lines().get(at).strip().replaceFirst("^# ", "");
    sink.fact(new Layout(section.node(), gap.equals(",") ? "lscpu -p" : "lscpu -e", "columns", String.join(",", heading.split(gap, -1))), section.at(at));
    sink.fact(new CpuCounts(section.node(), Num.of(online), Num.of(offline), count(sockets), count(nodes)), section.at(at));
    return i - 1;
  }

  private static Num count(Set<Num> values) {
    return values.contains(Num.UNKNOWN) ? Num.UNKNOWN : Num.of(values.size());
  }

  private static Num cell(List<String> names, String[] cells, String name) {
    return names.contains(name) ? Num.parse(cells[names.indexOf(name)]) : Num.UNKNOWN;
  }

  private static List<Num> numbers(String text) {
    List<Num> numbers = new ArrayList<>();
    for (String word : text.strip().split("\\s+")) {
      numbers.add(Num.parse(word));
    }
    return numbers;
  }

  /** ` 0 1 2 8 9` as `0-2,8-9`; an empty list is `none`. */
  static String fold(String list) {
    if (list.isBlank()) {
      return "none";
    }
    StringBuilder text = new StringBuilder();
    int first = -1;
    int last = -2;
    for (String word : (list.strip() + " -9").split("\\s+")) {
      if (!word.matches("-9|\\d{1,6}")) {
        return Fact.UNKNOWN;
      }
      int cpu = Integer.parseInt(word);
      if (cpu != last + 1) {
        if (first >= 0) {
          text.append(text.length() == 0 ? "" : ",").append(first == last ? String.valueOf(first) : first + "-" + last);
        }
        first = cpu;
      }
      last = cpu;
    }
    return text.toString();
  }
}
