package gdrproof.review;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import gdrproof.cli.ReviewRun;
import gdrproof.finding.ReviewResult;
import gdrproof.finding.ReviewResult.Entry;
import gdrproof.review.ChangeMatrix.Pair;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every pair of the change matrix says what it expects and nothing else, there and back, and every state against itself
 * says nothing. The codes of all rules that speak are compared, so a rule that begins to speak elsewhere shows here.
 */
class ReviewChangesTest {
  private static final Pattern UNFILLED = Pattern.compile("\\{[a-z]\\w*\\.\\w+\\}");
  private static final ReviewRun REVIEW = new ReviewRun(List.of());

  @TestFactory
  List<DynamicTest> changes() throws IOException {
    List<Pair> pairs = ChangeMatrix.pairs();
    assertTrue(pairs.size() >= 60, "the matrix holds at least 60 pairs");
    return pairs.stream().map(p -> dynamicTest(p.folder().getFileName().toString(), () -> check(p))).toList();
  }

  private static void check(Pair pair) throws IOException {
    ReviewInput before = ReviewInput.of(pair.folder().resolve("before"), "");
    ReviewInput after = ReviewInput.of(pair.folder().resolve("after"), "");
    ReviewResult there = REVIEW.run(before, after);
    expect(pair, there, pair.verdict(), pair.speaks());
    assertTrue(there.entries().stream().noneMatch(e -> e.consequence().toString().equals(pair.never())),
        () -> pair.folder() + ": never " + pair.never() + all(there));
    assertTrue(pair.near().stream().noneMatch(pair.speaks()::contains), () -> pair.folder() + ": what is near does not speak");
    // Each way back was judged by hand too: a downgrade is no upgrade, what was gone comes back, what was forbidden is mended.
    expect(pair, REVIEW.run(after, before), pair.back(), pair.backSpeaks());
    assertEquals(List.of(), REVIEW.run(before, before).entries(), () -> pair.folder() + ": before against itself");
    assertEquals(List.of(), REVIEW.run(after, after).entries(), () -> pair.folder() + ": after against itself");
  }

  private static void expect(Pair pair, ReviewResult result, String verdict, Set<String> speaks) {
    assertTrue(result.failures().isEmpty(), result.failures().toString());
    assertEquals(verdict, result.entries().isEmpty() ? "none" : result.verdict().toString(), () -> pair.folder() + all(result));
    assertEquals(speaks, result.entries().stream().map(e -> e.rule().code()).collect(Collectors.toCollection(TreeSet::new)), () -> pair.folder() + all(result));
    for (Entry e : result.entries()) {
      assertTrue(e.line() > 0 && !UNFILLED.matcher(e.message()).find(), () -> pair.folder() + ": place and message of " + e);
    }
  }

  private static String all(ReviewResult result) {
    return "\n" + result.entries().stream().map(e -> e.consequence() + " " + e.rule().code() + " " + e.path() + ": " + e.message()).toList();
  }
}
