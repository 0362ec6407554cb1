package gdrproof.probe;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.ExecWatch;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A container of a running pod, through exec: what a command sees there is what a rank sees. Output goes into the given stream as it comes. The commands hang on the
 * connection's standard input, so nothing outlives it.
 */
public final class PodTarget implements Target {
  private static final Duration SAFETY = Duration.ofSeconds(5);
  private static final Duration SWEEP = Duration.ofSeconds(10);
  /** Attempts to open an exec while the API does not answer: it may be restarting. */
  private static final int ATTEMPTS = 4;

  /** Last line of a script on standard input; what follows it is the command's own input, which is the leash. */
  private static final String END = "#gdrproof-script-end";
  /** Reads a script up to that line and runs it; half a script is never run. A script as an argument makes an address of many kilobytes, which proxies before an API refuse (414). */
  private static final String READER = "s=; while IFS= read -r l; do [ \"$l\" = '" + END + "' ] && { eval \"$s\"; exit; }; s=\"$s$l\n\"; done; exit 125";

  /** Where. @param container "" to choose the one that works with GPUs */
  public record Address(String namespace, String pod, String container) {
    /**
     * `NAMESPACE/POD[/CONTAINER]`.
     *
     * @throws IllegalArgumentException with a message for the user
     */
    public static Address parse(String text) {
      String[] part = text.split("/", -1);
      boolean names = part.length == 2 || part.length == 3;
      for (String each : part) {
        names &= each.matches("[a-z0-9]([a-z0-9.-]*[a-z0-9])?");
      }
      if (!names) {
        throw new IllegalArgumentException(text + ": not a pod; use NAMESPACE/POD or NAMESPACE/POD/CONTAINER");
      }
      return new Address(part[0], part[1], part.length == 3 ? part[2] : "");
    }

    @Override
    public String toString() {
      return "pod " + namespace + "/" + pod + (container.isEmpty() ? "" : " container " + container);
    }
  }

  private final Cluster cluster;
  private final Address address;
  private final String node;
  private final Boundary boundary;
  /** Words before the shell line, `chroot /host`; "" for none. */
  private final String prefix;
  private final String mark = HexFormat.of().formatHex(new SecureRandom().generateSeed(8));
  private final Set<Remote> running = ConcurrentHashMap.newKeySet();
  private volatile boolean broken;

  PodTarget(Cluster cluster, Address address, String node, Boundary boundary, String prefix) {
    this.cluster = cluster;
    this.address = address;
    this.node = node;
    this.boundary = boundary;
    this.prefix = prefix;
  }

  /** The job's own container. @throws ProbeException if the pod is not there, does not run, or may not be read */
  public static PodTarget open(Cluster cluster, Address wanted) throws ProbeException {
    Pod pod = read(cluster, wanted);
    String phase = pod.getStatus() == null ? "unknown" : String.valueOf(pod.getStatus().getPhase());
    if (!phase.equals("Running")) {
      throw new ProbeException(wanted + " does not run (" + phase + reason(pod) + "); its container can be entered only while it does");
    }
    Address address = new Address(wanted.namespace(), wanted.pod(), container(pod, wanted));
    return new PodTarget(cluster, address, shortName(pod.getSpec().getNodeName(), wanted.pod()), Boundary.CONTAINER, "");
  }

  static Pod read(Cluster cluster, Address wanted) throws ProbeException {
    Pod pod;
    try {
      pod = cluster.client().pods().inNamespace(wanted.namespace()).withName(wanted.pod()).get();
    } catch (KubernetesClientException e) {
      throw new ProbeException(wanted + ": " + (Cluster.code(e) == 403 ? "no permission to get pods in namespace " + wanted.namespace() : Cluster.reason(e)), e);
    }
    if (pod == null) {
      throw new ProbeException(wanted + ": no such pod");
    }
    return pod;
  }

  /** The named one; else the annotated default, the first that asks for a GPU, the first. */
  private static String container(Pod pod, Address wanted) throws ProbeException {
    List<Container> all = pod.getSpec().getContainers();
    List<String> names = all.stream().map(Container::getName).toList();
    if (!wanted.container().isEmpty()) {
      if (!names.contains(wanted.container())) {
        throw new ProbeException(wanted + ": no such container; it has " + String.join(", ", names));
      }
      return wanted.container();
    }
    String annotated = pod.getMetadata().getAnnotations() == null ? null : pod.getMetadata().getAnnotations().get("kubectl.kubernetes.io/default-container");
    if (annotated != null && names.contains(annotated)) {
      return annotated;
    }
    return all.stream().filter(c -> c.getResources() != null && c.getResources().getLimits() != null && c.getResources().getLimits().keySet().stream().anyMatch(r -> r.contains("/gpu")))
        .map(Container::getName).findFirst().orElse(names.get(0));
  }

  static String shortName(String name, String otherwise) {
    if (name == null || name.isEmpty()) {
      return otherwise;
    }
    int dot = name.indexOf('.');
    return dot > 0 ? name.substring(0, dot) : name;
  }

  /** Why a pod is as it is, in brackets' words; "" when it does not say. */
  static String reason(Pod pod) {
    StringBuilder text = new StringBuilder();
    if (pod.getStatus() != null && pod.getStatus().getReason() != null) {
      text.append(", ").append(pod.getStatus().getReason());
      if (pod.getStatus().getMessage() != null) {
        text.append(": ").append(pod.getStatus().getMessage());
      }
    }
    List<ContainerStatus> states = pod.getStatus() == null || pod.getStatus().getContainerStatuses() == null ? List.of() : pod.getStatus().getContainerStatuses();
    for (ContainerStatus state : states) {
      if (state.getState() != null && state.getState().getWaiting() != null && state.getState().getWaiting().getReason() != null) {
        text.append(", ").append(state.getName()).append(' ').append(state.getState().getWaiting().getReason());
      }
    }
    return text.toString();
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
    return address.toString();
  }

