package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Net.CableModule;
import gdrproof.facts.Net.EthernetLink;
import gdrproof.facts.Net.LanePower;
import gdrproof.facts.Net.NicDriver;
import gdrproof.facts.Net.PauseSetting;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.RdmaToolError;
import gdrproof.facts.Tri;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `ethtool DEV`, `-i`, `-a` and `-m`. Its counters (`-S`) are {@link EthtoolStats}'. */
final class Ethtool implements Collector {
  private static final Pattern SETTINGS = Pattern.compile("Settings for (\\S+):\\s*");
  /** Settings of which a filter left the lines about the link, without the heading. */
  private static final Pattern FILTERED = Pattern.compile("\\bethtool\\s+(?<dev>[A-Za-z][\\w.@:-]*)\\s*\\|.*");
  /** A loop that puts the interface before its speed: `for i in net1 net2; do echo $i $(ethtool $i | grep Speed); done`. */
  private static final Pattern LOOP = Pattern.compile("\\bethtool\\s+\"?\\$\\{?\\w+\\}?\"?\\s*(?:2>\\S+\\s*)?\\|.*");
  private static final Pattern NAMED_SPEED = Pattern.compile("\\s*(?<dev>[A-Za-z][\\w.-]{0,14}):?\\s+Speed: (?<speed>\\d+)Mb/s\\s*");
  private static final Pattern OF_LINK = Pattern.compile("\\s*(?:Speed: (?:\\d+Mb/s|Unknown!.*)|Link detected: (?:yes|no)\\b.*)");
  private static final Pattern PAUSE = Pattern.compile("Pause parameters for (\\S+):\\s*");
  private static final Pattern PAIR = Pattern.compile("\\s*([A-Za-z][A-Za-z0-9 /().,-]*?)\\s*:\\s*(.*?)\\s*");
  private static final Pattern MODE = Pattern.compile("(\\d+)base\\S+");
  private static final Pattern FIRMWARE = Pattern.compile("(\\S+)(?: \\(([^)]+)\\))?");
  private static final Pattern POWER = Pattern.compile("\\s*(?:Rcvr signal avg optical power|Receiver signal (?:average |avg )?optical power|Rx power)\\s*(?:\\(Channel (\\d+)\\))?\\s*:\\s*.*?(-?[\\d.]+|-inf) dBm.*");
  private static final Pattern ALARM = Pattern.compile("\\s*(?:Rx power low alarm|Laser rx power low alarm)\\s*(?:\\(Channel (\\d+)\\))?\\s*:\\s*(On|Off)\\s*");

  /** What the reader lacks the right for is said in the middle of a good answer. */
  private static final Pattern ERROR = Pattern.compile("netlink error: .*|Cannot get .*");

  @Override
  public String tool() {
    return "ethtool";
  }

  @Override
  public List<String> hints() {
    return List.of("Settings for ", "Pause parameters for ", "driver: ", "Identifier", "Speed: ", "netlink error", "Cannot get ");
  }

