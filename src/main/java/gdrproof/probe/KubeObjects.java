package gdrproof.probe;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Objects that gdrproof makes in a cluster. All carry the same labels, so that those of a run that was killed are found and removed later; a shutdown hook removes
 * them after Ctrl-C. Nothing without these labels is ever deleted.
 */
public final class KubeObjects implements AutoCloseable {
  public static final String MANAGED = "app.kubernetes.io/managed-by";
  public static final String NAME = "gdrproof";
  public static final String RUN = "gdrproof.io/run";
  public static final String OWNER = "gdrproof.io/owner";

  private final Cluster cluster;
  private final String run = HexFormat.of().formatHex(new SecureRandom().generateSeed(4));
  private final Set<Made> made = ConcurrentHashMap.newKeySet();
  private final Thread hook = new Thread(this::remove, "gdrproof-cleanup");

  /** An object that stands in the cluster. */
  private record Made(String kind, String namespace, String name) {}

  public KubeObjects(Cluster cluster) {
    this.cluster = cluster;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Id of this run, part of all names and labels. */
  public String run() {
    return run;
  }

  Map<String, String> labels() {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put(MANAGED, NAME);
    labels.put(RUN, run);
    labels.put(OWNER, owner());
    return labels;
  }

  /** Who runs this, fit for a label: user and machine, so that a clean-up leaves other people's runs alone. */
  static String owner() {
    String text = (System.getProperty("user.name") + "." + LocalTarget.hostName()).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.-]", "-").replaceAll("^[^a-z0-9]+", "");
    return (text.length() > 60 ? text.substring(0, 60) : text).replaceAll("[^a-z0-9]+$", "");
  }

  /** Creates an object; it is remembered before the API is asked, since an answer may get lost. */
  Pod create(Pod pod) throws ProbeException {
    remember("Pod", pod);
    try {
      return cluster.client().pods().inNamespace(pod.getMetadata().getNamespace()).resource(pod).create();
    } catch (KubernetesClientException e) {
      throw refusal(e, "pods", pod);
    }
  }

  Job create(Job job) throws ProbeException {
    remember("Job", job);
    try {
      return cluster.client().batch().v1().jobs().inNamespace(job.getMetadata().getNamespace()).resource(job).create();
    } catch (KubernetesClientException e) {
      throw refusal(e, "jobs.batch", job);
    }
  }

  private void remember(String kind, HasMetadata object) {
    made.add(new Made(kind, object.getMetadata().getNamespace(), object.getMetadata().getName()));
  }

  private ProbeException refusal(KubernetesClientException e, String resource, HasMetadata object) {
    made.removeIf(m -> Cluster.answered(e) && m.name().equals(object.getMetadata().getName()));
    String namespace = object.getMetadata().getNamespace();
    String said = e.getStatus() == null ? String.valueOf(e.getMessage()) : String.valueOf(e.getStatus().getMessage());
    if (said.contains("violates PodSecurity")) {
      return new ProbeException("namespace " + namespace + " does not admit the pod: " + said + "; use a namespace whose pod-security.kubernetes.io/enforce is privileged (--kube-namespace)", e);
    }
    return Cluster.refused(e) ? new ProbeException("no permission to create " + resource + " in namespace " + namespace + " (needed: create, get, delete on it)", e)
        : new ProbeException("namespace " + namespace + ": " + Cluster.reason(e), e);
  }

  /** Removes what this run made; tries again while the API restarts. Returns what could not be removed. */
  public List<String> remove() {
    List<String> left = new ArrayList<>();
    for (Made each : List.copyOf(made)) {
      String problem = "";
      for (int attempt = 0; attempt < 4; attempt++) {
        problem = delete(cluster.client(), each);
        if (problem.isEmpty()) {
          made.remove(each);
          break;
        }
        if (!pause(250L << attempt)) {
          break;
        }
      }
      if (!problem.isEmpty()) {
        left.add(each.kind() + " " + each.namespace() + "/" + each.name() + ": " + problem);
      }
    }
    return left;
  }

  private static boolean pause(long millis) {
    try {
      Thread.sleep(millis);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static String delete(KubernetesClient client, Made each) {
    try {
      if (each.kind().equals("Job")) {
        client.batch().v1().jobs().inNamespace(each.namespace()).withName(each.name()).withPropagationPolicy(io.fabric8.kubernetes.api.model.DeletionPropagation.BACKGROUND).delete();
      } else {
        client.pods().inNamespace(each.namespace()).withName(each.name()).withGracePeriod(0).delete();
      }
      return "";
    } catch (KubernetesClientException e) {
      return e.getCode() == 404 ? "" : Cluster.reason(e);
    }
  }

  /**
   * What a clean-up did.
   *
   * @param removed objects, `Pod train/gdrproof-node-1a2b`
   * @param left objects that could not be removed, and kinds that could not be listed, with the reason
   */
  public record Cleanup(List<String> removed, List<String> left) {}

  /**
   * Removes objects that runs before left in the cluster.
   *
   * @param namespace where to look; "" for everywhere
   * @param everybody also those that other users' runs made
   */
  public static Cleanup cleanup(Cluster cluster, String namespace, boolean everybody) {
    Map<String, String> wanted = new LinkedHashMap<>();
    wanted.put(MANAGED, NAME);
    if (!everybody) {
      wanted.put(OWNER, owner());
    }
    List<Made> found = new ArrayList<>();
    List<String> left = new ArrayList<>();
    KubernetesClient client = cluster.client();
    try {
      var jobs = client.batch().v1().jobs();
      (namespace.isEmpty() ? jobs.inAnyNamespace().withLabels(wanted).list() : jobs.inNamespace(namespace).withLabels(wanted).list()).getItems().forEach(j -> found.add(made("Job", j)));
    } catch (KubernetesClientException e) {
      left.add("jobs.batch: " + listing(e, "jobs.batch", namespace));
    }
    try {
      (namespace.isEmpty() ? client.pods().inAnyNamespace().withLabels(wanted).list() : client.pods().inNamespace(namespace).withLabels(wanted).list()).getItems().forEach(p -> found.add(made("Pod", p)));
    } catch (KubernetesClientException e) {
      left.add("pods: " + listing(e, "pods", namespace));
    }
    List<String> removed = new ArrayList<>();
    for (Made each : found) {
      String name = each.kind() + " " + each.namespace() + "/" + each.name();
      String problem = delete(client, each);
      if (problem.isEmpty()) {
        removed.add(name);
      } else {
        left.add(name + ": " + problem);
      }
    }
    return new Cleanup(removed, left);
  }

  private static String listing(KubernetesClientException e, String resource, String namespace) {
    return Cluster.refused(e) ? "no permission to list " + resource + (namespace.isEmpty() ? " in all namespaces; name one with --kube-namespace" : " in namespace " + namespace) : Cluster.reason(e);
  }

  private static Made made(String kind, HasMetadata object) {
    return new Made(kind, object.getMetadata().getNamespace(), object.getMetadata().getName());
  }

  @Override
  public void close() {
    remove();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending, and the hook runs now.
      return;
    }
  }
}
