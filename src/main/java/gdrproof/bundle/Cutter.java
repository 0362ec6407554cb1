package gdrproof.bundle;

import gdrproof.facts.Fact;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Cuts the lines of one view of a file where a prompt or a banner begins another output. */
final class Cutter {
  private static final Pattern MANY = Pattern.compile("^(?:sudo )?" + HostLoops.ASKING + "\\b");
  private static final Pattern LABELS = Pattern.compile("^(?:sudo )?srun\\b.*\\s(?:-l|--label)(?:\\s|$)");
  private static final Pattern QUOTED = Pattern.compile("\\s([\"'])(.*)\\1(?:\\s*\\|\\s*(?:dshbak|clubak).*)?\\s*$");

  private final String file;
  private final List<String> clean;
  private final List<String> raw;
  private final List<Integer> numbers;
  private final List<Section> sections;
  private List<String> nodes = List.of(Fact.UNKNOWN);
  /** Node of the last banner: prompts without a host below it belong to it. */
  private List<String> banner = List.of(Fact.UNKNOWN);
  private String command = Fact.UNKNOWN;
  /** What the command above asks of several nodes, each of which answers below a banner; empty where it asks one. */
  private String asked = "";
  /** The command above where it prints the name of each host that it asks. */
  private @Nullable HostLoops loop;
  private String time = Fact.UNKNOWN;
  private int start;
  /** What the banner above puts before each line. */
  private String indent = "";
  /** Line after the head of a collected file. */
  private int begun = -1;

  private Cutter(String file, List<String> clean, List<String> raw, List<Integer> numbers, List<Section> sections) {
    this.file = file;
    this.clean = clean;
    this.raw = raw;
    this.numbers = numbers;
    this.sections = sections;
  }

  static void cut(String file, List<String> clean, List<String> raw, List<Integer> numbers, List<Section> sections) {
    new Cutter(file, clean, raw, numbers, sections).run();
  }

  private void run() {
    boolean folded = Banners.folded(clean);
    for (int i = 0; i < clean.size(); i++) {
      String line = clean.get(i);
      if (line.startsWith("Script ")) {
        String at = Sections.scriptTime(line);
        if (!at.isEmpty()) {
          end(i);
          time = at;
          // Started with `script -c COMMAND`, or ended: the recording's own prompts name what follows otherwise.
          Prompts.Prompt whole = Prompts.recorded(line);
          command = whole == null ? Fact.UNKNOWN : whole.command();
          ask();
          nodes = whole == null ? banner : List.of(whole.node());
          start = i + 1;
          continue;
        }
      }
      ProbeHeader header = ProbeHeader.parse(line);
      if (header != null) {
        end(i);
        nodes = List.of(header.host());
        banner = nodes;
        command = header.command();
        loop = null;
        time = header.time();
        start = i + 1;
        begun = start;
        continue;
      }
      if (CodeBlocks.fence(line)) {
        end(i);
        command = Fact.UNKNOWN;
        loop = null;
        nodes = banner;
        start = i + 1;
        continue;
      }
      Prompts.Prompt prompt = Prompts.parse(file, line);
      if (prompt != null) {
        // A probe that runs several commands names each on a line of its own; its head alone printed nothing.
        if (begun != i) {
          end(i);
        }
        nodes = prompt.node().equals(Fact.UNKNOWN) && !Sections.elsewhere(prompt.command()) ? banner : List.of(prompt.node());
        command = prompt.command();
        ask();
        start = i + 1;
        if (command.startsWith("date") && start < clean.size() && Sections.clock(clean.get(start))) {
          time = clean.get(start).strip();
        }
        continue;
      }
      Banners.Banner found = Banners.parse(clean, i, folded || !asked.isEmpty());
      String at = Fact.UNKNOWN;
      if (found == null && loop != null) {
        HostLoops.Head head = loop.head(line);
        found = head == null ? null : head.banner();
        at = head == null ? at : head.time();
      }
      if (found != null) {
        end(i);
        time = at.equals(Fact.UNKNOWN) ? time : at;
        if (!found.nodes().isEmpty()) {
          nodes = found.nodes();
          banner = nodes;
          // The command of a loop over hosts holds for each of them.
          command = found.command().equals(Fact.UNKNOWN) && HostLoops.each(command) ? command : found.command();
          command = command.equals(Fact.UNKNOWN) && !asked.isEmpty() ? asked : command;
        } else {
          command = found.command();
          nodes = banner;
        }
        indent = found.indent();
        start = i + found.lines();
        i = start - 1;
      }
    }
    end(clean.size());
  }

  private void ask() {
    asked = MANY.matcher(command).find() ? inner(command) : "";
    loop = HostLoops.of(command);
  }

  /** What a command for many nodes runs on each of them, where it is one quoted text. */
  private static String inner(String command) {
    Matcher quoted = QUOTED.matcher(command);
    return quoted.find() ? quoted.group(2) : command;
  }

  private void end(int to) {
    if (to <= start && command.equals(Fact.UNKNOWN)) {
      return;
    }
    int from = Math.min(start, to);
    List<String> lines = new ArrayList<>(clean.subList(from, to));
    if (!indent.isEmpty() && lines.stream().allMatch(l -> l.isBlank() || l.startsWith(indent))) {
      lines.replaceAll(l -> l.isBlank() ? l : l.substring(indent.length()));
    }
    indent = "";
    List<String> own = raw.subList(from, to);
    List<Integer> places = numbers.isEmpty() ? List.of() : numbers.subList(from, to);
    int first = numbers.isEmpty() ? from + 1 : places.isEmpty() ? 1 : places.get(0);
    boolean labels = LABELS.matcher(command).find();
    List<Prefixes.View> views = asked.isEmpty() && !labels ? List.of() : Prefixes.split(lines, true);
    for (Prefixes.View view : views) {
      // One answer of many hosts, each line after its host; the view counts its lines from 1.
      List<String> shown = view.numbers().stream().map(n -> own.get(n - 1)).toList();
      List<Integer> at = view.numbers().stream().map(n -> places.isEmpty() ? first + n - 1 : places.get(n - 1)).toList();
      sections.add(new Section(file, at.get(0), view.lines(), shown, view.node().isEmpty() ? Fact.UNKNOWN : view.node(), labels ? inner(command) : asked, time, at));
    }
    for (String node : views.isEmpty() ? nodes : List.<String>of()) {
      sections.add(new Section(file, first, lines, own, node, command, time, places));
    }
  }
}
