package gdrproof.collect.kube;

import gdrproof.facts.Num;
import java.util.Map;

/** Kubernetes quantities: `8`, `"8"`, `500m`, `1Gi`, `1G`, `1e3`. */
final class Quantity {
  private static final Map<String, Double> UNITS = Map.ofEntries(Map.entry("", 1.0), Map.entry("n", 1e-9), Map.entry("u", 1e-6), Map.entry("m", 1e-3),
      Map.entry("k", 1e3), Map.entry("M", 1e6), Map.entry("G", 1e9), Map.entry("T", 1e12), Map.entry("P", 1e15), Map.entry("Ki", 1024.0),
      Map.entry("Mi", 1048576.0), Map.entry("Gi", 1073741824.0), Map.entry("Ti", 1099511627776.0), Map.entry("Pi", 1125899906842624.0));

  private Quantity() {}

  static Num of(String text) {
    String value = text.strip();
    int end = value.length();
    while (end > 0 && Character.isLetter(value.charAt(end - 1))) {
      end--;
    }
    Double unit = UNITS.get(value.substring(end));
    if (unit == null) {
      return Num.parse(value);
    }
    Num number = plain(value.substring(0, end)) ? Num.parse(value.substring(0, end)) : Num.UNKNOWN;
    return number.known() ? Num.of(number.value() * unit) : Num.UNKNOWN;
  }

  private static boolean plain(String digits) {
    return !digits.isEmpty() && digits.chars().allMatch(c -> c >= '0' && c <= '9' || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E');
  }
}
