package gdrproof.collect.gpu;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Meta.Layout;
import gdrproof.facts.Num;
import gdrproof.facts.Pcie.AcsControl;
import gdrproof.facts.Pcie.AerStatus;
import gdrproof.facts.Pcie.AtsControl;
import gdrproof.facts.Pcie.PciBridge;
import gdrproof.facts.Pcie.PciDevice;
import gdrproof.facts.Pcie.PciDriver;
import gdrproof.facts.Pcie.PciLink;
import gdrproof.facts.Pcie.PciNuma;
import gdrproof.facts.Pcie.PciSettings;
import gdrproof.facts.Pcie.PciUnreadable;
import gdrproof.facts.Tri;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * `lspci`, `-nn`, `-n`, `-vv`, `-vvv` of pciutils 3.5 to 3.14, whole or filtered by grep. Words such as (downgraded) are ignored: newer releases
 * leave them out on ports, so state is compared with capability instead.
 */
final class Lspci implements Collector {
  private static final Pattern DEVICE = Pattern.compile(
      "^(?<address>(?:[0-9a-f]{4,8}:)?[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]) (?:(?<number>[0-9a-f]{4})|(?<class>[A-Z0-9][A-Za-z0-9 /-]*?)(?: \\[[0-9a-f]{4}])?): (?<name>\\S.*)$");
  private static final Pattern IDS = Pattern.compile("\\b([0-9a-f]{4}:[0-9a-f]{4})\\b");
  private static final Pattern NUMA = Pattern.compile("^\\s+NUMA node: (-?\\d+)$");
  private static final Pattern DRIVER = Pattern.compile("^\\s+Kernel driver in use: (\\S+)$");
  private static final Pattern BUS = Pattern.compile("^\\s+Bus: primary=([0-9a-f]{2}), secondary=([0-9a-f]{2}), subordinate=([0-9a-f]{2})");
  private static final Pattern EXPRESS = Pattern.compile("\\bExpress (?:\\(v\\d\\) )?([A-Z][A-Za-z/ -]*?)(?: \\([^)]*\\))?(?:,|$| IntMsg)");
  private static final Pattern PAYLOAD_CAP = Pattern.compile("DevCap:\\s+MaxPayload (\\d+) bytes");
  private static final Pattern PAYLOAD = Pattern.compile("^\\s+MaxPayload (\\d+) bytes, MaxReadReq (\\d+) bytes");
  private static final Pattern ORDERING = Pattern.compile("\\bRlxdOrd([+-])");
  private static final Pattern LINK = Pattern.compile("^\\s*Lnk(?<kind>Cap|Sta):\\s.*?Speed (?<speed>[\\d.]+GT/s|unknown)(?: \\([^)]*\\))?, Width x(?<width>\\d+)");
  private static final Pattern STATE = Pattern.compile("\\bLnkSta:\\s.{1,200}");
  private static final Pattern WORD = Pattern.compile("\\((ok|strange|downgraded|overdriven)\\)");
  private static final Pattern ACS = Pattern.compile("^\\s*ACSCtl:\\s+(?<flags>(?:\\w+[+-]\\s*)+)$");
  private static final Pattern ATS = Pattern.compile("^\\s*ATSCtl:\\s+Enable([+-])");
  private static final Pattern AER = Pattern.compile("^\\s*(?<kind>UE|CE)Sta:\\s+(?<flags>(?:\\w+[+-]\\s*)+)$");
  private static final Pattern SLOT = Pattern.compile("\\blspci\\b[^|;]*?\\s-s\\s*(?<address>(?:[0-9a-fA-F]{4,8}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7])\\b");
  /** What a loop prints above the lines of each device, which a filter left without their own: `== 17:00.0`, `17:00.0:`, `--- 0000:17:00.0 ---`. */
  private static final Pattern HEADING = Pattern.compile("^[-=#*>+\\[( ]{0,8}(?<address>(?:[0-9a-fA-F]{4,8}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7])[-=#*<+\\]): ]{0,8}$");
  /** Nothing but options that choose what is shown of each device. */
  static final Pattern WHOLE = Pattern.compile("^(?:sudo )?lspci(?: -[a-zA-Z]+)*$");

