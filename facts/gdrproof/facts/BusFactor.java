package gdrproof.facts;

import java.util.Set;

/** Ratio of bus to algorithm bandwidth: what it says about collective and ranks (nccl-tests, doc/PERFORMANCE.md). */
public final class BusFactor {
  private static final Set<String> SHARED = Set.of("all_gather", "reduce_scatter", "alltoall", "alltoallv", "gather", "scatter");
  /** Half a unit of the last printed digit. */
  private static final double HALF_DIGIT = 0.005;
  private static final int MOST_RANKS = 65536;

  private BusFactor() {}

  /** busbw over algbw of a collective of n ranks; NaN for a collective that is not known. */
  public static double of(String collective, int n) {
    if (collective.equals("all_reduce")) {
      return 2.0 * (n - 1) / n;
    }
    return SHARED.contains(collective) ? (double) (n - 1) / n : collective.equals(Fact.UNKNOWN) ? Double.NaN : 1;
  }

  /** Collective that a ratio alone proves: only all_reduce has more than 1. */
  public static String collective(Num algbw, Num busbw) {
    return algbw.above(0) && busbw.known() && busbw.value() / algbw.value() > 1 + 2 * error(algbw) ? "all_reduce" : Fact.UNKNOWN;
  }

  /** The only number of ranks that gives these two figures, or unknown if rounding leaves several. */
  public static Num ranks(String collective, Num algbw, Num busbw) {
    if (!algbw.above(0) || !busbw.known() || !collective.equals("all_reduce") && !SHARED.contains(collective)) {
      return Num.UNKNOWN;
    }
    double ratio = busbw.value() / algbw.value();
    int only = 0;
    for (int n = 1; n <= MOST_RANKS; n++) {
      double factor = of(collective, n);
      if (Math.abs(factor - ratio) <= error(algbw) * (1 + ratio)) {
        if (only > 0) {
          return Num.UNKNOWN;
        }
        only = n;
      } else if (factor > ratio + 1) {
        break;
      }
    }
    return only > 0 ? Num.of(only) : Num.UNKNOWN;
  }

  private static double error(Num algbw) {
    return HALF_DIGIT / algbw.value();
  }
}
