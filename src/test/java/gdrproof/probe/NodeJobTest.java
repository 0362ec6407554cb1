package gdrproof.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.kube.MockCluster;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Collection on many nodes by an Indexed Job, against a mocked Kubernetes API. */
class NodeJobTest {
  private static final String FACT = "{\"v\":1,\"type\":\"GpuCount\",\"fact\":{\"node\":\"gpu-01\",\"gpus\":8},\"evidence\":[]}\n";

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

  private static NodeJob.Order order(int seconds, String... nodes) {
    return new NodeJob.Order(List.of(nodes), new NodeTarget.Settings("ops", "registry.example/gdrproof:0.1.0", Duration.ofSeconds(seconds), Duration.ofSeconds(1)));
  }

  @Test
  void onePodANodeWithLimitsAndDeadlines() {
    Job job = NodeJob.job(order(300, "gpu-01", "gpu-02"), "abcd", Map.of(KubeObjects.MANAGED, "gdrproof", KubeObjects.RUN, "abcd"));
    assertEquals("Indexed", job.getSpec().getCompletionMode());
    assertEquals(2, job.getSpec().getCompletions());
    assertEquals(2, job.getSpec().getParallelism());
    assertEquals(300L, job.getSpec().getActiveDeadlineSeconds());
    assertTrue(job.getSpec().getTtlSecondsAfterFinished() > 0, "the cluster removes it when nobody does");
    PodSpec spec = job.getSpec().getTemplate().getSpec();
    assertEquals("kubernetes.io/hostname", spec.getAffinity().getPodAntiAffinity().getRequiredDuringSchedulingIgnoredDuringExecution().get(0).getTopologyKey());
    assertTrue(spec.getContainers().get(0).getResources().getLimits().containsKey("cpu"));
    assertTrue(spec.getContainers().get(0).getVolumeMounts().get(0).getReadOnly());
    assertEquals("gdrproof", job.getSpec().getTemplate().getMetadata().getLabels().get(KubeObjects.MANAGED));
  }

  @Test
  void answersAreKeptAndEverythingIsRemoved() throws Exception {
    Thread controllers = mock.runsJobs("ops", Map.of("gpu-01", "Succeeded", "gpu-02", "Succeeded", "gpu-03", "Failed"), Map.of("gpu-01", FACT + "#gdrproof-end\n", "gpu-02", FACT));
    List<String> said = new ArrayList<>();
    NodeJob.Result result = NodeJob.run(cluster, order(20, "gpu-01", "gpu-02", "gpu-03"), folder.resolve("out"), said::add);
    controllers.interrupt();
    assertEquals(FACT, Files.readString(result.files().get("gpu-01")));
    assertEquals("its answer was cut: the log lacks its last line", result.missing().get("gpu-02"));
    assertTrue(result.missing().get("gpu-03").contains("Evicted"), result.missing().toString());
    assertEquals(List.of(), result.left());
    assertEquals(List.of(), mock.client().batch().v1().jobs().inNamespace("ops").list().getItems());
  }

  @Test
  void nodesThatNeverAnswerAreNamedAtTheDeadline() throws Exception {
    NodeJob.Result result = NodeJob.run(cluster, order(1, "gpu-01"), folder.resolve("out"), line -> { });
    assertEquals(Map.of("gpu-01", "not finished in time: no pod was started there"), result.missing());
    assertEquals(List.of(), mock.client().batch().v1().jobs().inNamespace("ops").list().getItems());
  }

  @Test
  void aCrashLeavesAJobThatCleanUpFinds() throws Exception {
    KubeObjects crashed = new KubeObjects(cluster);
    crashed.create(NodeJob.job(order(300, "gpu-01"), crashed.run(), crashed.labels()));
    assertEquals(1, KubeObjects.cleanup(cluster, "", false).removed().size());
    assertEquals(List.of(), mock.client().batch().v1().jobs().inNamespace("ops").list().getItems());
    crashed.close();
  }
}
