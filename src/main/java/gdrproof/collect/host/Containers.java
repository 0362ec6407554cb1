package gdrproof.collect.host;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.ContainerRun;
import gdrproof.facts.Host.DeviceNode;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How a container was started: `docker run` and `podman run` lines, and `docker inspect`. */
final class Containers implements Collector {
  private static final Pattern RUN = Pattern.compile("(?:^|[\\s;&|(])(?<runtime>docker|podman|nerdctl)\\s+(?:container\\s+)?(?:run|create)\\s(?<rest>.*)$", Pattern.DOTALL);
  private static final Pattern NODE = Pattern.compile("--device[= ](/dev/infiniband/uverbs\\d+)\\b");
  private static final Pattern INSPECTED = Pattern.compile("\"PathInContainer\"\\s*:\\s*\"(/dev/infiniband/uverbs\\d+)\"");
  /** First line of a container: its id, by the indentation of both tools' lists. */
  private static final Pattern CONTAINER = Pattern.compile("^\\s{1,10}\"Id\": \"[0-9a-f]{64}\",?\\s*$");
  /** The whole folder, or all of /dev. */
  private static final Pattern FOLDER = Pattern.compile("(?:^|=)/dev(?:/infiniband)?/?(?::.*|,.*)?$");
  private static final Pattern WORD = Pattern.compile("(?:[^\\s\"']++|\"[^\"]*+\"|'[^']*+')++");
  private static final Set<String> FLAGS = Set.of("-i", "-t", "-d", "-it", "-ti", "-itd", "-dit", "-id", "-td", "--rm", "--privileged", "--init", "--detach", "--interactive",
      "--tty", "--read-only", "--no-healthcheck", "--oom-kill-disable", "--publish-all", "-P", "--sig-proxy", "--disable-content-trust", "--replace");

  @Override
  public String tool() {
    return "docker inspect";
  }

