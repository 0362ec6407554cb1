package gdrproof.cli;

import gdrproof.probe.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that name places in a Kubernetes cluster. Nothing here loads the Kubernetes client before a place is named. */
final class ClusterTargets {
  @Mixin
  private ClusterOptions cluster = new ClusterOptions();

  @Option(names = "--pod", paramLabel = "NS/POD[/CONTAINER]", split = ",", description = "the job's own container, through exec; several with commas or repeated")
  private List<String> pods = new ArrayList<>();

  @Option(names = "--k8s-node", paramLabel = "NAME", split = ",", description = "a node, through a short-lived privileged pod that mounts the host read only and is removed at the end")
  private List<String> nodes = new ArrayList<>();

  @Option(names = "--kube-namespace", paramLabel = "NS", description = "namespace for pods of our own (default: the context's); it must admit privileged pods")
  private String namespace = "";

  @Option(names = "--node-image", paramLabel = "IMAGE", description = "image of pods on nodes: any with a shell and chroot (default: ${DEFAULT-VALUE})")
  private String image = "busybox:1.36.1";

  @Option(names = "--allow-debug-container", description = "where the job's image has no shell, add an ephemeral container: it cannot be removed and proves nothing of the job's devices, shm or limits")
  private boolean debug;

  @Option(names = "--every-node", paramLabel = "IMAGE", description = "facts of many nodes at once by an Indexed Job, one pod a node (those of --k8s-node, else every node with GPUs); IMAGE holds gdrproof")
  private String everyNode = "";

  /** Whether a place in a cluster was named. */
  boolean given() {
    return !pods.isEmpty() || !nodes.isEmpty();
  }

  List<String> pods() {
    return pods;
  }

  List<String> nodes() {
    return nodes;
  }

  String namespace() {
    return namespace;
  }

  String image() {
    return image;
  }

  /** Image of the pods that collect on many nodes, "" where that was not asked for. */
  String everyNode() {
    return everyNode;
  }

  boolean debug() {
    return debug;
  }

  ClusterOptions cluster() {
    return cluster;
  }

  /**
   * Opens what was named.
   *
   * @param failed gets word by word why not
   * @throws IllegalArgumentException for a word that is no pod
   */
  List<Target> open(Map<String, String> failed) {
    return given() ? ClusterLive.open(this, failed) : List.of();
  }
}
