package gdrproof.collect.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.collect.measure.PairTables.Pair;
import gdrproof.collect.measure.PairTables.Verdicts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class PairTablesTest {
  private static final double SIBLING = Limits.load().slowSibling();

  @Test
  void aNodeIsSlowOnlyIfItsPartnersAreFastElsewhere() {
    List<Pair> pairs = List.of(new Pair("a", "x", 49), new Pair("b", "x", 50), new Pair("a", "b", 88), new Pair("c", "d", 49));
    Verdicts verdicts = PairTables.judge(pairs, SIBLING);
    assertEquals("slow", verdicts.nodes().get("x"));
    assertEquals("mixed", verdicts.nodes().get("a"));
    assertEquals("suspect", verdicts.nodes().get("c"));
    assertTrue(verdicts.odd().isEmpty());
  }

  @Test
  void aPairIsOddWhenBothItsNodesAreFastWithOthers() {
    List<Pair> pairs = List.of(new Pair("a", "b", 40), new Pair("a", "c", 88), new Pair("b", "c", 87), new Pair("b", "d", 86));
    Verdicts verdicts = PairTables.judge(pairs, SIBLING);
    assertEquals(List.of(new Pair("a", "b", 40)), verdicts.odd());
    assertTrue(verdicts.nodes().values().stream().noneMatch("slow"::equals));
  }

  @Test
  void aFlatTableNamesNobody() {
    Verdicts verdicts = PairTables.judge(List.of(new Pair("a", "b", 90), new Pair("a", "c", 88), new Pair("b", "c", 87)), SIBLING);
    assertTrue(verdicts.nodes().values().stream().allMatch("fast"::equals) && verdicts.odd().isEmpty());
  }

  @Property(tries = 100)
  void theOneSlowNodeOfAFullTableIsFoundInAnyOrder(@ForAll @IntRange(min = 4, max = 9) int nodes, @ForAll @IntRange(min = 0, max = 1000) int seed) {
    Random random = new Random(seed);
    int slow = random.nextInt(nodes);
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      for (int j = i + 1; j < nodes; j++) {
        pairs.add(new Pair("n" + i, "n" + j, (i == slow || j == slow ? 40 : 90) * (1 + random.nextDouble() / 20)));
      }
    }
    Verdicts verdicts = PairTables.judge(pairs, SIBLING);
    Collections.shuffle(pairs, random);
    assertEquals(verdicts.nodes(), PairTables.judge(pairs, SIBLING).nodes());
    verdicts.nodes().forEach((node, verdict) -> assertEquals(node.equals("n" + slow) ? "slow" : "mixed", verdict, node));
    assertTrue(verdicts.odd().isEmpty());
  }
}
