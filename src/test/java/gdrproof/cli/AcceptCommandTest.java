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

/** `accept` and `baseline` as a user meets them. */
class AcceptCommandTest {
  private static final String SOCKET = "src/test/resources/golden/input/socket";

  @TempDir
  private Path folder;

  @Test
  void aBundleOverSocketsIsNotAcceptedAndEveryOpenItemSaysWhatWouldProveIt() throws IOException {
    Path json = folder.resolve("gate.json");
    Path junit = folder.resolve("gate.xml");
    Path markdown = folder.resolve("gate.md");
    Called run = Called.run("accept", SOCKET, "--as-of", "2026-11-29", "-o", "json=" + json, "-o", "junit=" + junit, "-o", "markdown=" + markdown, "-o", "text");
    assertEquals(1, run.code(), run.err());
    assertTrue(run.out().startsWith("not accepted"), run.out());
    JsonNode root = JsonMapper.shared().readTree(Files.readString(json));
    assertEquals("gdrproof/report/v1", root.get("schema").asString());
    assertEquals("accept", root.get("command").asString());
    assertFalse(root.get("accepted").asBoolean());
    assertTrue(root.get("matrix").isArray());
    for (JsonNode item : root.get("items")) {
      for (String field : new String[] {"id", "section", "verdict", "owner", "message", "proof"}) {
        assertTrue(item.has(field), item + " has no " + field);
      }
      boolean open = item.get("verdict").asString().equals("not-proven") || item.get("verdict").asString().equals("failed");
      assertEquals(open, item.has("ask"), item.toString());
    }
    assertTrue(Files.readString(junit).contains("<testsuite name=\"gdrproof accept\""));
    assertTrue(Files.readString(markdown).startsWith("## Acceptance: not accepted"));
    assertEquals(run.out(), Called.run("accept", SOCKET, "--as-of", "2026-11-29").out(), "the same input gives the same bytes");
  }

  @Test
  void mistakesOfTheUserAreNamed() throws IOException {
    Path loose = folder.resolve("own.yaml");
    Files.writeString(loose, "remove: [{item: correctness}]\n");
    Called refused = Called.run("accept", SOCKET, "--checklist", loose.toString());
    assertEquals(2, refused.code());
    assertTrue(refused.err().contains("without a reason"), refused.err());
    assertEquals(2, Called.run("accept", SOCKET, "--as-of", "soon").code());
    assertEquals(2, Called.run("accept", SOCKET, "-o", "sarif").code());
    assertEquals(2, Called.run("accept").code());
    assertEquals(4, Called.run("accept", "no/such/path").code());
    assertEquals(4, Called.run("accept", "src/test/resources/golden/input/prose").code());
    assertEquals(2, Called.run("accept", SOCKET, "--baseline", "no/such/file").code());
    assertEquals(2, Called.run("baseline", "show", loose.toString()).code());
    assertEquals(2, Called.run("baseline", "record", SOCKET, "--note", "idle.mood=fine").code());
    assertEquals(2, Called.run("baseline", "record", SOCKET, "--signed-by", "nobody").code());
  }

  @Test
  void theListAndTheFormArePrinted() {
    assertTrue(Called.run("accept", "--list").out().contains("paths-mapped"));
    assertTrue(Called.run("accept", "--lifecycle-form").out().contains("kind: lifecycle"));
  }

  @Test
  void aBaselineIsShownAndSetBesideABundle() {
    Called show = Called.run("baseline", "show", "fixtures/_acceptance/baseline.yaml");
    assertEquals(0, show.code(), show.err());
    assertTrue(show.out().contains("host-rdma-bandwidth"), show.out());
    Called compare = Called.run("baseline", "compare", SOCKET, "--baseline", "fixtures/_acceptance/baseline.yaml");
    assertEquals(5, compare.code(), compare.out());
    assertTrue(compare.out().contains("not comparable"), compare.out());
    assertEquals(1, Called.run("baseline", "record", SOCKET).code(), "one run over sockets makes no distribution");
  }

  @Test
  void aSiteRemovesAnItemWithItsReasonAndTheReportSaysSo() throws IOException {
    Path own = folder.resolve("own.yaml");
    Files.writeString(own, "remove: [{item: secondary-network, reason: no multus here}]\n");
    Called run = Called.run("accept", SOCKET, "--checklist", own.toString());
    assertTrue(run.out().contains("no multus here"), run.out());
    assertFalse(run.out().contains("[secondary-network, "), run.out());
  }
}
