package gdrproof.bundle;

import gdrproof.facts.Fact;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Heads of the answers to one command that asks several hosts, where the command itself prints them: `for h in n1 n2; do echo "== $h"; ssh $h ibstat; done`,
 * `pdsh -N -w n1,n2 "hostname; ibstat"`. What the command lists decides, not how the marks look.
 */
final class HostLoops {
  /** Parallel shells, which run one command on many hosts. */
  static final String ASKING = "(?:clush|pdsh|dsh|pssh|parallel-ssh|xdsh)";
  private static final Pattern MANY = Pattern.compile("(?:^|[\\s;(])" + ASKING + "\\s");
  private static final Pattern PRINTS = Pattern.compile("\\b(?:echo|hostname|printf)\\b");
  /** The hosts of a parallel shell. */
  private static final Pattern LIST = Pattern.compile("\\b" + ASKING + "\\s[^\"';|]*?-[wH][ =]?[\"']?(?<hosts>[A-Za-z][\\w.,\\[\\]-]*)");
  private static final Pattern FOR = Pattern.compile("\\b(?:for (?<name>[A-Za-z_]\\w*) in (?<list>[^;]*)|while (?:IFS=\\S* )?read (?:-r )?(?<row>[A-Za-z_]\\w*))");
  /** Lists that only the shell knows. */
  private static final Pattern UNTOLD = Pattern.compile("[$`{*?]");
  /** The variable stands where a remote shell names its host; behind the host it is an argument of the command there. */
  private static final String TARGET = "(?:\\b(?:ssh|exec|logs|debug)|-w|--nodelist)(?:[ =]+(?:-[^\\s\"']+|(?<=-[ncopliF] )[^\\s\"'$]+))*[ =]*[\"']?(?:[\\w.-]+@|(?:pod|node)/)?\\$\\{?";
  private static final Pattern HEAD = Pattern.compile("^(?:[-=+]{2,}|[#*>]+|\\[)\\s*(?:(?:node|host|pod|server)[ /:]\\s*)?(?<host>[A-Za-z0-9](?:[\\w.-]*\\w)?)(?<rest>(?:[\\]:\\s].*)?)$");
  private static final Pattern STAMP = Pattern.compile("(?:^|\\s)(?<time>(?:\\d{4}-\\d{2}-\\d{2}[T ])?\\d{1,2}:\\d{2}:\\d{2}(?:[.,Z+-]\\S*)?)(?=[\\s\\])=-]|$)");
  private static final int LONGEST = 120;

  /** @param time when the answer was given, where its head says so, or unknown */
  record Head(Banners.Banner banner, String time) {}

  private final String command;
  private final Set<String> hosts;
  private final boolean untold;

  private HostLoops(String command, Set<String> hosts, boolean untold) {
    this.command = command;
    this.hosts = hosts;
    this.untold = untold;
  }

  /** What a command asks of several hosts and prints their names for, or null. */
  static @Nullable HostLoops of(String command) {
    if (!each(command) && !MANY.matcher(command).find() || !PRINTS.matcher(command).find()) {
      return null;
    }
    Set<String> hosts = new HashSet<>();
    boolean untold = false;
    Matcher list = LIST.matcher(command);
    while (list.find()) {
      Banners.expand(list.group("hosts")).forEach(host -> hosts.add(Sections.shortName(host)));
    }
    Matcher each = FOR.matcher(command);
    while (each.find()) {
      String name = each.group("name") == null ? each.group("row") : each.group("name");
      if (!Pattern.compile(TARGET + name + "\\b").matcher(command).find()) {
        continue;
      }
      String words = each.group("list") == null ? "$" : each.group("list").strip();
      untold |= UNTOLD.matcher(words).find();
      List.of(words.split("\\s+")).forEach(word -> hosts.add(Sections.shortName(word)));
    }
    return new HostLoops(command, hosts, untold);
  }

  /** Whether a command is a loop of the shell, which holds for each host that its output names. */
  static boolean each(String command) {
    return command.startsWith("for ") || command.startsWith("while ");
  }

  /** The head that a line is, or null. */
  @Nullable Head head(String text) {
    String line = text.strip();
    if (line.isEmpty() || line.length() > LONGEST) {
      return null;
    }
    if (line.indexOf(' ') < 0) {
      boolean loop = each(command) && (command.contains("ssh") || command.contains("exec"));
      boolean named = hosts.contains(Sections.shortName(line)) || loop && (List.of(command.split("[\\s;]+")).contains(line) || NodeNames.hostLike(line));
      if (named) {
        return head(Sections.shortName(line), "");
      }
    }
    Matcher head = HEAD.matcher(text.stripTrailing());
    if (!head.matches()) {
      return null;
    }
    String host = Sections.shortName(head.group("host"));
    return hosts.contains(host) || untold && NodeNames.hostLike(host) ? head(host, head.group("rest")) : null;
  }

  private static Head head(String host, String rest) {
    Matcher stamp = STAMP.matcher(rest);
    return new Head(new Banners.Banner(1, List.of(host), Fact.UNKNOWN), stamp.find() ? stamp.group("time") : Fact.UNKNOWN);
  }
}
