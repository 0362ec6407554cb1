package gdrproof.finding;

import java.util.Locale;

/** What a rule says of a subject. */
public enum Verdict {
  VIOLATED,
  SATISFIED,
  INCONCLUSIVE,
  NOT_APPLICABLE,
  SUPPRESSED;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
