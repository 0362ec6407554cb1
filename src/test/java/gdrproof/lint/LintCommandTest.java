package gdrproof.lint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.lint.Linting.Called;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LintCommandTest {
  private static final Path CLEAN = Path.of("src/test/resources/traps/11-infiniband-without-secondary-network.yaml");
  private static final Path WRONG = Path.of("fixtures/POD230/fires-unmounted/job.yaml");

  @TempDir
  private Path temp;

  @Test
  void exitCodesTellFindingsFromNothingJudged() throws IOException {
    assertEquals(0, Linting.call("lint", CLEAN.toString()).code());
    assertEquals(1, Linting.call("lint", WRONG.toString()).code());
    assertEquals(0, Linting.call("lint", WRONG.toString(), "--fail-on", "error").code());
    assertEquals(0, Linting.call("lint", WRONG.toString(), "--fail-on", "never").code());
    assertEquals(2, Linting.call("lint", WRONG.toString(), "--fail-on", "sometimes").code());
    assertEquals(2, Linting.call("lint", WRONG.toString(), "-o", "pdf").code());
    assertEquals(4, Linting.call("lint", temp.resolve("absent.yaml").toString()).code());
    Path template = Files.writeString(temp.resolve("t.yaml"), "a: {{ .Values.a }}\n");
    Called called = Linting.call("lint", template.toString());
    assertEquals(4, called.code());
    assertTrue(called.out().contains("helm template"), called.out());
    assertEquals(0, Linting.call("lint", template.toString(), "--allow-nothing").code());
    Path open = Path.of("fixtures/POD080/open-no-resource/job.yaml");
    assertEquals(0, Linting.call("lint", open.toString()).code());
    assertEquals(5, Linting.call("lint", open.toString(), "--fail-on-inconclusive").code());
  }

  @Test
  void theReportIsTheSameEveryTimeAndTheSummaryStaysOnStandardError() {
    Called first = Linting.call("lint", WRONG.toString(), "-o", "json");
    assertEquals(first.out(), Linting.call("lint", WRONG.toString(), "-o", "json").out());
    assertTrue(first.out().contains("\"check\" : \"J23\""), first.out());
    assertFalse(first.out().contains("judged:"), first.out());
    assertTrue(first.err().contains("1 object judged"), first.err());
    Called text = Linting.call("lint", WRONG.toString());
    assertTrue(text.out().startsWith(WRONG + ":36:13: warning: 8 GPUs"), text.out());
  }

  @Test
  void valuesOfAJobChartAreJudgedWhereTheyArePlain() throws IOException {
    Path values = Files.writeString(temp.resolve("values.yaml"), """
        replicas: 2
        extraEnv:
        - name: NCCL_NET_GDR_LEVL
          value: PHB
        worker:
          env: {NCCL_IB_DISABLE: "true", NCCL_SOCKET_IFNAME: "<interface>", OTHER: "true"}
          resources:
            requests: {nvidia.com/gpu: 8, cpu: 4}
        """);
    Called called = Linting.call("lint", values.toString());
    assertEquals(1, called.code(), called.err());
    assertTrue(called.out().contains(values + ":4:10: warning: NCCL_NET_GDR_LEVL is read by nothing"), called.out());
    assertTrue(called.out().contains(values + ":6:26: warning: NCCL_IB_DISABLE=true is read as 0"), called.out());
    assertTrue(called.out().contains(values + ":8:32: error: nvidia.com/gpu has a request and no limit"), called.out());
    assertEquals(3, called.out().lines().filter(l -> l.startsWith(temp.toString())).count(), called.out());
    Path sane = Files.writeString(temp.resolve("sane.yaml"), "env: {NCCL_SOCKET_IFNAME: eth0}\nresources: {limits: {nvidia.com/gpu: 8}}\n");
    assertEquals(0, Linting.call("lint", sane.toString()).code());
    Path nothing = Files.writeString(temp.resolve("nothing.yaml"), "env: {OTHER: eth0}\nresources: {limits: {cpu: 8}}\n");
    assertEquals(4, Linting.call("lint", nothing.toString()).code());
  }

  @Test
  void aConfigMapIsTheOneOfThePodsNamespace() throws IOException {
    String map = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: nccl, namespace: %s}\ndata: {NCCL_IB_DISABLE: \"%s\"}\n";
    String job = Files.readString(CLEAN).replaceFirst("(?m)^( +)resources:", "$1envFrom: [{configMapRef: {name: nccl}}]\n$1resources:");
    assertTrue(job.contains("namespace: ml") && job.contains("envFrom"), job);
    for (String maps : List.of(map.formatted("ml", "0") + map.formatted("dev", "true"), map.formatted("dev", "true") + map.formatted("ml", "0"))) {
      assertFalse(Linting.call("lint", Files.writeString(temp.resolve("job.yaml"), job + maps).toString()).out().contains("NCCL_IB_DISABLE=true"));
    }
    Called own = Linting.call("lint", Files.writeString(temp.resolve("job.yaml"), job + map.formatted("ml", "true") + map.formatted("dev", "0")).toString());
    assertTrue(own.out().contains("NCCL_IB_DISABLE=true is read as 0"), own.out());
  }

  /** Of several keys that make a fault together, one of them; never the head of the object. */
  @Test
  void findingsStandAtTheOffendingKey() throws IOException {
    Path policy = Files.writeString(temp.resolve("policy.yaml"), """
        apiVersion: sriovnetwork.openshift.io/v1
        kind: SriovNetworkNodePolicy
        metadata: {name: p, namespace: nvidia-network-operator}
        spec:
          resourceName: vf
          nodeSelector: {role: gpu}
          nicSelector: {vendor: "15b3", pfNames: [ens1f0np0]}
          numVfs: 200
          isRdma: true
          linkType: IB
          deviceType: vfio-pci
          eSwitchMode: switchdev
        """);
    String out = Linting.call("lint", policy.toString()).out();
    for (String place : List.of(":8:11: error: numVfs", ":11:15: error: vfio-pci", ":12:16: error: switchdev")) {
      assertTrue(out.contains(policy + place), place + "\n" + out);
    }
    Path ranks = Path.of("fixtures/POD331/" + Path.of("fixtures/POD331").toFile().list((d, n) -> n.startsWith("fires-"))[0] + "/job.yaml");
    int line = Files.readAllLines(ranks).indexOf("            - -np") + 2;
    assertTrue(line > 1 && Linting.call("lint", ranks.toString()).out().contains(ranks + ":" + line + ":"), ranks + ":" + line);
  }

  @Test
  void foldersAndGlobsAreRead() {
    assertEquals(1, Linting.call("lint", "fixtures/POD230").code());
    assertEquals(1, Linting.call("lint", "fixtures/POD230/*/job.yaml").code());
    assertEquals(4, Linting.call("lint", "fixtures/POD230/*/nothing-*.yaml").code());
  }

  /** Two environments in one repository: what the policy of one hands out does not meet the policy of the other. */
  @Test
  void aPolicyWrittenTwiceMakesSeveralSets() throws IOException {
    String policy = """
        apiVersion: mellanox.com/v1alpha1
        kind: NicClusterPolicy
        metadata: {name: nic-cluster-policy}
        spec:
          %s:
            image: plugin
            repository: nvcr.io/nvidia/mellanox
            version: v1.5.3
            config: '%s'
        """;
    String shared = policy.formatted("rdmaSharedDevicePlugin", "{\"configList\":[{\"resourceName\":\"a\",\"rdmaHcaMax\":63,\"selectors\":{\"ifNames\":[\"ens1f0\"]}}]}");
    String virtual = policy.formatted("sriovDevicePlugin", "{\"resourceList\":[{\"resourceName\":\"b\",\"selectors\":{\"pfNames\":[\"ens1f0\"],\"isRdma\":true}}]}");
    Path one = Files.createDirectories(temp.resolve("envs/one"));
    Path two = Files.createDirectories(temp.resolve("envs/two"));
    Files.writeString(one.resolve("policy.yaml"), shared);
    Files.writeString(two.resolve("other.yaml"), virtual.replace("nic-cluster-policy", "second-policy"));
    assertTrue(Linting.call("lint", temp.resolve("envs").toString()).out().contains("can match the same NIC"), "one cluster's files meet");
    Files.writeString(two.resolve("other.yaml"), virtual);
    Called apart = Linting.call("lint", temp.resolve("envs").toString());
    assertFalse(apart.out().contains("can match the same NIC"), apart.out());
    assertTrue(apart.err().contains("2 objects judged"), apart.err());
  }

  @Test
  void severalOutputsGoToFiles() throws IOException {
    Path json = temp.resolve("out/report.json");
    Called called = Linting.call("lint", WRONG.toString(), "-o", "text", "-o", "json=" + json);
    assertTrue(called.out().contains("POD230"), called.out());
    assertTrue(Files.readString(json).contains("\"rule\" : \"POD230\""));
    assertEquals(2, Linting.call("lint", WRONG.toString(), "-o", "text", "-o", "json").code());
    Called folder = Linting.call("lint", WRONG.toString(), "-o", "json=" + temp);
    assertEquals(2, folder.code());
    assertTrue(folder.err().contains(temp + ": cannot be written") && !folder.err().contains("internal"), folder.err());
    assertEquals(2, Linting.call("lint", WRONG.toString(), "-o", "json=").code());
  }

  @Test
  void suppressionsNeedAReasonAndAreCounted() throws IOException {
    String job = Files.readString(WRONG);
    Path good = annotated(job, "POD230: data loaders are off");
    Called called = Linting.call("lint", good.toString());
    assertEquals(0, called.code(), called.out());
    assertTrue(called.err().contains("1 suppressed"), called.err());
    assertEquals(1, Linting.call("lint", annotated(job, "POD230").toString()).code());
    Called ended = Linting.call("lint", annotated(job, "J23: known, until 2020-01-01").toString());
    assertEquals(1, ended.code());
    assertTrue(ended.err().contains("ended on 2020-01-01"), ended.err());
    assertTrue(Linting.call("lint", annotated(job, "POD230: known; POD010: never seen").toString()).err().contains("hides nothing"));
  }

  private Path annotated(String job, String text) throws IOException {
    return Files.writeString(temp.resolve("job.yaml"), job.replaceFirst("  namespace: ml\n", "  namespace: ml\n  annotations: {gdrproof.io/ignore: \"" + text + "\"}\n"));
  }

  @Test
  void configurationChangesSeveritiesAndIgnoresWithReason() throws IOException {
    Path config = Files.writeString(temp.resolve("gdrproof.yaml"), "severity: {J23: info}\n");
    assertEquals(0, Linting.call("lint", WRONG.toString(), "--config", config.toString()).code());
    Files.writeString(config, "severity: {no-shm: off}\n");
    assertEquals("", Linting.call("lint", WRONG.toString(), "--config", config.toString()).out());
    Files.writeString(config, "ignore:\n- {rule: POD230, file: job.yaml, reason: known, until: 2999-01-01}\n");
    assertEquals(0, Linting.call("lint", WRONG.toString(), "--config", config.toString()).code());
    Files.writeString(config, "sevirity: {}\n");
    assertEquals(4, Linting.call("lint", WRONG.toString(), "--config", config.toString()).code());
  }

  @Test
  void aBaselineHidesWhatWasThereAndShrinks() throws IOException {
    Path job = Files.writeString(temp.resolve("job.yaml"), Files.readString(WRONG));
    Path baseline = temp.resolve("baseline.tsv");
    assertTrue(Linting.call("lint", job.toString(), "--baseline", baseline.toString()).err().contains("no such baseline"));
    assertEquals(0, Linting.call("lint", job.toString(), "--write-baseline", baseline.toString()).code());
    assertEquals(0, Linting.call("lint", job.toString(), "--baseline", baseline.toString()).code());
    Files.writeString(job, Files.readString(WRONG).replace("add: [\"IPC_LOCK\"]", "add: [\"NET_ADMIN\"]"));
    Called grown = Linting.call("lint", job.toString(), "--baseline", baseline.toString());
    assertEquals(1, grown.code());
    assertTrue(grown.out().contains("POD200") && !grown.out().contains("POD230"), grown.out());
    Files.writeString(job, Files.readString(CLEAN));
    Linting.call("lint", job.toString(), "--baseline", baseline.toString());
    assertEquals(1, Files.readAllLines(baseline).size(), "only the heading is left");
  }

  @Test
  void lintLoadsNoClassOfTheKubernetesClientOrOfAJsonLibrary() throws IOException, InterruptedException {
    Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-verbose:class", "-cp", System.getProperty("java.class.path"),
        "gdrproof.cli.Main", "lint", WRONG.toString(), "-o", "json").redirectErrorStream(true).start();
    List<String> loaded = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8).lines().filter(l -> l.contains("source:")).toList();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    assertTrue(loaded.size() > 500, "classes are listed");
    assertEquals(List.of(), loaded.stream().filter(l -> l.contains("io.fabric8.") || l.contains("tools.jackson.")).limit(3).toList());
  }
}
