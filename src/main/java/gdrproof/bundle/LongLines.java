package gdrproof.bundle;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Lines longer than any tool prints. What reads tools line by line may need the square of a line's length in time, or a stack as deep as the line has
 * words, so the rest of such a line is left out; documents that may be one line as a whole (JSON, XML) and values in quotes are not touched.
 */
public final class LongLines {
  /** Characters: twice the longest kernel command line of x86, four times the longest line of a kernel log. */
  public static final int LONGEST = 4096;
  /** Characters of a row of many cells, such as all fields of `nvidia-smi --query-gpu`. */
  private static final int LONGEST_ROW = 4 * LONGEST;
  private static final Pattern CELLS = Pattern.compile("^(?:[^,]{0,80}, ){24}");
  private static final Pattern DOCUMENT = Pattern.compile("^(?!\\s*(?:[\\[{]\\s*){32})\\s*(?:[{<\"']|\\[\\s*[\\[{\"'\\]]|(?:- )*[\\w./-]+\\s*:\\s*[\\[{\"'|>])");

  private LongLines() {}

  /** Index of the first line whose end would be left out, or -1. */
  public static int first(List<String> lines) {
    for (int i = 0; i < lines.size(); i++) {
      if (cut(lines.get(i))) {
        return i;
      }
    }
    return -1;
  }

  /** The lines, too long ones without their ends. */
  public static List<String> cut(List<String> lines) {
    if (first(lines) < 0) {
      return lines;
    }
    List<String> all = new ArrayList<>(lines);
    all.replaceAll(l -> cut(l) ? l.substring(0, longest(l)) : l);
    return all;
  }

  private static int longest(String line) {
    return CELLS.matcher(line).lookingAt() ? LONGEST_ROW : LONGEST;
  }

  private static boolean cut(String line) {
    return line.length() > LONGEST && line.length() > longest(line) && !DOCUMENT.matcher(line.substring(0, 512)).find();
  }
}