  @Override
  public Running start(Command command, OutputStream out) throws ProbeException {
    Remote started = new Remote(command, new Limited(out, command.maxBytes()));
    String shell = Leash.wrap(prefix.isEmpty() ? command.shell() : prefix + " /bin/sh -c " + Leash.quote(command.shell()), mark, command.timeout().plus(SAFETY));
    started.watch = exec(shell, started.sink);
    running.add(started);
    return started;
  }

  private ExecWatch exec(String shell, OutputStream sink) throws ProbeException {
    for (int attempt = 1;; attempt++) {
      try {
        return given(cluster.client().pods().inNamespace(address.namespace()).withName(address.pod()).inContainer(address.container()).redirectingInput().writingOutput(sink).writingError(sink)
            .exec("/bin/sh", "-c", READER), shell);
      } catch (KubernetesClientException e) {
        if (Cluster.code(e) == 403) {
          throw new ProbeException(address + ": no permission to create pods/exec in namespace " + address.namespace(), e);
        }
        if (Cluster.code(e) == 404) {
          throw new ProbeException(address + " is gone" + gone(), e);
        }
        // The API may be restarting; the command has not begun, so asking again repeats nothing.
        if (attempt == ATTEMPTS || Cluster.answered(e) && Cluster.code(e) < 500) {
          throw new ProbeException(address + ": " + Cluster.reason(e) + gone(), e);
        }
        try {
          Thread.sleep(200L << attempt);
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
          throw new ProbeException(address + ": interrupted", interrupted);
        }
      }
    }
  }

  private static ExecWatch given(ExecWatch watch, String shell) {
    try {
      watch.getInput().write((shell + "\n" + END + "\n").getBytes(StandardCharsets.UTF_8));
      watch.getInput().flush();
    } catch (IOException | UncheckedIOException | IllegalStateException | KubernetesClientException e) {
      // The connection ended before: how, is what waiting for the command tells.
      watch.getInput();
    }
    return watch;
  }

  /** What became of the pod, when it is not as it was; "" else. */
  private String gone() {
    try {
      Pod pod = cluster.client().pods().inNamespace(address.namespace()).withName(address.pod()).get();
      if (pod == null) {
        return ", the pod was deleted";
      }
      String phase = pod.getStatus() == null ? "" : String.valueOf(pod.getStatus().getPhase());
      return phase.equals("Running") ? pod.getMetadata().getDeletionTimestamp() == null ? "" : ", the pod is being deleted" : ", the pod is " + phase + reason(pod);
    } catch (KubernetesClientException e) {
      return "";
    }
  }

  @Override
  public void close() {
    running.forEach(Remote::stop);
    if (broken) {
      try (ExecWatch sweep = exec(Leash.sweep(mark), OutputStream.nullOutputStream())) {
        // What left its group is found by its mark.
        sweep.exitCode().get(SWEEP.toMillis(), TimeUnit.MILLISECONDS);
      } catch (ProbeException | ExecutionException | TimeoutException e) {
        // The pod is gone, and with it what ran there.
        broken = false;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private final class Remote implements Running {
    private final Command command;
    private final Limited output;
    private final long begun = System.nanoTime();
    private ExecWatch watch;
    private volatile boolean stopped;
    private final OutputStream sink = new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] block, int offset, int length) throws IOException {
        output.write(offset == 0 ? block : java.util.Arrays.copyOfRange(block, offset, offset + length), length);
      }
    };

    Remote(Command command, Limited output) {
      this.command = command;
      this.output = output;
    }

    @Override
    public Outcome await() throws InterruptedException {
      CompletableFuture<Integer> exit = watch.exitCode();
      long left = command.timeout().toNanos() - (System.nanoTime() - begun);
      try {
        Integer code = exit.get(Math.max(1, left), TimeUnit.NANOSECONDS);
        return stopped ? outcome(Status.STOPPED, -1, "stopped") : code == null ? lost("") : outcome(Status.DONE, code, "");
      } catch (TimeoutException e) {
        stop();
        return outcome(Status.TIMED_OUT, -1, "stopped at its limit of " + command.timeout().toSeconds() + " s");
      } catch (ExecutionException e) {
        return stopped ? outcome(Status.STOPPED, -1, "stopped") : lost(e.getCause() instanceof KubernetesClientException client ? Cluster.reason(client) : String.valueOf(e.getCause().getMessage()));
      } catch (InterruptedException e) {
        stop();
        throw e;
      } finally {
        running.remove(this);
        watch.close();
      }
    }

    private Outcome lost(String why) {
      broken = true;
      String after = gone();
      return outcome(Status.UNREACHABLE, -1, "the connection to " + address + " broke" + (why.isEmpty() ? "" : " (" + why + ")") + after);
    }

    private Outcome outcome(Status status, int exit, String note) {
      return new Outcome(status, exit, Duration.ofNanos(System.nanoTime() - begun), output.cut(), note);
    }

    @Override
    public void stop() {
      stopped = true;
      broken = true;
      try {
        if (watch.getInput() != null) {
          watch.getInput().close();
        }
      } catch (IOException | UncheckedIOException | IllegalStateException e) {
        // The connection is closed already.
        stopped = true;
      }
      watch.close();
    }
  }
}
