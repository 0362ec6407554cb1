package gdrproof.cli;

import gdrproof.probe.Gathering;
import gdrproof.probe.Gathering.Plan;
import gdrproof.probe.Gathering.Result;
import gdrproof.probe.LocalTarget;
import gdrproof.probe.Probe;
import gdrproof.probe.ProbeException;
import gdrproof.probe.ScriptWriter;
import gdrproof.probe.Target;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** `gdrproof collect`. */
@Command(name = "collect", mixinStandardHelpOptions = true, description = "Collects the evidence that diagnose reads, from this machine or others; it only reads, and takes secrets out.",
    footer = {"", "Examples:", "  gdrproof collect evidence/                                  this machine", "  gdrproof collect evidence/ --node root@gpu[01-04]            four nodes over ssh",
        "  gdrproof collect evidence/ --job 4711                       with the limits, environment and libraries of a running job", "  gdrproof collect evidence/ --around -- mpirun ./all_reduce_perf   counters before and after",
        "  gdrproof collect --script > collect.sh                      for machines without Java: sh collect.sh -o - > node.tar",
        "  gdrproof collect evidence/ --pod train/worker-0,train/worker-1   in the job's own containers", "  gdrproof collect evidence/ --k8s-node gpu-01 --kube-namespace ops   a node, through a short-lived pod",
        "  gdrproof collect facts/ --context prod --every-node registry/gdrproof:0.1.0   facts of all GPU nodes by one Job", "  gdrproof collect --cleanup --context prod                   objects that a killed run left in the cluster", "",
        "A second run goes on where the first ended. Exit codes: 0 collected (what could not be had is listed), with --around the command's own; 2 usage, 3 internal error,",
        "4 a node could not be reached, or nothing could be collected."})
final class Collect implements Callable<Integer> {
  @Parameters(paramLabel = "OUT", description = "folder of the bundle (default: evidence); behind --around: -- and the command")
  private List<String> words = new ArrayList<>();

  @Mixin
  private Nodes nodes;

  @Option(names = "--job", paramLabel = "PID|NAME", split = ",", description = "processes of the running job: ids, or words of their command line (default: those that have loaded NCCL)")
  private List<String> job = new ArrayList<>();

  @Option(names = "--namespace", paramLabel = "NS", description = "Kubernetes namespace of the job")
  private String namespace = "";

  @Option(names = "--only", paramLabel = "PROBE", split = ",", description = "only these probes (names: --list)")
  private Set<String> only = new TreeSet<>();

  @Option(names = "--timeout", paramLabel = "SECONDS", description = "longest time of one probe")
  private int timeout;

  @Option(names = "--parallel", paramLabel = "N", description = "nodes at a time (default: ${DEFAULT-VALUE})")
  private int parallel = 8;

  @Option(names = "--around", description = "take the counters before and after the command that follows --, and keep its output as run.log")
  private boolean around;

  @Option(names = "--resume", description = "go on with OUT (also without this option: what is there is not taken again)")
  private boolean resume;

  @Option(names = "--cleanup", description = "remove what a collection that was killed left: half-written files here, and objects in the cluster")
  private boolean cleanup;

  @Option(names = "--script", description = "print a POSIX sh script that makes the same bundle on a machine without Java")
  private boolean script;

