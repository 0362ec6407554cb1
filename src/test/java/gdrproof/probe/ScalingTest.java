package gdrproof.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.probe.Scaling.Found;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Bad nodes and bad pairs are found by halving. */
class ScalingTest {
  private static List<String> nodes(int count) {
    return IntStream.range(0, count).mapToObj(i -> "n" + i).toList();
  }

  private static Found find(int count, Predicate<List<String>> slow) throws IOException, InterruptedException {
    return new Scaling(nodes -> slow.test(nodes) ? 100 : 350).run(nodes(count));
  }

  @Test
  void allNodesScale() throws IOException, InterruptedException {
    Found found = find(12, nodes -> false);
    assertEquals("scales", found.verdict());
    assertTrue(found.plateaus().containsKey(nodes(12)) && found.plateaus().containsKey(nodes(8)), found.toString());
  }

  @Test
  void everyBadNodeIsFound() throws IOException, InterruptedException {
    for (int bad = 0; bad < 16; bad++) {
      String name = "n" + bad;
      Found found = find(16, nodes -> nodes.contains(name));
      assertEquals("node [" + name + "]", found.verdict() + " " + found.slow(), found.toString());
      assertTrue(found.plateaus().size() < 16, "by halving, not by trying all");
    }
  }

  @Test
  void everyBadPairIsFound() throws IOException, InterruptedException {
    for (int a = 0; a < 8; a++) {
      for (int b = a + 1; b < 8; b++) {
        List<String> pair = List.of("n" + a, "n" + b);
        Found found = find(8, nodes -> nodes.containsAll(pair));
        assertEquals("pair " + Set.copyOf(pair), found.verdict() + " " + Set.copyOf(found.slow()), pair + ": " + found);
      }
    }
  }

  @Test
  void aRunThatGivesNothingCountsAsSlow() throws IOException, InterruptedException {
    assertEquals(List.of("n3"), new Scaling(nodes -> nodes.contains("n3") ? Double.NaN : 350).run(nodes(8)).slow());
  }
}
