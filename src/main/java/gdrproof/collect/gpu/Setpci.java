package gdrproof.collect.gpu;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import gdrproof.facts.Pcie.AcsControl;
import gdrproof.facts.Pcie.PciSettings;
import gdrproof.facts.Tri;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The ACS control word as `setpci -s ADDRESS ECAP_ACS+6.w` of pciutils 3.2 and later prints it: alone, after the address in a loop's `echo`, or
 * with `-v`, and the device control word (`CAP_EXP+8.w`) as it is read or written. Bits by the PCI Express specification: source validation, translation blocking, request, completion and upstream redirection,
 * egress control, direct translated peer traffic.
 */
final class Setpci implements Collector {
  private static final Pattern READ = Pattern.compile("setpci\\b.*\\b(?:ECAP_ACS|ECAP0*D)\\+(?:0x)?0*(?<offset>[46])\\.(?<size>[wWlL])(?![\\w=])");
  /** The device control word of the PCI Express capability: by name, or at its place in adapters whose capability begins at 0x60. */
  private static final Pattern CONTROL = Pattern.compile("setpci\\b.*\\s(?:CAP_EXP|CAP10)\\+(?:0x)?0*8\\.[wW](?<write>=(?<value>[0-9a-fA-F]{1,4})(?::(?<mask>[0-9a-fA-F]{1,4}))?)?(?=\\s|$)"
      + "|setpci\\b.*\\s(?:0x)?68\\.[wW](?<write2>=(?<value2>[0-9a-fA-F]{1,4})(?::(?<mask2>[0-9a-fA-F]{1,4}))?)?(?=\\s|$)");
  private static final int READ_REQUEST = 0x7000;
  private static final Pattern SLOT = Pattern.compile("\\s-s\\s*(?<address>(?:[0-9a-fA-F]{4,8}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7])\\b");
  private static final Pattern NAMED = Pattern.compile("^\\W*(?:bdf|bridge|port|device)?[ =:]*(?<address>(?:[0-9a-fA-F]{4,8}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7])\\b(?<rest>.*)$", Pattern.CASE_INSENSITIVE);
  private static final Pattern WORD = Pattern.compile("(?:^|[\\s:=])(?:0x)?(?<word>[0-9a-fA-F]{8}|[0-9a-fA-F]{4})\\s*$");

  @Override
  public String tool() {
    return "setpci -s ADDRESS ECAP_ACS+6.w";
  }

  @Override
  public void collect(Section section, Sink sink) {
    for (Section view : HostViews.of(section)) {
      control(view, sink);
      Matcher read = READ.matcher(view.command());
      boolean reading = read.find();
      boolean high = reading && long4(read);
      String slot = reading ? slot(view.command()) : Fact.UNKNOWN;
      String above = Fact.UNKNOWN;
      for (int i = 0; i < view.lines().size(); i++) {
        String line = view.lines().get(i);
        Matcher other = line.contains("setpci") ? READ.matcher(line) : null;
        if (other != null) {
          boolean found = other.find();
          reading |= found;
          high = found ? long4(other) : high;
          slot = found ? slot(line) : slot;
          continue;
        }
        if (!reading || line.isBlank()) {
          continue;
        }
        Matcher named = NAMED.matcher(line);
        String address = named.matches() ? Addresses.normal(named.group("address")) : above.equals(Fact.UNKNOWN) ? slot : above;
        Matcher word = WORD.matcher(named.matches() ? named.group("rest") : line.strip());
        if (word.find() && (named.matches() || word.start() == 0) && !address.equals(Fact.UNKNOWN)) {
          word(view, i, address, word.group("word"), high, sink);
          above = Fact.UNKNOWN;
        } else if (named.matches() && named.group("rest").isBlank()) {
          above = address;
        }
      }
    }
  }

  /** One command that reads or writes the device control word: bits 12 to 14 are the read request, 5 to 7 the payload, 4 relaxed ordering. */
  private static void control(Section section, Sink sink) {
    Matcher command = CONTROL.matcher(section.command());
    String address = command.find() ? slot(section.command()) : Fact.UNKNOWN;
    if (address.equals(Fact.UNKNOWN)) {
      return;
    }
    String value = command.group("value") != null ? command.group("value") : command.group("value2");
    if (value != null) {
      String mask = command.group("mask") != null ? command.group("mask") : command.group("mask2");
      int line = Math.max(1, section.firstLine() - 1);
      settings(section, address, Integer.parseInt(value, 16), mask == null ? 0xffff : Integer.parseInt(mask, 16),
          Evidence.of(section.file(), line, section.command()).from(section.node(), section.command(), section.time()), sink);
      return;
    }
    for (int i = 0; i < section.lines().size(); i++) {
      if (section.lines().get(i).strip().matches("[0-9a-fA-F]{4}")) {
        settings(section, address, Integer.parseInt(section.lines().get(i).strip(), 16), 0xffff, section.at(i), sink);
        return;
      }
    }
  }

  private static void settings(Section section, String address, int word, int mask, Evidence evidence, Sink sink) {
    int request = word >> 12 & 7;
    int payload = word >> 5 & 7;
    if ((mask & READ_REQUEST) == READ_REQUEST && request <= 5 && payload <= 5) {
      boolean whole = mask == 0xffff;
      sink.fact(new PciSettings(section.node(), address, Fact.UNKNOWN, whole ? Num.of(128 << payload) : Num.UNKNOWN, Num.UNKNOWN, Num.of(128 << request), whole ? bit(word, 4) : Tri.UNKNOWN),
          evidence);
    }
  }

  /** Four bytes from the head of the capability's registers: the control word is the upper half. */
  private static boolean long4(Matcher read) {
    return read.group("offset").equals("4") && read.group("size").equalsIgnoreCase("l");
  }

  private static String slot(String command) {
    Matcher slot = SLOT.matcher(command);
    return slot.find() ? Addresses.normal(slot.group("address")) : Fact.UNKNOWN;
  }

  private static void word(Section section, int index, String address, String text, boolean high, Sink sink) {
    long bits = Long.parseLong(text, 16);
    if (bits == (1L << 4 * text.length()) - 1) {
      sink.unread(section, index, "setpci reads only ones: no such capability, or the device does not answer");
      return;
    }
    long word = high ? bits >> 16 : bits;
    sink.fact(new AcsControl(section.node(), address, bit(word, 0), bit(word, 2), bit(word, 3), bit(word, 4), bit(word, 6)), section.at(index));
  }

  private static Tri bit(long word, int bit) {
    return Tri.of((word >> bit & 1) == 1);
  }
}
