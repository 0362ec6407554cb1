package gdrproof.probe;

import gdrproof.bundle.ProbeHeader;
import gdrproof.bundle.ProbeHeader.Status;
import gdrproof.bundle.Redaction;
import gdrproof.bundle.Text;
import gdrproof.facts.Fact;
import gdrproof.probe.Probe.Where;
import gdrproof.probe.Target.Boundary;
import gdrproof.probe.Target.Command;
import gdrproof.probe.Target.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Runs probes on targets, several at a time, and writes a bundle that can be gone on with. */
public final class Gathering {
  /**
   * @param only names of probes; empty for all
   * @param longest time limit of one probe that cuts those of the catalogue; zero for none
   * @param job process ids or words of command lines, with commas; "" for processes that have loaded NCCL
   * @param namespace of the job's pods; "" for none
   * @param phase `before` or `after` a run (counters only), or ""
   * @param parallel targets at a time
   */
  public record Plan(List<Probe> probes, Set<String> only, Duration longest, String job, String namespace, String phase, int parallel) {
    public static Plan of(List<Probe> probes) {
      return new Plan(probes, Set.of(), Duration.ZERO, "", "", "", 8);
    }

    public Plan phase(String word) {
      return new Plan(probes, only, longest, job, namespace, word, parallel);
    }
  }

  /**
   * What came of it.
   *
   * @param outputs files written
   * @param kept files that an earlier collection had
   * @param missing what could not be had, by node and probe, with the reason
   * @param unreachable targets that gave nothing
   */
  public record Result(int outputs, int kept, Map<String, String> missing, List<String> unreachable) {
    public Result and(Result other) {
      Map<String, String> both = new TreeMap<>(missing);
      both.putAll(other.missing);
      List<String> lost = new ArrayList<>(unreachable);
      lost.addAll(other.unreachable);
      return new Result(outputs + other.outputs, kept + other.kept, both, lost);
    }
  }

  private static final Duration QUESTION = Duration.ofSeconds(60);
  private static final Pattern DENIED = Pattern.compile("(?i)permission denied|operation not permitted|must be root|are you root");

  private final Path bundle;
  private final Plan plan;
  private final Consumer<String> progress;
  private final AtomicInteger outputs = new AtomicInteger();
  private final AtomicInteger kept = new AtomicInteger();
  private final Map<String, String> missing = new ConcurrentHashMap<>();
  private final Map<String, String> unreachable = new ConcurrentHashMap<>();
  private final Set<Target> active = ConcurrentHashMap.newKeySet();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean stopping;

  /** @param progress gets lines for a person */
  public Gathering(Path bundle, Plan plan, Consumer<String> progress) {
    this.bundle = bundle;
    this.plan = plan;
    this.progress = progress;
  }

  /** Runs to the end, or to {@link #stop}. Targets are closed by whoever made them. */
  public Result run(List<Target> targets) throws InterruptedException {
    ExecutorService pool = Executors.newFixedThreadPool(Math.max(1, Math.min(plan.parallel(), targets.size())), task -> {
      Thread thread = new Thread(task, "collect");
      thread.setDaemon(true);
      return thread;
    });
    try {
      Map<String, Target> named = new TreeMap<>();
      for (Target target : targets) {
        Target other = named.putIfAbsent(target.node() + "/" + target.boundary(), target);
        if (other == null) {
          pool.submit(() -> node(target));
        } else {
          // Two outputs under one name would pass for one machine's.
          unreachable.put(target.describe(), target.describe() + ": calls itself " + target.node() + " like " + other.describe() + "; give the hosts different names, or name each once");
        }
      }
      pool.shutdown();
      pool.awaitTermination(1, TimeUnit.DAYS);
    } finally {
      pool.shutdownNow();
      ended.countDown();
    }
    return new Result(outputs.get(), kept.get(), new TreeMap<>(missing), List.copyOf(new TreeMap<>(unreachable).values()));
  }

