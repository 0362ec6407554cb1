package gdrproof.collect.kube;

import gdrproof.bundle.Value;
import gdrproof.collect.kube.Shell.Word;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** What a container's command starts, as far as plain words tell: MPI, torchrun, benchmarks, assignments, host changes. */
final class Launches {
  /**
   * A variable that a command sets.
   *
   * @param forwarded set by a launcher for all its ranks (`mpirun -x`)
   * @param exported whether a program sees it: exported, or written before one
   */
  record Assignment(String name, String value, Word at, boolean forwarded, boolean exported) {}

  /** @param counts what its options state, as it is written */
  record Mpi(Num np, Num perNode, Num gpusPerRank, Tri oversubscribe, Word at, List<Option> counts) {}

  /** An option's value. */
  record Option(String name, Word value) {}

  record Torch(String nodes, String perNode, Word at) {}

  /** Commands that bring software or data from elsewhere. */
  private static final Pattern INSTALLS = Pattern.compile("(?:pip3?|conda|mamba|apt|apt-get|yum|dnf|apk|uv) .*\\b(?:install|add)\\b|python3? -m pip install |(?:wget|curl) .*https?://|git clone ");

  /** `-l`, alone or with the hard or soft limit: `-Hl`, `-lS`. */
  private static final Pattern MEMLOCK = Pattern.compile(" -[HS]*l[HS]*( |$)");

  record Benchmark(String program, Num check, Num warmups, Num minBytes, Num maxBytes, Word at) {}

  record Change(String act, Word at, String text) {}

  /** A name that `-x NAME` or `-x NAME=${NAME}` passes on. */
  record Forward(String name, Word at) {}

  /** A port of a rendezvous that torchrun's options state; 0 lets the system choose. */
  private static final Pattern PORT = Pattern.compile("^--(?:master-port=\\d+|rdzv-endpoint=[^=]*:\\d+)(?:=|$)");
  private static final Pattern ANY_PORT = Pattern.compile("[=:]0(?:=|$)");

  private static final Pattern SSHD_PORT = Pattern.compile("-[A-Za-z]*p\\d*|-oPort=\\d+|Port=\\d+");

  private static final Set<String> MPI = Set.of("mpirun", "mpiexec", "mpiexec.hydra", "orterun", "prterun");
  private static final Set<String> PREFIXES = Set.of("export", "env", "sudo", "exec", "time", "nohup", "do", "then", "else", "if", "while", "!", "declare", "local", "readonly");

  private static final Set<String> LOOKS = Set.of("sleep", "trap", "wait", "echo", "nvidia-smi", "date", "hostname", "true", ":", "exit", "env", "printenv", "ls", "cat", "done", "fi");

  private static final Pattern LONG_SLEEP = Pattern.compile("(.* )?sleep \\d{4,}");

  final List<Assignment> assignments = new ArrayList<>();
  final List<Mpi> mpi = new ArrayList<>();
  final List<Torch> torch = new ArrayList<>();
  final List<Benchmark> benchmarks = new ArrayList<>();
  final List<Change> changes = new ArrayList<>();
  final List<Forward> forwards = new ArrayList<>();
  boolean installs;
  boolean sshd;
  /** Whether a program listens on a port that its command states. */
  boolean port;
  boolean idle;

  static Launches of(Value container) {
    List<Value> arguments = new ArrayList<>(container.at("command").items());
    arguments.addAll(container.at("args").items());
    if (container.at("source").isScalar()) {
      arguments.add(container.at("source"));
    }
    Launches launches = new Launches();
    List<List<Word>> commands = Shell.commands(arguments);
    commands.forEach(launches::command);
    launches.idle = commands.size() == 1 && idles(commands.get(0)) || commands.size() == 2 && idles(commands.get(1)) && shellOnly(commands.get(0))
        || commands.stream().anyMatch(Launches::waits) && commands.stream().allMatch(words -> shellOnly(words) || harmless(words));
    return launches;
  }

  private static boolean shellOnly(List<Word> words) {
    return words.stream().allMatch(Launches::shell);
  }

  private static boolean waits(List<Word> words) {
    return words.stream().anyMatch(w -> w.text().equals("sleep"));
  }

  /** Commands that look around and wait: `nvidia-smi; trap 'exit 0' TERM; sleep 9999 & wait`. */
  private static boolean harmless(List<Word> words) {
    int at = 0;
    while (at < words.size() && (PREFIXES.contains(words.get(at).text()) || shell(words.get(at)))) {
      at++;
    }
    return at == words.size() || LOOKS.contains(Shell.program(words.get(at).text()));
  }

