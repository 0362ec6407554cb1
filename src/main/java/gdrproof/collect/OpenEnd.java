package gdrproof.collect;

import gdrproof.bundle.Section;
import gdrproof.bundle.Text;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The last line of a text that ends without a line end. Where it goes on with a table or a list of values, the text was cut, perhaps inside a number
 * (`active_mtu: 40` of 4096): such a line is not read. What is prose, or closed by a bracket, quote or bar, is whole as it stands.
 */
final class OpenEnd {
  private static final Pattern PAIR = Pattern.compile("^\\s*[A-Za-z_][\\w .()/#%\\[\\]*-]{0,60}?\\s*(?::\\s+|=\\s*|:\\.{3,})\\S.{0,200}$");
  private static final Pattern PADDED = Pattern.compile("^\\s*[A-Za-z][^:]{0,60}\\s{2,}: ?\\S.{0,200}$");
  /** Records of `rdma`, devices of `lspci`, priorities of `mlnx_qos`. */
  private static final Pattern RECORD = Pattern.compile("^(?:link \\S+/\\d+ |(?:[0-9a-f]{4,8}:)?[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7] |\\s*prio:\\d dscp:)");
  private static final Pattern FILE = Pattern.compile("^/(?:sys|proc)/\\S+[:\\s].{0,80}$");
  private static final Pattern PROSE = Pattern.compile("(?i)\\b(?:error|fail\\w*|warn\\w*|denied|refused|cannot|can't|not|no|NCCL|timed out)\\b");
  private static final Pattern NUMBER = Pattern.compile(".*\\d.*|-|X|N/A");
  /** A unit behind the number: the number is whole, whatever may be missing behind it. */
  private static final Pattern UNIT = Pattern.compile("(?:^|\\s)[\\d.]+ ?(?:[kKMGT]i?[Bb](?:/s|ps|it/s|/sec)?|GT/s|[kMG]?Hz|%)$");
  /** A path that ends with a PCI function, which has one digit. */
  private static final Pattern FUNCTION = Pattern.compile("^(?:\\.\\./|/)\\S*/[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]$");
  private static final String CLOSED = "}])>|\"'";
  private static final int CELLS = 3;
  /** Lines above of which one must be such a line, too. */
  private static final int ABOVE = 3;

  private OpenEnd() {}

  /** Number of the line, or -1 where the text ends as a whole one does. */
  static int line(byte[] bytes, List<String> lines) {
    int last = bytes.length - 1;
    while (last >= 0 && bytes[last] == 0) {
      last--;
    }
    if (lines.size() < 2 || last < 0 || bytes[last] == '\n') {
      return -1;
    }
    String line = Text.clean(lines.get(lines.size() - 1));
    if (line.isBlank() || CLOSED.indexOf(line.charAt(line.length() - 1)) >= 0) {
      return -1;
    }
    if (!value(line) || UNIT.matcher(line).find() || FUNCTION.matcher(line).matches()) {
      return -1;
    }
    // Headings and rules may stand between the values of a block.
    int seen = 0;
    for (int i = lines.size() - 2; i >= 0 && seen < ABOVE; i--) {
      String above = Text.clean(lines.get(i));
      if (value(above)) {
        return lines.size();
      }
      seen += above.isBlank() ? 0 : 1;
    }
    return -1;
  }

  private static boolean value(String line) {
    if (PADDED.matcher(line).matches() || RECORD.matcher(line).find()) {
      return true;
    }
    if (PROSE.matcher(line).find()) {
      return false;
    }
    if (FILE.matcher(line).matches() || PAIR.matcher(line).matches()) {
      return true;
    }
    String[] words = line.strip().split("\\s+");
    int numbers = 0;
    for (String word : words) {
      numbers += NUMBER.matcher(word).matches() ? 1 : 0;
    }
    int columns = line.strip().split("\\t+|\\s{2,}").length;
    return columns >= CELLS || columns > 1 && Character.isDigit(line.charAt(line.length() - 1)) || words.length >= CELLS && numbers * 2 >= words.length;
  }

  /** The section without that line, if it ends with it. */
  static Section without(Section section, int line) {
    int size = section.lines().size();
    if (line < 0 || size == 0 || section.line(size - 1) != line) {
      return section;
    }
    return new Section(section.file(), section.firstLine(), section.lines().subList(0, size - 1), section.raw().subList(0, size - 1), section.node(), section.command(), section.time(),
        section.numbers().isEmpty() ? List.of() : section.numbers().subList(0, size - 1));
  }
}
