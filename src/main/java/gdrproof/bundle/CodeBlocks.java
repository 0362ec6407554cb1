package gdrproof.bundle;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Code blocks in prose (issues, tickets, mails): outputs that were indented as a whole lose that indentation, so that they read like outputs of
 * their own; fences are bounds between outputs. Indentation that belongs to an output stays.
 */
final class CodeBlocks {
  private static final Pattern FENCE = Pattern.compile("^\\s{0,3}(?:```+|~~~+)\\s*[\\w+-]*\\s*$");
  /** A sentence that announces an output: several words, the last one with a mark. */
  private static final Pattern PROSE = Pattern.compile("^[A-Za-z0-9`*(\"'][^|=]*\\s\\S+\\s\\S.*[.:?!]$");
  private static final int LEAST = 2;

  private CodeBlocks() {}

  static boolean fence(String line) {
    return line.indexOf("```") >= 0 || line.indexOf("~~~") >= 0 ? FENCE.matcher(line).matches() : false;
  }

  /** Takes the common indentation of each code block away, in place. */
  static void dedent(List<String> lines) {
    int from = 0;
    String before = "";
    boolean gap = true;
    while (from < lines.size()) {
      String line = lines.get(from);
      if (line.isBlank()) {
        gap = true;
        from++;
      } else if (width(line) < LEAST || !gap && !before.endsWith(":")) {
        before = line.strip();
        gap = false;
        from++;
      } else {
        int to = from;
        int least = Integer.MAX_VALUE;
        for (; to < lines.size() && (lines.get(to).isBlank() || width(lines.get(to)) >= LEAST); to++) {
          least = lines.get(to).isBlank() ? least : Math.min(least, width(lines.get(to)));
        }
        if (prompted(lines, from, to, least) || gap && least >= 4 && PROSE.matcher(before).matches()) {
          for (int i = from; i < to; i++) {
            String each = lines.get(i);
            lines.set(i, each.isBlank() ? "" : each.substring(least));
          }
        }
        before = "";
        gap = false;
        from = to;
      }
    }
  }

  private static boolean prompted(List<String> lines, int from, int to, int least) {
    for (int i = from; i < to; i++) {
      String line = lines.get(i);
      if (!line.isBlank() && width(line) == least && Prompts.parse(line.substring(least)) != null) {
        return true;
      }
    }
    return false;
  }

  /** Leading blanks; a tab is one, as only equal beginnings are taken away. */
  private static int width(String line) {
    int width = 0;
    while (width < line.length() && line.charAt(width) == ' ') {
      width++;
    }
    return width == 0 && line.startsWith("\t") ? 0 : width;
  }
}
