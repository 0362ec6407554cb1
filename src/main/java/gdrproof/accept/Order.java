package gdrproof.accept;

import java.util.Comparator;

/** Text order in which runs of digits count as numbers: run-2 before run-10. */
final class Order {
  static final Comparator<String> NATURAL = (a, b) -> {
    String[] left = a.split("(?<=\\d)(?=\\D)|(?<=\\D)(?=\\d)");
    String[] right = b.split("(?<=\\d)(?=\\D)|(?<=\\D)(?=\\d)");
    for (int i = 0; i < Math.min(left.length, right.length); i++) {
      boolean numbers = left[i].matches("\\d{1,18}") && right[i].matches("\\d{1,18}");
      int order = numbers ? Long.compare(Long.parseLong(left[i]), Long.parseLong(right[i])) : left[i].compareTo(right[i]);
      if (order != 0) {
        return order;
      }
    }
    return left.length != right.length ? Integer.compare(left.length, right.length) : a.compareTo(b);
  };

  private Order() {}
}
