package gdrproof.collect.bench;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Measure.OneChange;
import gdrproof.facts.Num;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tables with bars that people write of one measurement under several states of a machine: columns that name parts of the software or settings, and one with the
 * result, a figure or an error. Two rows of a node that differ in one such column and in their result tell what that column does.
 */
final class StateTables implements Collector {
  private static final Pattern RULE = Pattern.compile("^\\s*\\|?(?:\\s*:?-{2,}:?\\s*\\|)+(?:\\s*:?-{2,}:?\\s*)?\\|?\\s*$");
  private static final Map<String, Pattern> STATES = states();
  private static final Pattern NODE = Pattern.compile("(?i)(?:node|host|server|machine|worker|vm)(?: ?name)?s?");
  private static final Pattern RESULT = Pattern.compile("(?i).*(?:result|outcome|bandwidth|throughput|busbw|algbw|\\bbw\\b|ib_\\w+_(?:bw|lat)|all_reduce\\w*|\\bGB?b?/s).*");
  private static final Pattern FIGURE = Pattern.compile("(?<![\\w.])(?<value>\\d+(?:\\.\\d+)?)\\s*(?<unit>" + Units.UNIT + ")?");
  private static final Pattern FAILED = Pattern.compile("(?i)\\b(?:error|fail(?:s|ed|ure)?|couldn.t|cannot|refused|hangs?|hung|timed? ?out|timeout|abort(?:s|ed)?|crash(?:es|ed)?|E[A-Z]{4,})\\b");
  /** Below this part of the other figure a row is the slower one. */
  private static final double SLOWER = Policies.settings().stream().filter(s -> s.key().equals("slow.rdma")).findFirst().orElseThrow().value().value();
  private static final int MOST_ROWS = 500;
  private static final double BITS = 8;

  private record Row(int at, String node, Map<String, String> state, Map<String, String> rest, boolean failed, Num gbps) {}

  private static Map<String, Pattern> states() {
    Map<String, Pattern> states = new LinkedHashMap<>();
    states.put("kernel", Pattern.compile("(?i)(?:linux )?kernel(?: (?:version|release|build))?|uname(?: -r)?"));
    states.put("nvidia-driver", Pattern.compile("(?i)(?:nvidia |gpu )?driver(?: version)?"));
    states.put("ofed", Pattern.compile("(?i)(?:mlnx[-_ ]?|doca[- ]?)?ofed(?: version)?|mofed"));
    states.put("firmware", Pattern.compile("(?i)(?:nic |hca |mlx5 )?(?:fw|firmware)(?: version)?"));
    states.put("numa-nodes", Pattern.compile("(?i)nps|snc|numa nodes(?: per socket)?|sub-?numa(?: clustering)?"));
    states.put("cuda", Pattern.compile("(?i)cuda(?: version)?"));
    states.put("nccl", Pattern.compile("(?i)nccl(?: version)?"));
    return states;
  }

  @Override
  public String tool() {
    return "table of results";
  }

  @Override
  public void collect(Section section, Sink sink) {
    List<String> lines = section.lines();
    for (int i = 1; i < lines.size(); i++) {
      if (lines.get(i).length() < 2_000 && RULE.matcher(lines.get(i)).matches() && lines.get(i - 1).contains("|")) {
        List<String> heads = cells(lines.get(i - 1));
        List<Row> rows = new ArrayList<>();
        for (int r = i + 1; r < lines.size() && rows.size() < MOST_ROWS && lines.get(r).contains("|"); r++) {
          Row row = row(heads, cells(lines.get(r)), r, section.node());
          if (row != null) {
            rows.add(row);
          }
        }
        compare(section, rows, sink);
      }
    }
  }

  private static List<String> cells(String line) {
    String text = line.strip().replaceFirst("^\\|", "").replaceFirst("\\|$", "");
    List<String> cells = new ArrayList<>();
    for (String cell : text.split("(?<!\\\\)\\|", -1)) {
      cells.add(cell.replaceAll("[`*]", "").strip());
    }
    return cells;
  }

  private static Row row(List<String> heads, List<String> cells, int at, String node) {
    Map<String, String> state = new TreeMap<>();
    Map<String, String> rest = new TreeMap<>();
    String of = node;
    String result = null;
    String title = "";
    if (cells.size() != heads.size()) {
      return null;
    }
    for (int c = 0; c < heads.size(); c++) {
      String head = heads.get(c);
      String what = STATES.entrySet().stream().filter(e -> e.getValue().matcher(head).matches()).map(Map.Entry::getKey).findFirst().orElse("");
      if (!what.isEmpty()) {
        state.put(what, cells.get(c));
      } else if (NODE.matcher(head).matches()) {
        of = cells.get(c);
      } else if (RESULT.matcher(head).matches()) {
        result = cells.get(c);
        title = head;
      } else {
        rest.put(head, cells.get(c));
      }
    }
    if (result == null || state.isEmpty()) {
      return null;
    }
    boolean failed = FAILED.matcher(result).find();
    Matcher figure = FIGURE.matcher(result);
    Num value = !failed && figure.find() ? gbps(Num.parse(figure.group("value")), figure.group("unit") == null ? Units.find(title) : Units.normal(figure.group("unit"))) : Num.UNKNOWN;
    return failed || value.known() ? new Row(at, of, state, rest, failed, value) : null;
  }

  private static Num gbps(Num value, String unit) {
    Num bytes = Units.gigabytes(value, unit);
    return bytes.known() ? Num.of(bytes.value() * BITS) : Num.UNKNOWN;
  }

  private static void compare(Section section, List<Row> rows, Sink sink) {
    Map<String, List<Row[]>> found = new TreeMap<>();
    Map<String, String> better = new TreeMap<>();
    for (Row worse : rows) {
      for (Row good : rows) {
        List<String> differ = worse.state().keySet().stream().filter(k -> !worse.state().get(k).equals(good.state().get(k))).toList();
        boolean below = worse.failed() && good.gbps().known() || worse.gbps().over(good.gbps()).below(SLOWER);
        if (below && differ.size() == 1 && worse.node().equals(good.node()) && worse.rest().equals(good.rest()) && worse.state().keySet().equals(good.state().keySet())) {
          String key = differ.get(0) + "\t" + worse.state().get(differ.get(0)) + "\t" + good.state().get(differ.get(0));
          found.computeIfAbsent(key, k -> new ArrayList<>()).add(new Row[] {worse, good});
          better.put(differ.get(0) + "\t" + good.state().get(differ.get(0)) + "\t" + worse.state().get(differ.get(0)), key);
        }
      }
    }
    // A value that is once the better and once the worse one decides nothing.
    found.keySet().removeIf(better::containsKey);
    found.forEach((key, pairs) -> {
      String[] part = key.split("\t", -1);
      Map<String, List<Row[]>> nodes = new TreeMap<>();
      pairs.forEach(p -> nodes.computeIfAbsent(p[0].node(), n -> new ArrayList<>()).add(p));
      nodes.forEach((node, own) -> {
        Row[] first = own.get(0);
        OneChange change = new OneChange(node.isEmpty() ? Fact.UNKNOWN : node, part[0], part[1], part[2], first[0].failed() ? "failed" : "slower", first[0].gbps().rounded(), first[1].gbps().rounded(),
            first[0].gbps().over(first[1].gbps()).rounded(), Num.of(pairs.size()));
        for (Row row : first) {
          Evidence at = section.at(row.at());
          sink.fact(change, at);
        }
      });
    });
  }
}
