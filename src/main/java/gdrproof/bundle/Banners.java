package gdrproof.bundle;

import gdrproof.facts.Fact;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Lines that say whose output follows: `===== node07 =====`, clush's dashed blocks, `==> file <==`, Ansible's `host | CHANGED`, pssh's
 * `[1] 10:00:00 [SUCCESS] host`. */
final class Banners {
  /**
   * @param lines lines that the banner takes
   * @param nodes nodes it names: several for folded output, none when it names a command only
   * @param command command it names, or unknown
   * @param indent what stands before each line below it
   */
  record Banner(int lines, List<String> nodes, String command, String indent) {
    Banner(int lines, List<String> nodes, String command) {
      this(lines, nodes, command, "");
    }
  }

  private static final Pattern RULE = Pattern.compile("^[-=*#]{5,}$");
  private static final Pattern INLINE = Pattern.compile("^(?:[-=#*>]{2,}|\\+{3,})\\s*(?<text>[^-=#*<>\\s][^=#*<>]{0,120}?)\\s*(?:[-=#*<]{2,}|\\+{3,}|:)$");
  private static final Pattern HEADED = Pattern.compile("(?i)^(?:output (?:of|from) |results? (?:of|from) )?(?:node|host|hostname|server|machine|pod)\\s*[:= ]\\s*(?<name>[A-Za-z0-9][\\w.-]*)(?:\\s*\\(.*\\))?$");
  private static final Pattern FILE = Pattern.compile("^==> (?<file>\\S.*) <==$");
  private static final Pattern ANSIBLE = Pattern.compile("^(?<host>[A-Za-z][\\w.-]*) \\| (?:CHANGED|SUCCESS|FAILED|UNREACHABLE!?)(?: \\| rc=\\d+ >>| =>.*)?$");
  private static final Pattern PSSH = Pattern.compile("^\\[\\d+\\] \\d\\d:\\d\\d:\\d\\d \\[(?:SUCCESS|FAILURE)\\] (?<host>[A-Za-z0-9][\\w.-]*)(?::\\d+)?(?: .*)?$");
  private static final Pattern FOLDED = Pattern.compile("^(?<hosts>[A-Za-z][\\w.,\\[\\]-]*)(?: \\((?<count>\\d+)\\))?$");
  private static final Pattern RANGE = Pattern.compile("^(?<head>[\\w.-]*)\\[(?<list>[\\d,-]+)\\](?<tail>[\\w.\\[\\],-]*)$");
  /** Salt prints each minion's name alone and its answer indented below. */
  private static final Pattern SALT = Pattern.compile("^(?<host>[A-Za-z][\\w.-]*):$");
  private static final String SALT_INDENT = "    ";
  private static final Pattern COUNTED = Pattern.compile("^[A-Za-z][\\w.,\\[\\]-]* \\([0-9]{1,6}\\)$");
  private static final int LONGEST = 300;
  private static final int MOST_HOSTS = 4096;
  /** Racks, chassis, nodes: no list of hosts has more groups of numbers in one name. */
  private static final int MOST_GROUPS = 4;

  private Banners() {}

  /** @param many whether a command that asks several nodes stands above: what it frames are names of nodes, whatever they look like */
  static @Nullable Banner parse(List<String> lines, int i, boolean many) {
    String line = lines.get(i).strip();
    if (line.length() < 3 || line.length() > LONGEST) {
      return null;
    }
    Matcher file = FILE.matcher(line);
    if (file.matches()) {
      return new Banner(1, List.of(), "cat " + file.group("file"));
    }
    Matcher ansible = ANSIBLE.matcher(line);
    if (ansible.matches()) {
      return new Banner(1, List.of(Sections.shortName(ansible.group("host"))), Fact.UNKNOWN);
    }
    Matcher pssh = PSSH.matcher(line);
    if (pssh.matches()) {
      return new Banner(1, List.of(Sections.shortName(pssh.group("host"))), Fact.UNKNOWN);
    }
    if (RULE.matcher(line).matches()) {
      return i + 2 < lines.size() && lines.get(i + 2).strip().equals(line) ? block(lines.get(i + 1).strip(), many) : null;
    }
    Matcher salt = SALT.matcher(lines.get(i));
    if (salt.matches() && NodeNames.hostLike(salt.group("host")) && i + 1 < lines.size() && lines.get(i + 1).startsWith(SALT_INDENT)) {
      return new Banner(1, List.of(Sections.shortName(salt.group("host"))), Fact.UNKNOWN, SALT_INDENT);
    }
    Matcher inline = INLINE.matcher(line);
    return inline.matches() ? text(1, inline.group("text").strip()) : null;
  }

