package gdrproof.collect.host;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.Module;
import gdrproof.facts.Host.ModuleAbsent;
import gdrproof.facts.Host.ModuleVersion;
import gdrproof.facts.Host.PeerMemoryClient;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Num;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Loaded modules: `lsmod`, /proc/modules, the same through `grep`, /sys/module/NAME/version, and the clients of the
 * peer-memory interface. Absence is stated for the modules of the RDMA path only, after a whole list or a search that
 * would have shown them.
 */
final class Modules implements Collector {
  private static final List<String> WATCHED = List.of("nvidia_peermem", "nv_peer_mem", "nvidia", "nvidia_uvm", "nvidia_fs", "gdrdrv", "mlx5_core", "mlx5_ib",
      "ib_core", "ib_uverbs", "ib_umad", "rdma_cm", "rdma_ucm", "efa");
  /** BusyBox says behind the heading whether the kernel is tainted. */
  private static final Pattern HEADER = Pattern.compile("^Module\\s+Size\\s+Used by(?:\\s+(?:Not tainted|Tainted: .{0,40}))?\\s*$");
  private static final Pattern ROW = Pattern.compile("^(?<name>[A-Za-z]\\w*)\\s+(?<size>\\d+)\\s+(?<users>-?\\d+)(?:\\s+(?<by>[\\w,\\[\\]-]+))?\\s*$");
  private static final Pattern PROC = Pattern.compile("^(?<name>\\w+) \\d+ (?<users>\\d+|-) \\S+ (?:Live|Loading|Unloading) 0x[0-9a-f]+");
  private static final Pattern LSMOD = Pattern.compile("\\blsmod\\b|/proc/modules\\b");
  private static final Pattern GREP = Pattern.compile("(?:\\blsmod\\s*\\|\\s*)?\\b(?:[ef]?grep|rg)\\s+(?<options>(?:-\\S+\\s+)*)(?:'(?<single>[^']+)'|\"(?<double>[^\"]+)\"|(?<bare>[^\\s|;&'\"]+))");
  private static final Pattern NAMED = Pattern.compile("lsmod|modules(?!-load)");
  private static final Pattern PREFIXED_VERSION = Pattern.compile("^/sys/module/(?<name>[\\w-]+)/version[:\\s]\\s*(?<version>\\d[\\w.-]*)$");
  private static final Pattern CAT_VERSION = Pattern.compile("\\bcat\\s+/sys/module/(?<name>[\\w-]+)/version");
  private static final Pattern VERSION = Pattern.compile("^\\d+(?:\\.\\d+)+\\S*$");
  private static final Pattern PEERS = Pattern.compile("/sys/kernel/mm/memory_peers(?:/(?<name>[\\w-]+)/version)?");
  private static final Pattern PEER_NAME = Pattern.compile("^(?:nv_mem(?:_nc)?|nvidia[-_]peermem|amdkfd|\\w*_mem)$");
  private static final int PAGE = 4096;

  @Override
  public String tool() {
    return "lsmod";
  }

  @Override
  public void collect(Section section, Sink sink) {
    list(section, sink);
    versions(section, sink);
    peers(section, sink);
  }

