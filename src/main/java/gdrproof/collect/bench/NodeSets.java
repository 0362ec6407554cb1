package gdrproof.collect.bench;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Sink;
import gdrproof.facts.Bench.TableResult;
import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Tables that people write of one collective over different sets of nodes: `n1,n2,n3 188`, `n1-n4 187`, `n16..n22 (7 nodes) 373`, `n[01-04] 187`, `n0{1..4} 187`, `4 nodes 187`,
 * `all 118`, `without n23 372`. The label of such a result is `nodes=` and the names, `nodes=#` and their number, `nodes=*` for all, or `nodes=!` and those left out.
 */
final class NodeSets {
  static final String LABEL = "nodes=";
  private static final Pattern LINE = Pattern.compile("^[|\\s]*(?<set>\\S.*?)\\s*(?:[:=|]\\s*|\\s)(?:(?:busbw|bus_bw|algbw)\\s*[=:]?\\s*)?(?<value>\\d+(?:\\.\\d+)?)\\s*(?<unit>" + Units.UNIT + ")?\\s*\\|?\\s*(?:(?:#|//|\\().*)?$");
  private static final Pattern COUNT = Pattern.compile("(?i)(?:n(?:odes)?\\s*=\\s*)?(?<count>\\d{1,4})\\s*(?<word>nodes?|hosts?|servers?|machines?)?");
  private static final Pattern REMARK = Pattern.compile("(?i)\\s*(?:\\(?[x,]?\\s*\\d{1,4}\\s*(?:nodes?|hosts?|servers?)\\)?|\\([^)]*\\))\\s*$");
  private static final Pattern ALL = Pattern.compile("(?i)(?:all|every|full)(?:\\s+(?:\\d+|nodes?|hosts?|of them|set|cluster))*");
  private static final Pattern BUT = Pattern.compile("(?i)(?:(?:all|every)\\w*\\s+(?:\\w+\\s+)?)?(?:but|except|without|minus|w/o|excluding|excl\\.?)\\s*(?<names>\\S.*)");
  private static final Pattern HOST = Pattern.compile("(?<stem>[A-Za-z][A-Za-z0-9._-]*?)(?<number>\\d+)");
  private static final Pattern RANGE = Pattern.compile("(?<stem>[A-Za-z][A-Za-z0-9._-]*?)(?<from>\\d+)\\s*(?:\\.{2,3}|-|–|\\s+to\\s+)\\s*(?:\\k<stem>)?(?<to>\\d+)");
  private static final Pattern BRACKETS = Pattern.compile("(?<stem>[A-Za-z][A-Za-z0-9._-]*)[\\[{](?<list>[\\d,.-]+)[\\]}]");
  private static final int FEWEST = 2;
  private static final int MOST = 4096;

  private record Row(int at, String label, int size, Num value, String unit) {}

  private NodeSets() {}

  /** Whether the lines are such a table; then its results are given. */
  static boolean read(Section section, List<Integer> heads, List<Integer> body, boolean metric, String unit, Sink sink) {
    String head = heads.isEmpty() ? "" : section.lines().get(heads.get(heads.size() - 1)).strip().replaceFirst("^[#|\\s]+", "");
    boolean counts = head.matches("(?i)(?:#|num(?:ber)?(?: of)?\\s*)?_?(?:nodes?|hosts?|servers?)\\b.*");
    List<Row> rows = new ArrayList<>();
    for (int i : body) {
      Matcher line = LINE.matcher(section.lines().get(i));
      Row row = line.matches() ? row(i, line, counts, unit) : null;
      if (row == null) {
        return false;
      }
      rows.add(row);
    }
    // Two nodes a line are pairs, which have a reader of their own.
    boolean wide = rows.stream().anyMatch(r -> r.size() > 2 || r.size() == 0);
    boolean units = rows.stream().allMatch(r -> !r.unit().equals(Fact.UNKNOWN));
    if (rows.size() < FEWEST || !wide || !metric && !units || rows.stream().map(Row::label).distinct().count() < rows.size()) {
      return false;
    }
    String table = section.file() + "#" + section.line(rows.get(0).at());
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      sink.fact(new TableResult(section.node(), table, row.label(), Num.of(i + 1), row.value(), row.unit(), ""), section.at(row.at()));
    }
    return true;
  }

  private static @Nullable Row row(int at, Matcher line, boolean counts, String unit) {
    String set = line.group("set").replaceFirst("\\|$", "").strip();
    Num value = Num.parse(line.group("value"));
    String own = line.group("unit") == null ? unit : Units.normal(line.group("unit"));
    Matcher count = COUNT.matcher(set);
    if (count.matches() && (count.group("word") != null || counts)) {
      int size = Integer.parseInt(count.group("count"));
      return size == 0 ? null : new Row(at, LABEL + "#" + size, Math.max(size, 1), value, own);
    }
    String bare = REMARK.matcher(set).replaceFirst("").strip();
    Matcher but = BUT.matcher(bare);
    boolean out = but.matches();
    if (ALL.matcher(bare).matches() && !out) {
      return new Row(at, LABEL + "*", 0, value, own);
    }
    TreeSet<String> names = names(out ? but.group("names") : bare);
    return names.isEmpty() ? null : new Row(at, LABEL + (out ? "!" : "") + String.join(",", names), out ? 0 : names.size(), value, own);
  }

  /** The nodes of a list with ranges; empty where a part of it is no node. */
  private static TreeSet<String> names(String text) {
    TreeSet<String> names = new TreeSet<>();
    for (String part : text.strip().split("(?:\\s*[,;+&]\\s*|\\s+and\\s+|\\s+(?!to\\s|\\.\\.|-)(?<!\\sto\\s|\\.\\.\\s|-\\s))(?![^\\[{]*[\\]}])")) {
      Matcher range = RANGE.matcher(part);
      Matcher brackets = BRACKETS.matcher(part);
      Matcher host = HOST.matcher(part);
      boolean whole = range.matches() ? span(range.group("stem"), range.group("from"), range.group("to"), names)
          : brackets.matches() ? listed(brackets.group("stem"), brackets.group("list"), names) : host.matches() && names.add(Sections.shortName(part));
      if (!whole) {
        return new TreeSet<>();
      }
    }
    return names;
  }

  private static boolean listed(String stem, String list, TreeSet<String> names) {
    for (String part : list.split(",")) {
      Matcher range = Pattern.compile("(\\d+)(?:-|\\.\\.)(\\d+)").matcher(part);
      boolean good = range.matches() ? span(stem, range.group(1), range.group(2), names) : part.matches("\\d+") && names.add(stem + part);
      if (!good) {
        return false;
      }
    }
    return true;
  }

  private static boolean span(String stem, String from, String to, TreeSet<String> names) {
    if (from.length() > 6 || to.length() > 6) {
      return false;
    }
    int first = Integer.parseInt(from);
    int last = Integer.parseInt(to);
    for (int i = first; i <= last && i - first < MOST; i++) {
      String digits = Integer.toString(i);
      names.add(Sections.shortName(stem + "0".repeat(Math.max(0, from.length() - digits.length())) + digits));
    }
    return last > first && last - first < MOST;
  }
}
