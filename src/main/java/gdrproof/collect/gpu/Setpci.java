package gdrproof.collect.gpu;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Pcie.AcsControl;
import gdrproof.facts.Tri;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The ACS control word as `setpci -s ADDRESS ECAP_ACS+6.w` of pciutils 3.2 and later prints it: alone, after the address in a loop's `echo`, or
 * with `-v`. Bits by the PCI Express specification: source validation, translation blocking, request, completion and upstream redirection,
 * egress control, direct translated peer traffic.
 */
final class Setpci implements Collector {
  private static final Pattern READ = Pattern.compile("setpci\\b.*\\b(?:ECAP_ACS|ECAP0*D)\\+(?:0x)?0*(?<offset>[46])\\.(?<size>[wWlL])(?![\\w=])");
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
