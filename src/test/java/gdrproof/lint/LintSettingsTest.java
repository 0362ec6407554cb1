package gdrproof.lint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.lint.Linting.Called;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a project sets, ignores and has had before: nothing of it may hide more than somebody asked for, and nothing misspelt may pass for a setting. */
class LintSettingsTest {
  private static final Path WRONG = Path.of("fixtures/POD230/fires-unmounted/job.yaml");

  @TempDir
  private Path temp;

  @Test
  void whatAConfigurationSaysWronglyIsRefusedWithItsPlace() throws IOException {
    Path config = temp.resolve("gdrproof.yaml");
    Map<String, String> wrong = Map.of("ignore: [{code: POD230, reason: x}]", "ignore[0]: unknown key code", "ignore: [{rule: POD230, files: [a], reason: x}]", "unknown key files",
        "ignore: [{reason: x}]", "ignore[0] names no rule", "ignore: {rule: POD230}", "ignore is a list of entries, not a map", "ignore: [POD230]", "ignore[0] is a map of settings",
        "severity: {POD999: off}", "POD999, and no rule", "severity: {POD23: off}", "(POD230?)", "severity: off", "severity is a map", "- a", "is a map of settings, not a list",
        "ignore: [{rule: POD230, file: '[', reason: x}]", "no glob pattern");
    for (Map.Entry<String, String> each : wrong.entrySet()) {
      Files.writeString(config, each.getKey() + "\n");
      Called called = Linting.call("lint", WRONG.toString(), "--config", config.toString());
      assertEquals(4, called.code(), each.getKey());
      assertTrue(called.err().contains(each.getValue()) && called.err().contains(config.toString()) && !called.err().contains("internal"), called.err());
      assertEquals(4, Linting.call("config", "show", "--config", config.toString()).code(), each.getKey());
    }
    for (String more : List.of("thresholds: {shm.minimum: abc}", "fail-on: sometimes", "severity: {POD230: {a: b}}")) {
      Files.writeString(config, more + "\n");
      assertEquals(4, Linting.call("lint", WRONG.toString(), "--config", config.toString()).code(), more);
    }
    assertTrue(Linting.call("lint", WRONG.toString(), "--config", temp.resolve("none.yaml").toString()).err().contains("no such configuration file"));
  }

  @Test
  void ignoredRulesAndFilesAreLists() throws IOException {
    Path config = temp.resolve("gdrproof.yaml");
    Map<String, Integer> entries = Map.of("{rule: [POD231, POD230], reason: x}", 0, "{rule: 'POD231,POD230', reason: x}", 0, "{rule: J23, file: [other.yaml, job.yaml], reason: x}", 0,
        "{rule: all, file: 'fixtures/**', reason: x}", 0, "{rule: POD230, file: fixtures/POD230/, reason: x}", 0, "{rule: POD230, file: '*.yml', reason: x}", 1, "{rule: POD230, file: jobs/, reason: x}", 1,
        "{rule: POD230}", 1);
    for (Map.Entry<String, Integer> each : entries.entrySet()) {
      Files.writeString(config, "ignore: [" + each.getKey() + "]\n");
      assertEquals(each.getValue(), Linting.call("lint", WRONG.toString(), "--config", config.toString()).code(), each.getKey());
    }
  }

  /** A rule without a check of the reference must not be met by an empty name. */
  @Test
  void anAnnotationThatNamesNoRuleHidesNothing() throws IOException {
    String job = Files.readString(Path.of("fixtures/POD620").toAbsolutePath().resolve(first("fixtures/POD620", "fires-")).resolve("job.yaml"));
    Path plain = Files.writeString(temp.resolve("plain.yaml"), job);
    Path empty = Files.writeString(temp.resolve("empty.yaml"), annotated(job, ": because"));
    Called called = Linting.call("lint", empty.toString(), "-q");
    assertEquals(Linting.call("lint", plain.toString()).code(), called.code());
    assertTrue(called.err().contains("names no rule and does not count"), called.err());
  }