  @Override
  public String tool() {
    return "sudo lspci -vvv";
  }

  @Override
  public void collect(Section section, Sink sink) {
    for (Section view : HostViews.of(section)) {
      int devices = 0;
      boolean numbers = false;
      Matcher slot = SLOT.matcher(view.command());
      // A filter took the device's own line away, but the command asked for it alone.
      String asked = slot.find() && view.lines().stream().noneMatch(l -> DEVICE.matcher(l).matches()) ? Addresses.normal(slot.group("address")) : Fact.UNKNOWN;
      Block block = new Block(view, asked, sink);
      for (int i = 0; i < view.lines().size(); i++) {
        String line = view.lines().get(i);
        Matcher device = DEVICE.matcher(line);
        Matcher heading = HEADING.matcher(line);
        if (heading.matches()) {
          block.end();
          block = new Block(view, Addresses.normal(heading.group("address")), sink);
        } else if (device.matches()) {
          block.end();
          String address = Addresses.normal(device.group("address"));
          block = new Block(view, address, sink);
          sink.fact(device(view.node(), address, device), view.at(i));
          devices++;
          numbers |= device.group("number") != null;
        } else if (line.isBlank()) {
          block.end();
          block = new Block(view, asked, sink);
        } else if (Character.isWhitespace(line.charAt(0)) || line.startsWith("ACSCtl")) {
          block.line(i, line);
        }
      }
      block.end();
      words(view, sink);
      int last = view.lines().size() - 1;
      if (last >= 0 && view.lines().get(last).matches("\\s*Lnk(?:Cap|Sta):.*") && !LINK.matcher(view.lines().get(last)).find()) {
        sink.unread(view, last, "lspci is cut off inside a device");
      }
      if (devices > 0 && WHOLE.matcher(view.command()).matches()) {
        sink.looked(view, numbers ? Kind.PCI_IDS : Kind.PCI_DEVICES, 0);
      }
    }
  }

  /** What a link's state says of its capability: `ok` and `strange` of pciutils 3.6 and 3.7, `overdriven` since 3.8; `downgraded` of all since 3.6, of ports only until 3.7. */
  private static void words(Section section, Sink sink) {
    Set<String> words = new TreeSet<>();
    int first = -1;
    for (int i = 0; i < section.lines().size(); i++) {
      Matcher state = STATE.matcher(section.lines().get(i));
      while (state.find()) {
        Matcher word = WORD.matcher(state.group());
        while (word.find()) {
          words.add(word.group(1));
          first = first < 0 ? i : first;
        }
      }
    }
    if (first >= 0) {
      sink.fact(new Layout(section.node(), "lspci", "link-words", String.join(",", words)), section.at(first));
    }
  }

  private static PciDevice device(String node, String address, Matcher device) {
    String name = device.group("name");
    Matcher ids = IDS.matcher(name);
    String pair = Fact.UNKNOWN;
    while (ids.find()) {
      pair = ids.group(1);
    }
    if (device.group("number") != null) {
      return new PciDevice(node, address, PciNames.pciClass(device.group("number")), PciNames.card(pair), pair);
    }
    return new PciDevice(node, address, device.group("class"), name.replaceFirst(" \\((?:rev|prog-if) .*", "").replace(" [" + pair + "]", ""), pair);
  }

  /** The indented lines below one device. */
  private static final class Block {
    private final Section section;
    private final String address;
    private final Sink sink;
    private int capLine = -1;
    private Num[] cap = {Num.UNKNOWN, Num.UNKNOWN};
    private String port = Fact.UNKNOWN;
    private int settings = -1;
    private Num payloadCap = Num.UNKNOWN;
    private Num payload = Num.UNKNOWN;
    private Num request = Num.UNKNOWN;
    private Tri ordering = Tri.UNKNOWN;

