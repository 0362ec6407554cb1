package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.FabricLink;
import gdrproof.facts.Rdma.PortCapability;
import gdrproof.facts.Rdma.RdmaToolError;
import gdrproof.facts.Rdma.SubnetManager;
import gdrproof.facts.Speeds;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `sminfo` and `smpquery portinfo` of infiniband-diags. */
final class SubnetTools implements Collector {
  private static final Pattern SMINFO = Pattern.compile("sminfo: sm lid (\\d+) sm guid (0x[0-9a-f]+), activity count \\d+ priority (\\d+) state (\\d) (SMINFO_(?:NOTACT|DISCOVER|STANDBY|MASTER)|\\S*UNKNOWN\\S*)\\s*");
  private static final Pattern NO_ANSWER = Pattern.compile("ibwarn: .*_do_madrpc failed; dport \\((?:DR path .*|Lid (\\d+))\\)\\s*");
  private static final Pattern FAILED = Pattern.compile("sminfo: iberror: failed: (.*)");
  private static final Pattern HEAD = Pattern.compile("# Port info: (?:Lid (\\d+)|DR path .*?) port (\\d+)\\s*");
  private static final Pattern PAIR = Pattern.compile("([A-Za-z0-9]+):\\.*\\s*(.*?)\\s*");
  private static final Pattern GBPS = Pattern.compile("([\\d.]+) Gbps");
  private static final Pattern WIDTH = Pattern.compile("(\\d+)X");

  @Override
  public String tool() {
    return "sminfo";
  }

  @Override
  public void collect(Section section, Sink sink) {
    String cause = "";
    int causeLine = 0;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i).strip();
      Matcher answer = SMINFO.matcher(line);
      Matcher silent = NO_ANSWER.matcher(line);
      Matcher failed = FAILED.matcher(line);
      Matcher head = HEAD.matcher(line);
      if (answer.matches()) {
        sink.fact(new SubnetManager(section.node(), Num.parse(answer.group(1)), answer.group(2), Num.parse(answer.group(3)), Num.parse(answer.group(4)), answer.group(5)),
            section.at(i));
      } else if (line.contains("is ib_umad module loaded?") || line.contains("can't open UMAD port")) {
        cause = "no-umad";
        causeLine = i;
      } else if (silent.matches() && cause.isEmpty()) {
        // A direct route to oneself, or lid 0: the port itself knows no manager. A real lid: one is known and does not answer.
        cause = silent.group(1) == null || silent.group(1).equals("0") ? "no-sm" : "sm-unreachable";
        causeLine = i;
      } else if (failed.matches() && !cause.isEmpty()) {
        sink.fact(new RdmaToolError(section.node(), "sminfo", cause), section.at(i - causeLine < 5 ? causeLine : i, i));
        if (!cause.equals("no-umad")) {
          sink.fact(new SubnetManager(section.node(), Num.UNKNOWN, Fact.UNKNOWN, Num.UNKNOWN, Num.UNKNOWN, cause.equals("no-sm") ? "none" : "silent"), section.at(i));
        }
        cause = "";
      } else if (head.matches()) {
        i = portInfo(section, sink, head, i);
      }
    }
  }

  private static int portInfo(Section section, Sink sink, Matcher head, int start) {
    Map<String, String> values = new HashMap<>();
    int i = start;
    for (; i + 1 < section.lines().size() && !section.lines().get(i + 1).isBlank() && !section.lines().get(i + 1).startsWith("#"); i++) {
      Matcher pair = PAIR.matcher(section.lines().get(i + 1).strip());
      if (pair.matches()) {
        values.put(pair.group(1), pair.group(2));
      }
    }
    if (!values.containsKey("LinkState")) {
      sink.unread(section, start, "port info is cut before its link state");
      return i;
    }
    Num lane = last(GBPS, values.getOrDefault("LinkSpeedExtActive", ""));
    lane = lane.known() && lane.value() > 0 ? lane : last(GBPS, values.getOrDefault("LinkSpeedActive", ""));
    String name = "lid " + (head.group(1) == null ? Fact.UNKNOWN : head.group(1));
    sink.fact(new FabricLink(name, Fact.UNKNOWN, Num.parse(head.group(1)), Num.parse(head.group(2)), last(WIDTH, values.getOrDefault("LinkWidthActive", "")), lane,
        Words.state(values.get("LinkState")), Words.physical(values.getOrDefault("PhysLinkState", "")), Fact.UNKNOWN, Num.UNKNOWN, Fact.UNKNOWN, "smpquery"), section.at(start, i));
    Num best = last(GBPS, values.getOrDefault("LinkSpeedExtSupported", ""));
    Num lanes = most(WIDTH, values.getOrDefault("LinkWidthEnabled", ""));
    if (best.known() && lanes.known()) {
      sink.fact(new PortCapability(section.node(), name, Num.of(Speeds.tradeGbps(most(GBPS, values.get("LinkSpeedExtSupported"))).value() * lanes.value()), "smpquery"),
          section.at(start, i));
    }
    return i;
  }

  private static Num last(Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    Num value = Num.UNKNOWN;
    while (found.find()) {
      value = Num.parse(found.group(1));
    }
    return value;
  }

  private static Num most(Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    Num value = Num.UNKNOWN;
    while (found.find()) {
      Num each = Num.parse(found.group(1));
      value = !value.known() || each.above(value) ? each : value;
    }
    return value;
  }
}
