package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Rdma.FabricRoute;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `ibtracert` of infiniband-diags (with node descriptions): the switch ports that packets between two HCAs leave by. */
final class Ibtracert implements Collector {
  private static final Pattern FROM = Pattern.compile("From (?:ca|switch|rt) \\{(?<guid>0x[0-9a-f]+)\\} portnum \\d+ lid \\S+(?: \"(?<name>[^\"]*)\")?\\s*");
  private static final Pattern HOP = Pattern.compile("\\[(?<out>\\d+)\\] -> (?<kind>ca|switch|rt) port \\{(?<guid>0x[0-9a-f]+)\\}\\[\\d+\\](?: lid \\S+)?(?: \"(?<name>[^\"]*)\")?\\s*");
  private static final Pattern TO = Pattern.compile("To (?:ca|switch|rt) \\{(?<guid>0x[0-9a-f]+)\\} portnum \\d+ lid \\S+(?: \"(?<name>[^\"]*)\")?\\s*");

  @Override
  public String tool() {
    return "ibtracert";
  }

  @Override
  public void collect(Section section, Sink sink) {
    int start = -1;
    String from = "";
    String guid = "";
    List<String> cables = new ArrayList<>();
    List<Boolean> switches = new ArrayList<>();
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i).strip();
      Matcher begin = FROM.matcher(line);
      Matcher hop = HOP.matcher(line);
      Matcher end = TO.matcher(line);
      if (begin.matches()) {
        if (start >= 0) {
          sink.unread(section, start, "route is cut before its end");
        }
        start = i;
        from = Words.orUnknown(begin.group("name"));
        guid = begin.group("guid");
        cables.clear();
        switches.clear();
        sink.understood(section, i);
      } else if (start >= 0 && hop.matches()) {
        cables.add(guid + "[" + hop.group("out") + "]");
        switches.add(hop.group("kind").equals("switch"));
        guid = hop.group("guid");
        sink.understood(section, i);
      } else if (start >= 0 && end.matches()) {
        String to = Words.orUnknown(end.group("name"));
        List<String> between = new ArrayList<>();
        // The first cable is the source's own, the last one the destination's.
        for (int k = 1; k < cables.size(); k++) {
          if (switches.get(k)) {
            between.add(cables.get(k));
          }
        }
        sink.fact(new FabricRoute(host(from), device(from), host(to), device(to), List.copyOf(cables), List.copyOf(between)), section.at(start, i));
        start = -1;
      }
    }
    if (start >= 0) {
      sink.unread(section, start, "route is cut before its end");
    }
  }

  /** `n101 mlx5_0` is host and HCA; `n101 HCA-1` is too. */
  private static String host(String name) {
    return name.equals(Fact.UNKNOWN) ? Fact.UNKNOWN : Sections.shortName(name.split("\\s+")[0]);
  }

  private static String device(String name) {
    String[] words = name.split("\\s+");
    return words.length > 1 ? words[1] : Fact.UNKNOWN;
  }
}
