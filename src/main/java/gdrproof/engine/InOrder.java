package gdrproof.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Sorts by a short key, and by a text only where short keys are the same. Texts of facts are dear: each is made once, not for every comparison, and the
 * first one of a record type costs the virtual machine a millisecond, which a short run that needs none of them saves.
 */
final class InOrder {
  private InOrder() {}

  private record Keyed<T>(T value, String key, String text) {}

  static <T> List<T> of(Collection<T> values, Function<T, String> key, Function<T, String> text) {
    if (values.size() < 2) {
      return new ArrayList<>(values);
    }
    Map<String, Integer> shared = new HashMap<>();
    for (T value : values) {
      shared.merge(key.apply(value), 1, Integer::sum);
    }
    List<Keyed<T>> keyed = new ArrayList<>();
    for (T value : values) {
      String own = key.apply(value);
      keyed.add(new Keyed<>(value, own, shared.getOrDefault(own, 0) > 1 ? text.apply(value) : ""));
    }
    keyed.sort(Comparator.comparing((Keyed<T> k) -> k.key()).thenComparing(Keyed::text));
    List<T> sorted = new ArrayList<>(keyed.size());
    keyed.forEach(k -> sorted.add(k.value()));
    return sorted;
  }
}
