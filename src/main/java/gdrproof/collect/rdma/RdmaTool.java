package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Meta.Layout;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.PortNetdev;
import gdrproof.facts.Rdma.RdmaDevice;
import gdrproof.facts.Rdma.RdmaNamespaceMode;
import gdrproof.facts.Rdma.RdmaPort;
import gdrproof.facts.Rdma.RdmaResource;
import gdrproof.facts.Rdma.RdmaToolError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Text of `rdma link`, `rdma statistic`, `rdma dev`, `rdma resource` and `rdma system` (iproute2, every layout since 4.x); its JSON is {@link RdmaJson}'s. */
final class RdmaTool implements Collector {
  private static final Pattern LINK = Pattern.compile("\\s*(?:link |(?<index>\\d+/\\d+): )(?<hca>[A-Za-z][^\\s/]*)/(?<port>\\d+):?(?<rest>(?:\\s+\\S+)*)\\s*");
  private static final Pattern DEVICE = Pattern.compile("\\s*\\d+: (?<hca>[A-Za-z][^\\s:/]*): (?<rest>\\S.*?)\\s*");
  private static final Pattern NETNS = Pattern.compile("\\s*netns (shared|exclusive)\\b.*");
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_.:,@/-]+");
  private static final Set<String> LINK_KEYS = Set.of("subnet_prefix", "lid", "sm_lid", "lmc", "state", "physical_state", "netdev", "netdev_index");
  private static final Set<String> STATES = Set.of("NOP", "DOWN", "INIT", "ARMED", "ACTIVE", "ACTIVE_DEFER");
  private static final Set<String> PHYSICAL = Set.of("NOP", "SLEEP", "POLLING", "DISABLED", "ARMED", "PORT_CONFIGURATION_TRAINING", "LINK_UP", "LINK_ERROR_RECOVER", "PHY_TEST");
  /** Of a terminal that somebody reads. */
  private static final int NARROWEST = 40;
  private static final Set<String> RESOURCES = Set.of("qp", "cq", "mr", "pd", "cm_id", "ctx", "srq");

  @Override
  public String tool() {
    return "rdma";
  }

  @Override
  public void collect(Section section, Sink sink) {
    int links = 0;
    int last = 0;
    int width = section.lines().stream().mapToInt(String::length).max().orElse(0);
    Moments moments = new Moments(section);
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher link = LINK.matcher(line);
      Matcher device = DEVICE.matcher(line);
      Matcher netns = NETNS.matcher(line);
      if (link.matches()) {
        List<Word> words = new ArrayList<>();
        int end = words(section, link.group("rest"), i, width, words, sink);
        links += record(section, sink, link, words, i, end, moments) ? 1 : 0;
        if (link.group("index") != null) {
          // iproute2 before 5.1
          sink.fact(new Layout(section.node(), "rdma link", "form", "indexed"), section.at(i));
        }
        last = i;
        i = end;
      } else if (device.matches()) {
        device(section, sink, device, i);
      } else if (netns.matches() && (Words.runs(section, "rdma") || section.lines().size() <= 3)) {
        sink.fact(new RdmaNamespaceMode(section.node(), netns.group(1)), section.at(i));
      } else if (line.strip().equals("Failed to open NETLINK_RDMA socket")) {
        sink.fact(new RdmaToolError(section.node(), "rdma", "no-rdma-support"), section.at(i));
      }
    }
    boolean all = section.command().equals(Fact.UNKNOWN) ? false : section.command().strip().matches("(?:sudo )?rdma link(?: show| list)?");
    if (links > 0 && all) {
      sink.looked(section, Kind.RDMA_DEVICES, last);
    }
  }

  /** A word of a record and the line where it ends. */
  private record Word(String text, int line) {}

  /**
   * Words of a record and of the lines that a terminal folded it into: more words, no new record. A copy may have been folded in the middle of a word, at the width of the
   * terminal, which no line is longer than; names and values alternate, so that what belongs together is told by what stands at each place.
   *
   * @return the last line
   */
  private static int words(Section section, String rest, int start, int width, List<Word> words, Sink sink) {
    add(words, rest, start);
    int end = start;
    while (end + 1 < section.lines().size()) {
      String next = section.lines().get(end + 1);
      if (next.isBlank() || LINK.matcher(next).matches() || DEVICE.matcher(next).matches()) {
        break;
      }
      for (String word : next.strip().split("\\s+")) {
        if (!WORD.matcher(word).matches()) {
          return end;
        }
      }
      String first = next.strip().split("\\s+")[0];
      String before = section.lines().get(end);
      boolean full = before.length() == width && width >= NARROWEST && !Character.isWhitespace(before.charAt(width - 1)) && !Character.isWhitespace(next.charAt(0));
      boolean hard = full && inside(words, first);
      boolean belongs = first.matches("\\d+") || LINK_KEYS.contains(first) || CounterNames.known(first) || first.equals("caps:")
          || words.size() % 2 == 1 && LINK_KEYS.contains(words.get(words.size() - 1).text()) && before.length() >= Math.max(NARROWEST, width - 1);
      if (!hard && !belongs) {
        if (full && words.size() > 1 && words.size() % 2 == 0 && words.get(words.size() - 2).text().equals("netdev") && first.equals(next.strip())) {
          // Names of net devices end anywhere.
          words.subList(words.size() - 2, words.size()).clear();
          sink.unread(section, end, "a terminal may have folded the line inside the name of the net device");
        }
        break;
      }
      end++;
      if (hard) {
        Word cut = words.remove(words.size() - 1);
        add(words, cut.text() + next.strip(), end);
      } else {
        add(words, next, end);
      }
    }
    return end;
  }

  private static void add(List<Word> words, String text, int line) {
    for (String word : text.strip().split("\\s+")) {
      if (!word.isEmpty()) {
        words.add(new Word(word, line));
      }
    }
  }

  /** Whether the first word of the next line is the rest of the last one, not the next name or value. */
  private static boolean inside(List<Word> words, String first) {
    if (words.isEmpty()) {
      return false;
    }
    String last = words.get(words.size() - 1).text();
    if (words.size() % 2 == 1) {
      // A name that was cut, or a whole one before its value.
      return !LINK_KEYS.contains(last) && !first.matches("\\d+");
    }
    return switch (words.get(words.size() - 2).text()) {
      case "state" -> !STATES.contains(last) && first.matches("[A-Z_]+");
      case "physical_state" -> !PHYSICAL.contains(last) && first.matches("[A-Z_]+");
      case "subnet_prefix" -> !last.matches("(?:[0-9a-f]{4}:){3}[0-9a-f]{4}") && first.matches("[0-9a-f:]+");
      default -> first.matches("\\d+");
    };
  }

  private static boolean record(Section section, Sink sink, Matcher link, List<Word> words, int start, int end, Moments moments) {
    if (RdmaResources.RESOURCE.matcher(link.group("rest")).find()) {
      // A queue pair's state is no port's.
      return false;
    }
    Map<String, Word> values = new LinkedHashMap<>();
    for (int i = 0; i + 1 < words.size(); i += 2) {
      values.put(words.get(i).text(), words.get(i + 1));
    }
    String hca = link.group("hca");
    Num port = Num.parse(link.group("port"));
    if (values.containsKey("state")) {
      Evidence here = section.at(start, end);
      sink.fact(new RdmaDevice(section.node(), hca, Fact.UNKNOWN, Fact.UNKNOWN, Fact.UNKNOWN), here);
      boolean ib = values.containsKey("subnet_prefix") || values.containsKey("sm_lid");
      Words.port(sink, moments, new RdmaPort(section.node(), hca, port, Words.state(values.get("state").text()),
          values.containsKey("physical_state") ? Words.physical(values.get("physical_state").text()) : Fact.UNKNOWN, Num.UNKNOWN,
          ib ? "InfiniBand" : values.containsKey("netdev") ? "Ethernet" : Fact.UNKNOWN, values.containsKey("lid") ? Words.integer(values.get("lid").text()) : Num.UNKNOWN,
          values.containsKey("sm_lid") ? Words.integer(values.get("sm_lid").text()) : Num.UNKNOWN), here, start);
      if (values.containsKey("netdev")) {
        sink.fact(new PortNetdev(section.node(), hca, port, values.get("netdev").text(), Fact.UNKNOWN), here);
      }
      return true;
    }
    values.forEach((name, value) -> {
      Num count = Words.integer(value.text());
      if (count.known() && name.matches("[a-z][a-z0-9_]+") && CounterNames.keep(name, count)) {
        sink.fact(CounterNames.reading(section.node(), hca, port, name, count, "hw", moments.at(value.line())), section.at(value.line()));
      }
    });
    if (words.size() % 2 != 0) {
      sink.unread(section, end, "the record of " + hca + " is cut");
    }
    return false;
  }

  private static void device(Section section, Sink sink, Matcher device, int index) {
    String[] words = device.group("rest").split("\\s+");
    Map<String, String> values = new LinkedHashMap<>();
    for (int i = 0; i + 1 < words.length; i += 2) {
      values.put(words[i], words[i + 1]);
    }
    if (values.containsKey("node_type") || values.containsKey("node_guid")) {
      sink.fact(new RdmaDevice(section.node(), device.group("hca"), Fact.UNKNOWN, Words.orUnknown(values.get("fw")), Words.orUnknown(values.get("node_guid"))),
          section.at(index));
    } else if (values.containsKey("qp") && values.containsKey("cq")) {
      values.forEach((name, value) -> {
        Num used = Num.parse(value);
        if (RESOURCES.contains(name) && used.known()) {
          sink.fact(new RdmaResource(section.node(), device.group("hca"), name, used), section.at(index));
        }
      });
    }
  }
}
