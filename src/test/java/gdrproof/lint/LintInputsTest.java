package gdrproof.lint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import gdrproof.lint.Linting.Called;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a call names as its input: what could not be read is never passed over. */
class LintInputsTest {
  private static final Path CLEAN = Path.of("src/test/resources/traps/11-infiniband-without-secondary-network.yaml");

  @TempDir
  private Path temp;

  @Test
  void aFileThatIsNoTextIsNotGreen() throws IOException {
    Files.copy(CLEAN, temp.resolve("a.yaml"));
    assertEquals(0, Linting.call("lint", temp.toString()).code());
    Files.write(temp.resolve("b.yaml"), new byte[] {0x7f, 'E', 'L', 'F', 0, 1, 2, 3, 0, 0});
    Called called = Linting.call("lint", temp.toString(), "--allow-nothing");
    assertEquals(4, called.code());
    assertTrue(called.err().contains("b.yaml: not a text file") && called.err().contains("1 file not read"), called.err());
    Files.delete(temp.resolve("b.yaml"));
    Files.writeString(temp.resolve("empty.yaml"), "");
    assertEquals(0, Linting.call("lint", temp.toString()).code(), "an empty file holds nothing to lose");
  }

  @Test
  void whatIsForbiddenIsNotGreen() throws IOException {
    assumeFalse("root".equals(System.getProperty("user.name")), "root reads everything");
    Files.copy(CLEAN, temp.resolve("a.yaml"));
    Path secret = Files.copy(CLEAN, temp.resolve("secret.yaml"));
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("---------"));
    Called called = Linting.call("lint", temp.toString());
    assertEquals(4, called.code());
    assertTrue(called.err().contains("secret.yaml: cannot be read: permission denied"), called.err());
  }

  @Test
  void linksToFilesAreReadAndNamedFoldersFollowed() throws IOException {
    // As a mounted ConfigMap: the files are links into a hidden folder.
    Path data = Files.createDirectories(temp.resolve("mounted/..2026"));
    Files.copy(CLEAN, data.resolve("job.yaml"));
    Files.createSymbolicLink(temp.resolve("mounted/..data"), Path.of("..2026"));
    Files.createSymbolicLink(temp.resolve("mounted/job.yaml"), Path.of("..data/job.yaml"));
    Files.createSymbolicLink(temp.resolve("mounted/loop"), Path.of("."));
    Files.createSymbolicLink(temp.resolve("link"), Path.of("mounted"));
    Called mounted = Linting.call("lint", temp.resolve("mounted").toString());
    assertEquals(0, mounted.code(), mounted.err());
    assertTrue(mounted.err().contains("1 object judged"), mounted.err());
    assertEquals(mounted.err(), Linting.call("lint", temp.resolve("link").toString()).err());
    assertEquals(mounted.err(), Linting.call("lint", temp.resolve("link") + "/*.yaml").err());
    Files.createSymbolicLink(temp.resolve("mounted/dead.yaml"), Path.of("nothing"));
    Called dead = Linting.call("lint", temp.resolve("mounted").toString());
    assertEquals(4, dead.code());
    assertTrue(dead.err().contains("dead.yaml: cannot be read: no such file or folder"), dead.err());
  }

  @Test
  void aFileNamedTwiceIsJudgedOnce() throws IOException {
    Path file = Files.copy(CLEAN, temp.resolve("job.yaml"));
    Called called = Linting.call("lint", file.toString(), temp + "/./job.yaml", temp.toString(), file.toAbsolutePath().toString());
    assertTrue(called.err().contains("1 object judged"), called.err());
  }

  @Test
  void pathsThatAreNoneAreTheUsersMistake() {
    for (String wrong : new String[] {"[", "{", "", " ", "a\0b"}) {
      Called called = Linting.call("lint", wrong);
      assertEquals(4, called.code(), wrong);
      assertFalse(called.err().contains("internal"), called.err());
    }
    assertEquals(2, Linting.call("lint").code());
    assertEquals(0, Linting.call("lint", "--allow-nothing").code());
  }

  @Test
  void aBundleWithoutFactsOfAClusterIsNotPassedOver() throws IOException {
    Path facts = Files.createDirectories(temp.resolve("facts"));
    Called empty = Linting.call("lint", CLEAN.toString(), "--facts", facts.toString());
    assertEquals(4, empty.code());
    Files.writeString(facts.resolve("nodes.yaml"), "");
    Called nothing = Linting.call("lint", CLEAN.toString(), "--facts", facts.toString());
    assertEquals(4, nothing.code());
    assertTrue(nothing.err().contains("looked for"), nothing.err());
    assertEquals(4, Linting.call("lint", CLEAN.toString(), "--facts", temp.resolve("none").toString()).code());
  }

  @Test
  void whatWasNotJudgedCountsThoughNothingElseWas() throws IOException {
    Path template = Files.writeString(temp.resolve("t.yaml"), "a: {{ .Values.a }}\n");
    assertEquals(5, Linting.call("lint", template.toString(), "--allow-nothing", "--fail-on-inconclusive").code());
  }
}
