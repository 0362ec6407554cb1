package gdrproof.facts;

import java.util.List;
import java.util.Locale;

/** Comparisons of names that facts offer to rules. */
public final class Texts {
  private static final int NEAR = 2;

  private Texts() {}

  /** Whether two names are likely meant to be one: equal without prefix or separators, or at most two letters apart. */
  public static boolean near(String a, String b) {
    String x = plain(a);
    String y = plain(b);
    if (x.equals(y)) {
      return true;
    }
    return Math.min(x.length(), y.length()) >= 5 && distance(x, y, NEAR) <= NEAR && sameDigits(x, y);
  }

  private static String plain(String name) {
    return name.substring(name.indexOf('/') + 1).replaceAll("[-_.]", "").toLowerCase(Locale.ROOT);
  }

  /** Names that differ in a number are siblings (`device_a1`, `device_a2`), not misspellings. */
  private static boolean sameDigits(String a, String b) {
    return a.replaceAll("\\D", "").equals(b.replaceAll("\\D", ""));
  }

  /** Edits (insert, delete, replace, swap of neighbours) between two texts; any number above the limit once it is passed. */
  public static int distance(String a, String b, int limit) {
    if (Math.abs(a.length() - b.length()) > limit) {
      return limit + 1;
    }
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      d[i][0] = i;
    }
    for (int j = 0; j <= b.length(); j++) {
      d[0][j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int best = Integer.MAX_VALUE;
      for (int j = 1; j <= b.length(); j++) {
        int cost = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        int value = Math.min(Math.min(d[i - 1][j] + 1, d[i][j - 1] + 1), d[i - 1][j - 1] + cost);
        if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
          value = Math.min(value, d[i - 2][j - 2] + 1);
        }
        d[i][j] = value;
        best = Math.min(best, value);
      }
      if (best > limit) {
        return limit + 1;
      }
    }
    return d[a.length()][b.length()];
  }

  /**
   * Whether an NCCL interface list selects any of the names: prefixes, a leading `=` makes them exact, a leading `^`
   * turns the list into exclusions. Ports (`:1`) are not compared.
   */
  public static boolean selects(String list, List<String> names) {
    return names.stream().anyMatch(name -> selectsPort(list, name, Num.UNKNOWN));
  }

  /** Whether a list in the form of NCCL_IB_HCA selects a port: as {@link #selects(String, List)}, and a token's `:port` counts. */
  public static boolean selectsPort(String list, String hca, Num port) {
    String rest = list.strip();
    boolean exclude = rest.startsWith("^");
    rest = exclude ? rest.substring(1) : rest;
    boolean exact = rest.startsWith("=");
    rest = exact ? rest.substring(1) : rest;
    boolean found = false;
    for (String token : rest.split(",")) {
      String[] parts = token.strip().split(":", 2);
      boolean named = !parts[0].isEmpty() && (exact ? hca.equals(parts[0]) : hca.startsWith(parts[0]));
      found |= named && (parts.length < 2 || parts[1].isEmpty() || !port.known() || port.equals(parsed(parts[1])));
    }
    return found != exclude;
  }

  /** An integer as `strtoll` with base 0 reads it: leading 0x and 0, trailing text ignored, no digits is 0; unknown with `$`. */
  public static Num parsed(String text) {
    String value = text.strip();
    if (value.isEmpty() || value.indexOf('$') >= 0 || value.indexOf('{') >= 0) {
      return Num.UNKNOWN;
    }
    int at = value.charAt(0) == '-' || value.charAt(0) == '+' ? 1 : 0;
    int radix = 10;
    if (value.startsWith("0x", at) || value.startsWith("0X", at)) {
      radix = 16;
      at += 2;
    } else if (value.startsWith("0", at)) {
      radix = 8;
    }
    double number = 0;
    for (; at < value.length() && Character.digit(value.charAt(at), radix) >= 0; at++) {
      number = number * radix + Character.digit(value.charAt(at), radix);
    }
    return Num.of(value.charAt(0) == '-' ? -number : number);
  }
}
