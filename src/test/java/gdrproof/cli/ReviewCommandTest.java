package gdrproof.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** `gdrproof review` as a user calls it on files. */
class ReviewCommandTest {
  private static final String BEFORE = "fixtures/_changes/driver-env-added/before";
  private static final String AFTER = "fixtures/_changes/driver-env-added/after";

  @TempDir
  private Path folder;

  @Test
  void everyFormatOfLintIsWrittenAndSeveralAtOnce() throws IOException {
    Path sarif = folder.resolve("out/review.sarif");
    Path junit = folder.resolve("review.xml");
    Path markdown = folder.resolve("review.md");
    Path json = folder.resolve("review.json");
    Called run = Called.run("review", BEFORE, AFTER, "-o", "github", "-o", "sarif=" + sarif, "-o", "junit=" + junit, "-o", "markdown=" + markdown, "-o", "json=" + json);
    assertEquals(1, run.code(), run.err());
    assertTrue(run.out().startsWith("::warning file=" + AFTER + "/"), run.out());
    assertTrue(run.out().contains("::needs-drain: "), run.out());
    JsonNode result = JsonMapper.shared().readTree(Files.readString(sarif)).at("/runs/0/results/0");
    assertEquals("fail", result.at("/kind").asString());
    String uri = result.at("/locations/0/physicalLocation/artifactLocation/uri").asString();
    assertTrue(Files.exists(Path.of(uri)), () -> uri + " is a file as seen from the working folder");
    assertTrue(Files.readString(junit).contains("<failure type=\"warning\""));
    assertTrue(Files.readString(markdown).startsWith("### Operator change: needs-drain"));
    assertEquals("needs-drain", JsonMapper.shared().readTree(Files.readString(json)).at("/verdict").asString());
  }

  @Test
  void wrongOutputsAreRefusedAndTheRunbookKeepsStandardOutput() throws IOException {
    assertEquals(2, Called.run("review", BEFORE, AFTER, "-o", "pdf").code());
    assertEquals(2, Called.run("review", BEFORE, AFTER, "-o", "text", "-o", "json").code());
    assertEquals(2, Called.run("review", BEFORE, AFTER, "--runbook", "-o", "json").code());
    Path json = folder.resolve("review.json");
    Called run = Called.run("review", BEFORE, AFTER, "--runbook", "-o", "json=" + json);
    assertTrue(run.out().startsWith("#"), run.out());
    assertTrue(Files.readString(json).contains("needs-drain"));
  }

  @Test
  void theRunbookPreparesTheWorkstationAndSaysWhatStaysBehind() {
    String text = Called.run("review", BEFORE, AFTER, "--runbook").out();
    String prepare = text.substring(text.indexOf("## 3."), text.indexOf("## 4."));
    assertTrue(prepare.contains("`helm repo update`"), prepare);
    assertTrue(prepare.contains("topology manager) act on whole nodes"), prepare);
    String rollback = text.substring(text.indexOf("## 7."));
    assertTrue(rollback.contains("  - the node kernel where it was moved"), rollback);
    String virtual = Called.run("review", "fixtures/_changes/vfs-raised/before", "fixtures/_changes/vfs-raised/after", "--runbook").out();
    assertTrue(virtual.substring(virtual.indexOf("## 7.")).contains("  - BIOS and IOMMU settings"), virtual);
  }

  @Test
  void aChangeOfJobsAloneIsReviewed() {
    String pair = "fixtures/_changes/nccl-override-by-configmap/";
    Called run = Called.run("review", pair + "before", pair + "after");
    assertEquals(1, run.code(), run.err());
    assertTrue(run.out().contains(pair + "after/nccl.yaml:6 MPIJob/ml/train gets NCCL_NET_GDR_LEVEL=SYS"), run.out());
    assertEquals("", run.err());
  }

  @Test
  void whatWasRemovedIsFoundInTheBeforeState() {
    String pair = "fixtures/_changes/plugin-removed/";
    Called run = Called.run("review", pair + "before", pair + "after");
    assertTrue(run.out().contains("  " + pair + "before/"), run.out());
  }

  @Test
  void aRevisionNamesFilesAsTheWorkingFolderDoes() throws IOException, InterruptedException {
    Path repository = Files.createDirectories(folder.resolve("repository/deploy"));
    Files.writeString(repository.resolve("policy.yaml"), Files.readString(one(BEFORE)));
    git(repository, "init", "-q");
    commit(repository);
    Files.writeString(repository.resolve("policy.yaml"), Files.readString(one(AFTER)));
    commit(repository);
    Called run = Called.run("review", "--git", "HEAD~1..HEAD", repository.toString(), "-o", "github");
    assertEquals(1, run.code(), run.err());
    assertTrue(run.out().contains("file=" + repository.resolve("policy.yaml")), run.out());
    assertFalse(run.out().contains("//"), run.out());
  }

  private static Path one(String state) throws IOException {
    try (var files = Files.list(Path.of(state))) {
      return files.filter(f -> f.toString().endsWith(".yaml")).findFirst().orElseThrow();
    }
  }

  private static void commit(Path repository) throws IOException, InterruptedException {
    git(repository, "add", "-A");
    git(repository, "-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-q", "-m", "state");
  }

  private static void git(Path repository, String... arguments) throws IOException, InterruptedException {
    java.util.List<String> command = new java.util.ArrayList<>(java.util.List.of("git", "-C", repository.toString()));
    command.addAll(java.util.List.of(arguments));
    assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
  }
}
