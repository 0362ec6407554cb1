package gdrproof.probe;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Collection on many nodes at once: an Indexed Job with one pod a node, each of which collects its node, reads what it collected on the spot and prints facts as JSON
 * Lines. Kubernetes does the work; here it is only submitted, watched, and its answers are kept, one file a node. No log of a thousand nodes is ever copied.
 */
public final class NodeJob {
  /** Last line of a pod's answer: a log that was cut on its way lacks it. */
  static final String END = "#gdrproof-end";
  private static final int POD_FAILURES = 0;
  private static final int KEEP_SECONDS = 600;

  /**
   * What is to be done.
   *
   * @param nodes names of the nodes
   * @param settings namespace, image (with gdrproof in it), deadline of the job
   */
  public record Order(List<String> nodes, NodeTarget.Settings settings) {
    public Order {
      nodes = nodes.stream().distinct().sorted().toList();
    }
  }

  /**
   * What came back.
   *
   * @param files answers by node, JSON Lines
   * @param missing nodes without an answer, with the reason
   * @param left objects that could not be removed
   */
  public record Result(Map<String, Path> files, Map<String, String> missing, List<String> left) {}

  private final Cluster cluster;
  private final Order order;
  private final Path out;
  private final Consumer<String> progress;
  private final Map<String, Path> files = new TreeMap<>();
  private final Map<String, String> missing = new TreeMap<>();
  private final Map<String, String> lastSeen = new TreeMap<>();

  private NodeJob(Cluster cluster, Order order, Path out, Consumer<String> progress) {
    this.cluster = cluster;
    this.order = order;
    this.out = out;
    this.progress = progress;
  }

  /**
   * Runs the job to its end and removes it, also when this process is told to stop.
   *
   * @param out folder for the answers
   * @throws ProbeException if the job may not be created or the API cannot be reached
   */
  public static Result run(Cluster cluster, Order order, Path out, Consumer<String> progress) throws IOException, InterruptedException {
    Files.createDirectories(out);
    KubeObjects objects = new KubeObjects(cluster);
    NodeJob job = new NodeJob(cluster, order, out, progress);
    List<String> left;
    try {
      job.watch(objects);
    } finally {
      left = objects.remove();
      objects.close();
    }
    return new Result(job.files, job.missing, left);
  }

  static Job job(Order order, String run, Map<String, String> labels) {
    String name = KubeObjects.NAME + "-nodes-" + run;
    PodSpec spec = NodeTarget.spec(order.settings(), script()).toBuilder()
        // The job's own deadline counts for all; each pod keeps it too, should the job be gone.
        .withNewAffinity()
        .withNewNodeAffinity().withNewRequiredDuringSchedulingIgnoredDuringExecution().addNewNodeSelectorTerm().addNewMatchExpression().withKey("kubernetes.io/hostname").withOperator("In")
        .withValues(order.nodes()).endMatchExpression().endNodeSelectorTerm().endRequiredDuringSchedulingIgnoredDuringExecution().endNodeAffinity()
        .withNewPodAntiAffinity().addNewRequiredDuringSchedulingIgnoredDuringExecution().withTopologyKey("kubernetes.io/hostname").withNewLabelSelector().withMatchLabels(Map.of(KubeObjects.RUN, run))
        .endLabelSelector().endRequiredDuringSchedulingIgnoredDuringExecution().endPodAntiAffinity()
        .endAffinity().build();
    int size = order.nodes().size();
    return new JobBuilder().withNewMetadata().withName(name).withNamespace(order.settings().namespace()).withLabels(labels).endMetadata()
        .withNewSpec().withCompletionMode("Indexed").withCompletions(size).withParallelism(size).withBackoffLimitPerIndex(POD_FAILURES).withMaxFailedIndexes(size)
        .withActiveDeadlineSeconds(order.settings().deadline().toSeconds())
        // Should nobody come back for it, the cluster removes it by itself.
        .withTtlSecondsAfterFinished(KEEP_SECONDS)
        .withTemplate(new PodTemplateSpecBuilder().withNewMetadata().withLabels(labels).endMetadata().withSpec(spec).build())
        .endSpec().build();
  }

  /** The collecting script runs in the host's file system; what it prints is read here, in the image that has Java. */
  private static String script() {
    return "set -e; cd /tmp; HOME=/tmp; export HOME; gdrproof collect --script | " + NodeTarget.ENTER + " /bin/sh -s -- -o - | gdrproof facts -; echo '" + END + "'";
  }

