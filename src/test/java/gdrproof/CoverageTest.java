package gdrproof;

import static org.junit.jupiter.api.Assertions.assertEquals;

import gdrproof.engine.RuleBase;
import gdrproof.finding.RuleInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/coverage.md says of every requirement which rule, command or test serves it, or "not yet". */
class CoverageTest {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (?<number>R\\d{3}) \\| (?<served>[^|]*) \\|");
  private static final Pattern CODE = Pattern.compile("\\b[A-Z]{3}\\d{3}\\b");

  private static Map<String, String> rows() throws IOException {
    Map<String, String> rows = new TreeMap<>();
    Matcher row = ROW.matcher(Files.readString(Path.of("docs/coverage.md")));
    while (row.find()) {
      rows.put(row.group("number"), row.group("served").strip());
    }
    return rows;
  }

  @Test
  void everyRequirementIsMapped() throws IOException {
    Path requirements = Shared.folder("gdrproof.reference", "reference").resolve("requirements.md");
    Set<String> numbers = Pattern.compile("(?m)^R\\d{3}\\b").matcher(Files.readString(requirements)).results().map(m -> m.group()).collect(Collectors.toCollection(TreeSet::new));
    Map<String, String> rows = rows();
    numbers.removeAll(rows.entrySet().stream().filter(r -> !r.getValue().isEmpty()).map(Map.Entry::getKey).toList());
    assertEquals(Set.of(), numbers, "unmapped in docs/coverage.md");
  }

  @Test
  void everyRuleNamedThereExists() throws IOException {
    Set<String> codes = RuleBase.shipped().stream().map(RuleInfo::code).collect(Collectors.toSet());
    Set<String> unknown = new TreeSet<>();
    rows().forEach((number, served) -> CODE.matcher(served).results().map(m -> m.group()).filter(c -> !codes.contains(c)).forEach(c -> unknown.add(number + " names " + c)));
    assertEquals(Set.of(), unknown);
  }
}
