package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.RdmaUse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** `rdma resource show qp` and `mr` (iproute2 5 and later): which process uses which HCA, with how many queue pairs and how much registered memory. */
final class RdmaResources implements Collector {
  /** What marks a line of a single resource: it is no state of a port. */
  static final Pattern RESOURCE = Pattern.compile("\\b(?:lqpn|mrn|cqn|pdn|cm-idn|ctxn|srqn) \\d+\\b");
  private static final Pattern LINE = Pattern.compile("^\\s*(?:(?:link|dev) )?(?<hca>[A-Za-z][^\\s/:]*)(?:/(?<port>\\d+|-))?:? (?<rest>.*\\b(?<kind>lqpn|mrn) \\d+\\b.*)$");
  private static final Pattern OWNER = Pattern.compile("\\bpid (?<pid>\\d+)\\b");
  private static final Pattern STATE = Pattern.compile("\\bstate (?<state>[A-Z]+)\\b");
  private static final Pattern LENGTH = Pattern.compile("\\bmrlen (?<bytes>\\d{1,18})\\b");

  /** A list of all queue pairs: of one link, or behind a filter, it would tell nothing of the others. */
  private static final Pattern ALL_PAIRS = Pattern.compile("\\brdma (?:-\\S+ )*res(?:ource)? (?:show|list) qp\\s*$");

  private static final class Use {
    private int pairs;
    private int ready;
    private int regions;
    private long bytes;
    private int first = -1;
  }

  @Override
  public String tool() {
    return "rdma resource show qp";
  }

  @Override
  public void collect(Section section, Sink sink) {
    Map<List<String>, Use> uses = new LinkedHashMap<>();
    int pairs = -1;
    for (int i = 0; i < section.lines().size(); i++) {
      Matcher line = LINE.matcher(section.lines().get(i));
      if (!line.matches()) {
        continue;
      }
      sink.understood(section, i);
      pairs = line.group("kind").equals("lqpn") ? i : pairs;
      Matcher owner = OWNER.matcher(line.group("rest"));
      if (!owner.find()) {
        // The kernel's own.
        continue;
      }
      Use use = uses.computeIfAbsent(List.of(section.node() + ":" + owner.group("pid"), line.group("hca")), k -> new Use());
      use.first = use.first < 0 ? i : use.first;
      if (line.group("kind").equals("lqpn")) {
        Matcher state = STATE.matcher(line.group("rest"));
        use.pairs++;
        use.ready += state.find() && state.group("state").equals("RTS") ? 1 : 0;
      } else {
        Matcher length = LENGTH.matcher(line.group("rest"));
        use.regions++;
        use.bytes += length.find() ? Long.parseLong(length.group("bytes")) : 0;
      }
    }
    if (ALL_PAIRS.matcher(section.command()).find() && pairs >= 0) {
      sink.looked(section, Kind.QUEUE_PAIRS, pairs);
    }
    for (Map.Entry<List<String>, Use> each : new ArrayList<>(uses.entrySet())) {
      Use use = each.getValue();
      sink.fact(new RdmaUse(section.node(), each.getKey().get(0), each.getKey().get(1), use.pairs + use.ready == 0 ? Num.UNKNOWN : Num.of(use.pairs), use.pairs == 0 ? Num.UNKNOWN : Num.of(use.ready),
          use.regions == 0 ? Num.UNKNOWN : Num.of(use.regions), use.regions == 0 ? Num.UNKNOWN : Num.of(use.bytes)), section.at(use.first));
    }
  }
}
