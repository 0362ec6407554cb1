package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Net.Interface;
import gdrproof.facts.Net.InterfaceAddress;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * `ip addr`, `ip link` (also `-d`, `-s`) and their brief form `ip -br`, of iproute2; of a filtered `ip -d link show DEV` the line of the VLAN; /proc/net/vlan/config and
 * /proc/net/vlan/DEV.
 */
final class IpAddr implements Collector {
  private static final Pattern HEAD = Pattern.compile("\\s*\\d+: (?<dev>[^\\s:@]+)(?:@(?<lower>[^\\s:]+))?: <(?<flags>[A-Z0-9_,-]*)>(?<rest>.*)");
  private static final Pattern MTU = Pattern.compile("\\bmtu (\\d+)");
  private static final Pattern STATE = Pattern.compile("\\bstate ([A-Z]+)");
  private static final Pattern MASTER = Pattern.compile("\\bmaster (\\S+)");
  private static final Pattern LINK = Pattern.compile("\\s+link/(\\w+)(?: ([0-9a-f:]+))?.*");
  private static final Pattern ADDRESS = Pattern.compile("\\s+inet6? (?<address>[0-9a-fA-F.:]+)(?: peer [0-9a-fA-F.:]+)?/(?<prefix>\\d+).*?(?: scope (?<scope>\\w+).*)?");
  private static final Pattern VLAN = Pattern.compile("\\s+vlan (?:protocol \\S+ )?id (\\d+).*");
  private static final Pattern DETAIL = Pattern.compile("\\s+(bond|veth|macvlan|ipvlan|vxlan|bridge|ipoib|dummy|tun)\\b.*");
  private static final Pattern BRIEF = Pattern.compile("(?<dev>[A-Za-z][^\\s:@]*)(?:@(?<lower>\\S+))?\\s+(?<state>UP|DOWN|UNKNOWN|DORMANT|LOWERLAYERDOWN)\\b(?<rest>(?:\\s+\\S+)*)\\s*");
  private static final Pattern OF_ONE = Pattern.compile("\\bip\\s.*\\bl(?:ink|i)?\\b(?:\\s+(?:show|list|ls|s|l|sh))?(?:\\s+dev)?\\s+(?<dev>[A-Za-z][\\w.:-]*)\\s*(?:\\||$)");
  private static final Pattern VLAN_ROW = Pattern.compile("(?<dev>[A-Za-z][\\w.:-]*)\\s*\\|\\s*(?<id>\\d{1,4})\\s*\\|\\s*(?<lower>[A-Za-z][\\w.:-]*)\\s*");
  private static final Pattern VLAN_FILE = Pattern.compile("(?<dev>[A-Za-z][\\w.:-]*)\\s+VID: (?<id>\\d{1,4})\\b.*");
  private static final Pattern CIDR = Pattern.compile("([0-9a-f.:]+)/(\\d+)");

  @Override
  public String tool() {
    return "ip addr";
  }

  @Override
  public void collect(Section section, Sink sink) {
    int interfaces = 0;
    int last = 0;
    Matcher asked = OF_ONE.matcher(section.command());
    String one = asked.find() ? asked.group("dev") : "";
    boolean table = false;
    for (int i = 0; i < section.lines().size(); i++) {
      Matcher head = HEAD.matcher(section.lines().get(i));
      Matcher brief = BRIEF.matcher(section.lines().get(i));
      if (head.matches()) {
        i = block(section, sink, head, i);
        interfaces++;
        last = i;
      } else if (brief.matches() && brief(section, sink, brief, i)) {
        interfaces++;
        last = i;
      } else {
        table |= section.lines().get(i).startsWith("Name-Type:") || section.command().contains("/proc/net/vlan");
        vlan(section, sink, i, one, table);
      }
    }
    boolean all = section.command().equals(Fact.UNKNOWN) || !section.command().matches(".*(?:\\bdev\\b|\\bshow \\S|\\||\\bup\\b|\\btype\\b).*");
    if (interfaces > 0 && all) {
      sink.looked(section, Kind.INTERFACES, last);
    }
  }

  /** A VLAN whose interface the line or the command names. */
  private static void vlan(Section section, Sink sink, int index, String one, boolean table) {
    String line = section.lines().get(index);
    Matcher tag = VLAN.matcher(line);
    Matcher row = VLAN_ROW.matcher(line);
    Matcher file = VLAN_FILE.matcher(line);
    if (tag.matches() && !one.isEmpty()) {
      sink.fact(tagged(section, one, tag.group(1), Fact.UNKNOWN), section.at(index));
    } else if (table && row.matches()) {
      sink.fact(tagged(section, row.group("dev"), row.group("id"), row.group("lower")), section.at(index));
    } else if (file.matches()) {
      sink.fact(tagged(section, file.group("dev"), file.group("id"), Fact.UNKNOWN), section.at(index));
    }
  }

