package gdrproof.lint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.lint.Linting.Called;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** A value of a manifest that a stranger's pull request brings can neither command the build server nor the terminal. */
class HostileValuesTest {
  private static final String JOB = """
      apiVersion: v1
      kind: Pod
      metadata:
        name: "train"
        annotations:
          gdrproof.io/ignore: "ENV999: x\\n::error::pwn \\e[31m"
      spec:
        containers:
        - name: rank
          image: registry.example/llm/train:1.4.2
          env:
          - {name: NCCL_SOCKET_IFNAME, value: "eth0\\n::error::pwn\\e[31m \\u202e\\u2028"}
          - {name: NCCL_IB_HCA, value: "mlx5_0\\r\\n ::stop-commands::pwn ##[stop-commands]x"}
          - {name: "NCCL_DEBUG\\n::error::pwn", value: "TRACE\\x9b"}
          resources:
            limits: {nvidia.com/gpu: 8, "rdma/ib\\n::error::pwn\\e": 1}
      """;

  @TempDir
  private Path temp;

  @Test
  void noFormatLetsThemAct() throws IOException {
    Path file = Files.writeString(temp.resolve("job.yaml"), JOB);
    for (String format : List.of("text", "json", "sarif", "junit", "github", "markdown")) {
      Called called = Linting.call("lint", file.toString(), "-o", format);
      assertEquals(1, called.code(), called.err());
      quiet(called.out());
      quiet(called.err());
      assertTrue(called.out().contains("pwn"), called.out());
    }
  }

  @Test
  void reportsStayWellFormed() throws Exception {
    Path file = Files.writeString(temp.resolve("job.yaml"), JOB);
    JsonMapper json = JsonMapper.builder().build();
    assertTrue(json.readTree(Linting.call("lint", file.toString(), "-o", "json").out()).toString().contains("\u202e"), "the value itself is told");
    assertTrue(json.readTree(Linting.call("lint", file.toString(), "-o", "sarif").out()).has("runs"));
    byte[] junit = Linting.call("lint", file.toString(), "-o", "junit").out().getBytes(StandardCharsets.UTF_8);
    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new ByteArrayInputStream(junit));
  }

  private static void quiet(String text) {
    assertFalse(text.codePoints().anyMatch(c -> c < ' ' && c != '\n' && c != '\t' || c >= 0x7f && c <= 0x9f || c == 0x2028 || c == 0x202e), text);
    assertTrue(text.lines().noneMatch(line -> line.contains("##[") || line.strip().startsWith("::") && line.strip().matches("::[a-z-]+::.*")), text);
  }
}