  @Option(names = "--list", description = "print the probes: name, group, command, what for")
  private boolean list;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter print = spec.commandLine().getOut();
    List<Probe> probes = Probe.all();
    Set<String> names = probes.stream().map(Probe::name).collect(Collectors.toSet());
    only.forEach(name -> {
      if (!names.contains(name)) {
        throw new ParameterException(spec.commandLine(), "--only " + name + ": no such probe; gdrproof collect --list names them");
      }
    });
    if (script || list) {
      List<Probe> chosen = probes.stream().filter(p -> only.isEmpty() || only.contains(p.name())).toList();
      print.print(script ? ScriptWriter.write(chosen, Version.text()) : chosen.stream().map(Collect::line).collect(Collectors.joining()));
      print.flush();
      return ExitCode.OK.code();
    }
    List<String> command = CommandRun.behindDashes(spec, words);
    Path out = CommandRun.before(spec, words, command, "evidence");
    if (around == command.isEmpty()) {
      throw new ParameterException(spec.commandLine(), around ? "--around needs a command after --" : "a command goes with --around");
    }
    if (Files.exists(out) && !Files.isDirectory(out)) {
      throw new ParameterException(spec.commandLine(), out + " is a file; name a folder");
    }
    if (cleanup) {
      int files = cleanUp(out);
      return nodes.cluster().cluster().given() && !ClusterLive.cleanup(nodes.cluster(), spec.commandLine().getErr()) ? ExitCode.UNREADABLE.code() : files;
    }
    if (!nodes.cluster().everyNode().isEmpty()) {
      return everyNode(out);
    }
    Plan plan = new Plan(probes, only, Duration.ofSeconds(timeout), String.join(",", job), namespace, "", parallel);
    return new Session(out, plan, nodes, spec.commandLine().getErr()).collect(command, print);
  }

  private int everyNode(Path out) throws IOException, InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    try {
      boolean all = ClusterLive.everyNode(nodes.cluster(), nodes.cluster().nodes(), nodes.cluster().everyNode(), out, err);
      return (all ? ExitCode.OK : ExitCode.UNREADABLE).code();
    } catch (ProbeException e) {
      err.println("gdrproof: " + e.getMessage());
      return ExitCode.UNREADABLE.code();
    }
  }

  private static String line(Probe probe) {
    return String.format("%-20s %-10s %-50s %s%n", probe.name(), probe.group(), probe.command().length() > 50 ? probe.command().substring(0, 49) + "…" : probe.command(), probe.why());
  }

  private static int cleanUp(Path out) throws IOException {
    if (Files.isDirectory(out)) {
      try (Stream<Path> files = Files.walk(out)) {
        for (Path part : files.filter(f -> f.getFileName().toString().matches("\\..*\\.part")).toList()) {
          Files.delete(part);
        }
      }
    }
    return ExitCode.OK.code();
  }

  /** Decides after the command, by its exit status, and by some probes where it asks for them. */
  @FunctionalInterface
  interface Wanted {
    boolean test(int exit, Some more) throws IOException, InterruptedException;
  }

  /** Runs the probes of these names now; what they give stays in the bundle. */
  @FunctionalInterface
  interface Some {
    void gather(Set<String> names) throws InterruptedException;
  }

  /** One collection: targets, an end that Ctrl-C cannot spoil, and what is said at the end. */
  static final class Session {
    private final Path out;
    private final Plan plan;
    private final Nodes nodes;
    private final PrintWriter err;
    private volatile Gathering gathering;
    private volatile boolean finished;

    Session(Path out, Plan plan, Nodes nodes, PrintWriter err) {
      this.out = out;
      this.plan = plan;
      this.nodes = nodes;
      this.err = err;
    }

    int collect(List<String> command, PrintWriter print) throws IOException, InterruptedException {
      return collect(command, print, (exit, more) -> true);
    }

    /**
     * @param command between two readings of the counters; empty for none
     * @param wanted whether everything is collected, or the counters are enough
     */
    int collect(List<String> command, PrintWriter print, Wanted wanted) throws IOException, InterruptedException {
      Files.createDirectories(out);
      CommandRun run = new CommandRun();
      try (Nodes.Opened opened = nodes.open()) {
        Thread hook = new Thread(() -> stop(run, opened), "stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
          opened.failed().forEach((word, reason) -> err.println("gdrproof: " + word + ": " + reason));
          int exit = 0;
          if (!command.isEmpty()) {
            gather(opened.targets(), plan.phase("before"));
            exit = run.run(command, out.resolve("run.log"), print, err);
            gather(opened.targets(), plan.phase("after"));
          }
          if (!command.isEmpty() && !wanted.test(exit, only -> gather(opened.targets(), new Plan(plan.probes(), only, plan.longest(), plan.job(), plan.namespace(), "", plan.parallel())))) {
            return exit;
          }
          Result result = gather(opened.targets(), plan);
          tell(result, opened);
          if (!command.isEmpty()) {
            return exit;
          }
          boolean nothing = result.outputs() + result.kept() == 0;
          return (opened.failed().isEmpty() && result.unreachable().isEmpty() && !nothing ? ExitCode.OK : ExitCode.UNREADABLE).code();
        } finally {
          finished = true;
          try {
            Runtime.getRuntime().removeShutdownHook(hook);
          } catch (IllegalStateException e) {
            // The hook runs already and waits for this.
            err.flush();
          }
        }
      } catch (IllegalArgumentException e) {
        err.println("gdrproof: " + e.getMessage());
        return ExitCode.USAGE.code();
      }
    }

    Result gather(List<Target> targets, Plan part) throws InterruptedException {
      gathering = new Gathering(out, part, line -> err.println("gdrproof: " + line));
      Result result = gathering.run(targets);
      if (!part.phase().isEmpty() || targets.stream().anyMatch(t -> t instanceof LocalTarget)) {
        return result;
      }
      if (nodes.cluster().given()) {
        // kubectl would ask the cluster of its own current context.
        objects();
        return result;
      }
      // The cluster and the scheduler are asked once, from here.
      try (LocalTarget here = new LocalTarget()) {
        Plan cluster = new Plan(part.probes().stream().filter(p -> p.where() == Probe.Where.CLUSTER).toList(), part.only(), part.longest(), part.job(), part.namespace(), "", 1);
        gathering = new Gathering(out, cluster, line -> { });
        return result.and(gathering.run(List.of(here)));
      }
    }

    private void objects() {
      try {
        ClusterLive.objects(nodes.cluster(), out).forEach(unread -> err.println("gdrproof: " + unread));
      } catch (IOException e) {
        err.println("gdrproof: " + e.getMessage());
      }
    }

    private void stop(CommandRun run, Nodes.Opened opened) {
      if (finished) {
        return;
      }
      run.stop();
      Gathering running = gathering;
      if (running != null) {
        running.stop();
      }
      opened.close();
      err.println("gdrproof: stopped; what was collected stays in " + out + ", and the same command goes on with it");
      err.flush();
    }

    private void tell(Result result, Nodes.Opened opened) {
      err.println("gdrproof: " + result.outputs() + " outputs in " + out + (result.kept() > 0 ? ", " + result.kept() + " were there already" : "") + "; not had: " + result.missing().size());
      result.missing().forEach((what, reason) -> err.println("  " + what + ": " + reason));
      result.unreachable().forEach(reason -> err.println("gdrproof: " + reason));
      if (nodes.cluster().given()) {
        ClusterLive.remains(opened.targets()).forEach(remains -> err.println("gdrproof: " + remains));
      }
    }
  }
}
