package gdrproof.probe;

import gdrproof.finding.Diagnosis.Step;
import gdrproof.probe.Measurer.Result;
import gdrproof.probe.Plan.Item;
import gdrproof.probe.Target.Command;
import gdrproof.probe.Target.Outcome;
import gdrproof.probe.Target.Running;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs the steps of one measurement, unit by unit: single commands, a server with its client, or the members of one job. Every side is stopped, whatever happens. */
final class UnitRun {
  private static final Pattern TCP = Pattern.compile("\\s-p\\s+(\\d{1,5})\\b");
  private static final Pattern SUDO = Pattern.compile("(?<![\\w/.-])sudo (?!-)");
  private static final Pattern BIND = Pattern.compile("\\bnumactl (?:-\\S+ \\S+ )*");
  private static final Pattern PROGRAM = Pattern.compile("(?:^|[\\s/])([a-z_]+_perf)(?=\\s|$)");
  private static final String WAITING = "Waiting for client";

  private final Map<String, Target> targets;
  private final Item item;
  private final Path folder;
  private final Path bundle;
  private final String suffix;
  private final LongSupplier left;
  private final List<Result> results = new ArrayList<>();

  /** @param left seconds of the budget that are left */
  UnitRun(Map<String, Target> targets, Item item, Path folder, Path bundle, String suffix, LongSupplier left) {
    this.targets = targets;
    this.item = item;
    this.folder = folder;
    this.bundle = bundle;
    this.suffix = suffix;
    this.left = left;
  }

  /** A command that was started, with what takes its output. */
  private final class Part {
    private final Step step;
    private final Running running;
    private final Recorder recorder;
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

    Part(Step step) throws IOException, InterruptedException {
      Target target = targets.get(step.node());
      String command = fitted(target, step.command());
      this.step = new Step(step.node(), step.role(), step.unit(), command);
      this.recorder = new Recorder(file(step), item.measurement(), target, command);
      long wanted = Math.max(Measuring.limit("least_seconds"), item.seconds() * Measuring.limit("stretch"));
      this.running = target.start(new Command(command, Duration.ofSeconds(Math.max(1, Math.min(wanted, left.getAsLong()))), Measuring.limit("keep_bytes")), recorder);
      Thread waiting = new Thread(this::await, "measuring on " + step.node());
      waiting.setDaemon(true);
      waiting.start();
    }

    private void await() {
      try {
        outcome.complete(running.await());
      } catch (InterruptedException e) {
        outcome.completeExceptionally(e);
      }
    }

    boolean ended() {
      return outcome.isDone();
    }

    boolean waitFor(long millis) throws InterruptedException {
      try {
        outcome.get(millis, TimeUnit.MILLISECONDS);
        return true;
      } catch (TimeoutException e) {
        return false;
      } catch (ExecutionException e) {
        throw new InterruptedException(String.valueOf(e.getMessage()));
      }
    }

    void finish(String note) throws IOException, InterruptedException {
      if (!ended()) {
        running.stop();
      }
      waitFor(TimeUnit.SECONDS.toMillis(30));
      Outcome end = outcome.getNow(new Outcome(Target.Status.STOPPED, -1, Duration.ZERO, false, "could not be awaited"));
      recorder.end(end);
      results.add(new Result(item.measurement(), step.node(), step.role(), step.command(), end.status().name().toLowerCase(Locale.ROOT).replace('_', '-'), end.exit(), end.took().toMillis() / 1000.0,
          bundle.relativize(recorder.file()).toString(), note.isEmpty() ? end.note() : note));
    }
  }

  List<Result> run(List<Step> steps) throws IOException, InterruptedException {
    Map<Integer, List<Step>> units = new TreeMap<>();
    steps.forEach(s -> units.computeIfAbsent(s.unit(), u -> new ArrayList<>()).add(s));
    for (List<Step> unit : units.values()) {
      if (left.getAsLong() < 1) {
        results.add(Result.skipped(item, "left-out", "the budget is spent"));
        break;
      }
      if (unit.stream().anyMatch(s -> s.role().equals(Step.SERVER))) {
        pair(unit);
      } else if (unit.stream().allMatch(s -> s.role().equals(Step.MEMBER))) {
        together(unit);
      } else {
        for (Step step : unit) {
          together(List.of(step));
        }
      }
    }
    return results;
  }

  private void together(List<Step> steps) throws IOException, InterruptedException {
    List<Part> parts = new ArrayList<>();
    boolean asked = false;
    try {
      for (Step step : steps) {
        parts.add(new Part(step));
      }
      while (parts.stream().anyMatch(p -> !p.ended())) {
        for (Part part : parts) {
          if (!part.ended()) {
            part.waitFor(500);
            break;
          }
        }
        boolean failed = parts.stream().anyMatch(p -> p.ended() && p.outcome.getNow(null) != null && p.outcome.getNow(null).exit() != 0);
        if (failed && parts.size() > 1) {
          // The others wait for the one that failed.
          awaitAll(parts, Measuring.limit("grace_seconds"));
          break;
        }
        if (!asked && item.load() && parts.stream().allMatch(p -> p.ended() || p.recorder.quietSeconds() > Measuring.limit("hang_seconds"))) {
          asked = true;
          ras(parts.get(0).step.node());
        }
      }
    } finally {
      for (Part part : parts) {
        part.finish("");
      }
    }
  }

