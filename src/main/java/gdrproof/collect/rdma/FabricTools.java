package gdrproof.collect.rdma;

import gdrproof.bundle.LongLines;
import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.FabricLink;
import gdrproof.facts.Rdma.FabricNode;
import gdrproof.facts.Speeds;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `iblinkinfo` (also `--line`, and `--additional` with lifetimes and stall counts before the arrow) and `ibnetdiscover` of infiniband-diags: the links of the fabric from both ends. */
final class FabricTools implements Collector {
  private static final Pattern HEAD = Pattern.compile("(CA|Switch|Router)(?:: | (?=0x))(?:(0x[0-9a-f]+) )?(.+?):\\s*");
  private static final Pattern LINK = Pattern.compile("(?<left>.*?)(?<port>\\d+)\\[ *\\] ==\\(\\s*(?:(?<lanes>\\d+)X\\s+(?:(?<gbps>[\\d.]+) Gbps|(?<word>FDR10))(?:\\s*\\([^)]*\\))?\\s*)?(?<state>[A-Za-z]+)\\s*/\\s*(?<phys>[A-Za-z]+)\\)(?:\\s*\\([^()]*\\))?\\s*==>(?<right>.*)");
  private static final Pattern LINE_LEFT = Pattern.compile("\\s*(0x[0-9a-f]+)\\s+\"\\s*([^\"]*)\"\\s+(\\d+)\\s*");
  private static final Pattern LEFT = Pattern.compile("\\s*(?:(0x[0-9a-f]+)\\s+)?(\\d+)\\s*");
  private static final Pattern RIGHT = Pattern.compile("\\s*(?:(0x[0-9a-f]+)\\s+)?(?:\\d+\\s+)?(\\d+)\\[ *\\] \"\\s*([^\"]*)\" ?\\(\\s*(.*?)\\s*\\).*");
  private static final Pattern NODE = Pattern.compile("(Switch|Ca|Rt)\\s+\\d+ \"[SHR]-([0-9a-f]+)\"\\s+# \"([^\"]*)\".*");
  /** `ibnetdiscover -l`, `-H`, `-S` and `-R`: the nodes alone. */
  private static final Pattern LISTED = Pattern.compile("(Switch|Ca|Router|Rt)\\s*: (0x[0-9a-f]+) ports \\d+ devid 0x[0-9a-f]+ vendid 0x[0-9a-f]+ \"([^\"]*)\"\\s*");
  /** `ibnetdiscover -p`: one port on each line, with the port that it is joined to, or `???`. */
  private static final Pattern ROW = Pattern.compile("(?<kind>CA|SW|RT) +(?<lid>\\d+) +(?<port>\\d+) (?<guid>0x[0-9a-f]+) (?<lanes>\\d+)x (?<speed>\\S+) +(?:- (?<other>CA|SW|RT) +(?<otherLid>\\d+) +(?<otherPort>\\d+) "
      + "(?<otherGuid>0x[0-9a-f]+) \\( '(?<name>[^']*)' - '(?<peer>[^']*)' \\)|'(?<alone>[^']*)')\\s*");
  private static final Pattern PORT = Pattern.compile("\\[(\\d+)](?:\\([0-9a-f]+\\))?\\s+\"[SHR]-[0-9a-f]+\"\\[(\\d+)](?:\\([0-9a-f]+\\))?\\s+# (?:lid \\d+ lmc \\d+ )?\"([^\"]*)\" lid (\\d+) (\\d+)x(\\w+).*");

  @Override
  public String tool() {
    return "iblinkinfo";
  }

  @Override
  public List<String> hints() {
    return List.of("CA: ", "Switch: ", "Router: ", "Switch 0x", "CA 0x", "] ==(", "\"S-", "\"H-", "\"R-", " vendid 0x", "CA ", "SW ");
  }

