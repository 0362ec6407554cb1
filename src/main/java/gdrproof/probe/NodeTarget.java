package gdrproof.probe;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.KubernetesClientTimeoutException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A node, through a short-lived pod pinned to it: the host's own tools, run in the host's file system, which is mounted read only. The pod needs a namespace that
 * admits privileged pods, since device files are behind the device cgroup otherwise; it has limits, a deadline after which the cluster ends it, and is removed at the
 * end.
 */
public final class NodeTarget implements Target {
  static final String HOST = "/host";
  /** Into the host's file system; commands there are the host's, and must not take the pod's marks for their own. */
  static final String ENTER = "env -u KUBERNETES_SERVICE_HOST chroot " + HOST;

  /**
   * With what.
   *
   * @param namespace where the pod is made
   * @param image any image with a shell and chroot
   * @param deadline after which the cluster itself ends the pod
   * @param start longest wait until it runs
   */
  public record Settings(String namespace, String image, Duration deadline, Duration start) {}

  private final PodTarget inner;
  private final KubeObjects objects;
  private final String node;

  private NodeTarget(PodTarget inner, KubeObjects objects, String node) {
    this.inner = inner;
    this.objects = objects;
    this.node = node;
  }

  /** Makes the pod and waits until it runs. @throws ProbeException with what is missing; then nothing stays behind */
  public static NodeTarget open(Cluster cluster, String node, Settings settings) throws ProbeException {
    KubeObjects objects = new KubeObjects(cluster);
    try {
      String name = KubeObjects.NAME + "-node-" + objects.run();
      objects.create(pod(name, node, settings, objects.labels()));
      running(cluster, settings, name, node);
      PodTarget.Address address = new PodTarget.Address(settings.namespace(), name, "node");
      return new NodeTarget(new PodTarget(cluster, address, PodTarget.shortName(node, node), Boundary.HOST, ENTER), objects, node);
    } catch (ProbeException | RuntimeException e) {
      objects.close();
      throw e;
    }
  }

  private static void running(Cluster cluster, Settings settings, String name, String node) throws ProbeException {
    try {
      Pod pod = cluster.client().pods().inNamespace(settings.namespace()).withName(name).waitUntilCondition(
          p -> p == null || p.getStatus() != null && p.getStatus().getPhase() != null && !p.getStatus().getPhase().equals("Pending"), settings.start().toMillis(), TimeUnit.MILLISECONDS);
      if (pod == null || !"Running".equals(pod.getStatus().getPhase())) {
        throw new ProbeException("node " + node + ": the pod did not start" + (pod == null ? ", it was deleted" : " (" + pod.getStatus().getPhase() + PodTarget.reason(pod) + ")"));
      }
    } catch (KubernetesClientTimeoutException e) {
      throw new ProbeException("node " + node + ": the pod does not start within " + settings.start().toSeconds() + " s" + state(cluster, settings, name), e);
    } catch (KubernetesClientException e) {
      throw new ProbeException("node " + node + ": " + (Cluster.code(e) == 403 ? "no permission to get and watch pods in namespace " + settings.namespace() : Cluster.reason(e)), e);
    }
  }

  /** What the API says of a pod that does not start, in brackets; "" when it does not answer either. */
  private static String state(Cluster cluster, Settings settings, String name) {
    try {
      Pod pod = cluster.client().pods().inNamespace(settings.namespace()).withName(name).get();
      return pod == null ? " (it is gone)" : " (Pending" + PodTarget.reason(pod) + unscheduled(pod) + ")";
    } catch (KubernetesClientException e) {
      return "";
    }
  }

  private static String unscheduled(Pod pod) {
    return pod.getStatus() == null || pod.getStatus().getConditions() == null ? ""
        : pod.getStatus().getConditions().stream().filter(c -> "PodScheduled".equals(c.getType()) && "False".equals(c.getStatus())).map(c -> ", " + c.getMessage()).findFirst().orElse("");
  }

  static Pod pod(String name, String node, Settings settings, Map<String, String> labels) {
    return new PodBuilder().withNewMetadata().withName(name).withNamespace(settings.namespace()).withLabels(labels).endMetadata()
        .withSpec(spec(settings, "sleep " + settings.deadline().toSeconds()).toBuilder()
            .withNewAffinity().withNewNodeAffinity().withNewRequiredDuringSchedulingIgnoredDuringExecution().addNewNodeSelectorTerm()
            .addNewMatchField().withKey("metadata.name").withOperator("In").withValues(node).endMatchField()
            .endNodeSelectorTerm().endRequiredDuringSchedulingIgnoredDuringExecution().endNodeAffinity().endAffinity().build())
        .build();
  }

  /** A pod that sees the host as it is and can write nothing of it. */
  static PodSpec spec(Settings settings, String shell) {
    return new PodSpecBuilder()
        .withRestartPolicy("Never").withHostNetwork(true).withHostPID(true).withAutomountServiceAccountToken(false).withTerminationGracePeriodSeconds(0L)
        .withActiveDeadlineSeconds(settings.deadline().toSeconds())
        // Nodes are looked at whatever keeps jobs away from them.
        .addNewToleration().withOperator("Exists").endToleration()
        .addNewContainer().withName("node").withImage(settings.image()).withCommand("/bin/sh", "-c", shell)
        .withNewSecurityContext().withPrivileged(true).withReadOnlyRootFilesystem(true).endSecurityContext()
        .withNewResources().withRequests(Map.of("cpu", new Quantity("50m"), "memory", new Quantity("64Mi"))).withLimits(Map.of("cpu", new Quantity("1"), "memory", new Quantity("1Gi")))
        .endResources()
        .addNewVolumeMount().withName("host").withMountPath(HOST).withReadOnly(true).withRecursiveReadOnly("IfPossible").endVolumeMount()
        // What collects writes its parts somewhere; it is memory of the pod, never the host's disk.
        .addNewVolumeMount().withName("tmp").withMountPath(HOST + "/tmp").endVolumeMount()
        .addNewVolumeMount().withName("tmp").withMountPath("/tmp").endVolumeMount()
        .endContainer()
        .addNewVolume().withName("host").withNewHostPath().withPath("/").endHostPath().endVolume()
        .addNewVolume().withName("tmp").withNewEmptyDir().withMedium("Memory").withSizeLimit(new Quantity("256Mi")).endEmptyDir().endVolume()
        .build();
  }

  @Override
  public String node() {
    return inner.node();
  }

  @Override
  public Boundary boundary() {
    return Boundary.HOST;
  }

  @Override
  public String describe() {
    return "node " + node + " (" + inner.describe() + ")";
  }

  @Override
  public Running start(Command command, OutputStream out) throws ProbeException {
    return inner.start(command, out);
  }

  @Override
  public void close() {
    inner.close();
    objects.close();
  }
}
