package gdrproof.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.bench.JobGenerator;
import gdrproof.cli.Pipeline;
import gdrproof.engine.RuleBase;
import gdrproof.facts.Ledger;
import gdrproof.finding.Diagnosis;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The culprit of a large job comes first; the same generator at full size is `gdrproof.bench.JobScale`. */
class ScaleTest {
  private static final RuleBase RULES = RuleBase.load("diagnose", List.of());

  @TempDir
  private Path folder;

  @ParameterizedTest
  @CsvSource({"bad-node, 64, 1", "bad-node, 256, 2", "bad-rail, 64, 3", "bad-rail, 256, 4"})
  void theCulpritComesFirst(String scenario, int ranks, long seed) throws IOException {
    JobGenerator job = new JobGenerator(scenario, ranks, seed);
    job.write(folder);
    Ledger ledger = Pipeline.facts(folder);
    Diagnosis diagnosis = Pipeline.diagnose(ledger, RULES, ledger.facts());
    assertEquals(List.of(), diagnosis.failures());
    assertFalse(diagnosis.causes().isEmpty(), () -> "open: " + diagnosis.open().stream().map(Diagnosis.Answer::fault).toList() + " symptoms: " + diagnosis.symptoms().stream().map(Diagnosis.Answer::fault).toList());
    Diagnosis.Answer first = diagnosis.causes().get(0);
    assertTrue(first.subjects().stream().allMatch(s -> s.toString().contains(job.culprit())), () -> first.fault() + " on " + first.subject() + " instead of " + job.culprit());
  }
}