  @Override
  public void collect(Section section, Sink sink) {
    String name = Fact.UNKNOWN;
    String guid = Fact.UNKNOWN;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher head = HEAD.matcher(line);
      Matcher link = LINK.matcher(line);
      Matcher node = NODE.matcher(line);
      Matcher port = PORT.matcher(line.strip());
      Matcher listed = LISTED.matcher(line.strip());
      Matcher row = ROW.matcher(line);
      if (head.matches()) {
        name = head.group(3);
        guid = Words.orUnknown(head.group(2));
        sink.fact(new FabricNode(name, head.group(1).equals("CA") ? "ca" : "switch", guid, "iblinkinfo"), section.at(i));
      } else if (line.contains("==>") && line.length() <= LongLines.LONGEST && link.matches() && !line.contains("Link info:")) {
        link(section, sink, link, name, guid, i);
      } else if (node.matches()) {
        name = node.group(3);
        guid = "0x" + node.group(2);
        sink.fact(new FabricNode(name, node.group(1).equals("Ca") ? "ca" : "switch", guid, "ibnetdiscover"), section.at(i));
      } else if (listed.matches()) {
        sink.fact(new FabricNode(listed.group(3), listed.group(1).equals("Ca") ? "ca" : "switch", listed.group(2), "ibnetdiscover"), section.at(i));
      } else if (row.matches()) {
        row(section, sink, row, i);
      } else if (port.matches() && !name.equals(Fact.UNKNOWN)) {
        sink.fact(new FabricLink(name, guid, Num.UNKNOWN, Num.parse(port.group(1)), Num.parse(port.group(5)), Speeds.laneGbps(port.group(6)), Fact.UNKNOWN, Fact.UNKNOWN,
            port.group(3), Num.parse(port.group(2)), Fact.UNKNOWN, "ibnetdiscover"), section.at(i));
      }
    }
  }

  /** The speed of a port without a partner is what it last had or could have, and no link's. The GUID is the port's own, which a node with several ports has several of. */
  private static void row(Section section, Sink sink, Matcher row, int index) {
    String name = row.group("name") == null ? row.group("alone") : row.group("name");
    sink.fact(new FabricNode(name, row.group("kind").equals("CA") ? "ca" : "switch", Fact.UNKNOWN, "ibnetdiscover"), section.at(index));
    if (row.group("other") != null) {
      sink.fact(new FabricLink(name, row.group("guid"), Num.parse(row.group("lid")), Num.parse(row.group("port")), Num.parse(row.group("lanes")), Speeds.laneGbps(row.group("speed")), Fact.UNKNOWN, Fact.UNKNOWN,
          row.group("peer"), Num.parse(row.group("otherPort")), Fact.UNKNOWN, "ibnetdiscover"), section.at(index));
    }
  }

  private static void link(Section section, Sink sink, Matcher link, String head, String headGuid, int index) {
    Matcher lineLeft = LINE_LEFT.matcher(link.group("left"));
    Matcher left = LEFT.matcher(link.group("left"));
    Matcher right = RIGHT.matcher(link.group("right"));
    boolean whole = lineLeft.matches();
    if (!whole && (!left.matches() || head.equals(Fact.UNKNOWN))) {
      sink.unread(section, index, "link line without its node");
      return;
    }
    boolean peer = right.matches();
    sink.fact(new FabricLink(whole ? lineLeft.group(2).strip() : head, whole ? lineLeft.group(1) : left.group(1) == null ? headGuid : left.group(1),
        Num.parse(whole ? lineLeft.group(3) : left.group(2)), Num.parse(link.group("port")), Num.parse(link.group("lanes")), link.group("word") != null ? Speeds.laneGbps(link.group("word")) : Num.parse(link.group("gbps")),
        Words.state(link.group("state")), Words.physical(link.group("phys")), peer ? Words.orUnknown(right.group(3)) : Fact.UNKNOWN,
        peer ? Num.parse(right.group(2)) : Num.UNKNOWN, peer ? Words.orUnknown(right.group(4)) : Fact.UNKNOWN, "iblinkinfo"), section.at(index));
  }
}