  private static Interface tagged(Section section, String dev, String id, String lower) {
    return new Interface(section.node(), dev, Fact.UNKNOWN, Tri.UNKNOWN, Num.UNKNOWN, Fact.UNKNOWN, Fact.UNKNOWN, "vlan", Num.parse(id), Fact.UNKNOWN, lower);
  }

  private static int block(Section section, Sink sink, Matcher head, int start) {
    String dev = head.group("dev");
    String mac = Fact.UNKNOWN;
    String link = Fact.UNKNOWN;
    String kind = Fact.UNKNOWN;
    Num vlan = Num.UNKNOWN;
    int i = start;
    while (i + 1 < section.lines().size() && section.lines().get(i + 1).matches("\\s+\\S.*")) {
      String line = section.lines().get(++i);
      Matcher layer = LINK.matcher(line);
      Matcher address = ADDRESS.matcher(line);
      Matcher tag = VLAN.matcher(line);
      Matcher detail = DETAIL.matcher(line);
      if (layer.matches()) {
        link = layer.group(1);
        mac = Words.orUnknown(layer.group(2));
      } else if (address.matches()) {
        sink.fact(new InterfaceAddress(section.node(), dev, address.group("address"), Num.parse(address.group("prefix")), Words.orUnknown(address.group("scope"))),
            section.at(i));
      } else if (tag.matches()) {
        kind = "vlan";
        vlan = Num.parse(tag.group(1));
      } else if (detail.matches()) {
        kind = detail.group(1);
      }
    }
    String flags = "," + head.group("flags") + ",";
    String rest = head.group("rest");
    Tri carrier = flags.contains(",LOWER_UP,") ? Tri.YES : flags.contains(",NO-CARRIER,") ? Tri.NO : Tri.UNKNOWN;
    Num mtu = Num.parse(first(MTU, rest));
    String state = Words.orUnknown(first(STATE, rest));
    if (state.equals(Fact.UNKNOWN) && !flags.contains(",UP,")) {
      state = "DOWN";
    }
    sink.fact(new Interface(section.node(), dev, state, carrier, mtu, mac, link, kind, vlan, Words.orUnknown(first(MASTER, rest)), lower(head.group("lower"))),
        section.at(start));
    return i;
  }

  private static boolean brief(Section section, Sink sink, Matcher brief, int index) {
    String rest = brief.group("rest").strip();
    boolean link = rest.matches("(?:[0-9a-f]{2}(?::[0-9a-f]{2})+)?\\s*<[A-Z0-9_,-]*>.*");
    if (!link && !rest.isEmpty() && !CIDR.matcher(rest.split("\\s+")[0]).matches()) {
      return false;
    }
    String mac = link && !rest.startsWith("<") ? rest.split("\\s+")[0] : Fact.UNKNOWN;
    Tri carrier = rest.contains("LOWER_UP") ? Tri.YES : rest.contains("NO-CARRIER") ? Tri.NO : Tri.UNKNOWN;
    // A bare "name UP" might be any table; only addresses, flags or the command itself make it an interface.
    if (rest.isEmpty() && !section.command().contains("ip ")) {
      return false;
    }
    sink.fact(new Interface(section.node(), brief.group("dev"), brief.group("state"), carrier, Num.UNKNOWN, mac, Fact.UNKNOWN, Fact.UNKNOWN, Num.UNKNOWN, Fact.UNKNOWN,
        lower(brief.group("lower"))), section.at(index));
    for (String word : link ? new String[0] : rest.split("\\s+")) {
      Matcher cidr = CIDR.matcher(word);
      if (cidr.matches()) {
        sink.fact(new InterfaceAddress(section.node(), brief.group("dev"), cidr.group(1), Num.parse(cidr.group(2)),
            cidr.group(1).startsWith("fe80") ? "link" : Fact.UNKNOWN), section.at(index));
      }
    }
    return true;
  }

  private static String lower(String name) {
    return name == null || name.matches("(?:NONE|if\\d+)") ? Fact.UNKNOWN : name;
  }

  private static String first(Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    return found.find() ? found.group(1) : null;
  }
}
