package gdrproof.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LintConfigTest {
  @TempDir
  private Path temp;

  @Test
  void flagsWinOverTheEnvironmentAndThatOverTheFile() throws IOException {
    Path file = Files.writeString(temp.resolve("c.yaml"), "fail-on: error\nplatform: gke\nseverity: {J57: info, POD230: error}\nthresholds: {shm.minimum: 5}\n");
    LintConfig config = LintConfig.layered("", Map.of("GDRPROOF_CONFIG", file.toString(), "GDRPROOF_SEVERITY", "J57=off, J23=info", "GDRPROOF_PLATFORM", "aks"))
        .with("flag --fail-on", Map.of(), Map.of(), "", "info");
    assertEquals("info", config.failOn());
    assertEquals("flag --fail-on", config.origin("fail-on"));
    assertEquals("aks", config.platform());
    assertEquals("environment GDRPROOF_PLATFORM", config.origin("platform"));
    assertEquals(Map.of("J57", "off", "POD230", "error", "J23", "info"), config.severity());
    assertEquals("environment GDRPROOF_SEVERITY", config.origin("severity.J57"));
    assertEquals(file.toString(), config.origin("severity.POD230"));
    assertEquals("5", config.thresholds().get("shm.minimum"));
    assertEquals("default", config.origin("thresholds.memlock.minimum"));
  }

  @Test
  void whatNobodyKnowsIsRefusedWithItsPlace() {
    IOException unknown = assertThrows(IOException.class, () -> LintConfig.layered("", Map.of("GDRPROOF_THRESHOLDS", "shm.min=5")));
    assertTrue(unknown.getMessage().contains("GDRPROOF_THRESHOLDS: no threshold shm.min"), unknown.getMessage());
    assertThrows(IOException.class, () -> LintConfig.layered("", Map.of("GDRPROOF_SEVERITY", "J57")));
    assertThrows(IOException.class, () -> LintConfig.layered("", Map.of("GDRPROOF_SEVERITY", "J57=loud")));
    assertThrows(IOException.class, () -> LintConfig.layered("", Map.of("GDRPROOF_PLATFORM", "moon")));
  }
}
