package gdrproof.review;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import gdrproof.cli.ReviewRun;
import gdrproof.finding.ReviewResult;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * The change matrix: `fixtures/_changes/NAME/{before,after}/` with the verdict, the rule that must speak and the
 * consequence that must not be said, and the verdict of the way back. Every state against itself says nothing.
 */
class ReviewChangesTest {
  private static final Path MATRIX = Path.of("fixtures/_changes");
  private static final ReviewRun REVIEW = new ReviewRun(List.of());

  @TestFactory
  List<DynamicTest> changes() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    try (Stream<Path> folders = Files.list(MATRIX)) {
      for (Path folder : folders.filter(Files::isDirectory).sorted().toList()) {
        tests.add(dynamicTest(folder.getFileName().toString(), () -> check(folder)));
      }
    }
    assertTrue(tests.size() >= 60, "the matrix holds at least 60 pairs");
    return tests;
  }

  private static void check(Path folder) throws IOException {
    Map<String, String> expect;
    try (InputStream stream = Files.newInputStream(folder.resolve("expect.yaml"))) {
      expect = new Yaml(new SafeConstructor(new LoaderOptions())).load(stream);
    }
    ReviewInput before = ReviewInput.of(folder.resolve("before"), "");
    ReviewInput after = ReviewInput.of(folder.resolve("after"), "");
    ReviewResult result = REVIEW.run(before, after);
    String all = "\n" + result.entries().stream().map(e -> e.consequence() + " " + e.rule().code() + " " + e.path() + ": " + e.message()).toList();
    assertTrue(result.failures().isEmpty(), result.failures().toString());
    if (expect.get("verdict").equals("none")) {
      assertTrue(result.entries().isEmpty(), () -> folder + ": no change of meaning" + all);
    } else {
      assertFalse(result.entries().isEmpty(), () -> folder + ": a change");
      assertEquals(expect.get("verdict"), result.verdict().toString(), () -> folder + all);
      assertTrue(result.entries().stream().anyMatch(e -> e.rule().code().equals(expect.get("rule"))), () -> folder + ": " + expect.get("rule") + " must speak" + all);
      assertTrue(result.entries().stream().noneMatch(e -> e.consequence().toString().equals(expect.get("never"))), () -> folder + ": never " + expect.get("never") + all);
      result.entries().forEach(e -> assertTrue(e.line() > 0 && !e.message().contains("{"), () -> folder + ": place and message of " + e));
      // Each way back was judged by hand too: a downgrade is no upgrade, what was gone comes back, what was forbidden is mended.
      ReviewResult back = REVIEW.run(after, before);
      assertEquals(expect.get("back"), back.entries().isEmpty() ? "none" : back.verdict().toString(),
          () -> folder + ", backwards\n" + back.entries().stream().map(e -> e.consequence() + " " + e.rule().code() + " " + e.path() + ": " + e.message()).toList());
    }
    assertEquals(List.of(), REVIEW.run(before, before).entries(), () -> folder + ": before against itself");
    assertEquals(List.of(), REVIEW.run(after, after).entries(), () -> folder + ": after against itself");
  }
}
