package gdrproof.bundle;

import gdrproof.facts.Fact;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Shell prompts of transcripts, and on which node the command behind them ran. */
final class Prompts {
  /** A command line. @param node where it ran, or unknown */
  record Prompt(String node, String command) {}

  private static final Pattern WITH_HOST = Pattern.compile(
      "^(?:\\([^()\\s]{1,40}\\) )?\\[?[a-zA-Z_][\\w.-]*@(?<host>[A-Za-z0-9][\\w.-]*)(?:[: ][^#$%>]{0,80}?)?\\]?\\s?[#$%>] (?<command>\\S.*)$");
  /** openSUSE and many appliances: `host:~ # command`. */
  private static final Pattern HOST_PATH = Pattern.compile("^(?<host>[A-Za-z][\\w.-]*):[~/][^#$ ]{0,80} ?[#$] (?<command>\\S.*)$");
  /** `host# command` and `host$ command`, only before a known command: a word before a mark is many things. */
  private static final Pattern HOST_ONLY = Pattern.compile("^(?<host>[A-Za-z](?:[A-Za-z0-9.-]*[A-Za-z0-9])?)[#$%>] (?<command>(?:sudo )?(?<word>[\\w./-]+).*)$");
  private static final Set<String> NO_HOSTS = Set.of("sh", "bash", "zsh", "ksh", "csh", "tcsh", "fish", "ash", "dash", "root", "user", "admin", "ubuntu", "centos", "ec2-user", "container", "pod", "host",
      "node", "line", "step", "issue", "note", "output", "shell", "prompt", "console");
  private static final Pattern BARE = Pattern.compile("^(?:\\$|(?:sh|bash|zsh)-\\d[\\d.]*[#$]|➜ +\\S+) (?<command>\\S.*)$");
  /** Marks that begin other lines too (comments, traces) and count as a prompt only before a known command. */
  private static final Pattern DOUBTFUL = Pattern.compile("^(?:#|\\+|>|%) (?<command>(?:sudo )?(?<word>[\\w./-]+)(?:\\s.*)?)$");
  /** A whole loop of the shell on one line, which no comment is. */
  private static final Pattern LOOP = Pattern.compile("^(?:#|\\+|>|%) (?<command>(?:for \\w+ in\\b.*|while\\b.*|for \\(\\(.*); ?do\\b.*; ?done\\b.*)$");
  private static final Pattern REMOTE = Pattern.compile("^(?:sudo )?(?:kubectl|oc|ssh|pdsh|clush|ansible|mpirun|mpiexec|srun|salloc|sbatch|docker|podman|nerdctl|crictl|parallel-ssh|pssh)\\b.*"
      + "|(?:for|while)\\b.*\\b(?:kubectl|oc|ssh|pdsh|clush|srun|docker|podman|nerdctl|crictl|pssh)\\b.*");
  private static final Pattern SSH = Pattern.compile(
      "^(?:sudo )?ssh (?:-\\S+(?: (?=[^-])(?:[^ @]+=[^ ]+|\\d+|[~./][^ ]*))? )*(?:[\\w.-]+@)?(?<host>[A-Za-z][\\w.-]*|\\d{1,3}(?:\\.\\d{1,3}){3}) (?<command>[\"']?\\S.*)$");
  private static final Pattern EXEC = Pattern.compile("^(?:sudo )?(?:kubectl|oc) (?:-n \\S+ |--namespace[ =]\\S+ |--context[ =]\\S+ )*exec (?:-\\w+ |--\\S+ |-n \\S+ |-c \\S+ )*(?:pod/)?(?<host>[a-z0-9][a-z0-9.-]*) (?:.*?)-- (?<command>\\S.*)$");
  private static final Pattern SRUN = Pattern.compile("^(?:sudo )?srun .*?(?:-w ?|--nodelist[ =])(?<host>[A-Za-z][\\w.-]*)(?: .*?)? (?<command>[a-z]\\S.*)$");

  /** The head of a recording of one command (util-linux 2.35 and later). */
  private static final Pattern RECORDED = Pattern.compile("[\\[ ]COMMAND=\"(?<command>[^\"]++)\"");

  /** Other names under which people call kubectl. */
  private static final Pattern KUBECTL = Pattern.compile(
      "^(?:sudo )?(?:k|kubecolor|\\S*/kubectl|kubectl[-.]v?\\d[\\w.-]*|k3s kubectl|rke2 kubectl|microk8s kubectl|microk8s\\.kubectl|minikube kubectl --|k0s kubectl) (?=(?:get|describe|exec|logs|top|debug|apply|cp|run|delete|patch|cordon|drain)\\b|-n |-A\\b|--\\w)");

