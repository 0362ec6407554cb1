package gdrproof.collect.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Expands host lists: `a:8,b:8` and the bracket form of Slurm, `n[01-03,7]`. */
final class Hosts {
  private static final Pattern BRACKET = Pattern.compile("([^,\\[]*)\\[([^\\]]*)\\]([^,]*)|([^,]+)");
  private static final int MOST = 4096;

  private Hosts() {}

  static List<String> expand(String list) {
    List<String> hosts = new ArrayList<>();
    Matcher each = BRACKET.matcher(list);
    while (each.find()) {
      if (each.group(4) != null) {
        hosts.add(each.group(4).strip());
        continue;
      }
      for (String range : each.group(2).split(",")) {
        int dash = range.indexOf('-');
        try {
          int from = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
          int to = dash < 0 ? from : Integer.parseInt(range.substring(dash + 1));
          int width = dash < 0 ? range.length() : dash;
          for (int i = from; i <= to && hosts.size() < MOST; i++) {
            hosts.add(each.group(1) + String.format("%0" + width + "d", i) + each.group(3));
          }
        } catch (NumberFormatException e) {
          hosts.add(each.group(1) + range + each.group(3));
        }
      }
    }
    return hosts;
  }
}
