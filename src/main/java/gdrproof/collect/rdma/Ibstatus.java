package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.PortLink;
import gdrproof.facts.Rdma.RdmaDevice;
import gdrproof.facts.Rdma.RdmaPort;
import gdrproof.facts.Rdma.RdmaToolError;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `ibstatus` of infiniband-diags: blocks `Infiniband device 'mlx5_0' port 1 status:`. */
final class Ibstatus implements Collector {
  private static final Pattern HEAD = Pattern.compile("\\s*Infiniband device '([^']+)' port (\\d+) status:\\s*");
  private static final Pattern PAIR = Pattern.compile("\\s+(default gid|base lid|sm lid|state|phys state|rate|link_layer):\\s*(.*?)\\s*");
  private static final Pattern RATE = Pattern.compile("([\\d.]+) Gb/sec(?: \\((\\d+)X ?(\\w*)\\))?.*");
  private static final Pattern NONE = Pattern.compile("Fatal error:\\s+No devices\\s*");

  private static final Pattern MISSING = Pattern.compile("Fatal error:\\s+.{0,80}: sys files not found .*");

  @Override
  public String tool() {
    return "ibstatus";
  }

  @Override
  public void collect(Section section, Sink sink) {
    int last = -1;
    boolean whole = true;
    Moments moments = new Moments(section);
    for (int i = 0; i < section.lines().size(); i++) {
      Matcher head = HEAD.matcher(section.lines().get(i));
      if (NONE.matcher(section.lines().get(i)).matches()) {
        sink.fact(new RdmaToolError(section.node(), "ibstatus", "no-rdma-device"), section.at(i));
        sink.looked(section, Kind.RDMA_DEVICES, i);
      } else if (MISSING.matcher(section.lines().get(i)).matches()) {
        sink.fact(new RdmaToolError(section.node(), "ibstatus", "device-not-found"), section.at(i));
      } else if (head.matches()) {
        Map<String, String> values = new HashMap<>();
        int state = i;
        int end = i;
        for (Matcher pair; end + 1 < section.lines().size() && (pair = PAIR.matcher(section.lines().get(end + 1))).matches();) {
          end++;
          values.put(pair.group(1), pair.group(2));
          state = pair.group(1).equals("state") ? end : state;
        }
        whole &= port(section, sink, moments, head.group(1), Num.parse(head.group(2)), values, state, end);
        last = end;
        i = end;
      }
    }
    boolean all = section.command().equals(Fact.UNKNOWN) || section.command().strip().matches("(?:.*[\\s;&/])?ibstatus\\s*");
    if (last >= 0 && whole && all) {
      sink.looked(section, Kind.RDMA_DEVICES, last);
    }
  }

  private static boolean port(Section section, Sink sink, Moments moments, String hca, Num port, Map<String, String> values, int state, int end) {
    sink.fact(new RdmaDevice(section.node(), hca, Fact.UNKNOWN, Fact.UNKNOWN, Fact.UNKNOWN), section.at(state));
    Matcher rate = RATE.matcher(values.getOrDefault("rate", ""));
    boolean rated = rate.matches();
    if (values.containsKey("state")) {
      Words.port(sink, moments, new RdmaPort(section.node(), hca, port, Words.state(values.get("state")), Words.physical(values.getOrDefault("phys state", "")),
          rated ? Num.parse(rate.group(1)) : Num.UNKNOWN, Words.linkLayer(values.getOrDefault("link_layer", "")), Words.integer(values.getOrDefault("base lid", "")),
          Words.integer(values.getOrDefault("sm lid", ""))), Words.span(section, state, end), state);
    }
    if (rated && rate.group(2) != null) {
      sink.fact(new PortLink(section.node(), hca, port, Num.parse(rate.group(2)), Words.orUnknown(rate.group(3)), Num.UNKNOWN, Num.UNKNOWN, Num.UNKNOWN),
          Words.span(section, state, end));
    }
    if (!values.containsKey("link_layer") && !values.containsKey("rate")) {
      sink.unread(section, end, "the block of " + hca + " port " + port + " is cut");
      return false;
    }
    return true;
  }
}
