package gdrproof.finding;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Findings that were there when a site began to lint. A finding is known by rule, file, YAML path and message, not by its
 * line, so that an edit above it changes nothing; counts keep a second one of the same kind visible.
 *
 * <p>The file has one line a finding: count, rule, file, path, message, separated by tabs, sorted.
 */
public final class Baseline {
  private final Map<String, Integer> known;

  private Baseline(Map<String, Integer> known) {
    this.known = known;
  }

  /** Reads a baseline; a file that does not exist yet is an empty one. */
  public static Baseline read(Path file) throws IOException {
    Map<String, Integer> known = new TreeMap<>();
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        int tab = line.indexOf('\t');
        if (line.startsWith("#") || line.isBlank()) {
          continue;
        }
        try {
          known.merge(line.substring(Math.max(0, tab) + 1), Integer.parseInt(line.substring(0, Math.max(0, tab))), Integer::sum);
        } catch (NumberFormatException e) {
          throw new IOException(file + ": not a baseline: " + line, e);
        }
      }
    }
    return new Baseline(known);
  }

  /**
   * @param findings with known ones turned to `suppressed`
   * @param left the baseline without what is no longer found
   * @param gone how many entries that are
   */
  public record Applied(List<Finding> findings, Baseline left, int gone) {}

  public Applied apply(List<Finding> findings) {
    Map<String, Integer> rest = new HashMap<>(known);
    Map<String, Integer> seen = new TreeMap<>();
    List<Finding> result = new ArrayList<>();
    for (Finding finding : findings) {
      String key = key(finding);
      if (finding.verdict() == Verdict.VIOLATED && rest.getOrDefault(key, 0) > 0) {
        rest.merge(key, -1, Integer::sum);
        seen.merge(key, 1, Integer::sum);
        result.add(new Finding(finding.rule(), finding.severity(), Verdict.SUPPRESSED, finding.at(), finding.message() + " (in the baseline)"));
      } else {
        result.add(finding);
      }
    }
    return new Applied(result, new Baseline(seen), rest.values().stream().mapToInt(Integer::intValue).sum());
  }

  /** A baseline of all violations at hand. */
  public static Baseline of(List<Finding> findings) {
    Map<String, Integer> known = new TreeMap<>();
    findings.stream().filter(f -> f.verdict() == Verdict.VIOLATED).forEach(f -> known.merge(key(f), 1, Integer::sum));
    return new Baseline(known);
  }

  public void write(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("# gdrproof baseline: findings that were there before; delete lines to see them again");
    known.forEach((key, count) -> lines.add(count + "\t" + key));
    Files.write(file, lines);
  }

  public int size() {
    return known.values().stream().mapToInt(Integer::intValue).sum();
  }

  private static String key(Finding f) {
    return String.join("\t", f.rule().code(), f.at().file(), f.at().path(), f.message().replaceAll("[\\t\\r\\n]+", " "));
  }
}
