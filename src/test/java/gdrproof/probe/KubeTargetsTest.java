package gdrproof.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.kube.MockCluster;
import gdrproof.probe.Target.Boundary;
import gdrproof.probe.Target.Command;
import gdrproof.probe.Target.Outcome;
import gdrproof.probe.Target.Status;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands in pods and on nodes, against a mocked Kubernetes API. */
class KubeTargetsTest {
  private static final Command QUICK = new Command("cat /proc/1/limits", Duration.ofSeconds(60), 1 << 20);

  @TempDir
  private Path folder;
  private MockCluster mock;
  private Cluster cluster;

  @BeforeEach
  void start() throws Exception {
    mock = new MockCluster();
    cluster = Cluster.open(new Cluster.Access("mock", mock.kubeconfig(folder).toString(), Duration.ofSeconds(30)));
  }

  @AfterEach
  void stop() {
    cluster.close();
    mock.close();
  }

  private void pod(String phase, String reason) {
    Pod pod = new PodBuilder().withNewMetadata().withName("worker-3").withNamespace("train").endMetadata().withNewSpec().withNodeName("gpu-01.example")
        .addNewContainer().withName("log-shipper").endContainer()
        .addNewContainer().withName("pytorch").withNewResources().withLimits(Map.of("nvidia.com/gpu", new io.fabric8.kubernetes.api.model.Quantity("8"))).endResources().endContainer()
        .endSpec().withNewStatus().withPhase(phase).withReason(reason).endStatus().build();
    mock.client().pods().inNamespace("train").resource(pod).create();
  }

  private static PodTarget.Address worker() {
    return PodTarget.Address.parse("train/worker-3");
  }

  @Test
  void aCommandRunsInTheContainerThatHasTheGpus() throws Exception {
    pod("Running", null);
    mock.answering("worker-3", "pytorch", 0, "Max locked memory unlimited\n");
    try (PodTarget target = PodTarget.open(cluster, worker())) {
      assertEquals("gpu-01", target.node());
      assertEquals(Boundary.CONTAINER, target.boundary());
      assertTrue(target.describe().contains("container pytorch"), target.describe());
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      Outcome outcome = target.start(QUICK, out).await();
      assertEquals(Status.DONE, outcome.status(), outcome.toString());
      assertEquals(0, outcome.exit());
      assertEquals("Max locked memory unlimited\n", out.toString(StandardCharsets.UTF_8));
    }
  }

  @Test
  void theExitStatusIsTheCommands() throws Exception {
    pod("Running", null);
    mock.answering("worker-3", "pytorch", 3, "no\n");
    try (PodTarget target = PodTarget.open(cluster, worker())) {
      assertEquals(3, target.start(QUICK, OutputStream.nullOutputStream()).await().exit());
    }
  }

  @Test
  void outputIsStreamedUpToItsLimitAndTheRestIsDropped() throws Exception {
    pod("Running", null);
    int blocks = 64;
    String[] output = new String[blocks];
    java.util.Arrays.fill(output, "x".repeat(1 << 18));
    mock.answering("worker-3", "pytorch", 0, output);
    AtomicLong seen = new AtomicLong();
    AtomicLong largest = new AtomicLong();
    OutputStream counting = new OutputStream() {
      @Override
      public void write(int b) {
        seen.incrementAndGet();
      }

      @Override
      public void write(byte[] block, int offset, int length) {
        seen.addAndGet(length);
        largest.accumulateAndGet(length, Math::max);
      }
    };
    try (PodTarget target = PodTarget.open(cluster, worker())) {
      Outcome outcome = target.start(new Command("cat huge", Duration.ofSeconds(60), 3L << 20), counting).await();
      assertTrue(outcome.cut(), outcome.toString());
      assertEquals(3L << 20, seen.get());
      assertTrue(largest.get() <= 1 << 18, "whole blocks go through, never the whole output");
    }
  }

  @Test
  void aMissingPermissionIsNamed() throws Exception {
    pod("Running", null);
    mock.refusingExec("worker-3", "pytorch", 403);
    try (PodTarget target = PodTarget.open(cluster, worker())) {
      ProbeException refused = assertThrows(ProbeException.class, () -> target.start(QUICK, OutputStream.nullOutputStream()));
      assertTrue(refused.getMessage().contains("no permission to create pods/exec in namespace train"), refused.getMessage());
    }
  }

  @Test
  void aPodThatDoesNotRunIsSaid() {
    pod("Failed", "Evicted");
    ProbeException gone = assertThrows(ProbeException.class, () -> PodTarget.open(cluster, worker()));
    assertTrue(gone.getMessage().contains("does not run (Failed, Evicted"), gone.getMessage());
    assertThrows(ProbeException.class, () -> PodTarget.open(cluster, PodTarget.Address.parse("train/nobody")));
    assertThrows(IllegalArgumentException.class, () -> PodTarget.Address.parse("worker-3"));
  }

