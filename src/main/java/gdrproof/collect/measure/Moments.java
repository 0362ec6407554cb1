package gdrproof.collect.measure;

import java.util.Comparator;
import java.util.Locale;
import java.util.regex.Pattern;

/** Order in time that names tell: `before`/`after`, `old`/`new`, and numbers inside names. */
final class Moments {
  private static final Pattern EARLIER = Pattern.compile("(?<![a-z])(?:before|pre|old|baseline|previous|prior|good)(?![a-z])");
  private static final Pattern LATER = Pattern.compile("(?<![a-z])(?:after|post|new|now|current|bad|upgraded|updated)(?![a-z])");

  /** Text order in which runs of digits count as numbers. */
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

  private Moments() {}

  /** `a before b`, or empty if the names do not say which came first. */
  static String order(String a, String b) {
    String left = a.toLowerCase(Locale.ROOT);
    String right = b.toLowerCase(Locale.ROOT);
    if (early(left) && late(right)) {
      return a + " came before " + b;
    }
    return early(right) && late(left) ? b + " came before " + a : "";
  }

  private static boolean early(String name) {
    return EARLIER.matcher(name).find() && !LATER.matcher(name).find();
  }

  private static boolean late(String name) {
    return LATER.matcher(name).find() && !EARLIER.matcher(name).find();
  }
}
