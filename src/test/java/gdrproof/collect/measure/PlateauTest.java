package gdrproof.collect.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.facts.BusFactor;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PlateauTest {
  private static final Limits LIMITS = Limits.load();

  private static Map<Long, Double> curve(double... values) {
    Map<Long, Double> curve = new TreeMap<>();
    long size = 16L << 20;
    for (double value : values) {
      curve.put(size, value);
      size *= 2;
    }
    return curve;
  }

  @Test
  void aCurveThatSettlesHasItsLevelAndStart() {
    Plateau plateau = Plateau.of(curve(100, 150, 180, 190, 192, 191, 192), LIMITS);
    assertEquals(191, plateau.level(), 1);
    assertEquals(128L << 20, plateau.from());
    assertEquals(Tri.YES, plateau.flat());
  }

  @Test
  void aCurveThatStillRisesIsNotFlat() {
    assertEquals(Tri.NO, Plateau.of(curve(100, 150, 200, 260), LIMITS).flat());
    assertEquals(Tri.UNKNOWN, Plateau.of(curve(100), LIMITS).flat());
  }

  @Test
  void aDipIsNamedAndDoesNotLowerTheLevel() {
    Plateau plateau = Plateau.of(curve(100, 190, 192, 90, 191, 192), LIMITS);
    assertEquals(List.of(128L << 20), plateau.dips());
    assertTrue(plateau.level() > 185);
  }

  @Test
  void aLoneSpikeIsNoLevel() {
    assertEquals(100, Plateau.of(curve(99, 100, 160, 101, 100), LIMITS).level(), 2);
  }

  @Test
  void smallMessagesSayNothing() {
    assertNull(Plateau.of(Map.of(8L, 1.0, 1024L, 2.0), LIMITS));
  }

  @Property(tries = 200)
  void theLevelLiesInsideTheCurveAndScalesWithIt(@ForAll @Size(min = 1, max = 12) List<@DoubleRange(min = 0.01, max = 1000) Double> values,
      @ForAll @IntRange(min = 2, max = 100) int factor) {
    double[] plain = values.stream().mapToDouble(v -> v).toArray();
    Plateau plateau = Plateau.of(curve(plain), LIMITS);
    double low = values.stream().mapToDouble(v -> v).min().orElseThrow();
    double high = values.stream().mapToDouble(v -> v).max().orElseThrow();
    assertTrue(plateau.level() >= low && plateau.level() <= high);
    assertTrue(plateau.from() <= plateau.best() && plateau.best() <= plateau.top());
    Plateau scaled = Plateau.of(curve(values.stream().mapToDouble(v -> v * factor).toArray()), LIMITS);
    assertEquals(plateau.level() * factor, scaled.level(), 1e-6 * scaled.level());
    assertEquals(plateau.from(), scaled.from());
    assertEquals(plateau, Plateau.of(new HashMap<>(curve(plain)), LIMITS));
  }

  @Property(tries = 200)
  void ranksComeBackFromTheRatio(@ForAll @IntRange(min = 2, max = 64) int ranks, @ForAll @DoubleRange(min = 50, max = 500) double algbw) {
    double printed = Math.round(algbw * 100) / 100.0;
    double bus = Math.round(algbw * BusFactor.of("all_reduce", ranks) * 100) / 100.0;
    Num found = BusFactor.ranks("all_reduce", Num.of(printed), Num.of(bus));
    assertTrue(!found.known() || found.is(ranks), () -> ranks + " " + printed + " " + bus + " " + found);
    assertEquals(ranks > 2 ? "all_reduce" : "unknown", BusFactor.collective(Num.of(printed), Num.of(bus)));
  }
}
