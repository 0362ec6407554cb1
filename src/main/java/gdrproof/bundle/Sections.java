package gdrproof.bundle;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.facts.Fact;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Splits a text into the outputs of its commands and nodes: by shell prompts, banners between outputs, host prefixes of lines,
 * and the layouts of sosreport and copied /sys trees. What nothing attributes stays unattributed.
 */
public final class Sections {
  private static final Pattern SCRIPT = Pattern.compile("^Script (?:started|done) on (?<time>[^\\[]+?)(?: \\[.*)?$");
  private static final Pattern UNAME = Pattern.compile("^Linux (?<host>[A-Za-z0-9][\\w.-]*) \\d+\\.\\d+\\S* .*");
  private static final Pattern CLOCK = Pattern.compile("^(?=.*\\b\\d{1,2}:\\d{2}:\\d{2}).{8,60}$");
  private static final Pattern SYSFS = Pattern.compile("(?:^|/)(?<path>(?:sys|proc)/(?:class|bus|devices|kernel|module|sys|driver)/.*)$");
  private static final Pattern SOS_COMMAND = Pattern.compile("(?:^|/)sos_commands/[^/]+/(?<command>[^/]+)$");
  /** A copied /sys file holds one value or a short table. */
  private static final int SYSFS_LINES = 64;

  private Sections() {}

  /** @param raw lines as they stand in the file, secrets redacted */
  public static List<Section> split(String file, List<String> raw) {
    return split(file, Fact.UNKNOWN, raw);
  }

  /** Sections of an entry; the node that its path names holds where the text names none. */
  public static List<Section> split(Entry entry, List<String> raw) {
    return split(entry.name(), entry.node(), raw);
  }

  private static List<Section> split(String file, String node, List<String> raw) {
    List<String> clean = new ArrayList<>(raw.size());
    raw.forEach(line -> clean.add(Text.clean(line)));
    if (!Prompts.yaml(file)) {
      CodeBlocks.dedent(clean);
    }
    List<Section> sections = new ArrayList<>();
    // A collected file says in its first line where it comes from.
    List<Prefixes.View> views = ProbeHeader.of(clean) == null ? Prefixes.split(clean, false) : List.of();
    if (views.isEmpty()) {
      Cutter.cut(file, sysfs(file, clean), raw, List.of(), sections);
    }
    for (Prefixes.View view : views) {
      List<String> own = view.numbers().stream().map(n -> raw.get(n - 1)).toList();
      List<Section> parts = new ArrayList<>();
      Cutter.cut(file, view.lines(), own, view.numbers(), parts);
      parts.forEach(p -> sections.add(p.node().equals(Fact.UNKNOWN) && !view.node().isEmpty() ? p.on(view.node()) : p));
    }
    String command = layoutCommand(file);
    List<Section> named = attribute(sections, node);
    return command.equals(Fact.UNKNOWN) ? named : named.stream().map(s -> s.command().equals(Fact.UNKNOWN)
        ? new Section(s.file(), s.firstLine(), s.lines(), s.raw(), s.node(), command, s.time(), s.numbers()) : s).toList();
  }

  /** Sections that name no node take the one of the file: from its path, or from its text where that speaks of one host only. */
  private static List<Section> attribute(List<Section> sections, String pathNode) {
    Set<String> hosts = new HashSet<>();
    boolean prompts = false;
    for (Section section : sections) {
      prompts |= !section.command().equals(Fact.UNKNOWN);
      if (!section.node().equals(Fact.UNKNOWN)) {
        hosts.add(section.node());
      } else {
        String said = said(section);
        if (!said.isEmpty()) {
          hosts.add(said);
        }
      }
    }
    String node = hosts.size() == 1 && prompts ? hosts.iterator().next() : hosts.isEmpty() ? pathNode : hosts.size() == 1 && sections.size() == 1 ? hosts.iterator().next() : Fact.UNKNOWN;
    if (node.equals(Fact.UNKNOWN) && !pathNode.equals(Fact.UNKNOWN) && hosts.stream().allMatch(pathNode::equals)) {
      node = pathNode;
    }
    if (node.equals(Fact.UNKNOWN)) {
      return sections;
    }
    String own = node;
    return sections.stream().map(s -> s.node().equals(Fact.UNKNOWN) && !elsewhere(s.command()) ? s.on(own) : s).toList();
  }

  /** The host that a section's own text names: output of `hostname` or `uname -a`. */
  private static String said(Section section) {
    String command = section.command().strip();
    if ((command.equals("hostname") || command.equals("hostname -s") || command.equals("hostname -f") || section.file().endsWith("etc/hostname")) && !section.lines().isEmpty()) {
      String host = section.lines().get(0).strip();
      return host.matches("[A-Za-z0-9][\\w.-]*") ? shortName(host) : "";
    }
    for (int i = 0; i < Math.min(section.lines().size(), 40); i++) {
      Matcher uname = UNAME.matcher(section.lines().get(i));
      if (uname.matches()) {
        return shortName(uname.group("host"));
      }
    }
    return "";
  }

  static boolean elsewhere(String command) {
    return Prompts.elsewhere(command);
  }

  /** A copied /sys tree as `grep . FILE` prints it, so that one collector reads both. */
  private static List<String> sysfs(String file, List<String> clean) {
    Matcher tree = SYSFS.matcher(file);
    if (!tree.find() || clean.isEmpty() || clean.size() > SYSFS_LINES || clean.get(0).startsWith("/")) {
      return clean;
    }
    String prefix = "/" + tree.group("path") + ":";
    return clean.stream().map(line -> prefix + line).toList();
  }

  private static String layoutCommand(String file) {
    Matcher sos = SOS_COMMAND.matcher(file);
    return sos.find() ? sos.group("command").replaceFirst("^(ibv|ib|show|mlnx|cma)_", "$1\u0000").replace('_', ' ').replace('\u0000', '_') : Fact.UNKNOWN;
  }

  static String scriptTime(String line) {
    Matcher script = SCRIPT.matcher(line);
    return script.matches() ? script.group("time").strip() : "";
  }

  static boolean clock(String line) {
    return CLOCK.matcher(line.strip()).matches();
  }

  /** A host name as NCCL prints it: cut at the first dot, unless it is an address. */
  public static String shortName(String host) {
    int dot = host.indexOf('.');
    return dot < 0 || Character.isDigit(host.charAt(0)) && host.chars().allMatch(c -> c == '.' || Character.isDigit(c)) ? host : host.substring(0, dot);
  }
}