  @Override
  public void collect(Section section, Sink sink) {
    Matcher filtered = FILTERED.matcher(section.command());
    if (filtered.find() && section.lines().stream().noneMatch(l -> SETTINGS.matcher(l).matches()) && section.lines().stream().anyMatch(l -> OF_LINK.matcher(l).matches())) {
      settings(section, sink, filtered.group("dev"), -1);
      return;
    }
    boolean loop = LOOP.matcher(section.command()).find();
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher named = NAMED_SPEED.matcher(loop ? line : "");
      if (named.matches()) {
        sink.fact(new EthernetLink(section.node(), named.group("dev"), Num.parse(named.group("speed")), Num.UNKNOWN, Num.UNKNOWN, Fact.UNKNOWN, Tri.UNKNOWN, Fact.UNKNOWN, Tri.UNKNOWN), section.at(i));
        continue;
      }
      Matcher settings = SETTINGS.matcher(line);
      Matcher pause = PAUSE.matcher(line);
      if (settings.matches()) {
        i = settings(section, sink, settings.group(1), i);
      } else if (pause.matches()) {
        i = pause(section, sink, pause.group(1), i);
      } else if (line.startsWith("driver: ")) {
        i = driver(section, sink, i);
      } else if (line.matches("\\s+Identifier\\s+: 0x[0-9a-f]+ .*")) {
        i = module(section, sink, i);
      } else if (line.contains("netlink error: Operation not supported") || line.matches("Cannot get (?:module|device|stats).*: Operation not supported")) {
        sink.fact(new RdmaToolError(section.node(), "ethtool", "unsupported"), section.at(i));
      }
    }
  }

  private static int settings(Section section, Sink sink, String dev, int start) {
    Map<String, String> values = new HashMap<>();
    Num best = Num.UNKNOWN;
    String key = "";
    int speed = Math.max(start, 0);
    int i = start;
    for (; i + 1 < section.lines().size() && (start < 0 || section.lines().get(i + 1).matches("\\s+\\S.*|" + ERROR.pattern())); i++) {
      String line = section.lines().get(i + 1);
      Matcher pair = PAIR.matcher(line);
      if (pair.matches() && !ERROR.matcher(line).matches()) {
        key = pair.group(1);
        values.put(key, pair.group(2));
        speed = key.equals("Speed") || start < 0 && !values.containsKey("Speed") ? i + 1 : speed;
      }
      Matcher mode = MODE.matcher(line);
      while (key.equals("Supported link modes") && mode.find()) {
        Num each = Num.parse(mode.group(1));
        best = !best.known() || each.above(best) ? each : best;
      }
    }
    if (!values.containsKey("Speed") && !values.containsKey("Link detected")) {
      sink.unread(section, Math.max(start, 0), "settings of " + dev + " are cut");
      return i;
    }
    String detected = values.getOrDefault("Link detected", "");
    String modes = values.get("Supported link modes");
    sink.fact(new EthernetLink(section.node(), dev, Words.leading(values.getOrDefault("Speed", "")), best, Words.leading(values.getOrDefault("Lanes", "")),
        Words.orUnknown(values.get("Duplex")), detected.startsWith("yes") ? Tri.YES : detected.startsWith("no") ? Tri.NO : Tri.UNKNOWN, Words.orUnknown(values.get("Port")),
        best.known() ? Tri.YES : "Not reported".equals(modes) ? Tri.NO : Tri.UNKNOWN), section.at(speed));
    return i;
  }

  private static int pause(Section section, Sink sink, String dev, int start) {
    Map<String, Tri> values = new HashMap<>();
    int i = start;
    for (; i + 1 < section.lines().size() && section.lines().get(i + 1).matches("(?:Autonegotiate|RX|TX|RX negotiated|TX negotiated):\\s*\\S+.*"); i++) {
      Matcher pair = PAIR.matcher(section.lines().get(i + 1));
      if (pair.matches()) {
        values.put(pair.group(1), pair.group(2).equals("on") ? Tri.YES : pair.group(2).equals("off") ? Tri.NO : Tri.UNKNOWN);
      }
    }
    if (values.isEmpty()) {
      sink.unread(section, start, "pause parameters of " + dev + " are cut");
    } else {
      sink.fact(new PauseSetting(section.node(), dev, values.getOrDefault("Autonegotiate", Tri.UNKNOWN), values.getOrDefault("RX", Tri.UNKNOWN),
          values.getOrDefault("TX", Tri.UNKNOWN)), section.at(start, i));
    }
    return i;
  }

  private static int driver(Section section, Sink sink, int start) {
    Map<String, String> values = new HashMap<>();
    int i = start - 1;
    for (; i + 1 < section.lines().size() && section.lines().get(i + 1).matches("[a-z-]+:.*"); i++) {
      Matcher pair = PAIR.matcher(section.lines().get(i + 1));
      if (pair.matches()) {
        values.put(pair.group(1), pair.group(2));
      }
    }
    Matcher firmware = FIRMWARE.matcher(values.getOrDefault("firmware-version", ""));
    boolean versioned = firmware.matches();
    sink.fact(new NicDriver(section.node(), device(section), values.get("driver"), Words.orUnknown(values.get("version")), emptyIsNone(values, "firmware-version", versioned ? firmware.group(1) : ""),
        versioned ? Words.orUnknown(firmware.group(2)) : Fact.UNKNOWN, emptyIsNone(values, "bus-info", values.get("bus-info"))), section.at(start, i));
    return Math.max(start, i);
  }

  /** Length of the cable itself: CMIS says it in one line, older forms (SFF-8636, SFF-8472) list the reach of each medium and 0m for those that are not there. */
  private static Num length(Map<String, String> values) {
    for (String name : List.of("Cable assembly length", "Length (Copper or Active cable)", "Length (Copper)")) {
      Num metres = Words.leading(values.getOrDefault(name, ""));
      if (metres.above(0)) {
        return metres;
      }
    }
    return Num.UNKNOWN;
  }

  private static String emptyIsNone(Map<String, String> values, String key, String value) {
    return !values.containsKey(key) ? Fact.UNKNOWN : value == null || value.isBlank() ? "none" : value;
  }

  private static int module(Section section, Sink sink, int start) {
    Map<String, String> values = new HashMap<>();
    Map<String, Num> power = new HashMap<>();
    Map<String, Integer> powerLine = new HashMap<>();
    Map<String, Tri> alarm = new HashMap<>();
    String types = "";
    int i = start - 1;
    for (; i + 1 < section.lines().size() && section.lines().get(i + 1).matches("\\s+\\S.*:.*"); i++) {
      String line = section.lines().get(i + 1);
      Matcher lane = POWER.matcher(line);
      Matcher low = ALARM.matcher(line);
      Matcher pair = PAIR.matcher(line);
      if (lane.matches()) {
        // A plug of one lane has no channels.
        power.put(lane.group(1) == null ? "1" : lane.group(1), Num.parse(lane.group(2)));
        powerLine.put(lane.group(1) == null ? "1" : lane.group(1), i + 1);
      } else if (low.matches()) {
        alarm.put(low.group(1) == null ? "1" : low.group(1), Tri.of(low.group(2).equals("On")));
      } else if (pair.matches()) {
        types += pair.group(1).equals("Transceiver type") || pair.group(1).endsWith("Cu cmplnce.") ? " " + pair.group(1) + " " + pair.group(2) : "";
        values.putIfAbsent(pair.group(1), pair.group(2));
      }
    }
    String technology = values.getOrDefault("Transmitter technology", "").toLowerCase(Locale.ROOT);
    String older = types.matches(".*(?:Active Cable|Copper Active|Active Cu).*") ? "active copper" : types.matches(".*(?:Passive Cable|Copper Passive|Passive Cu|BASE-CR).*") ? "passive copper"
        : types.matches(".*BASE-[SLEZ]R.*") || values.containsKey("Laser wavelength") ? "optical" : Fact.UNKNOWN;
    String cable = technology.contains("copper") ? technology.contains("active") ? "active copper" : "passive copper" : !power.isEmpty() ? "optical"
        : technology.contains("vcsel") || technology.contains("laser") ? "optical" : older;
    sink.fact(new CableModule(section.node(), device(section), values.getOrDefault("Identifier", "").split(" ")[0], Words.orUnknown(values.get("Vendor name")),
        Words.orUnknown(values.get("Vendor PN")), cable, length(values),
        Words.leading(values.getOrDefault("Module temperature", ""))), section.at(start));
    power.forEach((lane, dbm) -> sink.fact(new LanePower(section.node(), device(section), Num.parse(lane), dbm, alarm.getOrDefault(lane, Tri.UNKNOWN)),
        section.at(powerLine.get(lane))));
    return Math.max(start, i);
  }

  /** The interface of the section's command (`ethtool -i rail0`), or unknown. */
  static String device(Section section) {
    Matcher device = Pattern.compile("\\bethtool(?:\\s+-{1,2}[a-zA-Z-]+)*\\s+([A-Za-z][A-Za-z0-9_.@:-]*)").matcher(section.command());
    return device.find() ? device.group(1) : Fact.UNKNOWN;
  }
}
