package gdrproof.probe;

import gdrproof.probe.PodTarget.Address;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.EphemeralContainer;
import io.fabric8.kubernetes.api.model.EphemeralContainerBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.KubernetesClientTimeoutException;
import java.io.ByteArrayOutputStream;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An ephemeral container beside the job's, for images without a shell. It has the pod's network and nothing else of the job: not its devices, not its shared memory,
 * not its limits. It cannot be removed while the pod lives.
 */
public final class DebugTarget {
  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration LIFE = Duration.ofMinutes(15);
  private static final Duration QUESTION = Duration.ofSeconds(15);

  private DebugTarget() {}

  /**
   * The job's own container where it has a shell; else, only if allowed, an ephemeral container.
   *
   * @param image of the ephemeral container; "" where none is allowed
   */
  public static Target open(Cluster cluster, Address address, String image) throws ProbeException {
    PodTarget own = PodTarget.open(cluster, address);
    if (hasShell(own)) {
      return own;
    }
    own.close();
    if (image.isEmpty()) {
      throw new ProbeException(own.describe() + " has no /bin/sh; --allow-debug-container adds an ephemeral container, which cannot be removed and proves nothing of the job's devices, "
          + "shared memory or limits");
    }
    String name = KubeObjects.NAME + "-" + HexFormat.of().formatHex(new SecureRandom().generateSeed(3));
    add(cluster, address, name, image);
    return new PodTarget(cluster, new Address(address.namespace(), address.pod(), name), own.node(), Target.Boundary.DEBUG_CONTAINER, "");
  }

  /** What stays of a debug container, for the report. */
  public static String remains(Target target) {
    return target.boundary() == Target.Boundary.DEBUG_CONTAINER ? target.describe() + ": an ephemeral container cannot be removed; it ends after " + LIFE.toMinutes() + " minutes and goes with the pod" : "";
  }

  private static boolean hasShell(PodTarget target) throws ProbeException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      Target.Outcome outcome = target.start(new Target.Command("echo shell-works", QUESTION, 1000), out).await();
      return outcome.status() == Target.Status.DONE && out.toString(java.nio.charset.StandardCharsets.UTF_8).contains("shell-works");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ProbeException(target.describe() + ": interrupted", e);
    }
  }

  private static void add(Cluster cluster, Address address, String name, String image) throws ProbeException {
    EphemeralContainer container = new EphemeralContainerBuilder().withName(name).withImage(image).withCommand("/bin/sh", "-c", "sleep " + LIFE.toSeconds()).build();
    try {
      var pod = cluster.client().pods().inNamespace(address.namespace()).withName(address.pod());
      pod.ephemeralContainers().edit(p -> new PodBuilder(p).editSpec().addToEphemeralContainers(container).endSpec().build());
      pod.waitUntilCondition(p -> p == null || states(p).stream().anyMatch(s -> s.getName().equals(name) && s.getState() != null && s.getState().getRunning() != null), START.toMillis(),
          TimeUnit.MILLISECONDS);
    } catch (KubernetesClientTimeoutException e) {
      throw new ProbeException(address + ": the ephemeral container " + name + " (" + image + ") does not start; it cannot be removed", e);
    } catch (KubernetesClientException e) {
      throw new ProbeException(address + ": " + (Cluster.code(e) == 403 ? "no permission to update pods/ephemeralcontainers in namespace " + address.namespace() : Cluster.reason(e)), e);
    }
  }

  private static List<ContainerStatus> states(Pod pod) {
    return pod.getStatus() == null || pod.getStatus().getEphemeralContainerStatuses() == null ? List.of() : pod.getStatus().getEphemeralContainerStatuses();
  }
}