  private void watch(KubeObjects objects) throws IOException, InterruptedException {
    String namespace = order.settings().namespace();
    BlockingQueue<Pod> events = new LinkedBlockingQueue<>();
    order.nodes().forEach(node -> lastSeen.put(node, "no pod was started there"));
    objects.create(job(order, objects.run(), objects.labels()));
    long end = System.nanoTime() + order.settings().deadline().plus(order.settings().start()).toNanos();
    try (SharedIndexInformer<Pod> informer = cluster.client().pods().inNamespace(namespace).withLabel(KubeObjects.RUN, objects.run()).inform(new ResourceEventHandler<Pod>() {
      @Override
      public void onAdd(Pod pod) {
        events.add(pod);
      }

      @Override
      public void onUpdate(Pod before, Pod after) {
        events.add(after);
      }

      @Override
      public void onDelete(Pod pod, boolean unknown) {
        events.add(pod);
      }
    })) {
      while (files.size() + missing.size() < order.nodes().size()) {
        Pod pod = events.poll(Math.max(1, end - System.nanoTime()), TimeUnit.NANOSECONDS);
        if (pod == null) {
          break;
        }
        seen(namespace, pod);
      }
    } catch (KubernetesClientException e) {
      throw new ProbeException("watching pods in namespace " + namespace + ": " + (Cluster.code(e) == 403 ? "no permission to list and watch pods" : Cluster.reason(e)), e);
    }
    lastSeen.forEach((node, state) -> {
      if (!files.containsKey(node)) {
        missing.putIfAbsent(node, "not finished in time: " + state);
      }
    });
  }

  private void seen(String namespace, Pod pod) throws IOException {
    String node = pod.getSpec().getNodeName();
    if (node == null || files.containsKey(node)) {
      return;
    }
    String phase = pod.getStatus() == null ? "Pending" : String.valueOf(pod.getStatus().getPhase());
    lastSeen.put(node, phase + PodTarget.reason(pod));
    if (phase.equals("Succeeded")) {
      answer(namespace, pod, node);
    } else if (phase.equals("Failed")) {
      missing.put(node, "the pod failed" + PodTarget.reason(pod));
      progress.accept(node + ": failed" + PodTarget.reason(pod));
    } else if (pod.getMetadata().getDeletionTimestamp() != null) {
      missing.put(node, "the pod was deleted in mid-run" + PodTarget.reason(pod));
    }
  }

  /** Streams a pod's answer into its file; one that was cut is no answer. */
  private void answer(String namespace, Pod pod, String node) throws IOException {
    String file = PodTarget.shortName(node, node) + ".facts.jsonl";
    Path part = out.resolve("." + file + ".part");
    try (InputStream log = cluster.client().pods().inNamespace(namespace).withName(pod.getMetadata().getName()).getLogInputStream()) {
      Files.copy(log, part, StandardCopyOption.REPLACE_EXISTING);
    } catch (KubernetesClientException e) {
      missing.put(node, Cluster.code(e) == 403 ? "no permission to get pods/log in namespace " + namespace : "its answer cannot be read: " + Cluster.reason(e));
      Files.deleteIfExists(part);
      return;
    }
    if (!whole(part)) {
      missing.put(node, "its answer was cut: the log lacks its last line");
      Files.deleteIfExists(part);
      return;
    }
    files.put(node, Files.move(part, out.resolve(file), StandardCopyOption.REPLACE_EXISTING));
    missing.remove(node);
    progress.accept(node + ": " + files.size() + " of " + order.nodes().size());
  }

  /** Whether the end mark is there; the lines behind the facts are taken away. */
  private static boolean whole(Path part) throws IOException {
    Path clean = part.resolveSibling(part.getFileName() + ".clean");
    boolean ended = false;
    try (var lines = Files.lines(part); var writer = Files.newBufferedWriter(clean)) {
      for (String line : (Iterable<String>) lines::iterator) {
        ended = line.strip().equals(END);
        if (line.startsWith("{")) {
          writer.write(line);
          writer.newLine();
        }
      }
    }
    Files.move(clean, part, StandardCopyOption.REPLACE_EXISTING);
    return ended;
  }

  /** Names of nodes that offer GPUs, by what the API lists. */
  public static List<String> gpuNodes(Cluster cluster) throws ProbeException {
    try {
      List<String> names = new ArrayList<>();
      cluster.client().nodes().list().getItems().forEach(node -> {
        if (node.getStatus() != null && node.getStatus().getCapacity() != null && node.getStatus().getCapacity().keySet().stream().anyMatch(r -> r.startsWith("nvidia.com/gpu"))) {
          names.add(node.getMetadata().getName());
        }
      });
      return names;
    } catch (KubernetesClientException e) {
      throw new ProbeException("nodes: " + (Cluster.code(e) == 403 ? "no permission to list nodes; name them" : Cluster.reason(e)), e);
    }
  }
}
