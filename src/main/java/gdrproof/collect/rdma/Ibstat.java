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

/** `ibstat` of infiniband-diags: blocks `CA 'mlx5_0'`, inside them `Port 1:`. Where a filter took the heading away, the command may still name the one CA it asked for. */
final class Ibstat implements Collector {
  private static final Pattern CA = Pattern.compile("\\s*CA '([^']+)'\\s*");
  private static final Pattern PORT = Pattern.compile("\\s+Port (\\d+):\\s*");
  private static final Pattern PAIR = Pattern.compile("\\s+(CA type|Number of ports|Firmware version|Hardware version|Node GUID|System image GUID|State|Physical state|Rate|"
      + "Effective speed|Base lid|LMC|SM lid|Capability mask|Port GUID|Link layer):\\s*(.*?)\\s*");
  private static final Pattern OF_ONE = Pattern.compile("(?:^|[\\s;&|/])ibstat\\s+(?<hca>[a-z][a-z0-9_]*\\d)(?:\\s+\\d+)?\\s*(?:\\||;|$)");
  private static final Pattern MISSING = Pattern.compile("ibpanic: .*'([^']+)' IB device can't be found.*");

  @Override
  public String tool() {
    return "ibstat";
  }

  @Override
  public void collect(Section section, Sink sink) {
    if (section.lines().stream().allMatch(String::isBlank) && section.command().strip().matches("(?:sudo )?(?:\\S*/)?ibstat")) {
      // No HCA: no output, exit status 0.
      sink.looked(section, Kind.RDMA_DEVICES, 0);
      return;
    }
    Moments moments = new Moments(section);
    Matcher asked = OF_ONE.matcher(section.command());
    boolean headless = asked.find() && section.lines().stream().noneMatch(l -> CA.matcher(l).matches()) && section.lines().stream().anyMatch(l -> PORT.matcher(l).matches());
    Block block = headless ? new Block(section, moments, asked.group("hca"), -1) : null;
    boolean whole = true;
    int last = -1;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher ca = CA.matcher(line);
      Matcher missing = MISSING.matcher(line);
      if (ca.matches()) {
        whole &= block == null || block.close(sink, i);
        block = new Block(section, moments, ca.group(1), i);
        last = i;
      } else if (missing.matches()) {
        sink.fact(new RdmaToolError(section.node(), "ibstat", "device-not-found"), section.at(i));
      } else if (block != null && block.take(line, i, sink)) {
        last = i;
      } else if (block != null && !line.isBlank()) {
        whole &= block.close(sink, i);
        block = null;
      }
    }
    if (block != null) {
      whole &= block.close(sink, section.lines().size());
    }
    boolean all = section.command().equals(Fact.UNKNOWN) || section.command().strip().matches("(?:.*[\\s;&/])?ibstat\\s*");
    if (last >= 0 && whole && all) {
      sink.looked(section, Kind.RDMA_DEVICES, last);
    }
  }

  /** One CA and the port being read. */
  private static final class Block {
    private final Section section;
    private final Moments moments;
    private final String hca;
    private final int start;
    private final Map<String, String> device = new HashMap<>();
    private Map<String, String> port;
    private String number;
    private int stateLine;
    private int lastLine;
    private int ports;
    private boolean whole = true;

    Block(Section section, Moments moments, String hca, int start) {
      this.section = section;
      this.moments = moments;
      this.hca = hca;
      this.start = start;
      this.lastLine = start;
    }

    boolean take(String line, int index, Sink sink) {
      Matcher head = PORT.matcher(line);
      Matcher pair = PAIR.matcher(line);
      if (head.matches()) {
        closePort(sink);
        port = new HashMap<>();
        number = head.group(1);
        stateLine = index;
      } else if (pair.matches()) {
        (port == null ? device : port).put(pair.group(1), pair.group(2));
        stateLine = pair.group(1).equals("State") ? index : stateLine;
      } else {
        return false;
      }
      lastLine = index;
      return true;
    }

    /** Ends the block; false if it was cut. */
    boolean close(Sink sink, int end) {
      closePort(sink);
      if (start < 0) {
        return false;
      }
      sink.fact(new RdmaDevice(section.node(), hca, Words.orUnknown(device.get("CA type")), Words.orUnknown(device.get("Firmware version")),
          Words.orUnknown(device.get("Node GUID"))), section.at(start));
      if (ports == 0 || Words.leading(device.getOrDefault("Number of ports", "0")).above(ports)) {
        sink.unread(section, lastLine, "the block of " + hca + " is cut");
        whole = false;
      }
      return whole;
    }

    private void closePort(Sink sink) {
      if (port == null) {
        return;
      }
      ports++;
      // Every release prints the port GUID last or the link layer after it; a block with neither has lost its end.
      if (!port.containsKey("Link layer") && !port.containsKey("Port GUID")) {
        sink.unread(section, lastLine, "the block of " + hca + " port " + number + " is cut");
        whole = false;
      }
      if (port.containsKey("State") || port.containsKey("Physical state")) {
        Num portNumber = Num.parse(number);
        Words.port(sink, moments, new RdmaPort(section.node(), hca, portNumber, Words.state(port.getOrDefault("State", "")), Words.physical(port.getOrDefault("Physical state", "")),
            Words.leading(port.getOrDefault("Rate", "")), Words.linkLayer(port.getOrDefault("Link layer", "")), Words.integer(port.getOrDefault("Base lid", "")),
            Words.integer(port.getOrDefault("SM lid", ""))), Words.span(section, stateLine, lastLine), stateLine);
        Num effective = Words.leading(port.getOrDefault("Effective speed", ""));
        if (effective.known()) {
          sink.fact(new PortLink(section.node(), hca, portNumber, Num.UNKNOWN, Fact.UNKNOWN, Num.UNKNOWN, Num.UNKNOWN, effective), Words.span(section, stateLine, lastLine));
        }
      }
      port = null;
    }
  }
}
