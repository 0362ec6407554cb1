package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Meta.Layout;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.PortLink;
import gdrproof.facts.Rdma.RdmaDevice;
import gdrproof.facts.Rdma.RdmaPort;
import gdrproof.facts.Rdma.RdmaToolError;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * `ibstat` of infiniband-diags: blocks `CA 'mlx5_0'`, inside them `Port 1:`; with a port number the heading has a colon and nothing is indented. Where a filter took the
 * heading away, the command may still name the one CA it asked for. With `-l` it prints names only.
 */
final class Ibstat implements Collector {
  private static final Pattern CA = Pattern.compile("\\s*(?:CA|Switch|Router|RNIC|iWARP RNIC|\\?\\?\\?):? '([^']+)'\\s*");
  private static final Pattern PORT = Pattern.compile("\\s*Port (\\d+):\\s*");
  private static final Pattern PAIR = Pattern.compile("\\s*((?:CA|Switch|Router|RNIC|iWARP RNIC|\\?\\?\\?) type|Number of ports|Firmware version|Hardware version|Node GUID|System image GUID|State|Physical state|Rate|"
      + "Effective speed|Base lid|LMC|SM lid|Capability mask|Port GUID|Link layer):\\s*(.*?)\\s*");
  private static final Pattern OF_ONE = Pattern.compile("(?:^|[\\s;&|/])ibstat\\s+(?<hca>[a-z][a-z0-9_]*\\d)(?:\\s+\\d+)?\\s*(?:\\||;|$)");
  private static final Pattern LIST = Pattern.compile("(?:.*[\\s;&|/])?ibstat\\s+(?:-l|--list_of_cas)\\s*");
  private static final Pattern NAME = Pattern.compile("[a-z][a-zA-Z0-9_]*\\d");
  /** What an unfiltered port block prints, in order. */
  private static final List<String> ORDER = List.of("State", "Physical state", "Rate", "Base lid", "LMC", "SM lid", "Capability mask", "Port GUID", "Link layer");
  private static final List<String> DEVICE_ORDER = List.of("CA type", "Number of ports", "Firmware version", "Hardware version", "Node GUID", "System image GUID");
  /** Whole words of this tool, as normalised: one that is not among them may be cut. */
  private static final Set<String> WHOLE_WORDS = Set.of("NOSTATECHANGE", "SLEEP", "POLLING", "DISABLED", "PORTCONFIGURATIONTRAINING", "LINKUP", "LINKERRORRECOVERY", "PHYTEST");
  private static final Pattern MISSING = Pattern.compile("ibpanic: .*?(?:'(?<absent>[^']+)' IB device can't be found|stat of IB device '(?<failed>[^']+)' failed).*");

  @Override
  public String tool() {
    return "ibstat";
  }

