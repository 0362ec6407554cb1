package gdrproof.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.kube.MockCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** `gdrproof lint --context` as a user calls it, against a mocked Kubernetes API. */
class LintLiveTest {
  private static final Path JOB = Path.of("fixtures/POD040/silent-offered/job.yaml");
  private static final String NODE = """
      apiVersion: v1
      kind: Node
      metadata: {name: %s}
      status:
        allocatable: {cpu: "128", memory: 1Ti, nvidia.com/gpu: "8", %s: "63"}
        conditions: [{type: Ready, status: "True"}]
      """;
  private static final String SPACE = "apiVersion: v1\nkind: Namespace\nmetadata: {name: ml}\n";
  private static final String QUEUE = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: gpus, namespace: ml}\nspec: {clusterQueue: all}\n";

  @TempDir
  private Path folder;
  private MockCluster cluster;

  @BeforeEach
  void start() {
    cluster = new MockCluster();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private Called lint(Path job, String... more) throws IOException {
    String[] arguments = {"lint", job.toString(), "--context", "mock", "--kubeconfig", cluster.kubeconfig(folder).toString(), "--request-timeout", "30"};
    return Called.run((Object[]) Stream.concat(Stream.of(arguments), Stream.of(more)).toArray(String[]::new));
  }

  private void healthy(String resource) {
    cluster.with(NODE.formatted("gpu-01", resource)).with(NODE.formatted("gpu-02", resource)).with(SPACE).with(QUEUE);
  }

  @Test
  void aJobThatFitsIsClean() throws IOException {
    healthy("rdma/hca_a");
    Called run = lint(JOB, "--fail-on-inconclusive");
    assertEquals(0, run.code(), run.toString());
    assertFalse(run.out().contains("CLU"), run.out());
  }

  @Test
  void aResourceThatNoNodeOffersIsFoundInTheFile() throws IOException {
    healthy("rdma/hca_b");
    Called run = lint(JOB);
    assertEquals(1, run.code(), run.toString());
    assertTrue(run.out().contains("POD040") && run.out().contains("job.yaml:"), run.out());
    assertFalse(run.out().contains("live/"), "findings stand in the files that were given: " + run.out());
  }

  @Test
  void forbiddenNodesLeaveJustTheirChecksOpen() throws IOException {
    cluster.with(SPACE).refusing("/api/v1/nodes?limit=500", 403, "nodes is forbidden");
    Called run = lint(JOB);
    // The queue is missing and that is still found.
    assertEquals(1, run.code(), run.toString());
    assertTrue(run.out().contains("CLU030"), run.out());
    assertTrue(run.out().contains("CLU001") && run.out().contains("the permission list on nodes is missing"), run.out());
    assertFalse(run.out().contains("[POD040"), run.out());
    assertTrue(run.err().contains("nodes: forbidden; the permission list on nodes is missing"), run.err());
  }

  @Test
  void everyForbiddenKindIsNamed() throws IOException {
    cluster.with(QUEUE).refusing("/api/v1/nodes?limit=500", 403, "nodes is forbidden").refusing("/api/v1/namespaces?limit=500", 403, "namespaces is forbidden");
    Called run = lint(JOB);
    assertTrue(run.out().contains("list on nodes is missing") && run.out().contains("list on namespaces is missing"), run.out());
  }

  @Test
  void openChecksAloneAreInconclusive() throws IOException {
    cluster.with(SPACE).with(QUEUE).refusing("/api/v1/nodes?limit=500", 403, "nodes is forbidden");
    assertEquals(0, lint(JOB).code());
    assertEquals(5, lint(JOB, "--fail-on-inconclusive").code());
  }

  @Test
  void aNetworkThatDoesNotExistIsFoundAlsoWithoutTheirCrd() throws IOException {
    healthy("rdma/hca_a");
    cluster.refusing("/apis/k8s.cni.cncf.io/v1/network-attachment-definitions?limit=500", 404, "not found");
    String job = Files.readString(JOB).replace("            app: train\n", "            app: train\n          annotations:\n            k8s.v1.cni.cncf.io/networks: ml/rail-0\n");
    Called run = lint(Files.writeString(folder.resolve("job.yaml"), job));
    assertTrue(run.out().contains("POD120"), run.toString());
  }

  @Test
  void theOlderApiOfQueuesIsAskedToo() throws IOException {
    healthy("rdma/hca_a");
    cluster.refusing("/apis/kueue.x-k8s.io/v1beta2/localqueues?limit=500", 404, "not found");
    cluster.with("apiVersion: kueue.x-k8s.io/v1beta1\nkind: LocalQueue\nmetadata: {name: other, namespace: ml}\nspec: {clusterQueue: all}\n");
    Called run = lint(JOB);
    assertTrue(run.out().contains("CLU030"), run.toString());
  }

  @Test
  void withoutAClusterNothingOfItIsJudged() {
    StringWriter out = new StringWriter();
    int code = Main.run(new PrintWriter(out), new PrintWriter(new StringWriter()), "lint", JOB.toString());
    assertEquals(0, code);
    assertFalse(out.toString().contains("CLU"), out.toString());
  }

  @Test
  void anUnreachableClusterIsNoVerdict() throws IOException {
    StringWriter err = new StringWriter();
    int code = Main.run(new PrintWriter(new StringWriter()), new PrintWriter(err), "lint", JOB.toString(), "--context", "mock", "--kubeconfig",
        MockCluster.kubeconfig(folder, "http://127.0.0.1:1/").toString());
    assertEquals(4, code);
    assertTrue(err.toString().contains("cannot be reached"), err.toString());
  }
}
