package gdrproof.facts;

/** Yes, no, or not known. */
public enum Tri {
  YES,
  NO,
  UNKNOWN;

  public static Tri of(boolean value) {
    return value ? YES : NO;
  }
}
