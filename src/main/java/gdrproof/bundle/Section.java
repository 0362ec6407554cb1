package gdrproof.bundle;

import gdrproof.facts.Evidence;
import java.util.List;
import java.util.Locale;

/**
 * A part of an evidence file: the output of one command on one node where prompts, banners or prefixes tell them apart, else
 * the whole file.
 *
 * @param file path inside the bundle
 * @param firstLine number of the first line in the file, 1-based
 * @param lines text without line ends, control codes, host prefixes and secrets
 * @param raw the same lines as they stand in the file (secrets redacted), for excerpts
 * @param node node name from prompt, prefix, banner, folder or content, or unknown
 * @param command command line from a prompt, or unknown
 * @param time time stamp, or unknown
 * @param numbers line number of each line where they do not follow one another (outputs of several nodes interleaved), else empty
 */
public record Section(String file, int firstLine, List<String> lines, List<String> raw, String node, String command, String time, List<Integer> numbers) {
  public Section {
    lines = List.copyOf(lines);
    raw = List.copyOf(raw);
    numbers = List.copyOf(numbers);
  }

  public Section(String file, int firstLine, List<String> lines, List<String> raw, String node, String command, String time) {
    this(file, firstLine, lines, raw, node, command, time, List.of());
  }

  /** The same lines, said to be of another node. */
  public Section on(String other) {
    return new Section(file, firstLine, lines, raw, other, command, time, numbers);
  }

  /** Evidence for one line, by its index in {@link #lines()}. */
  public Evidence at(int index) {
    return at(index, index);
  }

  /** Evidence for a span of lines; the excerpt is the first line for spans over five lines. */
  public Evidence at(int from, int to) {
    boolean whole = to - from < 5 && (numbers.isEmpty() || line(to) - line(from) == to - from);
    String excerpt = whole ? String.join("\n", raw.subList(from, to + 1)) : raw.get(from);
    return new Evidence(file, line(from), line(whole ? to : from), 0, "", excerpt.strip(), node, command, time);
  }

  /** Line number in the file of an index. */
  public int line(int index) {
    return numbers.isEmpty() ? firstLine + index : numbers.get(index);
  }

  /** File name without folders, lower case: a hint, never a contract. */
  public String name() {
    return file.substring(file.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
  }
}
