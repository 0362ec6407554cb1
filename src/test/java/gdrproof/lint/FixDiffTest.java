package gdrproof.lint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.difflib.UnifiedDiffUtils;
import com.github.difflib.patch.PatchFailedException;
import gdrproof.lint.Linting.Called;
import gdrproof.policy.Policies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The diff applies, ends the findings it names, and leaves everything else of the file as it was. */
class FixDiffTest {
  private static final String JOB = """
      apiVersion: batch/v1
      kind: Job
      metadata: {name: train}
      spec:
        completions: 2
        parallelism: 2
        template:
          spec:
            # the ranks
            containers:
            - name: rank
              image: registry.example/llm/train:1.4.2   # pinned
              command: [torchrun, --nnodes=2, train.py]
              env:
              - name: NCCL_DEBUG   # for now
                value: INFO
              - name: NCCL_IB_HCAS
                value: mlx5_0
              - {name: NCCL_IB_DISABLE, value: 0}
              - name: NCCL_NET_GDR_LEVEL
                value: SYS
              resources:
                limits: {cpu: "64", memory: 256Gi, nvidia.com/gpu: 8, rdma/ib: 1}
            restartPolicy: Never
      """;

  @TempDir
  private Path temp;

  @Test
  void oneDiffRepairsWhatIsSafeAndKeepsTheLayout() throws IOException, PatchFailedException {
    for (String end : List.of("\n", "\r\n")) {
      Path file = Files.writeString(temp.resolve("job.yaml"), JOB.replace("\n", end));
      Called called = Linting.call("lint", file.toString(), "--fix-diff");
      assertEquals(1, called.code());
      assertTrue(called.err().contains("repairs 5 findings"), called.err());
      assertEquals(JOB.replace("\n", end), Files.readString(file), "never in place");
      String repaired = patched(file, called.out());
      assertTrue(repaired.contains("# the ranks") && repaired.contains("train:1.4.2   # pinned"), repaired);
      assertTrue(repaired.contains("{name: NCCL_IB_DISABLE, value: \"0\"}") && repaired.contains("- name: NCCL_IB_HCA" + end) && repaired.contains("mountPath: /dev/shm"), repaired);
      assertFalse(repaired.contains("NCCL_DEBUG") || repaired.contains("SYS"), repaired);
      Files.writeString(file, repaired);
      assertEquals("", Linting.call("lint", file.toString(), "--fix-diff").out(), "nothing is left to repair");
    }
  }

  @Test
  void theLastEntryTakesItsKeyWithItAndAnExistingNameIsNotGivenTwice() throws IOException, PatchFailedException {
    String alone = JOB.replaceAll("(?s) {8}- name: NCCL_IB_HCAS.*?(?= {8}resources)", "");
    Path file = Files.writeString(temp.resolve("alone.yaml"), alone);
    String repaired = patched(file, Linting.call("lint", file.toString(), "--fix-diff").out());
    assertFalse(repaired.contains("env:"), repaired);
    Files.writeString(file, JOB.replace("name: NCCL_NET_GDR_LEVEL", "name: NCCL_IB_HCA").replace("value: SYS", "value: mlx5_1"));
    assertTrue(Linting.call("lint", file.toString(), "--fix-diff").out().contains("   - name: NCCL_IB_HCAS"), "the misspelt name stays, since the right one is there too");
  }

  /** Every fixture that fires one of these rules is clean of it after the diff, or the diff leaves the file alone. */
  @TestFactory
  Stream<DynamicTest> fixtures() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (String rule : Policies.read("fixes.yaml").keySet()) {
      try (Stream<Path> files = Files.walk(Path.of("fixtures", rule))) {
        files.filter(f -> f.toString().contains("fires-") && f.toString().endsWith(".yaml")).sorted().forEach(file -> tests.add(DynamicTest.dynamicTest(file.toString(), () -> {
          Path copy = Files.copy(file, temp.resolve(rule + "-" + tests.size() + ".yaml"), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
          String diff = Linting.call("lint", copy.toString(), "--fix-diff").out();
          if (!diff.isEmpty()) {
            long before = count(copy, rule);
            Files.writeString(copy, patched(copy, diff));
            assertTrue(count(copy, rule) < before, diff);
          }
        })));
      }
    }
    return tests.stream();
  }

  private static long count(Path file, String rule) {
    return Linting.call("lint", file.toString()).out().lines().filter(l -> l.contains("[" + rule + " ")).count();
  }

  private static String patched(Path file, String diff) throws IOException, PatchFailedException {
    List<String> lines = new ArrayList<>(List.of(Files.readString(file).split("\n", -1)));
    lines.remove(lines.size() - 1);
    return String.join("\n", UnifiedDiffUtils.parseUnifiedDiff(List.of(diff.split("\n"))).applyTo(lines)) + "\n";
  }
}