  /** Ends what runs; what is written stays. Waits a little for the targets to end their processes. */
  public void stop() {
    stopping = true;
    active.forEach(Target::close);
    try {
      ended.await(8, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void node(Target target) {
    if (stopping) {
      return;
    }
    active.add(target);
    try {
      progress.accept(target.node() + ": collecting from " + target.describe());
      new Node(target).run();
    } catch (ProbeException e) {
      unreachable.put(target.node(), target.describe() + ": " + e.getMessage());
      progress.accept(target.node() + ": " + e.getMessage());
    } catch (IOException e) {
      unreachable.put(target.node(), "cannot write " + bundle + ": " + e.getMessage());
      progress.accept(target.node() + ": cannot write " + bundle + ": " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      active.remove(target);
    }
  }

  /** The probes of one target, one after the other: a node under load is not loaded more. */
  private final class Node {
    private final Target target;
    private final String boundary;
    private final NodeFolder own;
    private String job = plan.job();

    Node(Target target) throws IOException {
      this.target = target;
      this.boundary = target.boundary().name().toLowerCase(Locale.ROOT).replace('_', '-');
      this.own = new NodeFolder(bundle, target.node(), boundary);
    }

    void run() throws IOException, InterruptedException {
      List<Probe> wanted = wanted();
      if (wanted.isEmpty()) {
        return;
      }
      if (target.boundary() == Boundary.DEBUG_CONTAINER) {
        note(own, "container", target.node(), boundary, Status.FAILED, "an ephemeral container has devices, shared memory, limits and libraries of its own; the job's cannot be seen from there", "ls -l /dev/infiniband");
      }
      Map<String, String> absent = absent(wanted);
      if (wanted.stream().anyMatch(p -> p.group().equals("job"))) {
        job = ask("job_pids").strip().replaceAll("\\s+", ",");
        if (job.isEmpty()) {
          note(own, "job", target.node(), boundary, Status.FAILED, "no process of a job was found (one that has loaded NCCL; --job names others)", "cat /proc/PID/maps");
        }
      }
      int before = missing.size();
      for (Probe probe : wanted) {
        if (stopping) {
          return;
        }
        if (!(probe.group().equals("job") && job.isEmpty())) {
          probe(probe, absent);
        }
      }
      progress.accept(target.node() + ": done" + (missing.size() > before ? ", " + (missing.size() - before) + " not had" : ""));
    }

    private List<Probe> wanted() {
      List<Probe> wanted = new ArrayList<>();
      for (Probe probe : plan.probes()) {
        boolean here = switch (probe.where()) {
          case NODE -> true;
          case HOST -> target.boundary() == Boundary.HOST || target instanceof LocalTarget;
          case CONTAINER -> target.boundary() != Boundary.HOST;
          case CLUSTER -> target instanceof LocalTarget;
        };
        here &= target.boundary() != Boundary.DEBUG_CONTAINER || probe.shared();
        if (here && (plan.only().isEmpty() || plan.only().contains(probe.name())) && (plan.phase().isEmpty() || probe.counters())) {
          wanted.add(probe);
        }
      }
      return wanted;
    }

    /** What is missing of the programs, and why; asked for at once. */
    private Map<String, String> absent(List<Probe> wanted) throws IOException, InterruptedException {
      Set<String> tools = wanted.stream().map(Probe::tool).filter(t -> !t.isEmpty()).collect(Collectors.toCollection(TreeSet::new));
      String said = ask("for t in " + String.join(" ", tools) + "; do r=$(lacks $t); [ -z \"$r\" ] || echo \"$t=$r\"; done; echo END");
      if (!said.strip().endsWith("END")) {
        throw new ProbeException("its shell does not answer: " + said.strip());
      }
      Map<String, String> absent = new TreeMap<>();
      said.lines().filter(l -> l.contains("=")).forEach(l -> absent.put(l.substring(0, l.indexOf('=')), l.substring(l.indexOf('=') + 1)));
      return absent;
    }

    private String ask(String shell) throws IOException, InterruptedException {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      Outcome outcome = target.start(new Command(shell(shell), QUESTION, 64 << 10), out).await();
      if (outcome.status() == Target.Status.UNREACHABLE) {
        throw new ProbeException(outcome.note());
      }
      return out.toString(StandardCharsets.UTF_8);
    }

    private String shell(String text) {
      return "GDRPROOF_JOB=" + Leash.quote(job) + "; GDRPROOF_NAMESPACE=" + Leash.quote(plan.namespace()) + "; export GDRPROOF_JOB GDRPROOF_NAMESPACE; " + Probe.prelude() + text;
    }

    private void probe(Probe probe, Map<String, String> absent) throws IOException, InterruptedException {
      boolean cluster = probe.where() == Where.CLUSTER;
      NodeFolder folder = cluster ? new NodeFolder(bundle, "", "cluster") : own;
      String host = cluster ? Fact.UNKNOWN : target.node();
      String place = cluster ? "cluster" : boundary;
      String name = probe.name() + (plan.phase().isEmpty() ? "" : "-" + plan.phase());
      // A new run has new counters, also in a bundle that had one before.
      if (plan.phase().isEmpty() && folder.has(name)) {
        kept.incrementAndGet();
        return;
      }
      if (absent.containsKey(probe.tool())) {
        note(folder, name, host, place, Status.MISSING_TOOL, absent.get(probe.tool()), probe.command());
        return;
      }
      Duration limit = Duration.ofSeconds(probe.seconds());
      if (!plan.longest().isZero() && plan.longest().compareTo(limit) < 0) {
        limit = plan.longest();
      }
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      String time = now();
      Outcome outcome = target.start(new Command(shell(probe.shell()), limit, probe.kib() * 1024L), out).await();
      if (outcome.status() == Target.Status.STOPPED) {
        return;
      }
      store(folder, probe, name, host, place, time, outcome, out.toByteArray());
      if (outcome.status() == Target.Status.UNREACHABLE) {
        throw new ProbeException(outcome.note());
      }
    }

    private void store(NodeFolder folder, Probe probe, String name, String host, String place, String time, Outcome outcome, byte[] bytes) throws IOException {
      List<String> lines = Text.lines(bytes);
      if (lines == null) {
        note(folder, name, host, place, Status.FAILED, "its output is no text", probe.command());
        return;
      }
      if (outcome.cut() && bytes.length > 0 && bytes[bytes.length - 1] != '\n') {
        lines = lines.subList(0, lines.size() - 1);
      }
      String text = new String(bytes, StandardCharsets.UTF_8);
      Status status = status(probe, outcome, text);
      String reason = switch (status) {
        case DONE -> "";
        case FAILED -> "exit status " + outcome.exit();
        case CUT -> "cut at its limit of " + probe.kib() + " KiB";
        case MISSING_TOOL, NO_PERMISSION, STOPPED -> status.reason();
        case TIMEOUT, UNREACHABLE -> outcome.note();
      };
      ProbeHeader header = new ProbeHeader(name, host, place, time, outcome.exit(), outcome.took().toMillis() / 1000.0, status, probe.command());
      folder.store(header, Redaction.lines(lines), reason);
      outputs.incrementAndGet();
      if (!status.whole()) {
        missing.put(key(host, name), reason);
      }
    }

    private void note(NodeFolder folder, String name, String host, String place, Status status, String reason, String command) throws IOException {
      folder.note(new ProbeHeader(name, host, place, now(), -1, 0, status, command), reason, "");
      missing.put(key(host, name), reason);
    }
  }

  private static String key(String host, String name) {
    return (host.equals(Fact.UNKNOWN) ? "cluster" : host) + " " + name;
  }

  private static String now() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  static Status status(Probe probe, Outcome outcome, String text) {
    return switch (outcome.status()) {
      case TIMED_OUT -> Status.TIMEOUT;
      case STOPPED -> Status.STOPPED;
      case UNREACHABLE -> Status.UNREACHABLE;
      case DONE -> {
        if (outcome.cut()) {
          yield Status.CUT;
        }
        if (outcome.exit() == 127) {
          yield Status.MISSING_TOOL;
        }
        if ((outcome.exit() != 0 || probe.group().equals("job")) && DENIED.matcher(text).find()) {
          yield Status.NO_PERMISSION;
        }
        yield outcome.exit() == 0 ? Status.DONE : Status.FAILED;
      }
    };
  }
}