  private void list(Section section, Sink sink) {
    boolean command = Views.command(section, LSMOD);
    boolean named = section.command().equals(Fact.UNKNOWN) && NAMED.matcher(section.name()).find();
    boolean rows = rowsOnly(section);
    Set<String> loaded = new HashSet<>();
    boolean header = false;
    boolean raw = false;
    boolean whole = true;
    int last = -1;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i).stripTrailing();
      if (HEADER.matcher(line).matches()) {
        header = true;
        last = i;
        sink.understood(section, i);
        continue;
      }
      Matcher row = PROC.matcher(line);
      boolean proc = row.find();
      if (!proc) {
        row = ROW.matcher(line);
        if (!row.matches() || !header && !((command || named || rows || row.group("by") != null) && pages(row))) {
          whole &= line.isBlank() || last < 0 || !header && !raw;
          continue;
        }
      }
      raw |= proc;
      last = i;
      String name = row.group("name");
      loaded.add(name);
      sink.fact(new Module(section.node(), name, Num.parse(row.group("users"))), section.at(i));
    }
    boolean filtered = Views.filtered(section) || Views.command(section, GREP);
    if ((header || raw && (command || named)) && whole && !filtered) {
      sink.looked(section, Kind.MODULES, last);
      absent(section, sink, loaded, WATCHED, section.at(last));
    } else if (command && filtered && !section.command().matches(".*\\|\\s*(?:head|tail|wc|awk|sed)\\b.*")) {
      searched(section, sink, loaded);
    }
  }

  /** Whether the text holds rows of the list and nothing else, as `grep` leaves them: without their heading, some of modules that nobody uses. */
  private static boolean rowsOnly(Section section) {
    boolean told = false;
    for (String line : section.lines()) {
      if (line.isBlank()) {
        continue;
      }
      Matcher row = ROW.matcher(line.stripTrailing());
      if (!row.matches() || !pages(row)) {
        return false;
      }
      told |= row.group("by") != null || WATCHED.contains(row.group("name"));
    }
    return told;
  }

  /** The kernel gives modules whole pages. */
  private static boolean pages(Matcher row) {
    return Long.parseLong(clip(row.group("size"))) % PAGE == 0;
  }

  /** What a `grep` would have shown and did not. */
  private static void searched(Section section, Sink sink, Set<String> loaded) {
    Matcher grep = GREP.matcher(section.command());
    if (!grep.find() || grep.group("options").matches(".*-\\S*v.*") || section.lines().stream().anyMatch(l -> l.contains("No such file"))) {
      return;
    }
    String text = grep.group("single") != null ? grep.group("single") : grep.group("double") != null ? grep.group("double") : grep.group("bare");
    boolean extended = grep.group("options").contains("E") || grep.group("options").contains("P") || section.command().contains("egrep");
    Pattern pattern;
    try {
      pattern = Pattern.compile(extended ? text : text.replace("|", "\u0000").replace("\\\u0000", "|").replace("\u0000", "\\|"), Pattern.CASE_INSENSITIVE);
    } catch (PatternSyntaxException e) {
      return;
    }
    // A name is looked for in the first column: a pattern that could match only a whole row tells nothing.
    List<String> asked = WATCHED.stream().filter(n -> pattern.matcher(n).find()).toList();
    absent(section, sink, loaded, asked, section.lines().isEmpty() ? Views.commandLine(section)
        : Views.commandLine(section));
  }

  private static void absent(Section section, Sink sink, Set<String> loaded, List<String> names, Evidence evidence) {
    for (String name : names) {
      if (!loaded.contains(name)) {
        sink.fact(new ModuleAbsent(section.node(), name), evidence);
      }
    }
  }

  private static void versions(Section section, Sink sink) {
    String command = section.command().equals(Fact.UNKNOWN) ? "" : section.command();
    Matcher cat = CAT_VERSION.matcher(command);
    String asked = cat.find() ? cat.group("name") : "";
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i).strip();
      Matcher prefixed = PREFIXED_VERSION.matcher(line);
      if (prefixed.matches()) {
        version(section, sink, i, prefixed.group("name"), prefixed.group("version"));
      } else if (!asked.isEmpty() && VERSION.matcher(line).matches()) {
        version(section, sink, i, asked, line);
        asked = "";
      }
    }
    if (!asked.isEmpty()) {
      String name = asked.replace('-', '_');
      for (int i = 0; i < section.lines().size(); i++) {
        if (section.lines().get(i).contains("/sys/module/") && section.lines().get(i).contains("No such file")) {
          sink.fact(new ModuleAbsent(section.node(), name), section.at(i));
        }
      }
    }
  }

  private static void version(Section section, Sink sink, int index, String name, String version) {
    String module = name.replace('-', '_');
    sink.fact(new Module(section.node(), module, Num.UNKNOWN), section.at(index));
    sink.fact(new ModuleVersion(section.node(), module, version), section.at(index));
  }

  private static void peers(Section section, Sink sink) {
    Matcher command = PEERS.matcher(section.command().equals(Fact.UNKNOWN) ? "" : section.command());
    boolean asked = command.find();
    String named = asked ? command.group("name") : null;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i).strip();
      Matcher inline = PEERS.matcher(line);
      if (line.contains("No such file")) {
        if (inline.find()) {
          sink.looked(section, Kind.MEMORY_PEERS, i);
        }
      } else if (inline.find() && inline.group("name") != null) {
        sink.fact(new PeerMemoryClient(section.node(), inline.group("name"), Fact.UNKNOWN), section.at(i));
        sink.looked(section, Kind.MEMORY_PEERS, i);
      } else if (asked && named != null && VERSION.matcher(line).matches()) {
        sink.fact(new PeerMemoryClient(section.node(), named, line), section.at(i));
        return;
      } else if (asked && named == null && PEER_NAME.matcher(line).matches()) {
        sink.fact(new PeerMemoryClient(section.node(), line, Fact.UNKNOWN), section.at(i));
        sink.looked(section, Kind.MEMORY_PEERS, i);
      }
    }
  }

  private static String clip(String digits) {
    return digits.length() > 18 ? "1" : digits;
  }
}