  /** Whether a dashed block names several nodes at once: then the others of the text name nodes as well, however they are called. */
  static boolean folded(List<String> lines) {
    for (int i = 0; i + 2 < lines.size(); i++) {
      if (!lines.get(i).contains("-----")) {
        continue;
      }
      String rule = lines.get(i).strip();
      String middle = lines.get(i + 1).strip();
      if (middle.length() <= LONGEST && RULE.matcher(rule).matches() && lines.get(i + 2).strip().equals(rule)
          && (COUNTED.matcher(middle).matches() || middle.indexOf('[') > 0 && expand(middle).size() > 1)) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable Banner block(String middle, boolean many) {
    Matcher folded = FOLDED.matcher(middle);
    if (folded.matches()) {
      List<String> hosts = expand(folded.group("hosts"));
      if (!hosts.isEmpty() && hosts.stream().allMatch(h -> h.indexOf('[') < 0) && (many || hosts.size() > 1 || folded.group("count") != null || NodeNames.hostLike(hosts.get(0)))) {
        return new Banner(3, hosts.stream().map(Sections::shortName).toList(), Fact.UNKNOWN);
      }
    }
    return text(3, middle);
  }

  private static @Nullable Banner text(int lines, String text) {
    Matcher headed = HEADED.matcher(text);
    if (headed.matches()) {
      return new Banner(lines, List.of(Sections.shortName(headed.group("name"))), Fact.UNKNOWN);
    }
    String first = text.split("\\s", 2)[0];
    if (Prompts.tool(first)) {
      return new Banner(lines, List.of(), text);
    }
    int colon = text.indexOf(':');
    String host = colon < 0 ? text : text.substring(0, colon);
    if (!NodeNames.hostLike(host)) {
      return null;
    }
    String command = colon < 0 ? Fact.UNKNOWN : text.substring(colon + 1).strip();
    return new Banner(lines, List.of(Sections.shortName(host)), command.isEmpty() ? Fact.UNKNOWN : command);
  }

  /** The parts between the commas that stand in no bracket. */
  private static List<String> parts(String list) {
    List<String> parts = new ArrayList<>();
    int from = 0;
    int depth = 0;
    for (int i = 0; i <= list.length(); i++) {
      char c = i == list.length() ? ',' : list.charAt(i);
      depth += c == '[' ? 1 : c == ']' ? -1 : 0;
      if (i == list.length() || c == ',' && depth <= 0) {
        parts.add(list.substring(from, i));
        from = i + 1;
      }
    }
    return parts;
  }

  /** Host lists as clush and Slurm fold them: `gpu-n[1-3,7],head1`. */
  static List<String> expand(String list) {
    return expand(list, MOST_HOSTS);
  }

  static List<String> expand(String list, int most) {
    List<String> hosts = new ArrayList<>();
    for (String part : parts(list)) {
      if (part.chars().filter(c -> c == '[').count() > MOST_GROUPS) {
        return List.of();
      }
      Matcher range = RANGE.matcher(part);
      if (!range.matches()) {
        hosts.add(part);
        continue;
      }
      for (String span : range.group("list").split(",")) {
        String[] ends = span.split("-");
        if (ends.length == 0 || ends.length > 2 || ends[0].isEmpty() || ends[0].length() > 9 || ends[ends.length - 1].length() > 9) {
          return List.of();
        }
        int from = Integer.parseInt(ends[0]);
        int to = Integer.parseInt(ends[ends.length - 1]);
        if (to < from || to - from + hosts.size() > most) {
          return List.of();
        }
        for (int n = from; n <= to; n++) {
          String number = String.format("%0" + ends[0].length() + "d", n);
          List<String> tails = range.group("tail").contains("[") ? expand(range.group("tail"), most) : List.of(range.group("tail"));
          if (tails.isEmpty() || hosts.size() + tails.size() > most) {
            return List.of();
          }
          tails.forEach(tail -> hosts.add(range.group("head") + number + tail));
        }
      }
    }
    return hosts;
  }
}