    Block(Section section, String address, Sink sink) {
      this.section = section;
      this.address = address;
      this.sink = sink;
    }

    void line(int i, String line) {
      String node = section.node();
      Matcher acs = ACS.matcher(line);
      if (acs.matches()) {
        String flags = acs.group("flags");
        sink.fact(new AcsControl(node, address, flag(flags, "SrcValid"), flag(flags, "ReqRedir"), flag(flags, "CmpltRedir"), flag(flags, "UpstreamFwd"),
            flag(flags, "DirectTrans")), section.at(i));
        return;
      }
      if (address.equals(Fact.UNKNOWN)) {
        return;
      }
      Matcher m;
      if ((m = LINK.matcher(line)).find()) {
        link(i, m);
      } else if ((m = NUMA.matcher(line)).matches()) {
        sink.fact(new PciNuma(node, address, Num.parse(m.group(1))), section.at(i));
      } else if ((m = DRIVER.matcher(line)).matches()) {
        sink.fact(new PciDriver(node, address, m.group(1)), section.at(i));
      } else if ((m = BUS.matcher(line)).find()) {
        sink.fact(new PciBridge(node, address, m.group(2), m.group(3)), section.at(i));
      } else if ((m = ATS.matcher(line)).find()) {
        sink.fact(new AtsControl(node, address, Tri.of(m.group(1).equals("+"))), section.at(i));
      } else if ((m = AER.matcher(line)).matches()) {
        errors(i, m);
      } else if (line.contains("Capabilities: <access denied>")) {
        sink.fact(new PciUnreadable(node, address), section.at(i));
      } else if ((m = EXPRESS.matcher(line)).find()) {
        port = m.group(1).strip();
        settings = i;
      } else if ((m = PAYLOAD_CAP.matcher(line)).find()) {
        payloadCap = Num.parse(m.group(1));
      } else if ((m = PAYLOAD.matcher(line)).find()) {
        payload = Num.parse(m.group(1));
        request = Num.parse(m.group(2));
        settings = i;
      } else if ((m = ORDERING.matcher(line)).find() && ordering == Tri.UNKNOWN) {
        ordering = Tri.of(m.group(1).equals("+"));
        settings = settings < 0 ? i : settings;
      }
    }

    private void link(int i, Matcher m) {
      Num speed = Num.parse(m.group("speed").replace("GT/s", ""));
      Num width = Num.parse(m.group("width"));
      if (m.group("kind").equals("Cap")) {
        cap = new Num[] {speed, width};
        capLine = i;
        return;
      }
      sink.fact(new PciLink(section.node(), address, speed, width.is(0) ? Num.UNKNOWN : width, cap[0], cap[1]), section.at(capLine < 0 ? i : capLine, i));
    }

    private void errors(int i, Matcher m) {
      StringBuilder set = new StringBuilder();
      for (String word : m.group("flags").strip().split("\\s+")) {
        // An advisory error repeats another one, and unsupported requests are what scans of empty slots leave behind.
        if (word.endsWith("+") && !word.startsWith("AdvNonFatalErr") && !word.startsWith("UnsupReq")) {
          set.append(set.length() == 0 ? "" : " ").append(word, 0, word.length() - 1);
        }
      }
      if (set.length() > 0) {
        sink.fact(new AerStatus(section.node(), address, m.group("kind").equals("CE") ? "corrected" : "uncorrected", set.toString()), section.at(i));
      }
    }

    void end() {
      if (settings >= 0) {
        sink.fact(new PciSettings(section.node(), address, port, payload, payloadCap, request, ordering), section.at(settings));
        settings = -1;
      }
    }

    private static Tri flag(String flags, String name) {
      return flags.contains(name + "+") ? Tri.YES : flags.contains(name + "-") ? Tri.NO : Tri.UNKNOWN;
    }
  }
}
