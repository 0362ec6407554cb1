package gdrproof.bundle;

import gdrproof.facts.Fact;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Splits a text into the outputs of its commands, by shell prompts (`$ cmd`, `root@host:~# cmd`, `[root@host ~]# cmd`). */
public final class Sections {
  private static final Pattern PROMPT = Pattern.compile(
      "^(?:(?:\\[?(?<user>[a-z_][a-z0-9_-]*)@(?<host>[A-Za-z0-9][A-Za-z0-9._-]*)[: ][^#$]{0,60}?]?)\\s?[#$]|[$]) (?<command>\\S.*)$");
  private static final Pattern ANSI = Pattern.compile("\u001B\\[[0-9;?]*[A-Za-z]|\u001B\\][^\u0007]*\u0007|\u001B[()][A-Z0-9]");

  private Sections() {}

  public static List<Section> split(String file, List<String> raw) {
    List<String> clean = raw.stream().map(Sections::clean).toList();
    List<Section> sections = new ArrayList<>();
    int start = 0;
    String node = Fact.UNKNOWN;
    String command = Fact.UNKNOWN;
    for (int i = 0; i < clean.size(); i++) {
      Matcher prompt = PROMPT.matcher(clean.get(i));
      if (prompt.matches()) {
        add(sections, file, start, i, clean, raw, node, command);
        node = prompt.group("host") == null ? Fact.UNKNOWN : shortName(prompt.group("host"));
        command = prompt.group("command");
        start = i + 1;
      }
    }
    add(sections, file, start, clean.size(), clean, raw, node, command);
    return sections;
  }

  private static void add(List<Section> sections, String file, int from, int to, List<String> clean, List<String> raw, String node, String command) {
    if (to > from || !command.equals(Fact.UNKNOWN)) {
      sections.add(new Section(file, from + 1, clean.subList(from, to), raw.subList(from, to), node, command, Fact.UNKNOWN));
    }
  }

  static String clean(String line) {
    String text = line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
    return text.indexOf('\u001B') < 0 ? text : ANSI.matcher(text).replaceAll("");
  }

  /** A host name as NCCL prints it: cut at the first dot, unless it is an address. */
  public static String shortName(String host) {
    int dot = host.indexOf('.');
    return dot < 0 || Character.isDigit(host.charAt(0)) && host.chars().allMatch(c -> c == '.' || Character.isDigit(c)) ? host : host.substring(0, dot);
  }
}
