package gdrproof.collect.bench;

import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Units of bandwidth as people write them. Bits and bytes differ in one letter's case, so case counts. */
final class Units {
  /** A unit of bandwidth. */
  static final String UNIT = "(?:[KMGT]i?B(?:ytes)?(?:/s(?:ec)?|ps)|[KMGT](?:b|bits?)(?:/s(?:ec)?|ps)|[KMGT]i?B/sec)";
  private static final Pattern FIND = Pattern.compile("(?<![A-Za-z])" + UNIT + "|_" + UNIT);
  private static final double BITS = 8;

  private Units() {}

  /** The first unit in a text, as `GB/s`, `Gb/s`, `MB/s`, `MiB/s`, ...; unknown if there is none. */
  static String find(String text) {
    Matcher m = FIND.matcher(text);
    return m.find() ? normal(m.group().replaceFirst("^_", "")) : Fact.UNKNOWN;
  }

  static String normal(String unit) {
    boolean bytes = unit.indexOf('B') >= 0;
    return unit.charAt(0) + (unit.startsWith("i", 1) ? "i" : "") + (bytes ? "B/s" : "b/s");
  }

  /** A figure in GB/s (10^9 bytes); unknown if the unit is. */
  static Num gigabytes(Num value, String unit) {
    if (!value.known() || unit.equals(Fact.UNKNOWN)) {
      return Num.UNKNOWN;
    }
    int power = "KMGT".indexOf(unit.charAt(0)) + 1;
    double scale = Math.pow(unit.startsWith("i", 1) ? 1024 : 1000, power) / 1e9;
    return Num.of(value.value() * scale / (unit.indexOf('B') >= 0 ? 1 : BITS));
  }
}
