package gdrproof.probe;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Doubles the number of nodes until the bandwidth breaks, then finds the nodes that are slow together by halving: inside one half, or one node of each half. A pair that is
 * found is measured once more, each of it with a node that is known to be good.
 */
public final class Scaling {
  /** The plateau of a collective over some nodes, GB/s; NaN where it gave none. */
  @FunctionalInterface
  public interface Bandwidth {
    double over(List<String> nodes) throws IOException, InterruptedException;
  }

  /**
   * @param plateaus measured, in order, by the nodes
   * @param broke the first count of nodes whose plateau fell, 0 if none did
   * @param slow the smallest set of nodes found slow together; empty where all scale
   * @param verdict `scales`, `node` (slow holds one), `pair` (slow holds two), `unsure`
   */
  public record Found(Map<List<String>, Double> plateaus, int broke, List<String> slow, String verdict) {}

  private final Bandwidth bandwidth;
  private final Map<List<String>, Double> plateaus = new LinkedHashMap<>();
  private double fast;

  public Scaling(Bandwidth bandwidth) {
    this.bandwidth = bandwidth;
  }

  public Found run(List<String> nodes) throws IOException, InterruptedException {
    List<String> good = List.of();
    for (int count = 2; count <= nodes.size(); count = count == nodes.size() ? count + 1 : Math.min(count * 2, nodes.size())) {
      List<String> set = nodes.subList(0, count);
      double plateau = measure(set);
      if (count == 2) {
        // The first pair is the measure of the rest; when it is itself bad, another pair shows.
        fast = plateau;
        double other = nodes.size() >= 4 ? measure(nodes.subList(2, 4)) : Double.NaN;
        if (other > fast) {
          fast = other;
        }
      }
      if (slow(plateau)) {
        return isolate(set, good.isEmpty() && nodes.size() >= 4 ? nodes.subList(2, 4) : good, count);
      }
      good = set;
    }
    return new Found(plateaus, 0, List.of(), "scales");
  }

  private Found isolate(List<String> bad, List<String> good, int broke) throws IOException, InterruptedException {
    List<String> set = bad;
    while (set.size() > 2) {
      List<String> a = set.subList(0, (set.size() + 1) / 2);
      List<String> b = set.subList((set.size() + 1) / 2, set.size());
      if (slowTogether(a)) {
        set = a;
      } else if (slowTogether(b)) {
        set = b;
      } else {
        set = across(a, b);
        break;
      }
    }
    if (set.size() != 2) {
      return new Found(plateaus, broke, set, "unsure");
    }
    List<String> pair = set;
    List<String> partners = good.stream().filter(g -> !pair.contains(g)).toList();
    if (partners.isEmpty()) {
      return new Found(plateaus, broke, pair, "unsure");
    }
    boolean first = slowTogether(List.of(pair.get(0), partners.get(0)));
    boolean second = slowTogether(List.of(pair.get(1), partners.get(0)));
    List<String> slow = first == second ? pair : List.of(pair.get(first ? 0 : 1));
    return new Found(plateaus, broke, slow, first != second ? "node" : first ? "unsure" : "pair");
  }

  /** One node of each side that are slow together, though each side alone is fast. */
  private List<String> across(List<String> a, List<String> b) throws IOException, InterruptedException {
    List<String> left = shrink(a, b);
    List<String> right = shrink(b, left);
    return join(left, right);
  }

  private List<String> shrink(List<String> side, List<String> other) throws IOException, InterruptedException {
    List<String> set = side;
    while (set.size() > 1) {
      List<String> half = set.subList(0, set.size() / 2);
      set = slowTogether(join(half, other)) ? half : set.subList(set.size() / 2, set.size());
    }
    return set;
  }

  private static List<String> join(List<String> a, List<String> b) {
    List<String> both = new ArrayList<>(a);
    both.addAll(b);
    return both;
  }

  private boolean slowTogether(List<String> nodes) throws IOException, InterruptedException {
    return nodes.size() > 1 && slow(measure(nodes));
  }

  private boolean slow(double plateau) {
    return Double.isNaN(plateau) || plateau < fast * (1 - Measuring.limit("scaling_drop_percent") / 100.0);
  }

  private double measure(List<String> nodes) throws IOException, InterruptedException {
    List<String> key = List.copyOf(nodes);
    Double known = plateaus.get(key);
    if (known == null) {
      known = bandwidth.over(key);
      plateaus.put(key, known);
    }
    return known;
  }
}
