package gdrproof.report.html;

import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/**
 * Writes HTML that is also well-formed XML. Whatever comes from evidence passes {@link #text} or an attribute and is escaped there; there
 * is no way to write raw markup.
 */
final class Html {
  private static final Set<String> INLINE = Set.of("a", "b", "code", "em", "span", "strong", "text", "title", "desc", "td", "th", "li", "dt", "dd", "p", "h1", "h2", "h3", "h4", "caption",
      "summary", "pre", "tspan", "small");
  private final PrintWriter out;
  private final Deque<String> open = new ArrayDeque<>();

  Html(PrintWriter out) {
    this.out = out;
  }

  void doctype() {
    out.print("<!DOCTYPE html>\n");
  }

  /** Opens an element; attributes are names and values in turn. */
  Html open(String tag, String... attributes) {
    start(tag, attributes);
    out.print(">");
    open.push(tag);
    if (!INLINE.contains(tag)) {
      out.print("\n");
    }
    return this;
  }

  private void start(String tag, String... attributes) {
    out.print("<");
    out.print(tag);
    for (int i = 0; i + 1 < attributes.length; i += 2) {
      out.print(" ");
      out.print(attributes[i]);
      out.print("=\"");
      out.print(escape(attributes[i + 1]));
      out.print("\"");
    }
  }

  /** An element without content. */
  Html empty(String tag, String... attributes) {
    start(tag, attributes);
    out.print("/>\n");
    return this;
  }

  /** Closes the element opened last, which must be this one. */
  Html close(String tag) {
    String last = open.pop();
    if (!last.equals(tag)) {
      throw new IllegalStateException("closing " + tag + " inside " + last);
    }
    out.print("</");
    out.print(tag);
    out.print(">");
    if (!Set.of("a", "b", "code", "em", "span", "strong", "small", "tspan").contains(tag)) {
      out.print("\n");
    }
    return this;
  }

  Html text(String text) {
    out.print(escape(text));
    return this;
  }

  /** An element that holds text only. */
  Html element(String tag, String text, String... attributes) {
    return open(tag, attributes).text(text).close(tag);
  }

  /** The page's own style sheet, which holds nothing of the evidence. */
  void style(String css) {
    out.print("<style>\n");
    out.print(css);
    out.print("</style>\n");
  }

  void done() {
    if (!open.isEmpty()) {
      throw new IllegalStateException("not closed: " + open);
    }
  }

  /**
   * Text as it may stand in content and in attributes. Characters that markup forbids, and those that turn the direction of writing to
   * hide what a line says, become U+FFFD.
   */
  static String escape(String text) {
    StringBuilder safe = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> safe.append("&amp;");
        case '<' -> safe.append("&lt;");
        case '>' -> safe.append("&gt;");
        case '"' -> safe.append("&quot;");
        case '\'' -> safe.append("&#39;");
        case '\n', '\t' -> safe.append(c);
        case '\r' -> {
        }
        default -> {
          if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1)) && (text.codePointAt(i) & 0xFFFE) != 0xFFFE) {
            safe.append(c).append(text.charAt(++i));
          } else {
            safe.append(forbidden(c) ? '\uFFFD' : c);
          }
        }
      }
    }
    return safe.toString();
  }

  private static boolean forbidden(char c) {
    boolean control = c < 0x20 || c >= 0x7F && c < 0xA0;
    boolean turning = c >= 0x202A && c <= 0x202E || c >= 0x2066 && c <= 0x2069 || c == 0x200E || c == 0x200F;
    return control || turning || Character.isSurrogate(c) || c >= 0xFFFE || c >= 0xFDD0 && c <= 0xFDEF;
  }
}
