package gdrproof.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.bundle.Bundle;
import gdrproof.collect.Collectors;
import gdrproof.facts.Host.Limit;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Meta.Looked;
import gdrproof.facts.Meta.Unread;
import gdrproof.kube.MockCluster;
import io.fabric8.kubernetes.api.model.EphemeralContainer;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** `gdrproof collect` in a cluster as a user calls it, against a mocked Kubernetes API. */
class CollectClusterTest {
  @TempDir
  private Path folder;
  private MockCluster cluster;

  private record Run(int code, String err) {}

  @BeforeEach
  void start() {
    cluster = new MockCluster();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private Run collect(String... arguments) throws IOException {
    StringWriter err = new StringWriter();
    String[] all = Stream.concat(Stream.of("collect"), Stream.concat(Stream.of(arguments), Stream.of("--context", "mock", "--kubeconfig", cluster.kubeconfig(folder).toString()))).toArray(String[]::new);
    int code = Main.run(new PrintWriter(new StringWriter()), new PrintWriter(err), all);
    return new Run(code, err.toString());
  }

  @Test
  void aPodsOwnContainerIsCollectedFrom() throws IOException {
    cluster.client().pods().inNamespace("train").resource(new PodBuilder().withNewMetadata().withName("worker-0").withNamespace("train").endMetadata().withNewSpec().withNodeName("gpu-01")
        .addNewContainer().withName("pytorch").endContainer().endSpec().withNewStatus().withPhase("Running").endStatus().build()).create();
    cluster.answering("worker-0", "pytorch", 0, "shell-works\n");
    cluster.with("apiVersion: v1\nkind: Namespace\nmetadata: {name: secret-customer}\n").with("apiVersion: v1\nkind: ResourceQuota\nmetadata: {name: secret-quota, namespace: secret-customer}\nspec: {hard: {pods: \"5\"}}\n");
    Path out = folder.resolve("out");
    Run run = collect(out.toString(), "--pod", "train/worker-0", "--only", "limits");
    assertTrue(cluster.commands().stream().anyMatch(c -> c.contains("/bin/sh")), "a shell was started in the container: " + run);
    try (Stream<Path> files = Files.walk(out)) {
      String names = String.join("\n", files.map(Path::toString).toList());
      assertTrue(names.contains("gpu-01"), names + run);
      String quotas = Files.readString(out.resolve("kube/resourcequotas.yaml")) + Files.readString(out.resolve("kube/namespaces.yaml"));
      assertTrue(quotas.contains("tenant-1") && !quotas.contains("secret"), "names of other tenants are covered: " + quotas);
    }
  }

  /** Through a connection whose other end is a real shell: what is sent is what a shell reads, and the address stays short, whatever the script. */
  @Test
  void aRealShellRunsTheProbesOfAPod() throws IOException {
    cluster.client().pods().inNamespace("train").resource(new PodBuilder().withNewMetadata().withName("worker-0").withNamespace("train").endMetadata().withNewSpec().withNodeName("gpu-01")
        .addNewContainer().withName("pytorch").endContainer().endSpec().withNewStatus().withPhase("Running").endStatus().build()).create();
    cluster.executing("worker-0", "pytorch");
    Path out = folder.resolve("out");
    Run run = collect(out.toString(), "--pod", "train/worker-0", "--only", "limits,self-status,meminfo,ofed");
    assertEquals(0, run.code(), run.toString());
    Ledger ledger = Collectors.read(Bundle.open(out));
    assertTrue(ledger.facts().stream().anyMatch(f -> f instanceof Limit l && l.node().equals("gpu-01")), ledger.facts()::toString);
    assertTrue(ledger.all(Unread.class).stream().anyMatch(u -> u.reason().contains("ofed_info is not installed")), ledger.all(Unread.class)::toString);
    assertTrue(cluster.commands().stream().allMatch(c -> c.length() < 1000), "proxies refuse long addresses");
  }

  @Test
  void aPodThatIsNotThereIsSaid() throws IOException {
    Run run = collect(folder.resolve("out").toString(), "--pod", "train/nobody", "--only", "limits");
    assertEquals(4, run.code(), run.toString());
    assertTrue(run.err().contains("pod train/nobody: no such pod"), run.err());
  }

  /** What a debug container prints of itself would read like the job's: its 64 KiB of locked memory, its lack of devices. */
  @Test
  void aDebugContainerIsAddedOnceNamedAndNeverSpeaksForTheJob() throws IOException {
    cluster.client().pods().inNamespace("train").resource(new PodBuilder().withNewMetadata().withName("worker-0").withNamespace("train").endMetadata().withNewSpec().withNodeName("gpu-01")
        .addNewContainer().withName("pytorch").endContainer().endSpec().withNewStatus().withPhase("Running").endStatus().build()).create();
    cluster.answering("worker-0", "pytorch", 126, "exec: \"/bin/sh\": stat /bin/sh: no such file or directory\n");
    Path out = folder.resolve("out");
    Run refused = collect(out.toString(), "--pod", "train/worker-0");
    assertEquals(4, refused.code(), refused.toString());
    assertEquals(0, ephemeral().size(), "nothing is added without leave");
    Thread kubelet = cluster.startsEphemeral("train", "worker-0", "END\nshell-works\nMemTotal:       2113462396 kB\nMemAvailable:   2013462396 kB\nEND\n");
    Run run = collect(out.toString(), "--pod", "train/worker-0", "--allow-debug-container", "--node-image", "registry.example/tools:1");
    kubelet.interrupt();
    assertEquals(1, ephemeral().size(), run.toString());
    assertEquals("registry.example/tools:1", ephemeral().get(0).getImage());
    String name = ephemeral().get(0).getName();
    assertTrue(run.err().contains("container " + name + ": an ephemeral container cannot be removed"), run.err());
    Path own = out.resolve("gpu-01/debug-container");
    assertTrue(Files.exists(own.resolve("meminfo.txt")), run.err());
    assertTrue(Files.readString(own.resolve("meminfo.txt")).contains("host=gpu-01 boundary=debug-container"), run.err());
    for (String probe : List.of("limits", "self-status", "shm", "dev-infiniband", "dev-nvidia", "mounts", "sys-class", "environment", "libraries", "ibv-devinfo", "job-limits")) {
      assertFalse(Files.exists(own.resolve(probe + ".txt")), probe);
    }
    Ledger ledger = Collectors.read(Bundle.open(out));
    assertTrue(ledger.facts().stream().noneMatch(f -> f instanceof Limit || f instanceof Looked l && l.kind().equals(Kind.RDMA_DEVICE_NODES)), ledger.facts()::toString);
    assertTrue(ledger.all(Unread.class).stream().anyMatch(u -> u.reason().contains("ephemeral container has devices")), ledger.all(Unread.class)::toString);
  }

  private List<EphemeralContainer> ephemeral() {
    return cluster.client().pods().inNamespace("train").withName("worker-0").get().getSpec().getEphemeralContainers();
  }

  @Test
  void factsOfManyNodesComeBackAndCleanUpFindsNothing() throws IOException {
    String fact = "{\"v\":1,\"type\":\"GpuCount\",\"fact\":{\"node\":\"gpu-01\",\"gpus\":8},\"evidence\":[]}\n";
    Thread controllers = cluster.runsJobs("train", Map.of("gpu-01", "Succeeded"), Map.of("gpu-01", fact + "#gdrproof-end\n"));
    Path out = folder.resolve("facts");
    Run run = collect(out.toString(), "--every-node", "registry.example/gdrproof:0.1.0", "--k8s-node", "gpu-01");
    controllers.interrupt();
    assertEquals(0, run.code(), run.toString());
    assertEquals(fact, Files.readString(out.resolve("gpu-01.facts.jsonl")));
    Run cleanup = collect(folder.resolve("none").toString(), "--cleanup");
    assertEquals(0, cleanup.code(), cleanup.toString());
    assertTrue(cleanup.err().contains("nothing of ours is left") || cleanup.err().contains("removed Pod"), cleanup.err());
  }
}
