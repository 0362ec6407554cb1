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

  /** An anchored entry that an alias or a merge key names cannot be taken out, and a new text for an anchored value would reach other places. */
  @Test
  void whatAliasesNameIsLeftAloneAndTheRestIsRepaired() throws IOException, PatchFailedException {
    String side = """
              - name: side
                image: registry.example/llm/side:1.0
                env:
                - NAMED
        """;
    for (String named : List.of("*debug", "{<<: *debug, value: WARN}")) {
      String shared = JOB.replace("- name: NCCL_DEBUG   # for now", "- &debug\n          name: NCCL_DEBUG").replace("      restartPolicy", side.replace("NAMED", named) + "      restartPolicy");
      Path file = Files.writeString(temp.resolve("alias.yaml"), shared);
      String repaired = patched(file, Linting.call("lint", file.toString(), "--fix-diff").out());
      assertTrue(repaired.contains("- &debug\n          name: NCCL_DEBUG\n          value: INFO") && repaired.contains(named), repaired);
      assertTrue(repaired.contains("value: \"0\"") && !repaired.contains("SYS"), repaired);
    }
    String off = JOB.replace("value: 0}", "value: &off 0}").replace("restartPolicy: Never", "terminationGracePeriodSeconds: *off\n      restartPolicy: Never");
    Path file = Files.writeString(temp.resolve("anchor.yaml"), off);
    String repaired = patched(file, Linting.call("lint", file.toString(), "--fix-diff").out());
    assertTrue(repaired.contains("&off 0") && !repaired.contains("SYS"), repaired);
  }

  /** patch and git refuse a diff that does not say so, and read a name with a blank only up to it. */
  @Test
  void aFileWithoutAFinalNewlineAndNamesWithBlanksCanBePatched() throws IOException, InterruptedException {
    Path folder = Files.createDirectories(temp.toRealPath().resolve("my dir"));
    String end = JOB.substring(0, JOB.indexOf("      resources:")).replace("        env:", "        resources:\n          limits: {nvidia.com/gpu: 8, rdma/ib: 1}\n        env:").stripTrailing();
    for (String name : List.of("a b.yaml", "q\"uote.yaml", "plain.yaml")) {
      Path file = Files.writeString(folder.resolve(name), end);
      Called called = Linting.call("lint", file.toString(), "--fix-diff");
      assertTrue(called.out().contains("\\ No newline at end of file") && called.err().contains("patch -d / -p1"), called.out() + called.err());
      String above = temp.toRealPath().toString().substring(1) + "/";
      Path diff = Files.writeString(temp.resolve("diff"), called.out().replace("a/" + above, "a/").replace("b/" + above, "b/"));
      Process git = new ProcessBuilder("git", "apply", diff.toString()).directory(temp.toFile()).inheritIO().start();
      assertEquals(0, git.waitFor(), called.out());
      assertFalse(Files.readString(file).contains("SYS"), called.out());
      assertTrue(Files.readString(file).contains("NCCL_IB_HCA\n"), called.out());
    }
  }

  @Test
  void aFileThatIsNoUtf8IsSkippedAndTheOthersAreRepaired() throws IOException {
    Path wide = Files.write(temp.resolve("a.yaml"), ("\uFEFF" + JOB).getBytes(java.nio.charset.StandardCharsets.UTF_16LE));
    Path latin = Files.write(temp.resolve("b.yaml"), JOB.replace("the ranks", "die R\u00e4nge").getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
    Path plain = Files.writeString(temp.resolve("c.yaml"), JOB);
    Called called = Linting.call("lint", wide.toString(), latin.toString(), plain.toString(), "--fix-diff");
    assertEquals(1, called.code());
    assertTrue(called.err().contains("a.yaml: no diff, since it is not UTF-8") && called.err().contains("b.yaml: no diff"), called.err());
    assertTrue(called.out().contains("c.yaml") && !called.out().contains("b.yaml"), called.out());
  }

  @Test
  void aDiffNeedsFilesAndStandardOutput() throws IOException {
    Path file = Files.writeString(temp.resolve("job.yaml"), JOB);
    Called called = Linting.call("lint", "-", "--fix-diff");
    assertEquals(2, called.code());
    assertTrue(called.err().contains("needs a file"), called.err());
    called = Linting.call("lint", file.toString(), "--fix-diff", "-o", "json");
    assertEquals(2, called.code());
    assertTrue(called.err().contains("-o FORMAT=FILE"), called.err());
    Path report = temp.resolve("report.json");
    called = Linting.call("lint", file.toString(), "--fix-diff", "-o", "json=" + report);
    assertTrue(called.out().startsWith("--- a/") && Files.readString(report).contains("findings"), called.out());
    Path clean = Files.writeString(temp.resolve("clean.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: b}\n");
    assertTrue(Linting.call("lint", clean.toString(), "--fix-diff").err().contains("nothing to repair"));
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
