package gdrproof.cli;

import gdrproof.probe.Cluster;
import gdrproof.probe.DebugTarget;
import gdrproof.probe.KubeObjects;
import gdrproof.probe.LiveObjects;
import gdrproof.probe.NodeJob;
import gdrproof.probe.NodeTarget;
import gdrproof.probe.PodTarget.Address;
import gdrproof.probe.ProbeException;
import gdrproof.probe.Target;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** What commands do in a cluster. A class of its own, so that no other command loads the Kubernetes client. */
final class ClusterLive {
  private static final Duration DEADLINE = Duration.ofMinutes(30);
  private static final Duration START = Duration.ofMinutes(2);

  private ClusterLive() {}

  static List<Target> open(ClusterTargets options, Map<String, String> failed) {
    List<Address> addresses = options.pods().stream().map(Address::parse).toList();
    List<Target> targets = new ArrayList<>();
    Cluster cluster;
    try {
      cluster = Cluster.open(options.cluster().access());
    } catch (ProbeException e) {
      failed.put("the cluster", e.getMessage());
      return targets;
    }
    Shared shared = new Shared(cluster);
    for (Address address : addresses) {
      open(address.toString(), () -> DebugTarget.open(cluster, address, options.debug() ? options.image() : ""), shared, targets, failed);
    }
    String namespace = options.namespace().isEmpty() ? cluster.namespace() : options.namespace();
    for (String node : options.nodes()) {
      open("node " + node, () -> NodeTarget.open(cluster, node, new NodeTarget.Settings(namespace, options.image(), DEADLINE, START)), shared, targets, failed);
    }
    shared.opened();
    return targets;
  }

  @FunctionalInterface
  private interface Opening {
    Target open() throws ProbeException;
  }

  private static void open(String word, Opening opening, Shared shared, List<Target> targets, Map<String, String> failed) {
    try {
      targets.add(shared.hold(opening.open()));
    } catch (ProbeException e) {
      failed.put(word, e.getMessage());
    }
  }

  /** The connection that targets share; the last one to close closes it. */
  private static final class Shared {
    private final Cluster cluster;
    private int held = 1;

    Shared(Cluster cluster) {
      this.cluster = cluster;
    }

    synchronized Target hold(Target target) {
      held++;
      return new Held(target, this);
    }

    synchronized void opened() {
      if (--held == 0) {
        cluster.close();
      }
    }
  }

  private record Held(Target inner, Shared shared) implements Target {
    @Override
    public String node() {
      return inner.node();
    }

    @Override
    public Boundary boundary() {
      return inner.boundary();
    }

    @Override
    public String describe() {
      return inner.describe();
    }

    @Override
    public Running start(Command command, OutputStream out) throws ProbeException {
      return inner.start(command, out);
    }

    @Override
    public void close() {
      inner.close();
      shared.opened();
    }
  }

  /** Objects of the cluster into a bundle, from the same context as the targets; returns what could not be read. */
  static List<String> objects(ClusterTargets options, Path out) throws IOException {
    Set<String> scope = new TreeSet<>();
    options.pods().forEach(pod -> scope.add(Address.parse(pod).namespace()));
    Files.createDirectories(out.resolve("kube"));
    LiveObjects.Read read = LiveObjects.scoped(options.cluster().access(), List.of("lint", "live"), scope);
    for (Map.Entry<String, String> file : read.asBundle().entrySet()) {
      Files.writeString(out.resolve("kube").resolve(file.getKey().substring("live/".length())), file.getValue());
    }
    return read.unread();
  }

  /** What stays in the cluster after a collection, for the person who reads the end of it. */
  static List<String> remains(List<Target> targets) {
    return targets.stream().map(t -> t instanceof Held held ? DebugTarget.remains(held.inner()) : "").filter(r -> !r.isEmpty()).toList();
  }

  /** Facts of many nodes by one Job; returns whether every node answered. */
  static boolean everyNode(ClusterTargets options, List<String> names, String image, Path out, PrintWriter err) throws IOException, InterruptedException {
    try (Cluster cluster = Cluster.open(options.cluster().access())) {
      List<String> nodes = names.isEmpty() ? NodeJob.gpuNodes(cluster) : names;
      if (nodes.isEmpty()) {
        throw new ProbeException("no node of the cluster offers GPUs; name nodes");
      }
      String namespace = options.namespace().isEmpty() ? cluster.namespace() : options.namespace();
      NodeJob.Result result = NodeJob.run(cluster, new NodeJob.Order(nodes, new NodeTarget.Settings(namespace, image, DEADLINE, START)), out, line -> err.println("gdrproof: " + line));
      result.missing().forEach((node, why) -> err.println("gdrproof: " + node + ": " + why));
      result.left().forEach(left -> err.println("gdrproof: could not be removed: " + left + "; later: gdrproof collect --cleanup --context"));
      return result.missing().isEmpty();
    }
  }

  /** Removes what killed runs left; returns whether nothing stays. */
  static boolean cleanup(ClusterTargets options, PrintWriter err) throws IOException {
    try (Cluster cluster = Cluster.open(options.cluster().access())) {
      KubeObjects.Cleanup cleanup = KubeObjects.cleanup(cluster, options.namespace(), false);
      cleanup.removed().forEach(removed -> err.println("gdrproof: removed " + removed));
      cleanup.left().forEach(left -> err.println("gdrproof: not removed: " + left));
      if (cleanup.removed().isEmpty() && cleanup.left().isEmpty()) {
        err.println("gdrproof: nothing of ours is left in the cluster");
      }
      return cleanup.left().isEmpty();
    }
  }
}
