package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Counters that somebody put into a list or table by hand or script: `name value` lines below a heading that names the device, and tables with
 * the columns `before` and `after` or one column for each device. Only names of `policies/counters.yaml` count.
 */
final class CounterLists implements Collector {
  private static final Pattern LINE = Pattern.compile("\\s*(?:\\S*/)?([A-Za-z][A-Za-z0-9_]+)\\s*(?:[:=]\\s*|\\s)(\\d+)\\s*");
  private static final Pattern DEVICE = Pattern.compile("\\b(mlx\\d_(?:bond_)?\\d+|bnxt_re\\d+|irdma\\d+|rdmap\\d+\\w*|efa_\\d+|ib\\d+|(?:en|eth|rail|bond|p\\d+p|ens|enp|eno)\\w*\\d\\w*)(?:(?::|/| port )(\\d+))?\\b");
  private static final Pattern FOREIGN = Pattern.compile("\\s*(?:NIC statistics:|# Port (?:extended )?counters.*|link \\S+/\\d+ .*|.*/infiniband/\\S+/ports/.*)");

  private static final Pattern BEFORE = Pattern.compile("before", Pattern.CASE_INSENSITIVE);

  @Override
  public String tool() {
    return "counter list";
  }

  @Override
  public void collect(Section section, Sink sink) {
    if (section.command().matches(".*\\b(?:ethtool|rdma|perfquery|ibqueryerrors)\\b.*") || section.lines().stream().anyMatch(CounterLists::foreign)) {
      return;
    }
    Moments moments = null;
    String device = device(section.command());
    Num port = Num.UNKNOWN;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      List<String> header = heading(line) ? words(line) : List.of();
      Matcher single = LINE.matcher(digit(line) ? line : "");
      if (before(header) >= 0 && after(header) >= 0) {
        i = table(section, sink, header, device, i);
      } else if (header.size() >= 2 && header.get(0).matches("(?i)counter|name") && header.subList(1, header.size()).stream().allMatch(w -> DEVICE.matcher(w).matches())) {
        i = columns(section, sink, header, i);
      } else if (single.matches() && CounterNames.known(single.group(1))) {
        moments = moments == null ? new Moments(section) : moments;
        sink.fact(CounterNames.reading(section.node(), device, port, single.group(1), Num.parse(single.group(2)), source(single.group(1)), moments.at(i)), section.at(i));
      } else if (line.length() < 80 && DEVICE.matcher(line).find()) {
        Matcher found = DEVICE.matcher(line);
        device = found.find() ? found.group(1) : device;
        port = Num.parse(found.group(2));
      }
    }
  }

  /** What the patterns ask for is looked for by plain search first: most lines that come here are lines of logs. */
  private static boolean foreign(String line) {
    return (line.contains("NIC statistics:") || line.contains("# Port") || line.contains("link ") || line.contains("/infiniband/")) && FOREIGN.matcher(line).matches();
  }

  private static boolean heading(String line) {
    int first = 0;
    while (first < line.length() && (Character.isWhitespace(line.charAt(first)) || "|,;".indexOf(line.charAt(first)) >= 0)) {
      first++;
    }
    return line.regionMatches(true, first, "counter", 0, 7) || line.regionMatches(true, first, "name", 0, 4) || BEFORE.matcher(line).find();
  }

  private static boolean digit(String line) {
    int last = line.length() - 1;
    while (last >= 0 && Character.isWhitespace(line.charAt(last))) {
      last--;
    }
    return last >= 0 && line.charAt(last) >= '0' && line.charAt(last) <= '9';
  }

  private static String device(String text) {
    Matcher found = DEVICE.matcher(text);
    return found.find() ? found.group(1) : Fact.UNKNOWN;
  }

  /** Family of a bare name: the queue counters wrap at 32 bits, whoever prints them. */
  private static String source(String name) {
    return CounterNames.wrapsAt(name, "hw").known() ? "hw" : name.endsWith("_phy") || name.contains("_prio") ? "ethtool" : "port";
  }

  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    for (String word : line.strip().split("\\s*[|,;]\\s*|\\s+")) {
      if (!word.isEmpty()) {
        words.add(word);
      }
    }
    return words;
  }

  private static int before(List<String> header) {
    return index(header, "before");
  }

  private static int after(List<String> header) {
    return index(header, "after");
  }

  private static int index(List<String> header, String word) {
    for (int i = 0; i < header.size(); i++) {
      if (header.get(i).toLowerCase(Locale.ROOT).equals(word)) {
        return i;
      }
    }
    return -1;
  }

  private static int table(Section section, Sink sink, List<String> header, String heading, int start) {
    int fromEndBefore = header.size() - before(header);
    int fromEndAfter = header.size() - after(header);
    sink.understood(section, start);
    int i = start;
    String device = heading;
    for (; i + 1 < section.lines().size() && !section.lines().get(i + 1).isBlank(); i++) {
      List<String> row = words(section.lines().get(i + 1));
      String name = row.stream().filter(CounterNames::known).findFirst().orElse(null);
      String named = row.stream().filter(w -> DEVICE.matcher(w).matches()).findFirst().orElse(null);
      device = named == null ? device : device(named);
      Num before = row.size() >= fromEndBefore ? Num.parse(row.get(row.size() - fromEndBefore).replace(",", "")) : Num.UNKNOWN;
      Num after = row.size() >= fromEndAfter ? Num.parse(row.get(row.size() - fromEndAfter).replace(",", "")) : Num.UNKNOWN;
      if (name != null && before.known() && after.known()) {
        sink.fact(CounterNames.reading(section.node(), device, Num.UNKNOWN, name, before, source(name), "before"), section.at(i + 1));
        sink.fact(CounterNames.reading(section.node(), device, Num.UNKNOWN, name, after, source(name), "after"), section.at(i + 1));
      } else if (name != null) {
        sink.unread(section, i + 1, "row of a counter table without its numbers");
      }
    }
    return i;
  }

  private static int columns(Section section, Sink sink, List<String> header, int start) {
    Moments moments = new Moments(section);
    sink.understood(section, start);
    int i = start;
    for (; i + 1 < section.lines().size() && !section.lines().get(i + 1).isBlank(); i++) {
      List<String> row = words(section.lines().get(i + 1));
      if (row.size() != header.size() || !CounterNames.known(row.get(0))) {
        continue;
      }
      for (int c = 1; c < row.size(); c++) {
        Num value = Num.parse(row.get(c).replace(",", ""));
        if (value.known()) {
          sink.fact(CounterNames.reading(section.node(), device(header.get(c)), Num.UNKNOWN, row.get(0), value, source(row.get(0)), moments.at(i + 1)), section.at(i + 1));
        }
      }
    }
    return i;
  }
}
