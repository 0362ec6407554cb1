package gdrproof.facts;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Compares versions by their leading numeric parts: `2.22.3` and `2.22`, `5.15.0-113-generic` and `5.12`. */
public final class Versions {
  private static final Pattern NUMBERS = Pattern.compile("^\\D{0,3}?(\\d+(?:\\.\\d+)*)");

  private Versions() {}

  /** Whether a version is older than a bound; false where either is no version. */
  public static boolean below(String version, String bound) {
    return known(version) && known(bound) && compare(version, bound) < 0;
  }

  /** Whether a version is the bound or newer; false where either is no version. */
  public static boolean atLeast(String version, String bound) {
    return known(version) && known(bound) && compare(version, bound) >= 0;
  }

  /** Whether the text begins like a version. */
  public static boolean known(String version) {
    return !parts(version).isEmpty();
  }

  /** Whether two versions agree in as many parts as the shorter one has. */
  public static boolean agree(String one, String other) {
    List<Integer> a = parts(one);
    List<Integer> b = parts(other);
    int n = Math.min(a.size(), b.size());
    return n > 0 && a.subList(0, n).equals(b.subList(0, n));
  }

  private static int compare(String one, String other) {
    List<Integer> a = parts(one);
    List<Integer> b = parts(other);
    for (int i = 0; i < Math.max(a.size(), b.size()); i++) {
      int order = Integer.compare(i < a.size() ? a.get(i) : 0, i < b.size() ? b.get(i) : 0);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static List<Integer> parts(String version) {
    Matcher numbers = NUMBERS.matcher(version);
    List<Integer> parts = new ArrayList<>();
    if (numbers.find()) {
      for (String part : numbers.group(1).split("\\.")) {
        parts.add(part.length() > 9 ? Integer.MAX_VALUE : Integer.parseInt(part));
      }
    }
    return parts;
  }
}
