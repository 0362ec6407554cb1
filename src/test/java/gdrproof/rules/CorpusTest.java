package gdrproof.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import gdrproof.Quality;
import gdrproof.cli.Pipeline;
import gdrproof.engine.RuleBase;
import gdrproof.facts.Ledger;
import gdrproof.finding.Diagnosis;
import gdrproof.finding.Diagnosis.Answer;
import gdrproof.policy.Policies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.yaml.snakeyaml.Yaml;

/**
 * Whole labelled bundles. Own ones (fixtures/corpus) must come out right; others (`-Dgdrproof.cases=DIR`, else the shared cases)
 * must never get a forbidden claim or an alarm on a healthy case. How many come out right is written to target/quality.json.
 */
class CorpusTest {
  private static final List<Map<String, Object>> RESULTS = Collections.synchronizedList(new ArrayList<>());
  private static final RuleBase RULES = RuleBase.load("diagnose", List.of());

  private record Label(boolean healthy, List<String> expected, List<String> accepted, List<String> forbidden) {}

  private static Label label(Path file) throws IOException {
    Map<String, Object> data = new Yaml().load(Files.readString(file));
    List<String> expected = Policies.texts(data.getOrDefault("expected", data.get("expected_findings")));
    List<String> top = Policies.texts(data.get("acceptable_top"));
    return new Label(Boolean.TRUE.equals(data.get("healthy")), expected, top.isEmpty() ? expected.stream().limit(data.containsKey("expected") ? 9 : 1).toList() : top,
        Policies.texts(data.getOrDefault("forbidden", data.get("must_not_report"))));
  }

  private static Diagnosis diagnose(Path bundle) throws IOException {
    Ledger ledger = Bundles.facts(Bundles.entries(bundle));
    return Pipeline.diagnose(ledger, RULES, ledger.facts());
  }

  private static List<String> forbidden(Diagnosis diagnosis, Label label) {
    return diagnosis.causes().stream().map(Answer::fault).filter(f -> label.forbidden().contains(f) || label.healthy()).toList();
  }

  private static void record(String set, Path bundle, Label label, Diagnosis diagnosis) {
    List<String> answers = new ArrayList<>(diagnosis.causes().stream().map(Answer::fault).toList());
    diagnosis.open().forEach(o -> answers.add(o.fault()));
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("set", set);
    row.put("bundle", bundle.getFileName().toString());
    row.put("healthy", label.healthy());
    row.put("accepted", label.accepted());
    row.put("answers", answers.stream().limit(5).toList());
    row.put("claims", diagnosis.causes().size());
    row.put("top", label.healthy() ? diagnosis.causes().isEmpty() : !answers.isEmpty() && label.accepted().contains(answers.get(0)));
    row.put("forbidden", forbidden(diagnosis, label));
    RESULTS.add(row);
  }

  @TestFactory
  List<DynamicTest> ownBundlesComeOutRight() throws IOException {
    return Bundles.corpus().stream().map(bundle -> dynamicTest(bundle.getFileName().toString(), () -> {
      Label label = label(bundle.resolveSibling(bundle.getFileName() + ".yaml"));
      Diagnosis diagnosis = diagnose(bundle);
      record("corpus", bundle, label, diagnosis);
      assertEquals(List.of(), diagnosis.failures());
      assertEquals(List.of(), forbidden(diagnosis, label), "forbidden claims");
      assertTrue(label.healthy() || !diagnosis.causes().isEmpty() && label.accepted().contains(diagnosis.causes().get(0).fault()),
          () -> "expected " + label.accepted() + ", found " + diagnosis.causes().stream().map(Answer::fault).toList() + ", open " + diagnosis.open().stream().map(Answer::fault).toList());
    })).toList();
  }

  @TestFactory
  List<DynamicTest> othersGetNoForbiddenClaim() throws IOException {
    return Bundles.cases().stream().map(bundle -> dynamicTest(bundle.getFileName().toString(), () -> {
      Label label = label(bundle.resolve(Bundles.LABEL));
      Diagnosis diagnosis = diagnose(bundle);
      record("cases", bundle, label, diagnosis);
      assertEquals(List.of(), diagnosis.failures());
      assertEquals(List.of(), forbidden(diagnosis, label), "forbidden claims");
    })).toList();
  }

  @AfterAll
  static void writeQuality() {
    Map<String, Object> root = new LinkedHashMap<>();
    for (String set : List.of("corpus", "cases")) {
      List<Map<String, Object>> rows = RESULTS.stream().filter(r -> r.get("set").equals(set)).sorted(java.util.Comparator.comparing(r -> (String) r.get("bundle"))).toList();
      Map<String, Object> sum = new LinkedHashMap<>();
      sum.put("bundles", rows.size());
      sum.put("top", rows.stream().filter(r -> Boolean.TRUE.equals(r.get("top"))).count());
      sum.put("wrong", rows.stream().filter(r -> !((List<?>) r.get("forbidden")).isEmpty()).count());
      sum.put("rows", rows);
      root.put(set, sum);
    }
    Quality.put(root);
  }
}
