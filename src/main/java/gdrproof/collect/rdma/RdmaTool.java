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
  private static final Set<String> RESOURCES = Set.of("qp", "cq", "mr", "pd", "cm_id", "ctx", "srq");

  @Override
  public String tool() {
    return "rdma";
  }

  @Override
  public void collect(Section section, Sink sink) {
    int links = 0;
    int last = 0;
    Moments moments = new Moments(section);
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher link = LINK.matcher(line);
      Matcher device = DEVICE.matcher(line);
      Matcher netns = NETNS.matcher(line);
      if (link.matches()) {
        int end = end(section, i);
        links += record(section, sink, link, i, end, moments) ? 1 : 0;
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

  /** Last line of a record that a terminal folded: more words, no new record. */
  private static int end(Section section, int start) {
    int end = start;
    while (end + 1 < section.lines().size()) {
      String next = section.lines().get(end + 1);
      if (next.isBlank() || LINK.matcher(next).matches() || DEVICE.matcher(next).matches()) {
        break;
      }
      boolean words = true;
      for (String word : next.strip().split("\\s+")) {
        words &= WORD.matcher(word).matches();
      }
      String first = next.strip().split("\\s+")[0];
      boolean belongs = first.matches("\\d+") || LINK_KEYS.contains(first) || CounterNames.known(first) || first.equals("caps:");
      if (!words || !belongs) {
        break;
      }
      end++;
    }
    return end;
  }

  private static boolean record(Section section, Sink sink, Matcher link, int start, int end, Moments moments) {
    if (RdmaResources.RESOURCE.matcher(link.group("rest")).find()) {
      // A queue pair's state is no port's.
      return false;
    }
    record Word(String text, int line) {}
    List<Word> words = new ArrayList<>();
    for (String word : link.group("rest").strip().split("\\s+")) {
      words.add(new Word(word, start));
    }
    for (int i = start + 1; i <= end; i++) {
      for (String word : section.lines().get(i).strip().split("\\s+")) {
        words.add(new Word(word, i));
      }
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