  @Override
  public void collect(Section section, Sink sink) {
    if (section.lines().stream().allMatch(String::isBlank) && section.command().strip().matches("(?:sudo )?(?:\\S*/)?ibstat")) {
      // No HCA: no output, exit status 0.
      sink.looked(section, Kind.RDMA_DEVICES, 0);
      sink.answered(section, "ibstat");
      return;
    }
    if (LIST.matcher(section.command().strip()).matches()) {
      names(section, sink);
      return;
    }
    Moments moments = new Moments(section);
    Matcher asked = OF_ONE.matcher(section.command());
    boolean headless = asked.find() && section.lines().stream().noneMatch(l -> CA.matcher(l).matches());
    boolean ported = section.lines().stream().anyMatch(l -> PORT.matcher(l).matches());
    // Ports count from one: a filter that shows one state and no heading of a port shows a CA of one port.
    boolean only = headless && !ported && section.lines().stream().filter(l -> l.strip().startsWith("State:")).count() == 1;
    Block block = headless && (ported || only) ? new Block(section, moments, asked.group("hca"), -1) : null;
    if (only) {
      block.port("1");
    }
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

  private static void names(Section section, Sink sink) {
    int last = -1;
    for (int i = 0; i < section.lines().size(); i++) {
      String name = section.lines().get(i).strip();
      if (NAME.matcher(name).matches()) {
        sink.fact(new RdmaDevice(section.node(), name, Fact.UNKNOWN, Fact.UNKNOWN, Fact.UNKNOWN), section.at(i));
        last = i;
      }
    }
    if (last >= 0) {
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
    /** Asked for one port: no indentation, no lines about the device. */
    private final boolean alone;
    private boolean flat;
    private boolean filtered;

    Block(Section section, Moments moments, String hca, int start) {
      this.section = section;
      this.moments = moments;
      this.hca = hca;
      this.start = start;
      this.lastLine = start;
      this.alone = start >= 0 && section.lines().get(start).contains(": '");
    }

    void port(String number) {
      port = new HashMap<>();
      this.number = number;
      filtered = true;
      flat = true;
    }

    boolean take(String line, int index, Sink sink) {
      Matcher head = PORT.matcher(line);
      Matcher pair = PAIR.matcher(line);
      if (lastLine == start && start >= 0 && !line.isBlank() && !Character.isWhitespace(line.charAt(0))) {
        // The indentation was lost, or there was none.
        flat = true;
      } else if (!flat && !line.isBlank() && !Character.isWhitespace(line.charAt(0))) {
        return false;
      }
      if (head.matches()) {
        closePort(sink);
        port = new HashMap<>();
        number = head.group(1);
        stateLine = index;
      } else if (pair.matches()) {
        (port == null ? device : port).put(pair.group(1).endsWith(" type") ? "CA type" : pair.group(1), pair.group(2));
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
      if (alone && ports > 0) {
        sink.fact(new RdmaDevice(section.node(), hca, Fact.UNKNOWN, Fact.UNKNOWN, Fact.UNKNOWN), section.at(start));
        return false;
      }
      if (start < 0) {
        return false;
      }
      boolean bare = ports == 0 && section.command().matches(".*\\bibstat\\s+(?:\\S+\\s+)*(?:-s|--short)\\b.*");
      if (ports == 0 && !bare && last() && device.keySet().equals(Set.copyOf(DEVICE_ORDER.subList(0, Math.max(0, DEVICE_ORDER.indexOf(key().endsWith(" type") ? "CA type" : key())) + 1)))) {
        device.remove(key());
      }
      sink.fact(new RdmaDevice(section.node(), hca, Words.orUnknown(device.get("CA type")), Words.orUnknown(device.get("Firmware version")),
          Words.orUnknown(device.get("Node GUID"))), section.at(start));
      if (ports == 0 && !bare || !bare && Words.leading(device.getOrDefault("Number of ports", "0")).above(ports)) {
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
      if (!filtered && !port.containsKey("Link layer") && !port.containsKey("Port GUID")) {
        sink.unread(section, lastLine, "the block of " + hca + " port " + number + " is cut");
        whole = false;
        unend();
      }
      if (port.containsKey("State") || port.containsKey("Physical state")) {
        Num portNumber = Num.parse(number);
        Words.port(sink, moments, new RdmaPort(section.node(), hca, portNumber, Words.state(port.getOrDefault("State", "")), Words.physical(port.getOrDefault("Physical state", "")),
            Words.leading(port.getOrDefault("Rate", "")), Words.linkLayer(port.getOrDefault("Link layer", "")), Words.integer(port.getOrDefault("Base lid", "")),
            Words.integer(port.getOrDefault("SM lid", ""))), Words.span(section, stateLine, lastLine), stateLine);
        if (port.getOrDefault("Link layer", "").equals("IB")) {
          // The kernel's word is InfiniBand; ibsim writes IB.
          sink.fact(new Layout(section.node(), "ibstat", "link-layer", "IB"), section.at(lastLine));
        }
        Num effective = Words.leading(port.getOrDefault("Effective speed", ""));
        if (effective.known()) {
          sink.fact(new PortLink(section.node(), hca, portNumber, Num.UNKNOWN, Fact.UNKNOWN, Num.UNKNOWN, Num.UNKNOWN, effective), Words.span(section, stateLine, lastLine));
        }
      }
      port = null;
    }

    private boolean last() {
      return section.lines().subList(lastLine + 1, section.lines().size()).stream().allMatch(String::isBlank);
    }

    private String key() {
      return section.lines().get(lastLine).strip().replaceFirst(":.*$", "");
    }

    /** A text that ends inside an unfiltered block may end inside a number, too: `Rate: 40` of `Rate: 400`. */
    private void unend() {
      boolean unfiltered = (alone || device.containsKey("Number of ports") && device.containsKey("Node GUID")) && !section.command().matches(".*\\b(?:head|sed|awk)\\b.*");
      String key = key();
      if (last() && unfiltered && port.keySet().equals(Set.copyOf(ORDER.subList(0, Math.max(0, ORDER.indexOf(key)) + 1)))
          && !(key.equals("State") || WHOLE_WORDS.contains(Words.physical(port.getOrDefault("Physical state", ""))) && key.equals("Physical state"))) {
        port.remove(key);
      }
    }
  }
}
