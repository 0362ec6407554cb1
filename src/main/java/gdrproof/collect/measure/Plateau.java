package gdrproof.collect.measure;

import gdrproof.facts.Tri;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The level a bandwidth curve settles at for large messages.
 *
 * @param level bandwidth of the plateau
 * @param from smallest size of the plateau, top largest size measured, bytes
 * @param best size inside the plateau whose value is nearest to the level: the row to show
 * @param flat yes: several sizes hold the level; no: the curve still rises at its end; unknown: too few sizes
 * @param dips sizes after the plateau's start that fall out of it
 */
record Plateau(double level, long from, long top, long best, Tri flat, List<Long> dips) {
  private static final int FEWEST_FOR_SPIKE = 4;

  /** The plateau of a curve (size to bandwidth); null if no size is large enough to tell. */
  static Plateau of(Map<Long, Double> curve, Limits limits) {
    TreeMap<Long, Double> large = new TreeMap<>();
    curve.forEach((size, value) -> {
      if (size >= limits.smallest() && Double.isFinite(value)) {
        large.put(size, value);
      }
    });
    if (large.isEmpty()) {
      return null;
    }
    double high = high(large, limits.tolerance());
    double floor = high * (1 - limits.tolerance());
    long from = large.lastKey();
    for (Map.Entry<Long, Double> each : large.entrySet()) {
      if (each.getValue() >= floor) {
        from = each.getKey();
        break;
      }
    }
    SortedMap<Long, Double> tail = large.tailMap(from);
    double level = median(tail.values().stream().filter(v -> v >= floor).toList());
    List<Long> dips = tail.entrySet().stream().filter(e -> e.getValue() < level * (1 - limits.dip())).map(Map.Entry::getKey).toList();
    long best = tail.entrySet().stream().min((a, b) -> {
      int byDistance = Double.compare(Math.abs(a.getValue() - level), Math.abs(b.getValue() - level));
      return byDistance != 0 ? byDistance : Long.compare(b.getKey(), a.getKey());
    }).orElseThrow().getKey();
    Tri flat = large.size() < 2 ? Tri.UNKNOWN : Tri.of(tail.size() - dips.size() >= 2);
    return new Plateau(level, from, large.lastKey(), best, flat, dips);
  }

  /** The highest value; a lone spike inside the curve does not set the level, while the end of a rising curve does. */
  private static double high(TreeMap<Long, Double> curve, double tolerance) {
    List<Double> sorted = curve.values().stream().sorted().toList();
    int n = sorted.size();
    double highest = sorted.get(n - 1);
    boolean spike = n >= FEWEST_FOR_SPIKE && highest > sorted.get(n - 2) * (1 + tolerance) && curve.lastEntry().getValue() < highest;
    return spike ? sorted.get(n - 2) : highest;
  }

  static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int n = sorted.size();
    return n % 2 == 1 ? sorted.get(n / 2) : (sorted.get(n / 2 - 1) + sorted.get(n / 2)) / 2;
  }
}
