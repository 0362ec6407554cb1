package gdrproof.lint;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import gdrproof.cli.LintRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Manifests that look wrong and are not; the number is the one of the list of traps in the reference. */
class TrapsTest {
  private static final Path TRAPS = Path.of("src/test/resources/traps");

  @TestFactory
  List<DynamicTest> trapsStaySilent() throws IOException {
    try (Stream<Path> files = Files.list(TRAPS)) {
      return files.sorted().map(file -> dynamicTest(file.getFileName().toString(), () -> {
        LintRun.Result run = Linting.run(file);
        assertTrue(run.judged() > 0, "something is judged");
        List<String> loud = run.findings().stream().filter(Linting::loud).map(Linting::show).toList();
        assertTrue(loud.isEmpty(), () -> String.join("\n", loud));
      })).toList();
    }
  }
}
