package gdrproof.accept;

import java.util.Arrays;
import java.util.Collection;

/**
 * Percentiles of samples, by linear interpolation between the two nearest order statistics: the value at rank 1 + (n - 1) p (type 7 of
 * Hyndman and Fan, the default of R, NumPy and spreadsheets). With few samples the high percentiles lie near the maximum and never beyond it.
 */
public final class Percentiles {
  private final double[] sorted;

  private Percentiles(double[] sorted) {
    this.sorted = sorted;
  }

  /** @throws IllegalArgumentException without samples, or with one that is no finite number */
  public static Percentiles of(Collection<Double> samples) {
    double[] values = samples.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    if (values.length == 0 || Arrays.stream(values).anyMatch(v -> !Double.isFinite(v))) {
      throw new IllegalArgumentException("percentiles need at least one sample, and finite ones: " + samples);
    }
    return new Percentiles(values);
  }

  /** @param p between 0 and 1 */
  public double at(double p) {
    double rank = (sorted.length - 1) * p;
    int below = (int) Math.floor(rank);
    int above = Math.min(below + 1, sorted.length - 1);
    double share = rank - below;
    // Written so that equal neighbours give their own value, without rounding away from it.
    return share == 0 ? sorted[below] : sorted[below] + share * (sorted[above] - sorted[below]);
  }

  public double low() {
    return sorted[0];
  }

  public double high() {
    return sorted[sorted.length - 1];
  }

  /** (highest - lowest) / median, percent; 0 where the median is 0. */
  public double spreadPercent() {
    double median = at(0.5);
    return median == 0 ? 0 : 100 * (high() - low()) / median;
  }

  public int count() {
    return sorted.length;
  }
}