  private static boolean shell(Word word) {
    return Shell.program(word.text()).endsWith("sh") || word.text().startsWith("-");
  }

  private static boolean idles(List<Word> words) {
    String text = String.join(" ", words.stream().map(Word::text).toList());
    return text.endsWith("sleep infinity") || text.endsWith("sleep inf") || text.endsWith("tail -f /dev/null") || LONG_SLEEP.matcher(text).matches();
  }

  private void command(List<Word> words) {
    int at = 0;
    while (at < words.size() && (PREFIXES.contains(words.get(at).text()) || Shell.assignment(words.get(at).text()))) {
      at++;
    }
    boolean exported = at < words.size() || words.stream().limit(at).anyMatch(w -> w.text().equals("export") || w.text().equals("env"));
    for (Word word : words.subList(0, at)) {
      assign(word, false, exported);
    }
    for (int i = at; i < words.size(); i++) {
      Word word = words.get(i);
      String program = Shell.program(word.text());
      String flag = word.text();
      if (MPI.contains(program) && i < at + 3) {
        mpirun(words, i);
      } else if (program.equals("torchrun") || flag.equals("torch.distributed.run") || flag.equals("torch.distributed.launch")) {
        torchrun(words, i);
      } else if (program.endsWith("_perf")) {
        benchmark(words, i);
      } else if (program.equals("sshd")) {
        sshd = true;
        port |= words.stream().anyMatch(w -> SSHD_PORT.matcher(w.text()).matches());
      }
      kernelArgument(word, flag);
    }
    if (at < words.size()) {
      hostChange(words, at);
    }
  }

  private void assign(Word word, boolean forwarded, boolean exported) {
    int equals = word.text().indexOf('=');
    if (equals > 0) {
      assignments.add(new Assignment(word.text().substring(0, equals), word.text().substring(equals + 1), word, forwarded, exported));
    }
  }

  private void mpirun(List<Word> words, int at) {
    Word np = null;
    Num perNode = Num.UNKNOWN;
    Num gpus = Num.UNKNOWN;
    List<Option> counts = new ArrayList<>();
    Tri oversubscribe = Tri.NO;
    boolean program = false;
    for (int i = at + 1; i < words.size(); i++) {
      String flag = words.get(i).text();
      String next = i + 1 < words.size() ? words.get(i + 1).text() : "";
      switch (program ? "" : flag) {
        // The first one: a later -n belongs to the program that mpirun starts.
        case "-np", "--np", "-n" -> np = np == null && i + 1 < words.size() ? words.get(i + 1) : np;
        case "-N", "-npernode", "--npernode", "-ppn", "-perhost" -> {
          perNode = Quantity.of(next);
          if (i + 1 < words.size()) {
            counts.add(new Option("npernode", words.get(i + 1)));
          }
        }
        case "--map-by", "-map-by" -> perNode = next.matches("ppr:\\d+:node.*") ? Num.parse(next.split(":")[1]) : perNode;
        case "--oversubscribe", "-oversubscribe" -> oversubscribe = Tri.YES;
        case "-x" -> {
          if (i + 1 < words.size()) {
            forward(words.get(i + 1));
          }
        }
        case "-genv", "-env", "--genv", "--env" -> {
          if (i + 2 < words.size() && !next.contains("=")) {
            assignments.add(new Assignment(next, words.get(i + 2).text(), words.get(i + 2), true, true));
          } else if (i + 1 < words.size()) {
            assign(words.get(i + 1), true, true);
          }
        }
        default -> {
          if (flag.contains(":oversubscribe") || flag.contains(":OVERSUBSCRIBE")) {
            oversubscribe = Tri.YES;
          }
        }
      }
      if (Shell.program(flag).endsWith("_perf")) {
        program = true;
        gpus = option(words, i, "-g", "--ngpus", 1);
      }
    }
    if (np != null) {
      counts.add(new Option("np", np));
    }
    mpi.add(new Mpi(np == null ? Num.UNKNOWN : Quantity.of(np.text()), perNode, program ? gpus : Num.UNKNOWN, oversubscribe, np == null ? words.get(at) : np, counts));
  }

