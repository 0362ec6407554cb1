package gdrproof.accept;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Positive;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PercentilesTest {
  /**
   * An implementation of its own, in exact decimals and by another way: the inverse of the piecewise linear curve through the points
   * (i / (n - 1), i-th smallest), found by walking along it.
   */
  private static double independent(List<Double> samples, double p) {
    List<BigDecimal> sorted = new ArrayList<>();
    samples.stream().sorted().forEach(v -> sorted.add(new BigDecimal(v)));
    if (sorted.size() == 1) {
      return sorted.get(0).doubleValue();
    }
    TreeMap<BigDecimal, BigDecimal> curve = new TreeMap<>();
    BigDecimal steps = BigDecimal.valueOf(sorted.size() - 1L);
    for (int i = 0; i < sorted.size(); i++) {
      curve.put(BigDecimal.valueOf(i), sorted.get(i));
    }
    BigDecimal at = new BigDecimal(p).multiply(steps);
    var left = curve.floorEntry(at);
    var right = curve.ceilingEntry(at);
    if (left.getKey().equals(right.getKey())) {
      return left.getValue().doubleValue();
    }
    BigDecimal slope = right.getValue().subtract(left.getValue()).divide(right.getKey().subtract(left.getKey()), MathContext.DECIMAL128);
    return left.getValue().add(slope.multiply(at.subtract(left.getKey()))).doubleValue();
  }

  @Test
  void valuesThatOtherToolsPrint() {
    // numpy.percentile([15, 20, 35, 40, 50], [40, 50, 95]) and R's quantile(type = 7) give these.
    Percentiles p = Percentiles.of(List.of(50.0, 15.0, 40.0, 20.0, 35.0));
    assertEquals(29, p.at(0.4), 1e-12);
    assertEquals(35, p.at(0.5), 1e-12);
    assertEquals(48, p.at(0.95), 1e-12);
    assertEquals(100.0, p.spreadPercent(), 1e-9);
    assertEquals(50, Percentiles.of(List.of(50.0)).at(0.99));
  }

  @Test
  void nothingAndInfinityAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> Percentiles.of(List.of()));
    assertThrows(IllegalArgumentException.class, () -> Percentiles.of(List.of(1.0, Double.NaN)));
  }

  @Property(tries = 500)
  void agreesWithAnIndependentImplementation(@ForAll @Size(min = 1, max = 40) List<@DoubleRange(min = 0, max = 1e6) Double> samples, @ForAll @DoubleRange(min = 0, max = 1) double p) {
    double expected = independent(samples, p);
    assertEquals(expected, Percentiles.of(samples).at(p), 1e-9 * Math.max(1, Math.abs(expected)));
  }

  @Property(tries = 300)
  void liesBetweenTheExtremesAndGrowsWithThePercentile(@ForAll @Size(min = 1, max = 30) List<@DoubleRange(min = 0, max = 1e6) Double> samples, @ForAll @DoubleRange(min = 0, max = 1) double a,
      @ForAll @DoubleRange(min = 0, max = 1) double b) {
    Percentiles p = Percentiles.of(samples);
    assertTrue(p.at(Math.min(a, b)) <= p.at(Math.max(a, b)));
    assertTrue(p.low() <= p.at(a) && p.at(a) <= p.high());
  }

  @Property(tries = 200)
  void orderDoesNotMatterAndScaleGoesThrough(@ForAll @Size(min = 1, max = 30) List<@DoubleRange(min = 0.1, max = 1e6) Double> samples, @ForAll @Positive int seed) {
    List<Double> shuffled = new ArrayList<>(samples);
    Collections.shuffle(shuffled, new Random(seed));
    assertEquals(Percentiles.of(samples).at(0.95), Percentiles.of(shuffled).at(0.95));
    assertEquals(2 * Percentiles.of(samples).at(0.5), Percentiles.of(samples.stream().map(v -> 2 * v).toList()).at(0.5), 1e-6);
    assertEquals(Percentiles.of(samples).spreadPercent(), Percentiles.of(samples.stream().map(v -> 2 * v).toList()).spreadPercent(), 1e-6);
  }
}
