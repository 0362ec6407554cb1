package gdrproof.probe;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import gdrproof.bundle.ProbeHeader;
import gdrproof.cli.Pipeline;
import gdrproof.finding.Asking;
import gdrproof.finding.Subject;
import gdrproof.policy.Policies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every measurement that may be asked for prints what a collector reads: an output below the head and command line that measuring writes gives its fact. */
class AskedEvidenceTest {
  @TempDir
  private Path folder;

  private record Row(String measurement, String fact, String file) {}

  private static List<Row> rows() throws IOException {
    return Files.readAllLines(Path.of("src/test/resources/asks.tsv")).stream().filter(l -> !l.startsWith("#")).map(l -> l.split("\t")).map(p -> new Row(p[0], p[1], p[2])).toList();
  }

  @Test
  void everyMeasurementHasARow() throws IOException {
    Set<String> missing = new TreeSet<>(Policies.read("measurements.yaml").keySet());
    rows().forEach(r -> missing.remove(r.measurement()));
    assertTrue(missing.isEmpty(), "src/test/resources/asks.tsv: no output for " + missing);
  }

  @TestFactory
  List<DynamicTest> whatIsAskedIsRead() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Row row : rows()) {
      if (!row.fact().equals("-")) {
        tests.add(dynamicTest(row.measurement(), () -> {
          String command = new Asking(List::of).ask(row.measurement(), Set.of(), Set.of(Subject.node("n1")), true).command().lines().findFirst().orElse("").replaceFirst("   # on .*$", "");
          ProbeHeader head = new ProbeHeader(row.measurement(), "n1", "host", "2026-01-01T00:00:00Z", 0, 1, ProbeHeader.Status.DONE, command);
          Path bundle = Files.createDirectories(folder.resolve(row.measurement()));
          Path file = Path.of(row.file());
          boolean yaml = row.file().endsWith(".yaml");
          // What the cluster's API prints is stored as it is.
          Files.writeString(bundle.resolve(yaml ? "objects.yaml" : "n1.txt"), (yaml ? "" : head.line() + "\ngdrproof@n1:~$ " + command + "\n") + Files.readString(file));
          Set<String> facts = new TreeSet<>();
          Pipeline.facts(bundle).facts().forEach(f -> facts.add(f.getClass().getSimpleName()));
          assertTrue(facts.contains(row.fact()), row.measurement() + " below `" + command + "`: no " + row.fact() + " among " + facts);
        }));
      }
    }
    return tests;
  }
}
