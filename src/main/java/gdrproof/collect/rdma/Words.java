package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Sink;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.PortSample;
import gdrproof.facts.Rdma.RdmaPort;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Words that several RDMA tools share: states, numbers with units, names of devices in a command line. */
final class Words {
  private static final Pattern NUMBER = Pattern.compile("-?\\d+(?:\\.\\d+)?");
  private static final Map<String, String> STATES = Map.of("ACTIVE", "ACTIVE", "ARMED", "ARMED", "INIT", "INIT", "INITIALIZING", "INIT", "INITIALIZE", "INIT",
      "DOWN", "DOWN", "NOP", Fact.UNKNOWN, "ACTIVEDEFER", "ACTIVE_DEFER", "ACTIVE_DEFER", "ACTIVE_DEFER");

  private static final Set<String> PHYSICAL = Set.of("NOSTATECHANGE", "NOCHANGE", "SLEEP", "POLLING", "DISABLED", "PORTCONFIGURATIONTRAINING", "TRAINING", "LINKUP",
      "LINKERRORRECOVERY", "LINKERRORRECOVER", "PHYTEST");

  private Words() {}

  /** ACTIVE, ARMED, INIT, DOWN from `Active`, `4: ACTIVE`, `PORT_ACTIVE (4)`, `Initializing`. */
  static String state(String text) {
    String word = text.strip().replaceFirst("^\\d+:\\s*", "").replaceFirst("\\s*\\(.*$", "").toUpperCase(Locale.ROOT).replaceFirst("^PORT_", "");
    return STATES.getOrDefault(word, Fact.UNKNOWN);
  }

  /** LINKUP, POLLING, DISABLED ... from `LinkUp`, `5: LinkUp`, `LINK_UP (5)`; unknown for anything that is no word. */
  static String physical(String text) {
    String word = text.strip().replaceFirst("^\\d+:\\s*", "").replaceFirst("\\s*\\(.*$", "").toUpperCase(Locale.ROOT).replaceAll("[\\s_]", "");
    if (PHYSICAL.stream().anyMatch(p -> p.startsWith(word) && !p.equals(word) && !PHYSICAL.contains(word))) {
      // The beginning of a word that a cut text did not finish.
      return Fact.UNKNOWN;
    }
    return word.matches("[A-Z]{3,}") ? word.equals("UNKNOWN") ? Fact.UNKNOWN : word : Fact.UNKNOWN;
  }

  /** The first number of a value with a unit (`400 Gb/sec (4X NDR)`, `40 (FDR10)`). */
  static Num leading(String text) {
    Matcher number = NUMBER.matcher(text.strip());
    return number.lookingAt() ? Num.parse(number.group()) : Num.UNKNOWN;
  }

  /** Decimal or `0x` number; anything else is unknown. */
  static Num integer(String text) {
    String number = text.strip();
    try {
      return number.startsWith("0x") || number.startsWith("0X") ? Num.of(Long.parseUnsignedLong(number.substring(2), 16)) : Num.of(Long.parseLong(number));
    } catch (NumberFormatException e) {
      return Num.UNKNOWN;
    }
  }

  /** InfiniBand or Ethernet; simulators and old kernels print IB. */
  static String linkLayer(String text) {
    String word = text.strip().toLowerCase(Locale.ROOT);
    return word.equals("infiniband") || word.equals("ib") ? "InfiniBand" : word.equals("ethernet") || word.equals("roce") ? "Ethernet" : Fact.UNKNOWN;
  }

  /** Evidence for a block, from the line that says most on: a report shows at most five lines of it. */
  static Evidence span(Section section, int from, int to) {
    return section.at(from, Math.max(from, Math.min(to, from + 4)));
  }

  /** A port, and, where the evidence names the time, its state at that time. */
  static void port(Sink sink, Moments moments, RdmaPort port, Evidence evidence, int index) {
    sink.fact(port, evidence);
    String moment = moments.at(index);
    if (Moments.seconds(moment).known()) {
      sink.fact(new PortSample(port.node(), port.hca(), port.port(), port.state(), port.physical(), moment), evidence);
    }
  }

  static String orUnknown(String text) {
    return text == null || text.isBlank() ? Fact.UNKNOWN : text.strip();
  }

  /** Whether the section's command (if a prompt told one) runs the tool plainly: no filter behind it that could hide lines. */
  static boolean unfiltered(Section section) {
    return section.command().equals(Fact.UNKNOWN) || !section.command().matches(".*\\|\\s*\\S.*|.*\\bhead\\b.*|.*\\btail\\b.*");
  }

  /** Whether the section's command calls a program (`ibstat`, `sudo ibstat`, `/usr/sbin/ibstat`, `cmd1; ibstat`). */
  static boolean runs(Section section, String program) {
    return !section.command().equals(Fact.UNKNOWN) && Pattern.compile("(?:^|[\\s;&|/(])" + Pattern.quote(program) + "(?=$|[\\s;&|)])").matcher(section.command()).find();
  }

  /** The value behind an option of the command (`-d mlx5_0`), or unknown. */
  static String option(Section section, String... options) {
    for (String option : options) {
      Matcher found = Pattern.compile("(?:^|\\s)" + Pattern.quote(option) + "[ =]?([^\\s;|]+)").matcher(section.command());
      if (found.find()) {
        return found.group(1);
      }
    }
    return Fact.UNKNOWN;
  }
}
