package gdrproof.collect.bench;

import gdrproof.bundle.Sections;
import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parts of a benchmark's command line: `mpirun -np 16 -H a:8,b:8 -x NCCL_ALGO=Ring all_reduce_perf -b 8M -g 1`, `srun`
 * alike. What the line does not say is unknown.
 *
 * @param program `all_reduce_perf`, without folder and build suffix
 * @param processes launched processes; perNode on each node
 * @param settings environment set on the line
 * @param options options of the benchmark itself: `-g` gives `1`
 */
record BenchCommand(String program, Num processes, Num perNode, List<String> hosts, Map<String, String> settings, Map<String, String> options) {
  static final Pattern PROGRAM = Pattern.compile("(?:^|[\\s/])([a-z_]+_perf)(?:_[a-z0-9]+)?(?=\\s|$|\\.)");
  private static final Pattern SETTING = Pattern.compile("^([A-Z][A-Z0-9_]+)=(.*)$");
  private static final Set<String> COUNT = Set.of("-np", "--np", "-n", "--n", "-c", "--ntasks");
  private static final Set<String> HOSTS = Set.of("-H", "-host", "--host", "-hosts", "--hosts", "-w", "--nodelist");
  private static final Set<String> PER_NODE = Set.of("-npernode", "--npernode", "-N", "-ppn", "--ntasks-per-node");

  /** A command line, or null if it starts no benchmark. */
  static BenchCommand parse(String line) {
    Matcher program = PROGRAM.matcher(line);
    if (!program.find()) {
      return null;
    }
    List<String> before = words(line.substring(0, program.start()));
    Map<String, String> settings = new HashMap<>();
    List<String> hosts = new ArrayList<>();
    Num processes = Num.UNKNOWN;
    Num perNode = Num.UNKNOWN;
    boolean slurm = before.contains("srun");
    boolean slots = false;
    double slotSum = 0;
    for (int i = 0; i < before.size(); i++) {
      String word = before.get(i);
      int equals = word.startsWith("--") ? word.indexOf('=') : -1;
      String option = equals > 0 ? word.substring(0, equals) : word;
      String value = equals > 0 ? word.substring(equals + 1) : i + 1 < before.size() ? before.get(i + 1) : "";
      Matcher setting = SETTING.matcher(word);
      if (setting.matches()) {
        settings.put(setting.group(1), unquote(setting.group(2)));
      } else if (word.equals("-genv") && i + 2 < before.size()) {
        settings.put(before.get(i + 1), unquote(before.get(i + 2)));
      } else if (word.startsWith("--export=")) {
        for (String pair : value.split(",")) {
          Matcher each = SETTING.matcher(pair);
          if (each.matches()) {
            settings.put(each.group(1), unquote(each.group(2)));
          }
        }
      } else if (COUNT.contains(option)) {
        processes = Num.parse(value);
      } else if (PER_NODE.contains(option) && !(slurm && option.equals("-N"))) {
        perNode = Num.parse(value);
      } else if (value.startsWith("ppr:") && value.endsWith(":node")) {
        perNode = Num.parse(value.substring(4, value.length() - 5));
      } else if (HOSTS.contains(option)) {
        for (String host : Hosts.expand(value)) {
          int colon = host.indexOf(':');
          slots |= colon > 0;
          Num each = colon > 0 ? Num.parse(host.substring(colon + 1)) : Num.of(1);
          slotSum += each.known() ? each.value() : 1;
          hosts.add(Sections.shortName(colon > 0 ? host.substring(0, colon) : host));
        }
      }
    }
    if (!processes.known() && slots) {
      processes = Num.of(slotSum);
    }
    Map<String, String> options = options(words(line.substring(program.end())));
    if (before.stream().noneMatch(w -> w.matches("(?:.*/)?(?:mpirun|mpiexec(?:\\.\\w+)?|srun|prun|orterun)"))) {
      // One process, unless a wrapper hides the launcher: only several GPUs of one process prove that they share a node.
      processes = Num.UNKNOWN;
      Num inProcess = inProcess(options);
      perNode = inProcess.above(1) ? inProcess : Num.UNKNOWN;
    }
    return new BenchCommand(program.group(1), processes, perNode, hosts, settings, options);
  }

  private static Map<String, String> options(List<String> words) {
    Map<String, String> options = new HashMap<>();
    for (int i = 0; i + 1 < words.size(); i++) {
      if (words.get(i).startsWith("-") && !words.get(i + 1).startsWith("-")) {
        options.put(words.get(i), words.get(i + 1));
      }
    }
    return options;
  }

  /** Processes times threads times GPUs of each; unknown unless the processes are. */
  Num ranks() {
    Num inProcess = inProcess(options);
    return processes.known() && inProcess.known() ? Num.of(processes.value() * inProcess.value()) : Num.UNKNOWN;
  }

  private static Num inProcess(Map<String, String> options) {
    Num threads = Num.parse(options.getOrDefault("-t", "1"));
    Num gpus = Num.parse(options.getOrDefault("-g", "1"));
    return threads.known() && gpus.known() ? Num.of(threads.value() * gpus.value()) : Num.UNKNOWN;
  }

  private static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    Matcher word = Pattern.compile("(?:[^\\s\"']++|\"[^\"]*+\"|'[^']*+')++").matcher(text);
    while (word.find()) {
      words.add(word.group());
    }
    return words;
  }

  private static String unquote(String text) {
    return text.replaceAll("^[\"']|[\"']$", "");
  }

  static String collective(String program) {
    return program.equals(Fact.UNKNOWN) ? program : program.replaceAll("_perf.*$", "");
  }
}
