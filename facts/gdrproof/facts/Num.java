package gdrproof.facts;

import java.math.BigDecimal;

/**
 * A number that may be unknown. Comparisons of an unknown number are false in both directions, so a rule that asks
 * `rateGbps.below(x)` never fires on a value that no tool printed.
 */
public record Num(boolean known, double value) implements Comparable<Num> {
  public static final Num UNKNOWN = new Num(false, 0);

  /** Text of an infinite number, as limits print it. */
  public static final String UNLIMITED = "unlimited";

  public Num {
    if (Double.isNaN(value) || !known) {
      known = false;
      value = 0;
    }
  }

  public static Num of(double value) {
    return new Num(true, value);
  }

  /** Reads a decimal as tools print it; anything else (N/A, empty, "Unknown") is unknown. */
  public static Num parse(String text) {
    if (text == null || text.isBlank()) {
      return UNKNOWN;
    }
    try {
      return of(Double.parseDouble(text.strip()));
    } catch (NumberFormatException e) {
      return UNKNOWN;
    }
  }

  public boolean below(double limit) {
    return known && value < limit;
  }

  public boolean below(Num other) {
    return known && other.known && value < other.value;
  }

  public boolean atLeast(double limit) {
    return known && value >= limit;
  }

  public boolean above(double limit) {
    return known && value > limit;
  }

  public boolean above(Num other) {
    return known && other.known && value > other.value;
  }

  public boolean is(double other) {
    return known && value == other;
  }

  /** This number divided by another; unknown if either is, or the other is 0. */
  public Num over(Num other) {
    return known && other.known && other.value != 0 ? of(value / other.value) : UNKNOWN;
  }

  @Override
  public int compareTo(Num other) {
    return known == other.known ? Double.compare(value, other.value) : Boolean.compare(known, other.known);
  }

  /** This number with at most two decimals, for messages. */
  public Num rounded() {
    return known && !Double.isInfinite(value) ? of(Math.round(value * 100) / 100.0) : this;
  }

  /** This number of bytes in the largest binary unit that leaves it whole: `128Gi`, `1536Mi`, `1000 bytes`. */
  public String bytes() {
    String[] units = {"Ti", "Gi", "Mi", "Ki"};
    for (int i = 0; i < units.length && known && value > 0; i++) {
      double unit = Math.pow(1024, units.length - i);
      if (value % unit == 0) {
        return of(value / unit) + units[i];
      }
    }
    return this + (known ? " bytes" : "");
  }

  /** Decimal without a trailing ".0", "unlimited", or "unknown". */
  @Override
  public String toString() {
    if (!known) {
      return Fact.UNKNOWN;
    }
    return Double.isInfinite(value) ? UNLIMITED : BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }
}
