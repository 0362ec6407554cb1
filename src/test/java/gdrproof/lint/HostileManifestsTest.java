package gdrproof.lint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.Shared;
import gdrproof.cli.LintRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostileManifestsTest {
  private static final int CUTS = 50;

  @TempDir
  private Path temp;

  @Test
  void aFileCutAnywhereGivesAReportOrARefusal() throws IOException {
    List<Path> files = new ArrayList<>();
    gather(Path.of("src/test/resources/traps"), files);
    Path shared = Shared.path("gdrproof.manifests", "manifests");
    if (Files.isDirectory(shared)) {
      gather(shared, files);
    }
    for (Path file : files) {
      byte[] whole = Files.readAllBytes(file);
      Random random = new Random(file.getFileName().toString().hashCode());
      // All cuts of a file are one call, as files of a folder: a call for each would only repeat the start of a session.
      List<Path> cuts = new ArrayList<>();
      Path folder = Files.createTempDirectory(temp, "cut");
      for (int i = 0; i < CUTS; i++) {
        Path cut = folder.resolve("cut" + i + ".yaml");
        Files.write(cut, java.util.Arrays.copyOf(whole, random.nextInt(whole.length)));
        cuts.add(cut);
      }
      LintRun.Result run = Linting.run(cuts.toArray(new Path[0]));
      assertTrue(run.failures().isEmpty(), () -> file + ": " + run.failures());
    }
  }

  private static void gather(Path folder, List<Path> files) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      all.filter(f -> f.toString().endsWith(".yaml")).sorted().forEach(files::add);
    }
  }

  @Test
  void deepNestingAliasBombsAndHugeScalarsAreRefusedWithAMessage() throws IOException {
    Path deep = Files.writeString(temp.resolve("deep.yaml"), "a: " + "[".repeat(100_000));
    Path huge = Files.writeString(temp.resolve("huge.yaml"), "apiVersion: v1\nkind: ConfigMap\ndata: {a: \"" + "x".repeat(3 << 20) + "\"}\n");
    StringBuilder bomb = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x]\n");
    for (int i = 1; i < 20; i++) {
      bomb.append("a").append(i).append(": &a").append(i).append(" [").append(("*a" + (i - 1) + ",").repeat(7)).append("*a").append(i - 1).append("]\n");
    }
    Path aliases = Files.writeString(temp.resolve("aliases.yaml"), bomb.toString());
    for (Path file : List.of(deep, huge, aliases)) {
      LintRun.Result run = Linting.run(file);
      assertEquals(0, run.judged(), file.toString());
      assertTrue(run.findings().stream().anyMatch(f -> f.rule().code().equals("POD003")), () -> file + ": " + run.findings());
    }
  }

  @Test
  void binaryAndEmptyFilesAreNamed() throws IOException {
    Path binary = Files.write(temp.resolve("b.yaml"), new byte[] {0, 1, 2, 3, 0});
    Path empty = Files.writeString(temp.resolve("e.yaml"), "\n");
    LintRun.Result run = Linting.run(binary, empty);
    assertEquals(2, run.unread().size());
    assertEquals(4, Linting.call("lint", binary.toString()).code());
    assertFalse(Linting.call("lint", binary.toString()).err().isEmpty());
  }
}