  private void forward(Word word) {
    String text = word.text();
    int equals = text.indexOf('=');
    String name = equals < 0 ? text : text.substring(0, equals);
    String value = equals < 0 ? "" : text.substring(equals + 1);
    if (equals < 0 || value.equals("$" + name) || value.equals("${" + name + "}")) {
      forwards.add(new Forward(name, word));
    } else if (Shell.assignment(text)) {
      assign(word, true, true);
    }
  }

  private static Num option(List<Word> words, int from, String brief, String full, double otherwise) {
    for (int i = from + 1; i < words.size(); i++) {
      String text = words.get(i).text();
      if ((text.equals(brief) || text.equals(full)) && i + 1 < words.size()) {
        return size(words.get(i + 1).text());
      }
      if (text.startsWith(full + "=")) {
        return size(text.substring(full.length() + 1));
      }
    }
    return Num.of(otherwise);
  }

  /** Sizes of nccl-tests: `8`, `512M`, `8G` are powers of two. */
  private static Num size(String text) {
    if (text.isEmpty() || text.indexOf('$') >= 0) {
      return Num.UNKNOWN;
    }
    char unit = Character.toUpperCase(text.charAt(text.length() - 1));
    double factor = switch (unit) {
      case 'K' -> 1024.0;
      case 'M' -> 1048576.0;
      case 'G' -> 1073741824.0;
      default -> 1.0;
    };
    Num number = Num.parse(factor > 1 ? text.substring(0, text.length() - 1) : text);
    return number.known() ? Num.of(number.value() * factor) : Num.UNKNOWN;
  }

  private void torchrun(List<Word> words, int at) {
    String nodes = "";
    String perNode = "";
    for (int i = at + 1; i < words.size(); i++) {
      String text = words.get(i).text().replace('_', '-');
      String next = i + 1 < words.size() ? words.get(i + 1).text() : "";
      if (text.equals("--nnodes")) {
        nodes = next;
      } else if (text.startsWith("--nnodes=")) {
        nodes = words.get(i).text().substring(9);
      } else if (text.equals("--nproc-per-node")) {
        perNode = next;
      } else if (text.startsWith("--nproc-per-node=")) {
        perNode = words.get(i).text().substring(17);
      }
      port |= PORT.matcher(text + "=" + next).find() && !ANY_PORT.matcher(text + "=" + next).find();
    }
    torch.add(new Torch(nodes, perNode, words.get(at)));
  }

  private void benchmark(List<Word> words, int at) {
    benchmarks.add(new Benchmark(Shell.program(words.get(at).text()), option(words, at, "-c", "--check", 1), option(words, at, "-w", "--warmup_iters", 1),
        option(words, at, "-b", "--minbytes", 33554432), option(words, at, "-e", "--maxbytes", 33554432), words.get(at)));
  }

  private void kernelArgument(Word word, String text) {
    if (text.contains("pci=noacs") || text.contains("disable_acs_redir") || text.contains("pcie_acs_override")) {
      changes.add(new Change("acs-argument", word, text));
    }
    if (text.contains("iommu=off") || text.contains("iommu.strict=0") || text.contains("iommu=0")) {
      changes.add(new Change("iommu-off", word, text));
    }
  }

  private void hostChange(List<Word> words, int at) {
    String program = Shell.program(words.get(at).text());
    String text = String.join(" ", words.stream().skip(at).limit(12).map(Word::text).toList());
    String act = "";
    if (program.equals("setpci") && (text.contains("ACS") || text.toLowerCase(java.util.Locale.ROOT).contains("ecap000d") || text.contains("CAP_EXP"))
        || text.contains("ECAP_ACS")) {
      boolean one = text.matches(".*-s ?[0-9a-fA-F:]*[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7].*");
      act = one ? "acs-one" : "acs-blanket";
    } else if (Set.of("modprobe", "rmmod", "insmod").contains(program)) {
      act = "modprobe";
    } else if ((program.equals("systemctl") || program.equals("service") || program.equals("openibd")) && text.matches(".*(openibd|nvidia|mlnx|fabricmanager|opensm|rdma).*")
        && text.contains("restart")) {
      act = "driver-restart";
    } else if (program.equals("ulimit") && MEMLOCK.matcher(text).find()) {
      act = "ulimit";
    }
    if (!act.isEmpty()) {
      changes.add(new Change(act, words.get(at), text));
    }
    installs |= INSTALLS.matcher(text).lookingAt();
  }
}
