package gdrproof.review;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import gdrproof.Shared;
import gdrproof.cli.ReviewRun;
import gdrproof.finding.Consequence;
import gdrproof.finding.ReviewResult;
import gdrproof.finding.ReviewResult.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Pairs of published values (`PAIRS.tsv` of a folder of manifests, `-Dgdrproof.manifests=DIR`); skipped visibly where there is none. */
class ReviewPairsTest {
  private static final ReviewRun REVIEW = new ReviewRun(List.of());

  @TestFactory
  List<DynamicTest> pairs() throws IOException {
    Path folder = Shared.folder("gdrproof.manifests", "manifests");
    List<DynamicTest> tests = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve("PAIRS.tsv")).stream().skip(1).filter(l -> !l.isBlank()).toList()) {
      String[] field = line.split("\t", -1);
      tests.add(dynamicTest(field[0] + " to " + field[1], () -> check(folder.resolve(field[0]), folder.resolve(field[1]), field[3])));
    }
    return tests;
  }

  private static void check(Path before, Path after, String expect) throws IOException {
    ReviewResult result = REVIEW.run(ReviewInput.of(before, ""), ReviewInput.of(after, ""));
    String all = "\n" + result.entries().stream().map(e -> e.consequence() + " " + e.rule().code() + " " + e.path()).toList();
    boolean first = true;
    for (String entry : expect.split(";")) {
      int colon = entry.indexOf(':');
      List<String> kinds = List.of(entry.substring(0, colon).split("\\|"));
      String where = entry.substring(colon + 1);
      if (kinds.equals(List.of("not"))) {
        assertTrue(result.entries().stream().noneMatch(e -> e.consequence().toString().equals(where)), () -> "said " + where + all);
        continue;
      }
      if (first) {
        assertTrue(kinds.contains(result.verdict().toString()), () -> "verdict " + result.verdict() + all);
        first = false;
      }
      assertTrue(result.entries().stream().anyMatch(e -> kinds.contains(e.consequence().toString()) && Stream.of(where.split("\\|")).anyMatch(w -> text(e).contains(w))),
          () -> "missing " + entry + all);
    }
    assertEquals(List.of(), REVIEW.run(ReviewInput.of(after, ""), ReviewInput.of(after, "")).entries());
    ReviewResult back = REVIEW.run(ReviewInput.of(after, ""), ReviewInput.of(before, ""));
    assertTrue(back.failures().isEmpty() && !back.entries().isEmpty(), () -> "the way back is a change too: " + back);
    assertTrue(back.verdict() != Consequence.UNKNOWN, () -> "the way back is known: " + back.entries());
    // Where the way there drains or reloads, so does the way back.
    boolean disrupts = result.entries().stream().anyMatch(e -> e.consequence() == Consequence.NEEDS_DRAIN);
    assertTrue(!disrupts || back.verdict().reaches(Consequence.NEEDS_MANUAL_STEP), () -> "the way back of a drain is no small thing: " + back.verdict());
  }

  private static String text(Entry entry) {
    return entry.object() + " " + entry.path() + " " + entry.message();
  }
}
