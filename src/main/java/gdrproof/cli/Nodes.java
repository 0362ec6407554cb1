package gdrproof.cli;

import gdrproof.probe.LocalTarget;
import gdrproof.probe.ProbeException;
import gdrproof.probe.SrunTarget;
import gdrproof.probe.SshTarget;
import gdrproof.probe.Target;
import gdrproof.probe.Targets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that name nodes, shared by the commands that go there. */
final class Nodes {
  private static final int AT_A_TIME = 16;

  @Option(names = {"--node", "--targets"}, paramLabel = "NODE", split = ",(?![^\\[]*\\])", description = "HOST, [ssh:]USER@HOST[:PORT], srun:NODE or local, NAME=WORD where the evidence has another name for it; lists like gpu[01-04]; several with commas or repeated (default: this machine, or every node of the Slurm allocation)")
  private List<String> words = new ArrayList<>();

  @Option(names = "--ssh-key", paramLabel = "FILE", description = "private key (default: the agent, then the usual ones of ~/.ssh)")
  private List<Path> keys = new ArrayList<>();

  @Option(names = "--known-hosts", paramLabel = "FILE", description = "host keys that are trusted (default: ~/.ssh/known_hosts and /etc/ssh/ssh_known_hosts)")
  private List<Path> knownHosts = new ArrayList<>();

  @Mixin
  private ClusterTargets cluster = new ClusterTargets();

  /**
   * What the options name.
   *
   * @param targets open
   * @param failed word by word why not
   */
  record Opened(List<Target> targets, Map<String, String> failed) implements AutoCloseable {
    @Override
    public void close() {
      targets.forEach(Target::close);
    }
  }

  /** @throws IllegalArgumentException for a word that is no node */
  Opened open() throws InterruptedException {
    List<String> all = new ArrayList<>(Targets.expand(words));
    Map<String, String> failed = new LinkedHashMap<>();
    List<Target> inCluster = cluster.open(failed);
    if (all.isEmpty() && cluster.given()) {
      return new Opened(inCluster, failed);
    }
    if (all.isEmpty()) {
      List<String> allotted = SrunTarget.available() ? SrunTarget.nodes(System.getenv("SLURM_JOB_NODELIST")) : List.of();
      if (allotted.size() > 1 || allotted.size() == 1 && !allotted.get(0).startsWith(LocalTarget.hostName())) {
        allotted.forEach(node -> all.add("srun:" + node));
      } else {
        all.add("local");
      }
    }
    SshTarget.Access access = SshTarget.Access.usual(knownHosts, keys);
    Map<String, Future<Target>> opening = new LinkedHashMap<>();
    ExecutorService pool = Executors.newFixedThreadPool(Math.min(AT_A_TIME, all.size()));
    try {
      all.stream().distinct().forEach(word -> opening.put(word, pool.submit((Callable<Target>) () -> Targets.open(word, access))));
      List<Target> targets = new ArrayList<>(inCluster);
      for (Map.Entry<String, Future<Target>> each : opening.entrySet()) {
        try {
          targets.add(each.getValue().get());
        } catch (ExecutionException e) {
          failed.put(each.getKey(), e.getCause() instanceof ProbeException ? e.getCause().getMessage() : String.valueOf(e.getCause()));
        }
      }
      return new Opened(targets, failed);
    } finally {
      pool.shutdown();
    }
  }

  /** @throws IllegalArgumentException for a word that is no node */
  void check() {
    Targets.expand(words);
  }

  boolean named() {
    return !words.isEmpty() || cluster.given();
  }

  /** Places in a Kubernetes cluster. */
  ClusterTargets cluster() {
    return cluster;
  }
}
