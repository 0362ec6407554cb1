package gdrproof.finding;

import java.util.Locale;

/** How bad a finding is, mildest first. */
public enum Severity {
  INFO,
  WARNING,
  ERROR;

  public static Severity parse(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
