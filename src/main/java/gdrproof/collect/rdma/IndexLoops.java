package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.rdma.SysfsRdma.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tables of a port that a shell loop prints entry by entry, so that the command alone names the files: `for i in 0 1 2; do echo "$i $(cat .../pkeys/$i)"; done` (rows of index
 * and value), the same with the value alone, and `cd .../pkeys; grep . *`.
 */
final class IndexLoops {
  private static final Pattern TABLE = Pattern.compile("(?<table>/sys/class/infiniband/[^/\\s$*;\"']+/ports/\\d+/(?<kind>pkeys|gids))(?:/\\$\\{?(?<variable>\\w+)}?)?(?=$|[\\s;)&\"'|/])");
  private static final Map<String, String> FORMS = Map.of("pkeys", "0x[0-9a-fA-F]{4}", "gids", "[0-9a-fA-F:]{39}");
  private static final Pattern NUMBERS = Pattern.compile("\\{(?<from>\\d{1,3})\\.\\.(?<to>\\d{1,3})}|seq (?<first>\\d{1,3}) (?<last>\\d{1,3})|(?<![\\w.])(?<one>\\d{1,3})(?![\\w.])");
  private static final int LONGEST_ROW = 120;
  private static final int MOST_ENTRIES = 256;

  private IndexLoops() {}

  static void read(Section section, Map<String, Value> files) {
    Matcher found = TABLE.matcher(section.command());
    if (!found.find()) {
      return;
    }
    String table = found.group("table");
    String form = FORMS.get(found.group("kind"));
    String variable = found.group("variable");
    boolean entered = section.command().matches("(?:.*[;&|]\\s*|\\W*)cd\\s+" + Pattern.quote(table) + ".*");
    // Of two tables no row says whose it is.
    if (variable == null && !entered || found.find()) {
      return;
    }
    Pattern numbered = Pattern.compile("(?:[A-Za-z_]{1,8}[\\s\\[=]{0,2})?(?<index>\\d{1,4})[\\s\\]:=|,>-]{1,6}(?<value>" + form + ")");
    Pattern plain = Pattern.compile(form);
    List<Integer> bare = new ArrayList<>();
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i).strip();
      Matcher row = numbered.matcher(line.length() > LONGEST_ROW ? "" : line);
      if (row.matches()) {
        files.putIfAbsent(table + "/" + Integer.parseInt(row.group("index")), new Value(row.group("value"), i));
      } else if (plain.matcher(line).matches()) {
        bare.add(i);
      }
    }
    List<Integer> indices = variable == null ? List.of() : indices(section.command(), variable);
    if (!bare.isEmpty() && bare.size() == indices.size()) {
      for (int i = 0; i < bare.size(); i++) {
        files.putIfAbsent(table + "/" + indices.get(i), new Value(section.lines().get(bare.get(i)).strip(), bare.get(i)));
      }
    }
  }

  /** What the loop's variable runs over: `0 1 2`, `{0..3}`, `$(seq 0 3)`. */
  private static List<Integer> indices(String command, String variable) {
    List<Integer> indices = new ArrayList<>();
    Matcher loop = Pattern.compile("\\bfor\\s+" + Pattern.quote(variable) + "\\s+in\\s+(?<list>[^;]*)").matcher(command);
    Matcher number = NUMBERS.matcher(loop.find() ? loop.group("list") : "");
    while (number.find() && indices.size() < MOST_ENTRIES) {
      String from = number.group("one") != null ? number.group("one") : number.group("from") != null ? number.group("from") : number.group("first");
      String to = number.group("one") != null ? from : number.group("to") != null ? number.group("to") : number.group("last");
      for (int i = Integer.parseInt(from); i <= Integer.parseInt(to) && indices.size() <= MOST_ENTRIES; i++) {
        indices.add(i);
      }
    }
    return indices;
  }
}
