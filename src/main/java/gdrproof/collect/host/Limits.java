package gdrproof.collect.host;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.Limit;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Num;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Resource limits: `ulimit -a` and `-l` (bash, dash, zsh), /proc/PID/limits, `prlimit`, `systemctl show`, limits.conf, and the warning of libibverbs
 * and the error of UCX that name the limit.
 */
final class Limits implements Collector {
  private static final Pattern BASH = Pattern.compile("^[a-z][a-z /-]*?\\s*\\((?:(?<unit>[a-z0-9 -]+), )?-(?<option>[a-z])\\)\\s+(?<value>unlimited|\\d+)\\s*$");
  private static final Pattern DASH = Pattern.compile("^(?<what>locked memory|nofiles|stack|process)\\s*\\((?<unit>kbytes)?[^)]*\\)\\s+(?<value>unlimited|\\d+)\\s*$");
  private static final Pattern ZSH = Pattern.compile("^-(?<option>[a-z]): [a-z -]+(?:\\((?<unit>kbytes)\\))?\\s+(?<value>unlimited|\\d+)\\s*$");
  private static final Pattern PROC = Pattern.compile("^Max (?<what>locked memory|open files|stack size|processes)\\s{2,}(?<value>unlimited|\\d+)\\s+(?:unlimited|\\d+)\\b");
  private static final Pattern PRLIMIT = Pattern.compile("^(?<what>MEMLOCK|NOFILE|STACK|NPROC)\\s+.*?\\s(?<value>unlimited|\\d+)\\s+(?:unlimited|\\d+)(?:\\s+[a-z]+)?\\s*$");
  private static final Pattern SYSTEMD = Pattern.compile("^\\s*Limit(?<what>MEMLOCK|NOFILE)(?:Soft)?\\s*=\\s*(?<value>infinity|\\d+[KMGT]?)\\b");
  private static final Pattern CONF = Pattern.compile("^\\s*(?:[*@%\\w.-]+)\\s+(?:soft|-)\\s+(?<what>memlock|nofile)\\s+(?<value>unlimited|-1|\\d+)\\s*$");
  private static final Pattern VERBS = Pattern.compile("libibverbs: Warning: RLIMIT_MEMLOCK is (?<value>\\d+) bytes");
  private static final Pattern UCX = Pattern.compile("^(?:.{0,80}?\\[(?<host>[A-Za-z][\\w.-]*):\\d+ *:[^\\]]{0,20}])?.*?lease set max locked memory \\(ulimit -l\\) to 'unlimited' \\(current: (?<value>\\d+) kbytes\\)");
  private static final Pattern BARE = Pattern.compile("^(?:unlimited|\\d{1,12})$");
  private static final Pattern ULIMIT_L = Pattern.compile("\\bulimit\\s+-(?:[SH]*l|l[SH]*)\\b");
  private static final Pattern HEADED = Pattern.compile("(?:^|[^a-z])u?limits?(?:[^a-z]|$)");
  private static final Pattern SHM = Pattern.compile("(?:^|\\s)/dev/shm$");
  private static final Pattern OWN_FILE = Pattern.compile("(?:ulimit|memlock)");
  private static final Pattern OF_PROCESS = Pattern.compile("/proc/(?!self)[^/\\s]+/limits|\\bprlimit\\b.*(?:-p|--pid)");
  private static final Map<String, String> NAMES = Map.ofEntries(Map.entry("l", "memlock"), Map.entry("n", "nofile"), Map.entry("s", "stack"),
      Map.entry("u", "nproc"), Map.entry("locked memory", "memlock"), Map.entry("open files", "nofile"), Map.entry("stack size", "stack"),
      Map.entry("processes", "nproc"), Map.entry("MEMLOCK", "memlock"), Map.entry("NOFILE", "nofile"), Map.entry("STACK", "stack"),
      Map.entry("NPROC", "nproc"), Map.entry("nofiles", "nofile"), Map.entry("stack", "stack"), Map.entry("process", "nproc"),
      Map.entry("memlock", "memlock"), Map.entry("nofile", "nofile"));

  @Override
  public String tool() {
    return "ulimit -a";
  }

