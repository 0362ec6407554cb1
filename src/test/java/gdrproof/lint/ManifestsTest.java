package gdrproof.lint;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import gdrproof.Shared;
import gdrproof.cli.LintRun;
import gdrproof.finding.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Public manifests with a reviewer's findings (`-Dgdrproof.manifests=DIR`, a folder with INDEX.tsv); skipped where they are absent. */
class ManifestsTest {
  /** Entries where the program disagrees with the reviewer, and why. */
  private static final Map<String, String> DISAGREED = Map.of();

  @TestFactory
  List<DynamicTest> everyFileIsJudgedAsTheReviewerDoes() throws IOException {
    Path folder = Shared.folder("gdrproof.manifests", "manifests");
    List<DynamicTest> tests = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve("INDEX.tsv")).stream().skip(1).toList()) {
      String[] columns = line.split("\t", -1);
      Path file = folder.resolve(columns[0]);
      if (Files.exists(file)) {
        tests.add(dynamicTest(columns[0], () -> check(file, columns[0], columns[columns.length - 1])));
      }
    }
    return tests;
  }

  private static void check(Path file, String name, String expect) throws IOException {
    LintRun.Result run = Linting.run(file);
    List<Finding> found = run.findings();
    List<String> wrong = new ArrayList<>();
    Set<String> listed = new HashSet<>();
    for (Expectation entry : Expectation.of(expect)) {
      listed.add(entry.check());
      if (!entry.met(run) && !DISAGREED.containsKey(name + " " + entry.text())) {
        wrong.add("not met: " + entry.text());
      }
    }
    found.stream().filter(Linting::loud).filter(f -> !listed.contains(f.rule().check())).filter(f -> !DISAGREED.containsKey(name + " " + f.rule().code()))
        .forEach(f -> wrong.add("not listed: " + Linting.show(f)));
    assertTrue(wrong.isEmpty(), () -> String.join("\n", wrong));
  }
}