  private static final Set<String> TOOLS = Set.of("nvidia-smi", "ibstat", "ibstatus", "ibv_devinfo", "ibv_devices", "ibdev2netdev", "show_gids", "rdma", "lspci", "lsmod", "modinfo",
      "modprobe", "dmesg", "journalctl", "systemctl", "ulimit", "cat", "ls", "grep", "egrep", "head", "tail", "df", "du", "free", "mount", "ip", "ethtool", "mlnx_qos", "mlxlink",
      "mlxconfig", "mstconfig", "mst", "mlxfwmanager", "virsh", "fi_info", "aws", "clush", "pdsh", "perfquery", "sminfo", "iblinkinfo", "ibqueryerrors", "ibdiagnet", "ibnetdiscover", "ibping", "ib_write_bw", "ib_read_bw", "ib_send_bw", "ib_write_lat",
      "ib_read_lat", "ib_send_lat", "numactl", "lscpu", "uname", "hostname", "hostnamectl", "env", "printenv", "export", "echo", "date", "uptime", "sysctl", "ss", "ping", "lldpctl",
      "dcgmi", "mpirun", "mpiexec", "srun", "torchrun", "python", "python3", "kubectl", "oc", "helm", "docker", "ssh", "ldconfig", "ldd", "nvcc", "dmidecode", "setpci", "cma_roce_mode",
      "ncclras", "all_reduce_perf", "./all_reduce_perf", "./build/all_reduce_perf", "sudo", "find", "id", "ps", "top", "numastat", "taskset", "cmd", "watch", "time", "gdrcopy_copybw", "getent", "nc");

  /** What prints YAML: in such a file any other word behind `#` is a comment's. */
  private static final Set<String> YAML_TOOLS = Set.of("kubectl", "oc", "helm", "cat");

  private Prompts() {}

  /** The prompt of a line of this file. */
  static @Nullable Prompt parse(String file, String line) {
    if (line.startsWith("#") && yaml(file)) {
      Matcher doubtful = DOUBTFUL.matcher(line);
      if (doubtful.matches() && !YAML_TOOLS.contains(doubtful.group("word"))) {
        return null;
      }
    }
    return parse(line);
  }

  /** Whether a file's name says that its indentation and its comments are YAML's. */
  static boolean yaml(String file) {
    return file.endsWith(".yaml") || file.endsWith(".yml");
  }

  /** The command that `script -c` was started for, where the head of the recording names one. */
  static @Nullable Prompt recorded(String line) {
    Matcher recorded = RECORDED.matcher(line);
    return line.startsWith("Script started on ") && recorded.find() ? where(Fact.UNKNOWN, recorded.group("command").strip()) : null;
  }

  static @Nullable Prompt parse(String line) {
    if (line.length() < 3 || line.length() > 4000) {
      return null;
    }
    Matcher host = WITH_HOST.matcher(line);
    if (host.matches()) {
      return where(Sections.shortName(host.group("host")), host.group("command"));
    }
    Matcher path = HOST_PATH.matcher(line);
    if (path.matches()) {
      return where(Sections.shortName(path.group("host")), path.group("command"));
    }
    Matcher only = HOST_ONLY.matcher(line);
    if (only.matches() && TOOLS.contains(base(only.group("word"))) && !NO_HOSTS.contains(only.group("host"))) {
      return where(Sections.shortName(only.group("host")), only.group("command"));
    }
    Matcher bare = BARE.matcher(line);
    if (bare.matches()) {
      return where(Fact.UNKNOWN, bare.group("command"));
    }
    Matcher loop = LOOP.matcher(line);
    if (loop.matches()) {
      return where(Fact.UNKNOWN, loop.group("command"));
    }
    Matcher doubtful = DOUBTFUL.matcher(line);
    return doubtful.matches() && TOOLS.contains(doubtful.group("word")) ? where(Fact.UNKNOWN, doubtful.group("command")) : null;
  }

  private static String base(String word) {
    return word.substring(word.lastIndexOf('/') + 1);
  }

  /** Whether a command starts others elsewhere, so that the host of its own prompt says nothing about its output. */
  static boolean elsewhere(String command) {
    return REMOTE.matcher(command).matches();
  }

  static boolean tool(String word) {
    return TOOLS.contains(word);
  }

  /** A command that starts others elsewhere prints what they say, so its own host proves nothing. */
  private static Prompt where(String host, String typed) {
    String command = KUBECTL.matcher(typed).replaceFirst("kubectl ");
    for (Pattern pattern : new Pattern[] {EXEC, SSH, SRUN}) {
      Matcher remote = pattern.matcher(command);
      if (remote.matches()) {
        return new Prompt(Sections.shortName(remote.group("host")), unquoted(remote.group("command")));
      }
    }
    return new Prompt(elsewhere(command) ? Fact.UNKNOWN : host, command);
  }

  /** A command that is quoted as a whole; a quote at its end alone belongs to its last word. */
  private static String unquoted(String command) {
    char first = command.charAt(0);
    if (first != '"' && first != '\'') {
      return command;
    }
    boolean closed = command.length() > 1 && command.charAt(command.length() - 1) == first;
    return command.substring(1, closed ? command.length() - 1 : command.length());
  }
}
