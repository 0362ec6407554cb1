package gdrproof.collect.gpu;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Num;
import gdrproof.facts.Pcie.CpuPower;
import gdrproof.facts.Pcie.DeviceAddress;
import gdrproof.facts.Pcie.PciDevice;
import gdrproof.facts.Pcie.PciLink;
import gdrproof.facts.Pcie.PciNuma;
import gdrproof.facts.Pcie.PciParent;
import gdrproof.facts.Tri;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Files of /sys as `grep . FILES` prints them (`path:value`), and resolved links of devices, which name every bridge from the root. */
final class SysfsPci implements Collector {
  /** Where the root complex is itself a device (ACPI, a platform, the VMBUS of Hyper-V), its path stands before it. */
  private static final Pattern CHAIN = Pattern.compile(
      "(?:^|[ /])devices/(?:[\\w:.-]{1,48}+/){0,8}?(?<root>pci[0-9a-f]{4,6}:[0-9a-f]{2})(?<chain>(?:/[0-9a-f]{4,6}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7])+)(?:/(?:infiniband|net)/(?<name>[A-Za-z][\\w.-]*))?");
  private static final Pattern VALUE = Pattern.compile(
      "^(?:\\S*/)?(?<subject>[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]|(?!device/)[A-Za-z][\\w.-]*)(?:/device)?/(?<file>current_link_speed|current_link_width|max_link_speed|max_link_width|numa_node|vendor|device|class)"
          + "(?::|: | )(?<value>\\S.*)$");
  /** The command that follows one device's link: its output names the address, the command the device. */
  private static final Pattern LINK = Pattern.compile("\\b(?:readlink|realpath)\\b.*/sys/class/(?:infiniband|net)/(?<name>[A-Za-z][\\w.-]*)/device/?[\\s\"')]*$");
  /** The same in a loop over names that the command spells out. */
  private static final Pattern LOOP = Pattern.compile(
      "\\bfor (?<variable>\\w+) in (?<list>[^;]{1,400}); ?do\\b[^;|]*\\b(?:readlink|realpath)\\b[^;|]*/sys/class/(?:infiniband|net)/\\$\\{?(?<used>\\w+)}?/device/?[\\s\"')]*; ?done\\b");
  private static final Pattern NAME = Pattern.compile("[A-Za-z][\\w.-]*");
  /** A listing of every device of the bus, not of one that somebody chose. */
  private static final Pattern WHOLE_BUS = Pattern.compile("/sys/bus/pci/devices/\\*/");
  private static final Pattern GOVERNOR = Pattern.compile("(?:^|/)cpu\\d+/cpufreq/scaling_governor(?::|: )(?<value>\\w+)\\s*$");

  @Override
  public String tool() {
    return "grep . /sys/bus/pci/devices/*/{numa_node,current_link_speed,current_link_width,max_link_speed,max_link_width}";
  }

  @Override
  public List<String> hints() {
    return List.of("/pci", "/current_link_", "/max_link_", "/numa_node", "/vendor", "/device", "/class", "scaling_governor");
  }

  @Override
  public void collect(Section section, Sink sink) {
    for (Section view : HostViews.of(section)) {
      read(view, sink);
    }
  }

