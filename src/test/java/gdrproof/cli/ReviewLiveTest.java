package gdrproof.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.kube.MockCluster;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** `gdrproof review --context` as a user calls it, against a mocked Kubernetes API. */
class ReviewLiveTest {
  private static final String POLICY = """
      apiVersion: mellanox.com/v1alpha1
      kind: NicClusterPolicy
      metadata:
        name: nic-cluster-policy
      spec:
        ofedDriver:
          image: doca-driver
          repository: nvcr.io/nvidia/mellanox
          version: 25.04-0.6.1.0-2
          upgradePolicy: {autoUpgrade: true, maxParallelUpgrades: 1}
        rdmaSharedDevicePlugin:
          image: k8s-rdma-shared-dev-plugin
          repository: nvcr.io/nvidia/mellanox
          version: network-operator-v25.7.0
          config: |
            {"configList": [{"resourceName": "rdma_a", "rdmaHcaMax": 63, "selectors": {"ifNames": ["ens1f0"]}}]}
      """;
  /** What the server and controllers add to it. */
  private static final String NOISE = POLICY.replace("  name: nic-cluster-policy\n", """
        name: nic-cluster-policy
        uid: 1b0a
        resourceVersion: "4711"
        generation: 3
        creationTimestamp: "2026-01-01T00:00:00Z"
        labels: {app.kubernetes.io/managed-by: Helm}
        managedFields:
        - {manager: helm, operation: Update, apiVersion: mellanox.com/v1alpha1, fieldsType: FieldsV1, fieldsV1: {"f:spec": {}}}
      """.indent(0)) + "status:\n  state: ready\n  appliedStates: [{name: state-OFED, state: ready}]\n";

  @TempDir
  private Path folder;
  private MockCluster cluster;
  /** Longest wait for an answer: long on a busy machine, short where lateness itself is tested. */
  private int seconds = 30;

  @BeforeEach
  void start() {
    cluster = new MockCluster();
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private Called review(String after, String... more) throws IOException {
    return review(cluster.kubeconfig(folder), after, more);
  }

  private Called review(Path kubeconfig, String after, String... more) throws IOException {
    Path file = Files.writeString(folder.resolve("after.yaml"), after);
    String[] arguments = new String[] {"review", "--context", "mock", "--kubeconfig", kubeconfig.toString(), "--request-timeout", Integer.toString(seconds), file.toString()};
    String[] all = java.util.stream.Stream.concat(java.util.Arrays.stream(arguments), java.util.Arrays.stream(more)).toArray(String[]::new);
    return Called.run((Object[]) all);
  }

  @Test
  void whatTheServerAddsIsNoChange() throws IOException {
    cluster.with(NOISE);
    Called run = review(POLICY);
    assertEquals(0, run.code(), run.toString());
    assertFalse(run.out().contains("metadata"), run.out());
    Called json = review(POLICY, "-o", "json");
    assertTrue(json.out().contains("\"changes\":[]") || json.out().contains("\"changes\" : [ ]"), json.out());
  }

  @Test
  void aChangedDriverNeedsADrain() throws IOException {
    cluster.with(NOISE);
    Called run = review(POLICY.replace("25.04-0.6.1.0-2", "25.07-0.9.7.0-1"));
    assertEquals(1, run.code(), run.toString());
    assertTrue(run.out().contains("needs-drain"), run.out());
  }

  @Test
  void aFieldThatOnlyTheServerWroteStays() throws IOException {
    String last = """
        {"apiVersion":"mellanox.com/v1alpha1","kind":"NicClusterPolicy","metadata":{"name":"nic-cluster-policy"},"spec":{"nvIpam":{"image":"ipam"},"rdmaSharedDevicePlugin":{"image":"x"}}}""";
    cluster.with(POLICY.replace("  name: nic-cluster-policy\n", "  name: nic-cluster-policy\n  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: '" + last + "'\n"));
    String after = POLICY.substring(0, POLICY.indexOf("  rdmaSharedDevicePlugin")).replace("    upgradePolicy: {autoUpgrade: true, maxParallelUpgrades: 1}\n", "");
    Called run = review(after);
    // The plugin was applied and is left out now; the upgrade policy was never applied from a file.
    assertTrue(run.out().contains("rdmaSharedDevicePlugin"), run.out());
    assertFalse(run.out().contains("upgradePolicy"), run.out());
  }

  @Test
  void aForbiddenKindIsNamedWithItsPermission() throws IOException {
    cluster.with(NOISE).refusing("/apis/policy/v1/poddisruptionbudgets?limit=500", 403, "forbidden");
    Called run = review(POLICY, "--fail-on-inconclusive");
    assertEquals(5, run.code(), run.toString());
    assertTrue(run.out().contains("poddisruptionbudgets.policy: forbidden; the permission list on poddisruptionbudgets.policy is missing"), run.out());
  }

  @Test
  void aKindThatIsNotInstalledIsNoGap() throws IOException {
    cluster.with(NOISE).refusing("/apis/nv-ipam.nvidia.com/v1alpha1/ippools?limit=500", 404, "not found");
    Called run = review(POLICY, "--fail-on-inconclusive");
    assertEquals(0, run.code(), run.toString());
  }

  @Test
  void aLateAnswerIsUnknownAndTheRestIsRead() throws IOException {
    seconds = 5;
    cluster.with(NOISE).late("/apis/policy/v1/poddisruptionbudgets?limit=500", 20_000);
    Called run = review(POLICY.replace("25.04-0.6.1.0-2", "25.07-0.9.7.0-1"));
    assertEquals(1, run.code(), run.toString());
    assertTrue(run.out().contains("poddisruptionbudgets.policy: no answer within the time limit"), run.out());
  }

  @Test
  void anUnreachableApiIsNothingToCompare() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    Called run = review(MockCluster.kubeconfig(folder, "http://127.0.0.1:" + port + "/"), POLICY);
    assertEquals(4, run.code(), run.toString());
    assertTrue(run.err().contains("cannot be reached: the connection was refused"), run.err());
  }

  @Test
  void aContextThatDoesNotExistIsSaid() throws IOException {
    Path file = Files.writeString(folder.resolve("after.yaml"), POLICY);
    StringWriter err = new StringWriter();
    int code = Main.run(new PrintWriter(new StringWriter()), new PrintWriter(err), "review", "--context", "prod", "--kubeconfig", cluster.kubeconfig(folder).toString(), file.toString());
    assertEquals(4, code);
    assertTrue(err.toString().contains("no context prod in the kubeconfig; it has mock"), err.toString());
  }

  @Test
  void credentialsThatAreRefusedAreSaid() throws IOException {
    cluster.refusing("/apis/mellanox.com/v1alpha1/nicclusterpolicies?limit=500", 401, "Unauthorized");
    Called run = review(POLICY);
    assertEquals(4, run.code(), run.toString());
    assertTrue(run.err().contains("does not accept these credentials"), run.err());
  }
}
