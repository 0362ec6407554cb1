package gdrproof.finding;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Findings that were there when a site began to lint. A finding is known by rule, file, YAML path and message, not by its
 * line, so that an edit above it changes nothing; items of lists are not numbered for the same reason. Counts keep a second one of the same kind
 * visible. Files are named as seen from the baseline's own folder, so that it does not matter where the program is called.
 *
 * <p>The file has one line a finding: count, rule, file, path, message, separated by tabs, sorted.
 */
public final class Baseline {
  private static final String STDIN = "stdin";

  private final Map<String, Integer> known;
  private final Path folder;

  private Baseline(Map<String, Integer> known, Path folder) {
    this.known = known;
    this.folder = folder;
  }

  /** Reads a baseline; a file that does not exist yet is an empty one. */
  public static Baseline read(Path file) throws IOException {
    Map<String, Integer> known = new TreeMap<>();
    if (Files.exists(file)) {
      for (String line : lines(file)) {
        int tab = line.indexOf('\t');
        if (line.startsWith("#") || line.isBlank()) {
          continue;
        }
        try {
          known.merge(line.substring(Math.max(0, tab) + 1), Integer.parseInt(line.substring(0, Math.max(0, tab))), Integer::sum);
        } catch (NumberFormatException e) {
          throw new IOException(file + ": not a baseline: " + line, e);
        }
        if (line.split("\t", -1).length < 5) {
          throw new IOException(file + ": not a baseline: " + line);
        }
      }
    }
    return new Baseline(known, folder(file));
  }

  private static List<String> lines(Path file) throws IOException {
    try {
      return Files.readAllLines(file);
    } catch (CharacterCodingException e) {
      throw new IOException(file + ": not a baseline: no UTF-8 text", e);
    }
  }

  private static Path folder(Path file) {
    return file.toAbsolutePath().normalize().getParent();
  }

  /**
   * @param findings with known ones turned to `suppressed`
   * @param left the baseline without what is no longer found
   * @param gone how many entries that are
   */
  public record Applied(List<Finding> findings, Baseline left, int gone) {}

  /**
   * @param whole files that were judged whole: only of these, and of files that are no more, can be told that a finding is gone
   */
  public Applied apply(List<Finding> findings, Set<String> whole) {
    Set<String> judged = new HashSet<>();
    whole.forEach(name -> judged.add(name(name)));
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
    int gone = 0;
    for (Map.Entry<String, Integer> each : rest.entrySet()) {
      String file = each.getKey().split("\t", -1)[1];
      if (judged.contains(file) || !file.equals(STDIN) && !Files.exists(folder.resolve(file))) {
        gone += each.getValue();
      } else if (each.getValue() > 0) {
        seen.merge(each.getKey(), each.getValue(), Integer::sum);
      }
    }
    return new Applied(result, new Baseline(seen, folder), gone);
  }

  /** A baseline of all violations at hand, to be written to a file. */
  public static Baseline of(List<Finding> findings, Path file) {
    Baseline baseline = new Baseline(new TreeMap<>(), folder(file));
    findings.stream().filter(f -> f.verdict() == Verdict.VIOLATED).forEach(f -> baseline.known.merge(baseline.key(f), 1, Integer::sum));
    return baseline;
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

  private String name(String file) {
    return file.equals(STDIN) ? file : folder.relativize(Path.of(file).toAbsolutePath().normalize()).toString().replace('\\', '/');
  }

  private String key(Finding f) {
    return String.join("\t", f.rule().code(), name(f.at().file()), f.at().path().replaceAll("\\[\\d+\\]", "[]"), f.message().replaceAll("[\\t\\r\\n]+", " "));
  }
}