  private static void awaitAll(List<Part> parts, long seconds) throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    for (Part part : parts) {
      part.waitFor(Math.max(1, (until - System.nanoTime()) / 1_000_000));
    }
  }

  /** Server first; the client when it listens. When one side ends, the other has a moment; then it is stopped. */
  private void pair(List<Step> unit) throws IOException, InterruptedException {
    Step serve = unit.stream().filter(s -> s.role().equals(Step.SERVER)).findFirst().get();
    List<Step> clients = unit.stream().filter(s -> !s.role().equals(Step.SERVER)).toList();
    Part server = new Part(serve);
    String note = "";
    try {
      if (!listens(server)) {
        note = server.ended() ? "the server ended before it listened; the client was not started" : "the server did not listen; the client was not started";
        return;
      }
      for (Step call : clients) {
        Part client = new Part(call);
        try {
          while (!client.ended()) {
            client.waitFor(200);
            if (server.ended() && !client.ended()) {
              client.waitFor(TimeUnit.SECONDS.toMillis(Measuring.limit("grace_seconds")));
              break;
            }
          }
        } finally {
          client.finish("");
        }
      }
      server.waitFor(TimeUnit.SECONDS.toMillis(Measuring.limit("grace_seconds")));
    } finally {
      server.finish(note);
    }
  }

  private boolean listens(Part server) throws IOException, InterruptedException {
    Matcher port = TCP.matcher(server.step.command());
    String probe = port.find() ? listening(Integer.parseInt(port.group(1))) : "";
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(Math.min(Measuring.limit("listen_seconds"), left.getAsLong()));
    while (System.nanoTime() < until && !server.ended()) {
      if (server.recorder.text().contains(WAITING) || !probe.isEmpty() && says(targets.get(server.step.node()), probe).contains("listening")) {
        return true;
      }
      Thread.sleep(200);
    }
    return false;
  }

  /** Whether a TCP port is listened on, from the kernel's own table: no further tool is needed. */
  static String listening(int port) {
    String hex = String.format("%04X", port);
    return "grep -qiE '^ *[0-9]+: [0-9A-F]+:" + hex + " [0-9A-F]+:0000 0A' /proc/net/tcp /proc/net/tcp6 2>/dev/null && echo listening";
  }

  /** The ranks' own account of a job that prints nothing any more, twice: the same counts mean a stuck rank. */
  private void ras(String node) throws IOException, InterruptedException {
    Target target = targets.get(node);
    for (int turn = 1; turn <= 2; turn++) {
      Recorder recorder = new Recorder(folder.resolve(name(node) + suffix + ".ras-" + turn + ".txt"), "ras-query", target, Measuring.ras());
      Running running = target.start(new Command(Measuring.ras(), Duration.ofSeconds(15), Measuring.limit("keep_bytes")), recorder);
      try {
        recorder.end(running.await());
      } finally {
        running.stop();
      }
      Thread.sleep(2000);
    }
  }

  /** The command as the node can run it: without a NUMA binding that it has no tool for, with the name its build of the tests has, and never waiting for a password. */
  private static String fitted(Target target, String command) throws IOException, InterruptedException {
    String fitted = command;
    if (SUDO.matcher(fitted).find()) {
      boolean plain = says(target, "[ \"$(id -u)\" = 0 ] || ! command -v sudo >/dev/null && echo plain").contains("plain");
      fitted = SUDO.matcher(fitted).replaceAll(plain ? "" : "sudo -n ");
    }
    if (BIND.matcher(fitted).find() && !says(target, "command -v numactl").contains("numactl")) {
      fitted = BIND.matcher(fitted).replaceFirst("");
    }
    Matcher program = PROGRAM.matcher(fitted);
    if (program.find() && says(target, "command -v " + program.group(1)).isBlank() && !says(target, "command -v " + program.group(1) + "_mpi").isBlank()) {
      fitted = fitted.substring(0, program.start(1)) + program.group(1) + "_mpi" + fitted.substring(program.end(1));
    }
    return fitted;
  }

  private static String says(Target target, String command) throws IOException, InterruptedException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Running running = target.start(new Command(command, Duration.ofSeconds(10), 4096), out);
    try {
      running.await();
    } finally {
      running.stop();
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private Path file(Step step) {
    String side = step.role().equals(Step.SERVER) ? ".server" : "";
    Path file = folder.resolve(name(step.node()) + suffix + side + ".txt");
    for (int n = 2; Files.exists(file); n++) {
      file = folder.resolve(name(step.node()) + suffix + side + "." + n + ".txt");
    }
    return file;
  }

  /** A node's name as part of a file's name. */
  static String name(String node) {
    return node.replaceAll("[^A-Za-z0-9_.-]", "_");
  }
}
