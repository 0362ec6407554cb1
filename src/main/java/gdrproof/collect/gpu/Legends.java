package gdrproof.collect.gpu;

import gdrproof.bundle.Section;
import gdrproof.collect.Sink;
import gdrproof.facts.Meta.Layout;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The legend below a matrix of nvidia-smi: drivers explain only words that they know, some only those that stand in the matrix. */
final class Legends {
  private static final Pattern HEAD = Pattern.compile("\\s*(?:(?<of>\\w+) )?Legend:\\s*");
  private static final Pattern WORD = Pattern.compile("\\s+(?<word>[A-Z][A-Z0-9#]{0,5})\\s+= \\S.*");
  private static final Pattern NAME = Pattern.compile("\\s+[A-Z]+\\d+\\s*: \\S+\\s*");

  private Legends() {}

  /** @param from index of the first line below the matrix */
  static void read(Section section, int from, String tool, Sink sink) {
    List<String> words = new ArrayList<>();
    int first = -1;
    int last = -1;
    for (int i = from; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher head = HEAD.matcher(line);
      Matcher word = WORD.matcher(line);
      if (head.matches()) {
        first = first < 0 ? i : first;
        last = i;
        if (head.group("of") != null) {
          words.add(head.group("of"));
        }
      } else if (first >= 0 && word.matches()) {
        words.add(word.group("word"));
        last = i;
      } else if (!line.isBlank() && !(first >= 0 && NAME.matcher(line).matches())) {
        break;
      }
    }
    if (!words.isEmpty()) {
      sink.fact(new Layout(section.node(), tool, "legend", String.join(",", words)), section.at(first, last));
    }
  }
}
