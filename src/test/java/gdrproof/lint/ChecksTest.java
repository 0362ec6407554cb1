package gdrproof.lint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import gdrproof.Quality;
import gdrproof.Shared;
import gdrproof.cli.LintRun;
import gdrproof.engine.RuleBase;
import gdrproof.finding.Finding;
import gdrproof.finding.RuleInfo;
import gdrproof.finding.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every check of the references has its rules, and how often these are right is written to target/quality.json. */
class ChecksTest {
  /** Numbers of the last checks of the lists for jobs (J) and for the operator's objects (NP). */
  private static final int LAST_JOB_CHECK = 61;
  private static final int LAST_OPERATOR_CHECK = 30;
  private static final Path FIXTURES = Path.of("fixtures");

  private static List<String> checks() {
    return Stream.concat(IntStream.rangeClosed(1, LAST_JOB_CHECK).mapToObj(i -> "J%02d".formatted(i)), IntStream.rangeClosed(1, LAST_OPERATOR_CHECK).mapToObj(i -> "NP%02d".formatted(i))).toList();
  }

  private static Map<String, List<RuleInfo>> byCheck() {
    Map<String, List<RuleInfo>> rules = new TreeMap<>();
    RuleBase.shipped().stream().filter(r -> r.stages().contains("lint") && !r.check().isEmpty()).forEach(r -> rules.computeIfAbsent(r.check(), c -> new ArrayList<>()).add(r));
    return rules;
  }

  @Test
  void everyCheckHasARuleThatFiresAndStaysSilentInAFixture() throws IOException {
    Map<String, List<RuleInfo>> rules = byCheck();
    List<String> missing = new ArrayList<>();
    for (String check : checks()) {
      Set<String> kinds = new HashSet<>();
      for (RuleInfo rule : rules.getOrDefault(check, List.of())) {
        kinds.addAll(kinds(rule));
      }
      if (!kinds.contains("fires") && !kinds.contains("open") || !kinds.contains("silent")) {
        missing.add(check + " " + kinds);
      }
    }
    assertEquals(List.of(), missing);
  }

  private static Set<String> kinds(RuleInfo rule) throws IOException {
    Set<String> kinds = new HashSet<>();
    for (Path fixture : fixtures(rule)) {
      kinds.add(fixture.getFileName().toString().replaceFirst("-.*", ""));
    }
    return kinds;
  }

  private static List<Path> fixtures(RuleInfo rule) throws IOException {
    Path folder = FIXTURES.resolve(rule.code());
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(Files::isDirectory).sorted().toList();
    }
  }

  /** Of one check: right findings, findings that should not be, findings that are missing. */
  private static final class Count {
    private int right;
    private int wrong;
    private int missed;

    Map<String, Object> row() {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("right", right);
      row.put("wrong", wrong);
      row.put("missed", missed);
      row.put("precision", share(right, wrong));
      row.put("recall", share(right, missed));
      return row;
    }

    private static Object share(int part, int rest) {
      return part + rest == 0 ? "nothing to measure" : Math.round(1000.0 * part / (part + rest)) / 1000.0;
    }
  }

  /** Per check: precision and recall over the rules' fixtures, the traps, and the reviewed manifests where they are at hand. */
  @Test
  void precisionAndRecallOfEachCheckAreMeasured() throws IOException {
    Map<String, Count> counts = new TreeMap<>();
    checks().forEach(c -> counts.put(c, new Count()));
    for (List<RuleInfo> rules : byCheck().values()) {
      for (RuleInfo rule : rules) {
        for (Path fixture : fixtures(rule)) {
          fixture(rule, fixture, counts.computeIfAbsent(rule.check(), c -> new Count()));
        }
      }
    }
    List<String> wrong = counts.entrySet().stream().filter(e -> e.getValue().wrong + e.getValue().missed > 0).map(e -> e.getKey() + " " + e.getValue().row()).toList();
    assertEquals(List.of(), wrong, "over the rules' own fixtures");
    traps(counts);
    Path manifests = Shared.path("gdrproof.manifests", "manifests");
    if (Files.isDirectory(manifests)) {
      manifests(manifests, counts);
    }
    Map<String, Object> rows = new LinkedHashMap<>();
    counts.forEach((check, count) -> rows.put(check, count.row()));
    Quality.put(Map.of("checks", rows));
  }

  private static void fixture(RuleInfo rule, Path fixture, Count count) throws IOException {
    String name = fixture.getFileName().toString();
    List<Finding> own = LintRun.folder(fixture, Linting.RULES).findings().stream().filter(f -> f.rule().code().equals(rule.code())).toList();
    if (name.startsWith("silent-")) {
      count.wrong += own.isEmpty() ? 0 : 1;
    } else if (own.isEmpty()) {
      count.missed++;
    } else {
      count.right++;
    }
  }

  private static void traps(Map<String, Count> counts) throws IOException {
    try (Stream<Path> files = Files.list(Path.of("src/test/resources/traps"))) {
      for (Path file : files.sorted().toList()) {
        Linting.run(file).findings().stream().filter(Linting::loud).forEach(f -> counts.computeIfAbsent(f.rule().check(), c -> new Count()).wrong++);
      }
    }
  }

  private static void manifests(Path folder, Map<String, Count> counts) throws IOException {
    for (String line : Files.readAllLines(folder.resolve("INDEX.tsv")).stream().skip(1).toList()) {
      String[] columns = line.split("\t", -1);
      if (!Files.exists(folder.resolve(columns[0]))) {
        continue;
      }
      LintRun.Result run = Linting.run(folder.resolve(columns[0]));
      Set<String> listed = new HashSet<>();
      for (Expectation entry : Expectation.of(columns[columns.length - 1])) {
        listed.add(entry.check());
        if (!entry.trap().isEmpty()) {
          counts.computeIfAbsent(entry.trap(), c -> new Count()).wrong += entry.met(run) ? 0 : 1;
        } else if (!entry.check().isEmpty() && entry.found(run.findings())) {
          counts.computeIfAbsent(entry.check(), c -> new Count()).right++;
        } else if (!entry.check().isEmpty() && entry.required()) {
          counts.computeIfAbsent(entry.check(), c -> new Count()).missed++;
        }
      }
      run.findings().stream().filter(f -> f.verdict() == Verdict.VIOLATED && Linting.loud(f) && !listed.contains(f.rule().check()))
          .forEach(f -> counts.computeIfAbsent(f.rule().check(), c -> new Count()).wrong++);
    }
  }
}
