package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Net.IpSetting;
import gdrproof.facts.Net.Neighbour;
import gdrproof.facts.Net.Route;
import gdrproof.facts.Net.RouteRule;
import gdrproof.facts.Num;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `ip route` (any table), `ip rule`, `ip neigh`, and the rp_filter and arp_ sysctls. */
final class IpRoute implements Collector {
  private static final String PREFIX = "(?:default|\\d+\\.\\d+\\.\\d+\\.\\d+(?:/\\d+)?|[0-9a-f]*:[0-9a-f:]+(?:/\\d+)?)";
  private static final Pattern ROUTE = Pattern.compile("(?:(?<type>unreachable|blackhole|prohibit|local|broadcast|unicast) )?(?<to>" + PREFIX + ")(?<rest>(?: (?:via|dev|proto|scope|src|metric|table|onlink|pref|linkdown|advmss|mtu|nhid|encap|dead|error)\\b.*)?)\\s*");
  private static final Pattern RULE = Pattern.compile("(\\d+):\\s+(?:not )?(from \\S+(?: .*?)?) (?:\\[\\w+] )?lookup (\\S+).*");
  private static final Pattern NEIGHBOUR = Pattern.compile("(?<address>[0-9a-f.:]+) dev (?<dev>\\S+)(?: lladdr (?<mac>[0-9a-f:]+))?(?:\\s+\\w+)*? (?<state>REACHABLE|STALE|DELAY|PROBE|FAILED|INCOMPLETE|PERMANENT|NOARP)\\s*");
  private static final Pattern SYSCTL = Pattern.compile("(?:net\\.ipv4\\.conf\\.|/proc/sys/net/ipv4/conf/)(?<dev>[^/\\s]+?)[./](?<name>rp_filter|arp_ignore|arp_announce|arp_filter|accept_local)\\s*[=:]\\s*(?<value>\\d+)\\s*");

  @Override
  public String tool() {
    return "ip route";
  }

  @Override
  public void collect(Section section, Sink sink) {
    String table = Words.option(section, "table");
    int everything = -1;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i).strip();
      Matcher route = ROUTE.matcher(line);
      Matcher rule = RULE.matcher(line);
      Matcher neighbour = NEIGHBOUR.matcher(line);
      Matcher sysctl = SYSCTL.matcher(line);
      if (neighbour.matches()) {
        sink.fact(new Neighbour(section.node(), neighbour.group("address"), neighbour.group("dev"), Words.orUnknown(neighbour.group("mac")), neighbour.group("state")), section.at(i));
      } else if (rule.matches()) {
        sink.fact(new RouteRule(section.node(), Num.parse(rule.group(1)), rule.group(2).strip(), rule.group(3)), section.at(i));
        // The last of the kernel's own rules: whoever prints it prints all before it.
        everything = rule.group(3).equals("default") ? i : everything;
      } else if (sysctl.matches()) {
        sink.fact(new IpSetting(section.node(), sysctl.group("dev").replace('/', '.'), sysctl.group("name"), Num.parse(sysctl.group("value"))), section.at(i));
      } else if (route.matches() && (route.group("rest").contains(" dev ") || route.group("rest").contains(" via ") || route.group("type") != null)) {
        String rest = route.group("rest") + " ";
        String own = word(rest, "table");
        sink.fact(new Route(section.node(), own.equals(Fact.UNKNOWN) ? table.equals(Fact.UNKNOWN) ? "main" : table : own, route.group("to"), word(rest, "via"), word(rest, "dev"),
            word(rest, "src"), Num.parse(word(rest, "metric")), route.group("type") == null ? "unicast" : route.group("type")), section.at(i));
      }
    }
    if (everything >= 0) {
      sink.looked(section, Kind.ROUTE_RULES, everything);
    }
  }

  private static String word(String text, String key) {
    Matcher found = Pattern.compile(" " + key + " (\\S+)").matcher(text);
    return found.find() ? found.group(1) : Fact.UNKNOWN;
  }
}