  @Override
  public void collect(Section section, Sink sink) {
    List<String> lines = section.lines();
    boolean bareTaken = false;
    int own = ownLine(section);
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).stripTrailing();
      Matcher m;
      if ((m = BASH.matcher(line)).matches() || (m = ZSH.matcher(line)).matches()) {
        String unit = m.group("unit");
        put(section, sink, i, NAMES.get(m.group("option")), Views.limit(m.group("value"), "kbytes".equals(unit) ? 1024 : 1), Views.scope(section, "shell"));
      } else if ((m = DASH.matcher(line)).matches()) {
        put(section, sink, i, NAMES.get(m.group("what")), Views.limit(m.group("value"), m.group("unit") == null ? 1 : 1024), Views.scope(section, "shell"));
      } else if ((m = PROC.matcher(line)).find() || (m = PRLIMIT.matcher(line)).matches()) {
        String scope = Views.command(section, OF_PROCESS) ? "process" : Views.scope(section, "shell");
        put(section, sink, i, NAMES.get(m.group("what")), Views.limit(m.group("value"), 1), scope);
      } else if ((m = SYSTEMD.matcher(line)).find()) {
        String value = m.group("value");
        put(section, sink, i, NAMES.get(m.group("what")), value.equals("infinity") ? Views.limit(value, 1) : Views.size(value, 1), "config");
      } else if ((m = CONF.matcher(line)).matches()) {
        boolean memlock = m.group("what").equals("memlock");
        put(section, sink, i, m.group("what"), Views.limit(m.group("value"), memlock ? 1024 : 1), "config");
      } else if ((m = VERBS.matcher(line)).find()) {
        put(section, sink, i, "memlock", Views.limit(m.group("value"), 1), "process");
      } else if (line.contains("max locked memory") && (m = UCX.matcher(line)).find()) {
        // The process itself asked for its limit, and writes the host into the line.
        boolean named = m.group("host") != null && section.node().equals(Fact.UNKNOWN);
        sink.fact(new Limit(named ? Sections.shortName(m.group("host")) : section.node(), "process", "memlock", Views.limit(m.group("value"), 1024)), section.at(i));
      } else if (!bareTaken && (own < 0 || own == i) && BARE.matcher(line.strip()).matches() && bareMeansMemlock(section)) {
        bareTaken = true;
        put(section, sink, i, "memlock", Views.limit(line.strip(), 1024), Views.scope(section, "shell"));
      }
    }
  }

  /** The line that `ulimit -l` printed where it stands among other commands that print one line each (`id -u; ulimit -l`); -1 where it may be any. */
  private static int ownLine(Section section) {
    String[] commands = section.command().split("\\s*(?:;|&&|\\|\\|)\\s*");
    List<Integer> filled = java.util.stream.IntStream.range(0, section.lines().size()).filter(i -> !section.lines().get(i).isBlank()).boxed().toList();
    for (int i = 0; i < commands.length; i++) {
      if (ULIMIT_L.matcher(commands[i]).find() && commands.length > 1 && filled.size() >= commands.length) {
        return filled.size() == commands.length ? filled.get(i) : i == 0 ? filled.get(0) : i == commands.length - 1 ? filled.get(filled.size() - 1) : -1;
      }
    }
    return -1;
  }

  /** A lone number says nothing; only its command, or a file named after it, does. */
  private static boolean bareMeansMemlock(Section section) {
    if (Views.command(section, ULIMIT_L)) {
      return true;
    }
    List<String> lines = section.lines().stream().map(String::strip).filter(l -> !l.isEmpty()).toList();
    if (section.command().equals(Fact.UNKNOWN) && lines.size() > 1 && BARE.matcher(lines.get(0)).matches() && lines.stream().skip(1).noneMatch(l -> BARE.matcher(l).matches())) {
      // Asked of many nodes together with the size of /dev/shm: `ulimit -l; df -h /dev/shm`.
      boolean paired = lines.size() == 3 && SHM.matcher(lines.get(2)).find() && (lines.get(0).equals("unlimited") || lines.get(0).length() > 3);
      return paired || HEADED.matcher(section.name()).find();
    }
    long filled = section.lines().stream().filter(l -> !l.isBlank()).count();
    return section.command().equals(Fact.UNKNOWN) && filled == 1 && (OWN_FILE.matcher(section.name()).find() || HEADED.matcher(section.name()).find());
  }

  private static void put(Section section, Sink sink, int index, String name, Num bytes, String scope) {
    if (name == null || !bytes.known()) {
      return;
    }
    sink.fact(new Limit(section.node(), scope, name, bytes), section.at(index));
    if (name.equals("memlock") && !scope.equals("config")) {
      sink.looked(section, Kind.MEMLOCK, index);
    }
  }
}
