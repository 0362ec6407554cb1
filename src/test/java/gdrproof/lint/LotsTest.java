package gdrproof.lint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.cli.LintRun;
import gdrproof.finding.Finding;
import gdrproof.policy.LintConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Very many jobs are judged in lots, and what is found is what one session finds. */
class LotsTest {
  @TempDir
  private Path temp;

  private static List<String> found(List<String> files, int least) throws IOException {
    LintRun.Result run = LintRun.run(files, List.of(), LintConfig.read(""), (topics, facts) -> Linting.RULES, least);
    assertEquals(List.of(), run.failures());
    // Conclusions of lots are not kept.
    assertEquals(least == 1, run.engine().conclusions().isEmpty());
    return run.findings().stream().map(LotsTest::line).toList();
  }

  private static String line(Finding f) {
    return f.at() + " " + f.verdict() + " " + f.severity() + " " + f.rule().code() + " " + f.message();
  }

  /** The jobs of all fixtures and traps as one set, namespaces, networks, queues and quotas among them. */
  @Test
  void lotsFindWhatOneSessionFinds() throws IOException {
    List<String> files = new ArrayList<>();
    for (String root : List.of("fixtures", "src/test/resources/traps")) {
      try (Stream<Path> all = Files.walk(Path.of(root))) {
        all.filter(f -> f.toString().endsWith(".yaml") && !f.toString().contains("/cluster/") && f.toString().matches("(fixtures/(POD|ENV|CLU)|src/).*")).map(Path::toString).sorted()
            .filter(LotsTest::plain).forEach(files::add);
      }
    }
    List<String> whole = found(files, Integer.MAX_VALUE);
    assertTrue(whole.size() > 300, whole.size() + " findings");
    assertEquals(whole, found(files, 1));
  }

  /** What makes the set one that is never judged in lots. */
  private static boolean plain(String file) {
    try {
      String text = Files.readString(Path.of(file));
      return !text.contains("kind: ComputeDomain") && !text.contains("k8s.cni.cncf.io/v1") && !text.contains("mellanox.com/") && !text.contains("sriovnetwork.openshift.io")
          && !text.contains("network-operator");
    } catch (IOException e) {
      return false;
    }
  }

  /** Ranks of a hand-made job are found by the names of all pods of one namespace; those of another are no ranks of it. */
  @Test
  void barePodsOfOneNamespaceThatDifferInANumberAreRanks() throws IOException {
    String pod = """
        apiVersion: v1
        kind: Pod
        metadata: {name: NAME, namespace: SPACE}
        spec:
          containers:
          - name: rank
            image: registry.example/train:1.2
            command: [torchrun, train.py]
            resources: {limits: {nvidia.com/gpu: 8}}
        """;
    List<String> twins = new ArrayList<>();
    List<String> strangers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      twins.add(Files.writeString(temp.resolve("twin" + i + ".yaml"), pod.replace("NAME", "rank-" + i).replace("SPACE", "ml")).toString());
      strangers.add(Files.writeString(temp.resolve("stranger" + i + ".yaml"), pod.replace("NAME", "rank-" + i).replace("SPACE", "ml" + i)).toString());
    }
    assertTrue(found(twins, 1).size() > found(strangers, 1).size(), found(twins, 1) + " against " + found(strangers, 1));
  }

  @Test
  void aQuotaCountsInEveryLot() throws IOException {
    List<String> files = new ArrayList<>();
    String job = Files.readString(Path.of("fixtures/POD150/fires-roce/job.yaml"));
    for (int i = 0; i < 700; i++) {
      files.add(Files.writeString(temp.resolve("job" + i + ".yaml"), job.replace("name: train\n", "name: train-" + i + "\n")).toString());
    }
    files.add(Files.writeString(temp.resolve("quota.yaml"), """
        apiVersion: v1
        kind: ResourceQuota
        metadata: {name: gpus, namespace: ml}
        spec: {hard: {requests.nvidia.com/gpu: "8"}}
        """).toString());
    LintRun.Result run = LintRun.run(files, List.of(), LintConfig.read(""), (topics, facts) -> gdrproof.engine.RuleBase.loadFor("lint", List.of(), topics, facts), 1);
    assertEquals(700, run.findings().stream().filter(f -> f.rule().code().equals("CLU020")).count());
  }

  @Test
  void documentsOfALargeFileKeepTheirNumbersAndLines() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 200; i++) {
      text.append("---\napiVersion: v1\nkind: Pod\nmetadata: {name: p").append(i).append("}\nspec:\n  containers:\n  - {name: a, image: b}\n");
    }
    Path file = Files.writeString(temp.resolve("pods.yaml"), text);
    List<Finding> findings = Linting.run(file).findings();
    assertEquals(200, findings.size());
    for (int i = 0; i < 200; i++) {
      assertEquals(7 * i + 7, findings.get(i).at().line());
    }
  }
}
