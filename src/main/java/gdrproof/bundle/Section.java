package gdrproof.bundle;

import gdrproof.facts.Evidence;
import java.util.List;

/**
 * A part of an evidence file: the output of one command where prompts tell commands apart, else the whole file.
 *
 * @param file path inside the bundle
 * @param firstLine number of the first line in the file, 1-based
 * @param lines text without line ends, control codes and launcher prefixes removed
 * @param raw the same lines as they stand in the file, for excerpts
 * @param node node name from prompt, prefix, folder or content, or unknown
 * @param command command line from a prompt, or unknown
 * @param time time stamp, or unknown
 */
public record Section(String file, int firstLine, List<String> lines, List<String> raw, String node, String command, String time) {
  public Section {
    lines = List.copyOf(lines);
    raw = List.copyOf(raw);
  }

  /** Evidence for one line, by its index in {@link #lines()}. */
  public Evidence at(int index) {
    return at(index, index);
  }

  /** Evidence for a span of lines; the excerpt is the first line for spans over five lines. */
  public Evidence at(int from, int to) {
    String excerpt = to - from < 5 ? String.join("\n", raw.subList(from, to + 1)) : raw.get(from);
    int last = to - from < 5 ? to : from;
    return new Evidence(file, firstLine + from, firstLine + last, 0, "", excerpt.strip(), node, command, time);
  }

  /** Line number in the file of an index. */
  public int line(int index) {
    return firstLine + index;
  }

  /** File name without folders, lower case: a hint, never a contract. */
  public String name() {
    return file.substring(file.lastIndexOf('/') + 1).toLowerCase(java.util.Locale.ROOT);
  }
}
