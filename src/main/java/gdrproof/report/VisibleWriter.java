package gdrproof.report;

import java.io.PrintWriter;
import java.util.Arrays;

/**
 * Prints lines for people and build logs in which values of foreign files appear. What would move a terminal's cursor, turn its text around or begin a line of its own is
 * written out (`\n`, `\u001b`): a value of a manifest must not look like the program's own words, nor give a build server a command. `println` and `printf` are for such
 * lines; `print` and `write` leave what they get as it is, for formats that escape by themselves.
 */
public final class VisibleWriter extends PrintWriter {
  /**
   * @param flushing whether each line is passed on at once
   */
  public VisibleWriter(PrintWriter out, boolean flushing) {
    super(out, flushing);
  }

  @Override
  public void println(String text) {
    super.println(line(String.valueOf(text)));
  }

  @Override
  public void println(Object text) {
    if (text instanceof CharSequence) {
      println(text.toString());
    } else {
      super.println(text);
    }
  }

  @Override
  public PrintWriter format(String format, Object... values) {
    return super.format(format, Arrays.stream(values).map(value -> value instanceof CharSequence text ? line(text.toString()) : value).toArray());
  }

  /** The same as one line, with nothing in it that acts. */
  public static String line(String text) {
    return escaped(text, false);
  }

  /** The same with its line ends, and nothing else in it that acts: also for finished JSON, in whose strings these escapes mean the same. */
  public static String text(String text) {
    return escaped(text, true);
  }

  private static String escaped(String text, boolean lines) {
    StringBuilder shown = null;
    boolean begins = true;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean acts = c == '\n' ? !lines : acts(c) || c == ':' && begins && startsCommand(text, i) || c == '#' && namesCommand(text, i);
      if (acts && shown == null) {
        shown = new StringBuilder(text.length() + 16).append(text, 0, i);
      }
      if (shown != null) {
        shown.append(acts ? shown(c) : String.valueOf(c));
      }
      begins = c == '\n' && lines || begins && (Character.isWhitespace(c) || Character.isSpaceChar(c));
    }
    return shown == null ? text : shown.toString();
  }

  /** Control characters but the tab, line and paragraph separators, and marks that turn the direction of text. */
  private static boolean acts(char c) {
    return c < ' ' && c != '\t' || c >= 0x7f && c <= 0x9f || c == 0x61c || c == 0x200e || c == 0x200f || c >= 0x2028 && c <= 0x202e || c >= 0x2066 && c <= 0x2069;
  }

  /** GitHub's runner takes `::name ...::` at the beginning of a line for a command. */
  private static boolean startsCommand(String text, int at) {
    return text.startsWith("::", at) && at + 2 < text.length() && Character.isLetter(text.charAt(at + 2)) && text.indexOf("::", at + 2) > 0;
  }

  /** Its older form, `##[name]`, and that of Azure Pipelines, `##vso[name]`, count anywhere in a line. */
  private static boolean namesCommand(String text, int at) {
    return at > 0 && text.charAt(at - 1) == '#' && (text.startsWith("[", at + 1) || text.startsWith("vso[", at + 1));
  }

  private static String shown(char c) {
    return switch (c) {
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      default -> String.format("\\u%04x", (int) c);
    };
  }
}
