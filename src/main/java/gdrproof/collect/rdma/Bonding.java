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

/** `/proc/net/bonding/BOND`. */
final class Bonding implements Collector {
  private static final Pattern HEAD = Pattern.compile("Ethernet Channel Bonding Driver:.*");
  private static final Pattern PAIR = Pattern.compile("\\s*([A-Za-z][A-Za-z0-9 /()-]*?):\\s*(.*?)\\s*");
  private static final Pattern FILE = Pattern.compile("/proc/net/bonding/([^\\s/]+)");

  @Override
  public String tool() {
    return "cat /proc/net/bonding/*";
  }

  @Override
  public void collect(Section section, Sink sink) {
    for (int i = 0; i < section.lines().size(); i++) {
      if (HEAD.matcher(section.lines().get(i).strip()).matches()) {
        i = bond(section, sink, i);
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
    int modeLine = start;
    int members = 0;
    int i = start;
    for (; i + 1 < section.lines().size() && !HEAD.matcher(section.lines().get(i + 1).strip()).matches(); i++) {
      Matcher pair = PAIR.matcher(section.lines().get(i + 1));
      if (!pair.matches()) {
        continue;
      }
      String value = pair.group(2);
      switch (pair.group(1)) {
        case "Bonding Mode" -> {
          mode = value;
          modeLine = i + 1;
        }
        case "Transmit Hash Policy" -> policy = value.split(" ")[0];
        case "Slave Interface" -> {
          member = value;
          memberLine = i + 1;
          members++;
          status = Fact.UNKNOWN;
          speed = Num.UNKNOWN;
        }
        case "MII Status" -> status = member == null ? status : value.toUpperCase(Locale.ROOT);
        case "Speed" -> speed = Words.leading(value);
        case "Link Failure Count" -> {
          if (member != null) {
            sink.fact(new BondMember(section.node(), bond, member, status, speed, Num.parse(value)), section.at(memberLine, i + 1));
            member = null;
          }
        }
        default -> sink.understood(section, i + 1);
      }
    }
    sink.fact(new Bond(section.node(), bond, mode, policy, Num.of(members)), section.at(modeLine));
    return i;
  }
}