  private static void read(Section section, Sink sink) {
    Map<String, Map<String, String>> devices = new LinkedHashMap<>();
    Map<String, Evidence> lines = new HashMap<>();
    List<String> looped = looped(section);
    int answer = 0;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher chain = CHAIN.matcher(line);
      if (chain.find()) {
        chain(section, i, chain, looped.isEmpty() ? Fact.UNKNOWN : looped.get(answer), sink);
      }
      answer += line.isBlank() ? 0 : 1;
      Matcher value = VALUE.matcher(line.strip());
      if (value.matches()) {
        devices.computeIfAbsent(value.group("subject"), s -> new HashMap<>()).put(value.group("file"), value.group("value").strip());
        lines.putIfAbsent(value.group("subject") + value.group("file"), section.at(i));
        sink.understood(section, i);
      }
      Matcher governor = GOVERNOR.matcher(line);
      if (governor.find()) {
        sink.fact(new CpuPower(section.node(), "governor", governor.group("value")), section.at(i));
      }
    }
    devices.forEach((subject, values) -> device(section.node(), subject, values, lines, sink));
    boolean whole = WHOLE_BUS.matcher(section.command()).find() && devices.values().stream().anyMatch(v -> v.getOrDefault("class", "").startsWith("0x02"))
        && devices.values().stream().allMatch(v -> v.containsKey("vendor") && v.containsKey("device") && v.containsKey("class"));
    if (whole) {
      sink.looked(section, Kind.PCI_IDS, 0);
    }
  }

  private static void device(String node, String subject, Map<String, String> values, Map<String, Evidence> lines, Sink sink) {
    // Net devices and HCAs keep their name: the address behind it may stand elsewhere.
    String address = subject.contains(":") ? Addresses.normal(subject) : subject;
    if (values.containsKey("numa_node")) {
      sink.fact(new PciNuma(node, address, Num.parse(values.get("numa_node"))), lines.get(subject + "numa_node"));
    }
    if (values.containsKey("current_link_speed") || values.containsKey("current_link_width")) {
      Evidence evidence = lines.getOrDefault(subject + "current_link_speed", lines.get(subject + "current_link_width"));
      sink.fact(new PciLink(node, address, speed(values.get("current_link_speed")), width(values.get("current_link_width")), speed(values.get("max_link_speed")),
          width(values.get("max_link_width"))), evidence);
    }
    if (values.containsKey("vendor") && values.containsKey("device") && address.contains(":")) {
      String ids = (values.get("vendor") + ":" + values.get("device")).replace("0x", "");
      sink.fact(new PciDevice(node, address, pciClass(values.get("class")), PciNames.card(ids), ids), lines.get(subject + "vendor"));
    }
  }

  private static String pciClass(String code) {
    if (code == null) {
      return Fact.UNKNOWN;
    }
    return PciNames.pciClass(code.replace("0x", "").replaceFirst("^(....).*", "$1"));
  }

  /** `32.0 GT/s PCIe`, old kernels `8 GT/s`, or `Unknown`. */
  private static Num speed(String text) {
    return text == null ? Num.UNKNOWN : Num.parse(text.replaceFirst(" GT/s.*", ""));
  }

  /** 0, 63 and 255 are what the kernel shows for a link it knows nothing of. */
  private static Num width(String text) {
    Num width = Num.parse(text);
    return width.is(0) || width.is(63) || width.is(255) ? Num.UNKNOWN : width;
  }

  /** Names that a loop of the command runs over, where each of them was answered with one line; else none. */
  private static List<String> looped(Section section) {
    Matcher loop = LOOP.matcher(section.command());
    if (!loop.find() || !loop.group("variable").equals(loop.group("used"))) {
      return List.of();
    }
    List<String> names = List.of(loop.group("list").strip().split("\\s+"));
    boolean one = section.lines().stream().filter(l -> !l.isBlank()).count() == names.size();
    return one && names.stream().allMatch(n -> NAME.matcher(n).matches()) ? names : List.of();
  }

  private static void chain(Section section, int index, Matcher chain, String looped, Sink sink) {
    String parent = "root:" + chain.group("root").substring(3);
    String last = parent;
    for (String address : chain.group("chain").substring(1).split("/")) {
      sink.fact(new PciParent(section.node(), address, last, Tri.YES), section.at(index));
      last = address;
    }
    Matcher link = LINK.matcher(section.command());
    if (chain.group("name") != null) {
      sink.fact(new DeviceAddress(section.node(), chain.group("name"), last), section.at(index));
    } else if (!looped.equals(Fact.UNKNOWN)) {
      sink.fact(new DeviceAddress(section.node(), looped, last), section.at(index));
    } else if (link.find() && section.lines().stream().filter(l -> !l.isBlank()).count() == 1) {
      sink.fact(new DeviceAddress(section.node(), link.group("name"), last), section.at(index));
    }
  }
}
