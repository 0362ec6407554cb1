package gdrproof.report;

import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Colours the words of finished lines by which a reader finds what counts: severities, causes, verdicts. It looks at the lines as they are printed, so no report has
 * to know of terminals, and what is printed elsewhere stays plain.
 */
public final class TerminalColours extends Writer {
  private static final String OFF = "\u001b[0m";
  private static final String BOLD = "\u001b[1m";
  private static final String FAINT = "\u001b[2m";
  private static final String RED = "\u001b[1;31m";
  private static final String GREEN = "\u001b[1;32m";
  private static final String YELLOW = "\u001b[1;33m";
  private static final String CYAN = "\u001b[36m";

  /** Longer lines stay plain: no report prints them, and a pattern shall not be tried on a megabyte. */
  private static final int LONGEST = 2000;

  /** Each group of a shape in turn: plain between them, and each group by what it says. */
  private static final List<Pattern> SHAPES = List.of(
      Pattern.compile("(?<place>[^\\s\"{][^\"]*?(?::\\d+){0,2}): (?<word>error|warning|info|not judged): .*?(?<code> \\[[A-Z]{2,8}\\d{3} [\\w-]+])"),
      Pattern.compile("(?<place>outcome|verdict): (?<word>[\\w-]+).*"),
      Pattern.compile("(?<place>cause \\d+) \\((?<word>[\\w ]+)\\): (?<code>[\\w-]+).*"),
      Pattern.compile("(?<word>open|ruled out|accepted|not accepted)(?: \\(.*|:.*)?"),
      Pattern.compile("  (?<word>proven|failed|not-proven|not-applicable)  +.*"));

  private final Writer out;
  private final StringBuilder line = new StringBuilder();

  public TerminalColours(Writer out) {
    this.out = out;
  }

  @Override
  public void write(char[] text, int from, int length) throws IOException {
    for (int i = from; i < from + length; i++) {
      if (text[i] == '\n') {
        out.write(coloured(line.toString()));
        out.write('\n');
        line.setLength(0);
      } else {
        line.append(text[i]);
      }
    }
  }

  @Override
  public void flush() throws IOException {
    // Half a line, as a question before an answer is.
    out.write(line.toString());
    line.setLength(0);
    out.flush();
  }

  @Override
  public void close() throws IOException {
    flush();
    out.close();
  }

  /** A line with colours, or as it is where it is none of a report's own. */
  static String coloured(String line) {
    if (line.length() > LONGEST) {
      return line;
    }
    for (Pattern shape : SHAPES) {
      Matcher matcher = shape.matcher(line);
      if (matcher.matches()) {
        StringBuilder shown = new StringBuilder(line);
        // From the end, so that places before it stay where they are.
        paint(shown, matcher, "code", shape == SHAPES.get(0) ? FAINT : BOLD);
        paint(shown, matcher, "word", colour(matcher.group("word")));
        paint(shown, matcher, "place", BOLD);
        return shown.toString();
      }
    }
    return line;
  }

  private static void paint(StringBuilder shown, Matcher matcher, String group, String colour) {
    if (matcher.pattern().pattern().contains("?<" + group + ">") && matcher.start(group) >= 0) {
      shown.insert(matcher.end(group), OFF).insert(matcher.start(group), colour);
    }
  }

  private static String colour(String word) {
    return switch (word) {
      case "error", "failed", "fault-found", "forbidden", "unsupported", "not accepted" -> RED;
      case "warning", "not judged", "inconclusive", "nothing-judged", "not-proven", "open", "likely", "risky" -> YELLOW;
      case "proven", "accepted", "no-fault-found", "safe", "ruled out" -> GREEN;
      default -> CYAN;
    };
  }
}
