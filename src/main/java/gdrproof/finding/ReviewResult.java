package gdrproof.finding;

import java.util.Comparator;
import java.util.List;

/**
 * What a change of the operator's configuration does.
 *
 * @param entries worst first
 * @param unread what could not be judged: templates, broken documents, kinds that the API refused
 * @param release releases of the chart before and after, `unknown` where nothing tells
 */
public record ReviewResult(List<Entry> entries, List<String> unread, String before, String after, List<String> failures) {
  /**
   * One consequence of one difference.
   *
   * @param path of the key in the after state, in the before state for removals; `chart` for the release as a whole
   * @param before value as written, absent if not
   * @param blastRadius nodes, pools and workloads that are hit, as far as the files tell
   * @param notRestored what going back does not bring back
   * @param file file of the after state (of the before state for removals), with line and column counted from 1
   */
  public record Entry(String object, String path, String before, String after, Consequence consequence, RuleInfo rule, String message, String blastRadius,
      List<String> notRestored, String file, int line, int column) implements Comparable<Entry> {
    private static final Comparator<Entry> ORDER = Comparator.comparing(Entry::consequence).thenComparing(Entry::object).thenComparing(Entry::path)
        .thenComparing(e -> e.rule().code()).thenComparing(Entry::message);

    @Override
    public int compareTo(Entry other) {
      return ORDER.compare(this, other);
    }
  }

  public Consequence verdict() {
    return Consequence.worst(entries.stream().map(Entry::consequence).toList());
  }
}
