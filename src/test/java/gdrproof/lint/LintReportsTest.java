package gdrproof.lint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.lint.Linting.Called;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports say what the exit code says. */
class LintReportsTest {
  private static final String POD = """
      apiVersion: v1
      kind: Pod
      metadata:
        name: train
        annotations: {gdrproof.io/ignore: "POD620: our renderer quotes it"}
      spec:
        containers:
        - name: rank
          image: registry.example/llm/train:1.4.2
          env:
          - {name: NCCL_IB_DISABLE, value: 0}
          - {name: NCCL_DEBUG, value: INFO}
          - {name: NCCL_SOCKET_IFNAME, value: "eth0, eth1"}
      """;

  @TempDir
  private Path temp;

  @Test
  void aFolderWithoutManifestsIsNotGreen() throws IOException {
    Called called = Linting.call("lint", temp.toString(), "-o", "junit");
    assertEquals(4, called.code());
    assertTrue(called.out().contains("skipped message=\"nothing was judged\""), called.out());
    Path empty = Files.writeString(temp.resolve("empty.yaml"), "");
    called = Linting.call("lint", empty.toString(), "--allow-nothing", "-o", "json");
    assertEquals(0, called.code());
    assertTrue(called.out().contains("\"outcome\" : \"nothing-judged\""), called.out());
  }

  @Test
  void aFileThatCannotBeReadIsNamedBesideTheOthers() throws IOException {
    Path binary = Files.write(temp.resolve("b.yaml"), new byte[] {0, 1, 2, 3, 0, 0, 7});
    Path pod = Files.writeString(temp.resolve("pod.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: b}\n");
    for (String format : java.util.List.of("text", "json", "sarif", "junit", "github", "markdown")) {
      Called called = Linting.call("lint", pod.toString(), binary.toString(), "-o", format);
      assertEquals(4, called.code(), called.err());
      assertTrue(called.out().contains("b.yaml"), called.out());
    }
  }

  @Test
  void junitFailsWhatTheCallFails() throws IOException {
    Path pod = Files.writeString(temp.resolve("pod.yaml"), POD);
    Called called = Linting.call("lint", pod.toString(), "--fail-on", "error", "-o", "junit");
    assertEquals(0, called.code(), called.out());
    assertTrue(called.out().contains("failures=\"0\"") && called.out().contains("<system-out>warning: "), called.out());
    assertFalse(Linting.call("lint", pod.toString(), "-o", "junit").out().contains("failures=\"0\""));
  }

  @Test
  void sarifTellsWhoSuppressed() throws IOException {
    Path pod = Files.writeString(temp.resolve("pod.yaml"), POD);
    Path config = Files.writeString(temp.resolve("gdrproof.yaml"), "ignore:\n- {rule: ENV100, reason: debugging for a week}\n");
    String sarif = Linting.call("lint", pod.toString(), "--config", config.toString(), "-o", "sarif").out().replaceAll("\\s+", " ");
    assertTrue(sarif.contains("\"our renderer quotes it\"") && sarif.contains("\"inSource\""), sarif);
    assertTrue(sarif.contains("\"debugging for a week\"") && sarif.contains("\"external\""), sarif);
  }
}
