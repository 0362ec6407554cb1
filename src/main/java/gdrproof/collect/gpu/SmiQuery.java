package gdrproof.collect.gpu;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.GpuCount;
import gdrproof.facts.Gpu.SmiDriver;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Num;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `nvidia-smi -q` as text, whole, of chosen sections (`-d`), or filtered by grep and sed: levels are told by indentation. */
final class SmiQuery implements Collector {
  private static final Pattern GPU = Pattern.compile("^GPU (?<address>[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\\.[0-7])\\s*$");
  private static final Pattern LINE = Pattern.compile("^(?<indent>\\s*)(?<key>[A-Za-z][A-Za-z0-9 ./()-]*?)\\s*(?::(?: (?<value>.*))?)?$");
  /** What only this output says; a filtered one must hold one of these to be taken for it. */
  private static final Pattern SIGN = Pattern.compile("^(?:=+NVSMI LOG=+|\\s+Performance State\\s+: P\\d+|\\s+Clocks (?:Event|Throttle) Reasons|"
      + "\\s+GPU Link Info|\\s+Fabric|\\s+MIG Mode|\\s+(?:GPU )?Power Readings|\\s+ECC Errors|\\s+Remapped Rows|\\s+BAR1 Memory Usage)\\s*$");
  /** Lines of the block Fabric that stand in no other: they tell it where a filter took its heading. */
  private static final Pattern OF_FABRIC = Pattern.compile("^\\s+(?:CliqueId|ClusterUUID)\\s+: \\S.*$");
  private static final Set<String> FABRIC_KEYS = Set.of("state", "status", "cliqueid", "clusteruuid");
  private static final Pattern INDEX = Pattern.compile("(?:-i|--id=?)\\s*(?<index>\\d+)\\b");
  private static final int TAB = 8;

  @Override
  public String tool() {
    return "nvidia-smi -q";
  }

  @Override
  public void collect(Section section, Sink sink) {
    for (Section view : HostViews.of(section)) {
      boolean own = view.lines().stream().anyMatch(l -> GPU.matcher(l).matches() || SIGN.matcher(l).matches() || OF_FABRIC.matcher(l).matches());
      if (own) {
        read(view, sink);
      }
    }
  }

  private static void read(Section section, Sink sink) {
    List<GpuReport> reports = new ArrayList<>();
    List<String> addresses = new ArrayList<>();
    GpuReport head = new GpuReport(0);
    GpuReport at = head;
    Deque<String> path = new ArrayDeque<>();
    Deque<Integer> indents = new ArrayDeque<>();
    int last = 0;
    boolean headless = section.lines().stream().anyMatch(l -> OF_FABRIC.matcher(l).matches()) && section.lines().stream().noneMatch(l -> l.strip().equals("Fabric"));
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher gpu = GPU.matcher(line);
      if (gpu.matches()) {
        at = new GpuReport(i);
        reports.add(at);
        addresses.add(Addresses.normal(gpu.group("address")));
        at.put("pci/bus_id", gpu.group("address"), i);
        path.clear();
        indents.clear();
        sink.understood(section, i);
        continue;
      }
      Matcher matcher = LINE.matcher(line);
      if (!matcher.matches()) {
        continue;
      }
      last = i;
      int indent = matcher.group("indent").chars().map(c -> c == '\t' ? TAB : 1).sum();
      while (!indents.isEmpty() && indents.getLast() >= indent) {
        indents.removeLast();
        path.removeLast();
      }
      String key = GpuReport.key(matcher.group("key"));
      // "HW Slowdown : Active" is a value with children, which belong to the reasons and not to it.
      if (matcher.group("value") == null) {
        path.addLast(key);
        indents.addLast(indent);
      } else if (headless && path.isEmpty() && FABRIC_KEYS.contains(key)) {
        at.put("fabric/" + key, matcher.group("value"), i);
      } else {
        at.put(path.isEmpty() ? key : String.join("/", path) + "/" + key, matcher.group("value"), i);
      }
    }
    finish(section, head, reports, addresses, last, sink);
  }

  private static void finish(Section section, GpuReport head, List<GpuReport> reports, List<String> addresses, int last, Sink sink) {
    Num attached = Num.parse(top(section, "Attached GPUs"));
    driver(section, sink);
    Matcher chosen = INDEX.matcher(section.command());
    String asked = chosen.find() ? "GPU" + chosen.group("index") : Fact.UNKNOWN;
    if (reports.isEmpty()) {
      head.emit(section, asked, sink);
      return;
    }
    boolean all = attached.is(reports.size()) && asked.equals(Fact.UNKNOWN);
    for (int g = 0; g < reports.size(); g++) {
      reports.get(g).emit(section, all ? "GPU" + g : reports.size() == 1 && !asked.equals(Fact.UNKNOWN) ? asked : addresses.get(g), sink);
    }
    boolean cut = reports.get(0).has("product_name") && !reports.get(reports.size() - 1).has("processes") && !reports.get(reports.size() - 1).has("fabric/state")
        && !reports.get(reports.size() - 1).has("max_clocks/sm");
    if (cut) {
      sink.unread(section, last, "nvidia-smi -q is cut off: the last GPU's block is not whole");
    } else if (all) {
      sink.fact(new GpuCount(section.node(), attached), section.at(index(section, "Attached GPUs")));
      sink.looked(section, Kind.GPUS, index(section, "Attached GPUs"));
    }
  }

  private static void driver(Section section, Sink sink) {
    String name = index(section, "Driver Version") < 0 ? "KMD Version" : "Driver Version";
    String driver = top(section, name);
    if (!driver.equals(Fact.UNKNOWN)) {
      String cuda = top(section, index(section, "CUDA Version") < 0 ? "CUDA UMD Version" : "CUDA Version");
      sink.fact(new SmiDriver(section.node(), driver, cuda), section.at(index(section, name)));
    }
  }

  private static int index(Section section, String key) {
    for (int i = 0; i < section.lines().size(); i++) {
      if (section.lines().get(i).matches(Pattern.quote(key) + "\\s*:.*")) {
        return i;
      }
    }
    return -1;
  }

  private static String top(Section section, String key) {
    int i = index(section, key);
    // Drivers from 610 on print "610.57 [Deprecated; will be removed in CUDA 14.0. Use KMD Version instead]".
    return i < 0 ? Fact.UNKNOWN : section.lines().get(i).substring(section.lines().get(i).indexOf(':') + 1).replaceFirst("\\[Deprecated.*", "").strip();
  }
}