  @Test
  void anItemOfAListIsAnObjectWithItsOwnAnnotation() throws IOException {
    String item = Files.readString(WRONG).lines().dropWhile(l -> l.startsWith("#") || l.equals("---")).map(l -> "  " + l).reduce("", (a, b) -> a + b + "\n").replaceFirst("  ", "- ");
    Path list = Files.writeString(temp.resolve("list.yaml"), "apiVersion: v1\nkind: List\nitems:\n" + annotated(item, "POD230: no loaders here") + item.replaceFirst("name: \\S+", "name: other"));
    Called called = Linting.call("lint", list.toString());
    assertEquals(1, called.code(), called.out());
    assertEquals(1, called.out().lines().filter(l -> l.contains("POD230")).count(), called.out());
    assertTrue(called.err().contains("1 suppressed"), called.err());
  }

  @Test
  void aBaselineForgetsOnlyWhatWasJudgedWhole() throws IOException {
    Path one = Files.writeString(temp.resolve("one.yaml"), Files.readString(WRONG));
    Path two = Files.writeString(temp.resolve("two.yaml"), Files.readString(WRONG));
    Path baseline = temp.resolve("baseline.tsv");
    assertEquals(0, Linting.call("lint", temp.toString(), "--write-baseline", baseline.toString()).code());
    List<String> before = Files.readAllLines(baseline);
    assertEquals(0, Linting.call("lint", one.toString(), "--baseline", baseline.toString()).code());
    assertEquals(before, Files.readAllLines(baseline), "two.yaml was not looked at");
    Files.writeString(two, "a: [\n");
    Linting.call("lint", temp.toString(), "--baseline", baseline.toString());
    assertEquals(before, Files.readAllLines(baseline), "two.yaml could not be read");
    Files.writeString(two, "");
    Linting.call("lint", temp.toString(), "--baseline", baseline.toString());
    assertEquals(before, Files.readAllLines(baseline), "an empty file tells nothing");
    Files.delete(two);
    assertTrue(Linting.call("lint", one.toString(), "--baseline", baseline.toString()).err().contains("gone"));
    assertTrue(Files.readString(baseline).contains("one.yaml") && !Files.readString(baseline).contains("two.yaml"));
  }

  @Test
  void aBaselineKnowsAFindingThoughListsBeforeItGrow() throws IOException {
    Path job = Path.of("fixtures/ENV100").resolve(first("fixtures/ENV100", "fires-")).resolve("job.yaml");
    String text = Files.readString(Files.exists(job) ? job : WRONG);
    String names = text.replaceFirst("(?m)^( *)env:\\n", "$1env:\n$1- {name: ADDED, value: \"1\"}\n");
    Path file = Files.writeString(temp.resolve("job.yaml"), text);
    Path baseline = temp.resolve("baseline.tsv");
    Linting.call("lint", file.toString(), "--write-baseline", baseline.toString());
    String before = Files.readString(baseline);
    assertTrue(before.contains("containers[]"), before);
    Files.writeString(file, names);
    Called called = Linting.call("lint", file.toString(), "--baseline", baseline.toString(), "--fail-on", "info");
    assertEquals(0, called.code(), called.out());
    assertEquals(before, Files.readString(baseline));
  }

  @Test
  void whatIsNoBaselineIsTold() throws IOException {
    Called other = Linting.call("lint", WRONG.toString(), "--baseline", WRONG.toString());
    assertEquals(4, other.code());
    assertTrue(other.err().contains("not a baseline") && !other.err().contains("internal"), other.err());
    Called nowhere = Linting.call("lint", WRONG.toString(), "--write-baseline", temp.resolve("none/b.tsv").toString());
    assertEquals(2, nowhere.code());
    assertFalse(nowhere.err().contains("internal"), nowhere.err());
  }

  private static String annotated(String job, String text) {
    return job.replaceFirst("(?m)^( *)name: (.*)$", "$1name: $2\n$1annotations: {gdrproof.io/ignore: \"" + text + "\"}");
  }

  private static String first(String folder, String prefix) {
    return Path.of(folder).toFile().list((d, n) -> n.startsWith(prefix))[0];
  }
}