  @Override
  public void collect(Section section, Sink sink) {
    if (!section.command().equals(Fact.UNKNOWN)) {
      run(section, sink, section.command(), -1);
    }
    boolean json = false;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      if (line.contains(" run ") || line.contains(" create ") || line.endsWith(" run \\")) {
        run(section, sink, line, i);
      }
      json |= line.contains("\"ShmSize\"");
    }
    if (json) {
      int begin = 0;
      for (int i = 1; i <= section.lines().size(); i++) {
        if (i == section.lines().size() || CONTAINER.matcher(section.lines().get(i)).matches()) {
          inspect(section, begin, i, sink);
          begin = i;
        }
      }
    }
  }

  private static void run(Section section, Sink sink, String first, int index) {
    Matcher start = RUN.matcher(first);
    if (!start.find() || first.stripLeading().startsWith("#")) {
      return;
    }
    StringBuilder text = new StringBuilder(start.group("rest"));
    for (int next = index + 1; text.toString().stripTrailing().endsWith("\\") && next < section.lines().size(); next++) {
      text.setLength(text.toString().stripTrailing().length() - 1);
      text.append(' ').append(section.lines().get(next));
    }
    Evidence evidence = index < 0 ? Views.commandLine(section) : section.at(index);
    List<String> words = words(text.toString());
    ContainerRun run = options(section.node(), start.group("runtime"), words);
    sink.fact(run, evidence);
    if (run.privileged() == Tri.NO && words.stream().noneMatch(w -> FOLDER.matcher(w).find())) {
      // Single nodes: what the command names is all that the container gets.
      Matcher node = NODE.matcher(String.join(" ", words));
      while (node.find()) {
        sink.fact(new DeviceNode(section.node(), "container", node.group(1), Fact.UNKNOWN), evidence);
      }
    }
  }

  private static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(text);
    while (word.find()) {
      words.add(word.group().replaceAll("[\"']", ""));
    }
    return words;
  }

  private static ContainerRun options(String node, String runtime, List<String> words) {
    boolean privileged = false;
    boolean hostIpc = false;
    boolean network = false;
    boolean ipcLock = false;
    Tri infiniband = Tri.NO;
    Num shm = Num.UNKNOWN;
    Num memlock = Num.UNKNOWN;
    String image = Fact.UNKNOWN;
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (!word.startsWith("-")) {
        image = word;
        break;
      }
      int equals = word.indexOf('=');
      String name = equals < 0 ? word : word.substring(0, equals);
      boolean flag = FLAGS.contains(name);
      String value = equals >= 0 ? word.substring(equals + 1) : flag || i + 1 >= words.size() ? "" : words.get(++i);
      switch (name) {
        case "--privileged" -> privileged = !value.equals("false");
        case "--ipc" -> hostIpc = value.equals("host");
        case "--net", "--network" -> network = value.equals("host");
        case "--shm-size" -> shm = Views.size(value, 1);
        case "--ulimit" -> memlock = value.startsWith("memlock=") ? Views.limit(value.substring(8).split(":")[0], 1) : memlock;
        case "--cap-add" -> ipcLock |= value.matches("(?i)(?:CAP_)?(?:IPC_LOCK|ALL)");
        case "--device", "-v", "--volume", "--mount" -> infiniband = passes(value) ? Tri.YES : infiniband;
        case "-e", "--env" -> infiniband = value.startsWith("NVIDIA_MOFED=") && infiniband == Tri.NO ? Tri.UNKNOWN : infiniband;
        default -> {
        }
      }
    }
    return new ContainerRun(node, runtime, image, Tri.of(privileged), Tri.of(hostIpc), shm, memlock, privileged ? Tri.YES : infiniband,
        Tri.of(privileged || ipcLock), Tri.of(network));
  }

  /** A device or volume that brings the verbs device nodes in: the folder, a part of it, or the whole of /dev. */
  static boolean passes(String value) {
    return value.contains("/dev/infiniband") || value.matches("/dev/?(?::.*)?") || value.contains("source=/dev,") || value.contains("src=/dev,");
  }

  /** One container of an `inspect`, which may list several. */
  private static void inspect(Section section, int from, int to, Sink sink) {
    String text = String.join("\n", section.lines().subList(from, to));
    Matcher shm = Pattern.compile("\"ShmSize\"\\s*:\\s*(\\d+)").matcher(text);
    Matcher privileged = Pattern.compile("\"Privileged\"\\s*:\\s*(true|false)").matcher(text);
    if (!shm.find() || !privileged.find()) {
      return;
    }
    int line = from + (int) text.substring(0, shm.start()).chars().filter(c -> c == '\n').count();
    Matcher memlock = Pattern.compile("\\{[^{}]*\"Name\"\\s*:\\s*\"(?:RLIMIT_MEMLOCK|memlock)\"[^{}]*}").matcher(text);
    Num limit = Num.UNKNOWN;
    if (memlock.find()) {
      Matcher soft = Pattern.compile("\"Soft\"\\s*:\\s*(-?\\d+)").matcher(memlock.group());
      // Podman writes the largest number of 64 bits for no limit.
      limit = !soft.find() ? limit : Views.limit(soft.group(1).length() > 18 ? "unlimited" : soft.group(1), 1);
    }
    boolean all = privileged.group(1).equals("true");
    Matcher image = Pattern.compile("\"Config\"\\s*:.*?\"Image\"\\s*:\\s*\"([^\"]+)\"", Pattern.DOTALL).matcher(text);
    Matcher caps = Pattern.compile("\"CapAdd\"\\s*:\\s*\\[([^\\]]*)]").matcher(text);
    boolean ipcLock = caps.find() && caps.group(1).matches("(?is).*\"(?:CAP_)?(?:IPC_LOCK|ALL)\".*");
    sink.fact(new ContainerRun(section.node(), text.contains("\"OCIRuntime\"") ? "podman" : "docker", image.find() ? image.group(1) : Fact.UNKNOWN, Tri.of(all),
        Tri.of(Pattern.compile("\"IpcMode\"\\s*:\\s*\"host\"").matcher(text).find()), Num.parse(shm.group(1)), limit,
        Tri.of(all || Pattern.compile("\"/dev/infiniband|\"/dev:").matcher(text).find()), Tri.of(all || ipcLock),
        Tri.of(Pattern.compile("\"NetworkMode\"\\s*:\\s*\"host\"").matcher(text).find())), section.at(line));
    for (int i = from; !all && i < to; i++) {
      Matcher node = INSPECTED.matcher(section.lines().get(i));
      if (node.find()) {
        sink.fact(new DeviceNode(section.node(), "container", node.group(1), Fact.UNKNOWN), section.at(i));
      }
    }
  }
}
