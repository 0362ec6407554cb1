package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Net.Bond;
import gdrproof.facts.Net.BondMember;
import gdrproof.facts.Num;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `/proc/net/bonding/BOND`, whole or filtered to some of its lines (the first of them is then the mode). */
final class Bonding implements Collector {
  private static final Pattern HEAD = Pattern.compile("Ethernet Channel Bonding Driver:.*");
  private static final String MODE = "Bonding Mode:";
  private static final Pattern PAIR = Pattern.compile("\\s*([A-Za-z][A-Za-z0-9 /()-]*?):\\s*(.*?)\\s*");
  private static final Pattern FILE = Pattern.compile("/proc/net/bonding/([^\\s/]+)");

  @Override
  public String tool() {
    return "cat /proc/net/bonding/*";
  }

  @Override
  public void collect(Section section, Sink sink) {
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i).strip();
      if (HEAD.matcher(line).matches()) {
        i = bond(section, sink, i);
      } else if (line.startsWith(MODE)) {
        i = bond(section, sink, i - 1);
      }
    }
  }

  private static int bond(Section section, Sink sink, int start) {
    Matcher file = FILE.matcher(section.command() + " " + (start > 0 ? section.lines().get(start - 1) : ""));
    String bond = file.find() ? file.group(1) : Fact.UNKNOWN;
    String mode = Fact.UNKNOWN;
    String policy = Fact.UNKNOWN;
    String member = null;
    String status = Fact.UNKNOWN;
    Num speed = Num.UNKNOWN;
    int memberLine = start;
    int modeLine = Math.max(0, start);
    int members = 0;
    int i = start;
    Num failures = Num.UNKNOWN;
    int lastLine = Math.max(0, start);
    boolean begun = start >= 0 && HEAD.matcher(section.lines().get(start).strip()).matches();
    for (; i + 1 < section.lines().size() && !HEAD.matcher(section.lines().get(i + 1).strip()).matches(); i++) {
      Matcher pair = PAIR.matcher(section.lines().get(i + 1));
      if (!pair.matches()) {
        continue;
      }
      String value = pair.group(2);
      if (pair.group(1).equals("Bonding Mode")) {
        if (begun && !mode.equals(Fact.UNKNOWN)) {
          // Filtered files of several bonds follow one another without their headings.
          break;
        }
        begun = true;
        mode = value;
        modeLine = i + 1;
        continue;
      }
      switch (pair.group(1)) {
        case "Transmit Hash Policy" -> policy = value.split(" ")[0];
        case "Slave Interface" -> {
          if (member != null) {
            sink.fact(new BondMember(section.node(), bond, member, status, speed, failures), section.at(memberLine, lastLine));
          }
          member = value;
          memberLine = i + 1;
          members++;
          status = Fact.UNKNOWN;
          speed = Num.UNKNOWN;
          failures = Num.UNKNOWN;
          lastLine = i + 1;
        }
        case "MII Status" -> status = member == null ? status : value.toUpperCase(Locale.ROOT);
        case "Speed" -> {
          speed = Words.leading(value);
          lastLine = i + 1;
        }
        case "Link Failure Count" -> {
          failures = Num.parse(value);
          lastLine = i + 1;
        }
        default -> sink.understood(section, i + 1);
      }
    }
    if (member != null) {
      sink.fact(new BondMember(section.node(), bond, member, status, speed, failures), section.at(memberLine, lastLine));
    }
    sink.fact(new Bond(section.node(), bond, mode, policy, Num.of(members)), section.at(modeLine));
    return i;
  }
}
