package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Net.NameAddress;
import gdrproof.facts.Net.TcpProbe;
import gdrproof.facts.Num;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a host makes of a name (`getent hosts`, `/etc/hosts`, `nslookup`, `host`, `dig +short`, the heading of `ping`), and whether a TCP port answers (`nc` of OpenBSD and
 * nmap, telnet, curl, bash's /dev/tcp).
 */
final class Reach implements Collector {
  private static final String ADDRESS = "(?<address>\\d{1,3}(?:\\.\\d{1,3}){3}|(?=[0-9a-fA-F:.]*:)[0-9a-fA-F:.]{2,45})";
  private static final Pattern HOSTS_LINE = Pattern.compile(ADDRESS + "\\s+(?:(?:STREAM|DGRAM|RAW)\\s+)?(?<names>[A-Za-z][\\w.-]*(?:\\s+[A-Za-z][\\w.-]*)*)\\s*(?:#.*)?");
  private static final Pattern ANSWER = Pattern.compile("(?:(?<host>[A-Za-z][\\w.-]*) has (?:IPv6 )?address |Address(?:es)?:\\s+)" + ADDRESS + "\\s*");
  private static final Pattern NAME = Pattern.compile("Name:\\s+(?<host>[A-Za-z][\\w.-]*)\\s*");
  private static final Pattern PING = Pattern.compile("PING (?<host>[A-Za-z][\\w.-]*) ?\\(" + ADDRESS + "\\).*");
  private static final Pattern ASKED = Pattern.compile("(?:^|[\\s;|&(])(?:getent (?:a?hosts\\w*)|nslookup|host|dig)\\s(?:[^|;]*\\s)?(?<host>[A-Za-z][\\w.-]*)\\s*(?:\\||;|$)");
  private static final Pattern FILE = Pattern.compile("/etc/hosts\\b");
  private static final Pattern OPENBSD = Pattern.compile("nc: connect to (?<target>\\S+?)(?: \\(" + ADDRESS + "\\))? port (?<port>\\d+) \\(tcp\\) (?<why>(?:failed|timed out): .+)");
  private static final Pattern OPENBSD_OPEN = Pattern.compile("Connection to (?<target>\\S+?)(?: \\(" + ADDRESS + "\\))? (?<port>\\d+) port \\[tcp/[^\\]]+\\] succeeded!.*");
  private static final Pattern NMAP = Pattern.compile("Ncat: (?:(?<open>Connected to) " + ADDRESS + ":(?<port>\\d+)\\.|(?<why>Connection refused|TIMEOUT|Connection timed out|No route to host)\\.?.*)");
  private static final Pattern TRADITIONAL = Pattern.compile("(?:\\(UNKNOWN\\)|(?<target>[A-Za-z][\\w.-]*)) \\[" + ADDRESS + "\\] (?<port>\\d+) (?:\\([^)]*\\) )?(?:(?<open>open)|: (?<why>.+))");
  private static final Pattern TELNET = Pattern.compile("telnet: (?:Unable to connect to remote host|connect to address " + ADDRESS + "): (?<why>.+)");
  private static final Pattern CURL = Pattern.compile("curl: \\((?:7|28)\\) (?:Failed to connect to (?<target>\\S+) port (?<port>\\d+).*?: )?(?<why>.*(?:refused|timed out|Could ?n.t connect|No route).*)");
  private static final Pattern BASH = Pattern.compile("(?:-?bash: )?(?:connect: (?<why>.+)|/dev/tcp/(?<target>[^/\\s]+)/(?<port>\\d+): (?<error>.+))");
  private static final Pattern DEV_TCP = Pattern.compile("/dev/tcp/(?<target>[^/\\s]+)/(?<port>\\d+)");
  private static final Pattern LAST_TWO = Pattern.compile("(?:nc|ncat|netcat|telnet)\\s.*?(?<target>[A-Za-z0-9][\\w.:-]*)\\s+(?<port>\\d{1,5})\\b[^|]*$");

  @Override
  public String tool() {
    return "getent hosts";
  }

  @Override
  public void collect(Section section, Sink sink) {
    Matcher asked = ASKED.matcher(section.command());
    String name = asked.find() ? asked.group("host") : Fact.UNKNOWN;
    boolean getent = Pattern.compile("\\bgetent a?hosts").matcher(section.command()).find();
    boolean file = FILE.matcher(section.command()).find() || section.name().equals("hosts") || section.file().endsWith("etc/hosts");
    boolean dig = Words.runs(section, "dig") && section.command().contains("+short");
    String shown = Fact.UNKNOWN;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i).strip();
      Matcher hosts = HOSTS_LINE.matcher(line);
      Matcher answer = ANSWER.matcher(line);
      Matcher head = NAME.matcher(line);
      Matcher ping = PING.matcher(line);
      if ((getent || file) && hosts.matches()) {
        for (String each : hosts.group("names").split("\\s+")) {
          name(section, sink, i, each, hosts.group("address"), file ? "hosts-file" : "resolver");
        }
      } else if (head.matches()) {
        shown = head.group("host");
        sink.understood(section, i);
      } else if (answer.matches() && (answer.group("host") != null || !shown.equals(Fact.UNKNOWN))) {
        name(section, sink, i, answer.group("host") == null ? shown : answer.group("host"), answer.group("address"), "resolver");
      } else if (ping.matches()) {
        name(section, sink, i, ping.group("host"), ping.group("address"), "resolver");
      } else if (dig && !name.equals(Fact.UNKNOWN) && line.matches("[0-9a-fA-F:.]{3,45}")) {
        name(section, sink, i, name, line, "resolver");
      } else {
        probe(section, sink, i, line);
      }
    }
  }

  private static void name(Section section, Sink sink, int index, String name, String address, String source) {
    // Every host calls itself localhost; that says nothing.
    if (!name.startsWith("localhost") && !name.startsWith("ip6-")) {
      sink.fact(new NameAddress(section.node(), Sections.shortName(name), address, source), section.at(index));
    } else {
      sink.understood(section, index);
    }
  }

  private static void probe(Section section, Sink sink, int index, String line) {
    for (Pattern pattern : new Pattern[] {OPENBSD, OPENBSD_OPEN, NMAP, TRADITIONAL, TELNET, CURL, BASH}) {
      Matcher m = pattern.matcher(line);
      if (!m.matches()) {
        continue;
      }
      Matcher asked = (pattern == BASH ? DEV_TCP : LAST_TWO).matcher(section.command());
      boolean named = asked.find();
      String target = group(m, "target");
      target = target.equals(Fact.UNKNOWN) && named ? asked.group("target") : target;
      String port = group(m, "port");
      port = port.equals(Fact.UNKNOWN) && named ? asked.group("port") : port;
      String why = group(m, "why").equals(Fact.UNKNOWN) ? group(m, "error") : group(m, "why");
      String result = pattern == OPENBSD_OPEN || !group(m, "open").equals(Fact.UNKNOWN) ? "open" : result(why);
      String address = group(m, "address");
      if (!port.equals(Fact.UNKNOWN) && !result.equals(Fact.UNKNOWN)) {
        boolean numeric = target.matches("[0-9.]+|.*:.*");
        sink.fact(new TcpProbe(section.node(), numeric ? target : Sections.shortName(target), numeric && address.equals(Fact.UNKNOWN) ? target : address, Num.parse(port), result), section.at(index));
      }
      return;
    }
  }

  private static String result(String why) {
    String text = why.toLowerCase(Locale.ROOT);
    return text.contains("refused") ? "refused" : text.contains("timed out") || text.contains("timeout") || text.contains("in progress") ? "timeout"
        : text.contains("no route") || text.contains("unreachable") ? "no-route" : text.contains("not known") || text.contains("name resolution") ? "unresolved" : Fact.UNKNOWN;
  }

  private static String group(Matcher m, String name) {
    try {
      return m.group(name) == null ? Fact.UNKNOWN : m.group(name);
    } catch (IllegalArgumentException e) {
      // This tool's form has no such part.
      return Fact.UNKNOWN;
    }
  }
}
