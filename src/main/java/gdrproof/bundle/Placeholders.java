package gdrproof.bundle;

import java.util.regex.Pattern;

/**
 * Tells values that something else fills in later: Helm, Jinja and Argo braces, envsubst, and the hand-made marks of
 * published examples. Such a value is unknown, whatever it looks like.
 */
public final class Placeholders {
  private static final Pattern MARK = Pattern.compile("\\{\\{|\\{%|<%|\\$\\{[A-Za-z_][A-Za-z0-9_]*[^}]*}|__[A-Z][A-Z0-9_]*__|@@?[A-Z][A-Z0-9_]*@@?"
      + "|(?<![A-Za-z0-9_])<[A-Za-z][A-Za-z0-9 _./-]*>|PLACEHOLDER|REPLACE[_-]|CHANGE[_-]?ME|(?<![A-Z])YOUR[_-]|\\[\\[");
  private static final Pattern WHOLE = Pattern.compile("\\$[A-Za-z_][A-Za-z0-9_]*|%[sd]|your-[a-z0-9-]+|x{3,}|X{3,}|TODO|TBD|\\.\\.\\.");

  /** Marks of one word that stand for whole lines, or for what YAML cannot begin a value with. */
  private static final Pattern ALONE = Pattern.compile("\\s*(?:\\$\\{[A-Za-z_][A-Za-z0-9_]*[^}]*}|\\$[A-Za-z_][A-Za-z0-9_]*|__[A-Z][A-Z0-9_]*__|@@?[A-Z][A-Z0-9_]*@@?|%[A-Z][A-Z0-9_]*%)\\s*(?:#.*)?");
  private static final Pattern UNREADABLE = Pattern.compile("@@?[A-Z][A-Z0-9_]*@@?|%[A-Z][A-Z0-9_]*%");

  private Placeholders() {}

  /** Whether a line holds a mark and nothing else: several lines may take its place. */
  public static boolean alone(String line) {
    return ALONE.matcher(line).matches();
  }

  /** Whether a mark begins at a column whose first letter begins no value in YAML (`@IMAGE@`, `%IMAGE%`). */
  static boolean unreadable(String line, int column) {
    return column < line.length() && UNREADABLE.matcher(line).region(column, line.length()).lookingAt();
  }

  /** Whether a short value (no script) is, or holds, a placeholder. */
  public static boolean in(String value) {
    // Nearly all values are a few small letters and digits, which no mark is made of.
    boolean plain = true;
    for (int i = 0; i < value.length() && plain; i++) {
      char c = value.charAt(i);
      plain = c >= 'a' && c <= 'w' || c >= '0' && c <= '9' || c == '/' || c == ':';
    }
    if (plain) {
      return false;
    }
    return MARK.matcher(value).find() || WHOLE.matcher(value).matches();
  }

  /** The same for a number: text with a variable somewhere, as in `$GPU_PER_NODE`. */
  public static boolean inNumber(String value) {
    return value.indexOf('$') >= 0 || in(value);
  }
}
