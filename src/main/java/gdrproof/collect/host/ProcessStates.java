package gdrproof.collect.host;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.HostMessage;
import gdrproof.facts.Host.KernelStack;
import gdrproof.facts.Host.ProcessState;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where processes stand: `ps` with a STAT or S column (procps 3 and 4, any columns, WCHAN where it was asked for), `/proc/PID/wchan`, the State and CPUs of `/proc/PID/status`, and
 * the kernel stack of `/proc/PID/stack`. A table is taken only where its heading names PID and state.
 */
final class ProcessStates implements Collector {
  private static final Set<String> STATES = Set.of("STAT", "S", "STATE");
  private static final Set<String> PROGRAMS = Set.of("COMMAND", "CMD", "COMM", "ARGS", "UCMD");
  private static final Pattern FORMAT = Pattern.compile("\\bps\\s[^|;]*?-\\w*o\\s*(?<columns>[a-z_%:=,0-9]+)[^|;]*\\|\\s*(?:awk|e?grep|sed)\\b");
  private static final Map<String, String> COLUMNS = Map.of("stat", "STAT", "s", "S", "state", "S", "args", "COMMAND", "cmd", "CMD", "command", "COMMAND", "comm", "COMMAND", "tgid", "TGID");
  private static final Pattern FRAME = Pattern.compile("^(?:\\[<[0-9a-fx]+>] )(?<function>[\\w.]+)(?:\\+0x[0-9a-f]+/0x[0-9a-f]+)?(?: (?<module>\\[\\w+]))?\\s*$");
  private static final Pattern STATUS = Pattern.compile("^State:\\s+(?<state>[RSDZTtXI])\\b.*");
  private static final Pattern STATUS_PID = Pattern.compile("^Pid:\\s+(?<pid>\\d+)\\s*$");
  private static final Pattern STATUS_CPUS = Pattern.compile("^Cpus_allowed_list:\\s+(?<cpus>[\\d,-]+)\\s*$");
  private static final Pattern PROC = Pattern.compile("/?proc[/_-](?<pid>\\d+)[/_-](?:task[/_-]\\d+[/_-])?(?<file>wchan|stack)\\b");

  @Override
  public String tool() {
    return "ps";
  }

  @Override
  public List<String> hints() {
    return List.of("PID", "ps -", "State:", "/wchan", "_wchan", "-wchan", "/stack", "_stack", "-stack");
  }

  @Override
  public void collect(Section section, Sink sink) {
    // A filter behind ps takes the heading away; the command still names the columns.
    List<String> heads = asked(section.command());
    boolean headless = !heads.isEmpty();
    for (int i = 0; i < section.lines().size(); i++) {
      String[] words = section.lines().get(i).strip().split("\\s+");
      List<String> row = List.of(words);
      if (row.contains("PID") && row.stream().anyMatch(STATES::contains) && row.stream().allMatch(w -> w.matches("[A-Z%+-]+"))) {
        heads = row;
        sink.understood(section, i);
      } else if (!heads.isEmpty()) {
        if (!process(section, i, heads, words, sink) && !headless) {
          heads = List.of();
        }
      }
    }
    status(section, sink);
    proc(section, sink);
  }

  /** Headings of the columns that `ps -o` was asked for, where PID and state are among them and a filter may have taken the heading away; else none. */
  private static List<String> asked(String command) {
    Matcher ps = FORMAT.matcher(command);
    if (!ps.find()) {
      return List.of();
    }
    List<String> heads = new ArrayList<>();
    for (String column : ps.group("columns").split(",")) {
      String name = column.replaceFirst("[:=].*$", "");
      // A start date is five words wide.
      int width = name.equals("lstart") ? 5 : 1;
      for (int i = 0; i < width; i++) {
        heads.add(COLUMNS.getOrDefault(name, name.toUpperCase(Locale.ROOT)));
      }
    }
    return heads.contains("PID") && heads.stream().anyMatch(STATES::contains) ? heads : List.of();
  }

  private static void status(Section section, Sink sink) {
    Matcher state = null;
    String process = "";
    int at = 0;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i).strip();
      Matcher found = STATUS.matcher(line);
      Matcher pid = STATUS_PID.matcher(line);
      Matcher cpus = STATUS_CPUS.matcher(line);
      if (found.matches()) {
        state = found;
        process = "";
        at = i;
      } else if (state != null && pid.matches()) {
        sink.fact(new ProcessState(section.node(), Num.parse(pid.group("pid")), Fact.UNKNOWN, state.group("state"), Fact.UNKNOWN), section.at(at));
        sink.understood(section, i);
        process = pid.group("pid");
        state = null;
      } else if (cpus.matches() && !process.isEmpty()) {
        // The same statement as taskset's, so the same fact.
        sink.fact(new HostMessage(section.node(), "cpu-affinity", Map.of("pid", process, "cpus", cpus.group("cpus"))), section.at(i));
        process = "";
      }
    }
  }

  private static boolean process(Section section, int index, List<String> heads, String[] words, Sink sink) {
    int pid = heads.indexOf("PID");
    int state = heads.stream().filter(STATES::contains).mapToInt(heads::indexOf).findFirst().orElse(-1);
    int waits = heads.indexOf("WCHAN");
    int program = heads.stream().filter(PROGRAMS::contains).mapToInt(heads::indexOf).findFirst().orElse(-1);
    // A column before these that may hold blanks would shift them; none of procps does but START with a date.
    if (words.length <= Math.max(Math.max(pid, state), waits) || !words[pid].matches("\\d+") || !words[state].matches("[RSDZTtWXIK][<NLsl+]*")) {
      return false;
    }
    String name = program < 0 || program >= words.length || program < heads.size() - 1 && program > 0 && !heads.get(program).equals("COMMAND") && !heads.get(program).equals("COMM") ? Fact.UNKNOWN
        : words[program].substring(words[program].lastIndexOf('/') + 1);
    sink.fact(new ProcessState(section.node(), Num.parse(words[pid]), name.isEmpty() ? words[program] : name, words[state].substring(0, 1), waits < 0 ? Fact.UNKNOWN : words[waits]), section.at(index));
    return true;
  }

  private static void proc(Section section, Sink sink) {
    Matcher where = PROC.matcher(section.command());
    if (!where.find()) {
      where = PROC.matcher(section.file());
      if (!where.find()) {
        return;
      }
    }
    Num pid = Num.parse(where.group("pid"));
    List<String> frames = new ArrayList<>();
    int first = -1;
    int last = -1;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i).strip();
      Matcher frame = FRAME.matcher(line);
      if (where.group("file").equals("wchan") && line.matches("[a-z_][\\w.]*|0") && first < 0) {
        sink.fact(new ProcessState(section.node(), pid, Fact.UNKNOWN, Fact.UNKNOWN, line.equals("0") ? "-" : line), section.at(i));
        return;
      }
      if (where.group("file").equals("stack") && frame.matches()) {
        frames.add(frame.group("function") + (frame.group("module") == null ? "" : " " + frame.group("module")));
        first = first < 0 ? i : first;
        last = i;
      }
    }
    if (!frames.isEmpty()) {
      for (int i = first; i <= last; i++) {
        sink.understood(section, i);
      }
      sink.fact(new KernelStack(section.node(), pid, frames), section.at(first, last));
    }
  }
}
