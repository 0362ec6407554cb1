package gdrproof.finding.view;

import java.util.Comparator;

/** Order of device names in which numbers count as numbers: GPU2 before GPU10. */
final class Names {
  static final Comparator<String> NATURAL = Names::compare;

  private Names() {}

  private static int compare(String a, String b) {
    int i = 0;
    int j = 0;
    while (i < a.length() && j < b.length()) {
      char x = a.charAt(i);
      char y = b.charAt(j);
      if (digit(x) && digit(y)) {
        int endA = end(a, i);
        int endB = end(b, j);
        String left = a.substring(i, endA).replaceFirst("^0+(?=.)", "");
        String right = b.substring(j, endB).replaceFirst("^0+(?=.)", "");
        int order = left.length() != right.length() ? Integer.compare(left.length(), right.length()) : left.compareTo(right);
        if (order != 0) {
          return order;
        }
        i = endA;
        j = endB;
      } else if (x != y) {
        return Character.compare(x, y);
      } else {
        i++;
        j++;
      }
    }
    int rest = Integer.compare(a.length() - i, b.length() - j);
    return rest != 0 ? rest : a.compareTo(b);
  }

  private static int end(String text, int from) {
    int at = from;
    while (at < text.length() && digit(text.charAt(at))) {
      at++;
    }
    return at;
  }

  private static boolean digit(char c) {
    return c >= '0' && c <= '9';
  }
}