  @Test
  void anEvictionInMidRunIsNoExitStatus() throws Exception {
    pod("Running", null);
    // The stream ends without a status, as it does when the kubelet kills the pod.
    mock.breaking("worker-3", "pytorch", false, "half a li");
    try (PodTarget target = PodTarget.open(cluster, worker())) {
      Target.Running running = target.start(QUICK, OutputStream.nullOutputStream());
      mock.client().pods().inNamespace("train").withName("worker-3").editStatus(p -> new PodBuilder(p).editStatus().withPhase("Failed").withReason("Evicted").withMessage("low on memory").endStatus().build());
      Outcome outcome = running.await();
      assertFalse(outcome.status() == Status.DONE, outcome.toString());
    }
  }

  @Test
  void aNodePodIsPinnedLimitedAndRemoved() throws Exception {
    NodeTarget.Settings settings = new NodeTarget.Settings("ops", "busybox:1.36.1", Duration.ofMinutes(10), Duration.ofSeconds(60));
    Thread kubelet = mock.startsPods("ops", "Running");
    try (NodeTarget target = NodeTarget.open(cluster, "gpu-02", settings)) {
      List<Pod> pods = mock.client().pods().inNamespace("ops").list().getItems();
      assertEquals(1, pods.size());
      Pod pod = pods.get(0);
      assertEquals("gdrproof", pod.getMetadata().getLabels().get(KubeObjects.MANAGED));
      assertEquals(600L, pod.getSpec().getActiveDeadlineSeconds());
      assertEquals(List.of("gpu-02"), pod.getSpec().getAffinity().getNodeAffinity().getRequiredDuringSchedulingIgnoredDuringExecution().getNodeSelectorTerms().get(0).getMatchFields().get(0).getValues());
      assertTrue(pod.getSpec().getContainers().get(0).getVolumeMounts().stream().filter(m -> m.getName().equals("host")).allMatch(m -> m.getReadOnly()), "host mounts are read only");
      assertTrue(pod.getSpec().getContainers().get(0).getResources().getLimits().containsKey("memory"));
      assertEquals(Boundary.HOST, target.boundary());
      assertEquals("gpu-02", target.node());
    } finally {
      kubelet.interrupt();
    }
    assertEquals(List.of(), mock.client().pods().inNamespace("ops").list().getItems());
  }

  @Test
  void aNodePodThatNeverStartsLeavesNothing() {
    NodeTarget.Settings settings = new NodeTarget.Settings("ops", "busybox:1.36.1", Duration.ofMinutes(10), Duration.ofSeconds(1));
    ProbeException late = assertThrows(ProbeException.class, () -> NodeTarget.open(cluster, "gpu-02", settings));
    assertTrue(late.getMessage().contains("does not start within 1 s"), late.getMessage());
    assertEquals(List.of(), mock.client().pods().inNamespace("ops").list().getItems());
  }

  @Test
  void whatACrashLeftIsFoundByItsLabels() throws Exception {
    KubeObjects crashed = new KubeObjects(cluster);
    NodeTarget.Settings settings = new NodeTarget.Settings("ops", "busybox:1.36.1", Duration.ofMinutes(10), Duration.ofSeconds(1));
    crashed.create(NodeTarget.pod("gdrproof-node-dead", "gpu-02", settings, crashed.labels()));
    pod("Running", null);
    KubeObjects.Cleanup cleanup = KubeObjects.cleanup(cluster, "", false);
    assertEquals(List.of("Pod ops/gdrproof-node-dead"), cleanup.removed());
    assertEquals(List.of(), cleanup.left());
    assertEquals(1, mock.client().pods().inNamespace("train").list().getItems().size(), "pods of others stay");
    crashed.close();
  }

  @Test
  void aCommandThatHangsIsStoppedAtItsLimit() throws Exception {
    pod("Running", null);
    mock.breaking("worker-3", "pytorch", true, "begun\n");
    try (PodTarget target = PodTarget.open(cluster, worker())) {
      Outcome outcome = target.start(new Command("sleep 100", Duration.ofSeconds(1), 1 << 20), OutputStream.nullOutputStream()).await();
      assertEquals(Status.TIMED_OUT, outcome.status(), outcome.toString());
    }
  }

  @Test
  void anApiThatRestartsIsAskedAgain() throws Exception {
    pod("Running", null);
    mock.answering("worker-3", "pytorch", 0, "fine\n");
    try (PodTarget target = PodTarget.open(cluster, worker())) {
      mock.down(2);
      assertEquals(Status.DONE, target.start(QUICK, OutputStream.nullOutputStream()).await().status());
    }
  }

  @Test
  void anImageWithoutAShellNeedsLeaveForADebugContainer() {
    pod("Running", null);
    mock.answering("worker-3", "pytorch", 126);
    ProbeException refused = assertThrows(ProbeException.class, () -> DebugTarget.open(cluster, worker(), ""));
    assertTrue(refused.getMessage().contains("--allow-debug-container"), refused.getMessage());
  }
}
