package gdrproof.probe;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** This machine: `/bin/sh -c` in a session of its own, ended with everything that it started. */
public final class LocalTarget implements Target {
  private final String node;
  private final Boundary boundary;
  private final String mark = HexFormat.of().formatHex(new SecureRandom().generateSeed(8));
  private final Set<LocalRunning> running = ConcurrentHashMap.newKeySet();

  public LocalTarget() {
    this(hostName(), inContainer() ? Boundary.CONTAINER : Boundary.HOST);
  }

  /** @param node name under which the bundle shows this machine */
  public LocalTarget(String node, Boundary boundary) {
    this.node = node;
    this.boundary = boundary;
  }

  /** Host name of this machine, cut at its first dot. */
  public static String hostName() {
    String name = "";
    try {
      name = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException e) {
      try {
        name = InetAddress.getLocalHost().getHostName();
      } catch (UnknownHostException unknown) {
        name = "localhost";
      }
    }
    int dot = name.indexOf('.');
    return dot > 0 ? name.substring(0, dot) : name;
  }

  /** Whether this process itself runs in a container, so that what it sees is no host's view. */
  static boolean inContainer() {
    return Files.exists(Path.of("/.dockerenv")) || Files.exists(Path.of("/run/.containerenv")) || System.getenv("KUBERNETES_SERVICE_HOST") != null;
  }

  @Override
  public String node() {
    return node;
  }

  @Override
  public Boundary boundary() {
    return boundary;
  }

  @Override
  public String describe() {
    return "this machine (" + node + ")";
  }

  @Override
  public Running start(Command command, OutputStream out) throws ProbeException {
    ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", Leash.wrap(command.shell(), mark, command.timeout().plusSeconds(5))).redirectErrorStream(true);
    try {
      LocalRunning started = new LocalRunning(builder.start(), command, new Limited(out, command.maxBytes()));
      running.add(started);
      return started;
    } catch (IOException e) {
      throw new ProbeException("cannot start /bin/sh on " + describe() + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    running.forEach(LocalRunning::stop);
    sweep();
  }

  /** What left its group carries the mark still. */
  private void sweep() {
    if (!Files.isDirectory(Path.of("/proc/self"))) {
      return;
    }
    try {
      Process sweep = new ProcessBuilder("/bin/sh", "-c", Leash.sweep(mark)).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
      sweep.getOutputStream().close();
      if (!sweep.waitFor(20, TimeUnit.SECONDS)) {
        sweep.destroyForcibly();
      }
    } catch (IOException e) {
      // Nothing can be started any more: nothing can be ended either.
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private final class LocalRunning implements Running {
    private final Process process;
    private final Command command;
    private final Limited output;
    private final Thread reader;
    private final long begun = System.nanoTime();
    private volatile boolean stopped;

    LocalRunning(Process process, Command command, Limited output) {
      this.process = process;
      this.command = command;
      this.output = output;
      this.reader = new Thread(() -> output.pump(process.getInputStream()), "output of " + process.pid());
      reader.setDaemon(true);
      reader.start();
    }

    @Override
    public Outcome await() throws InterruptedException {
      boolean ended;
      try {
        ended = process.waitFor(Math.max(1, command.timeout().toNanos() - (System.nanoTime() - begun)), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        stop();
        throw e;
      }
      boolean byOthers = stopped;
      if (!ended) {
        stop();
      }
      Duration took = Duration.ofNanos(System.nanoTime() - begun);
      drain();
      running.remove(this);
      if (byOthers) {
        return new Outcome(Status.STOPPED, -1, took, output.cut(), "stopped");
      }
      return ended ? new Outcome(Status.DONE, process.exitValue(), took, output.cut(), "")
          : new Outcome(Status.TIMED_OUT, -1, took, output.cut(), "stopped at its limit of " + command.timeout().toSeconds() + " s");
    }

    /** A child in a session of its own may hold the pipe for ever. */
    private void drain() throws InterruptedException {
      reader.join(1000);
      if (reader.isAlive()) {
        sweep();
        reader.join(1000);
      }
      if (reader.isAlive()) {
        try {
          process.getInputStream().close();
        } catch (IOException e) {
          return;
        }
      }
    }

    @Override
    public void stop() {
      stopped = true;
      try {
        process.getOutputStream().close();
        if (!process.waitFor(Leash.GRACE_SECONDS + 2L, TimeUnit.SECONDS)) {
          process.descendants().forEach(ProcessHandle::destroyForcibly);
          process.destroyForcibly();
          sweep();
        }
      } catch (IOException e) {
        process.destroyForcibly();
      } catch (InterruptedException e) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }
}
