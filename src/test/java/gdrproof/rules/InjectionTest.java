package gdrproof.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import gdrproof.cli.Pipeline;
import gdrproof.collect.CachedCollectors;
import gdrproof.engine.RuleBase;
import gdrproof.facts.Ledger;
import gdrproof.finding.Diagnosis;
import gdrproof.finding.Diagnosis.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Faults put one at a time into the healthy bundle of two nodes, each with an unrelated oddity beside it: the program names that fault first and no
 * other. Without the decisive edits it must not name it. `-Dinjections=NAME,NAME` (regular expressions) takes some; `-Dinjections.mutants=true` runs the
 * second check, which doubles the time, for all and not just for the first of each file.
 */
class InjectionTest {
  private static final Path BUNDLE = Path.of("fixtures/corpus/two-nodes-eight-gpus");
  private static RuleBase rules;
  private static CachedCollectors cache;
  private static Map<String, String> base;
  private static Map<String, List<Map<String, Object>>> distractors;

  @BeforeAll
  static void load() throws IOException {
    rules = RuleBase.load("diagnose", List.of());
    cache = new CachedCollectors();
    base = Overlay.texts(BUNDLE);
    distractors = Injection.distractors();
  }

  @AfterAll
  static void forget() {
    rules = null;
    base = null;
    cache = null;
  }

  private static Diagnosis diagnose(List<Map<String, Object>> edits) throws IOException {
    Ledger ledger = Pipeline.settled(cache.read(Injection.entries(Overlay.apply(base, edits))));
    return Pipeline.diagnose(ledger, rules, ledger.facts());
  }

  private static List<String> causes(Diagnosis diagnosis) {
    return diagnosis.causes().stream().map(Answer::fault).toList();
  }

  private static List<Injection> wanted() throws IOException {
    String only = System.getProperty("injections", "");
    return Injection.all().stream().filter(i -> only.isEmpty() || Stream.of(only.split(",")).anyMatch(o -> i.name().matches(o))).toList();
  }

  @TestFactory
  List<DynamicTest> faultIsNamedAndNoOther() throws IOException {
    return wanted().stream().map(i -> dynamicTest(i.name() + " (" + i.fault() + ")", () -> {
      List<Map<String, Object>> edits = new ArrayList<>(i.edits());
      edits.addAll(distractors.get(i.distractor()));
      Diagnosis diagnosis = diagnose(edits);
      assertEquals(List.of(), diagnosis.failures());
      List<String> open = diagnosis.open().stream().map(Answer::fault).toList();
      assertEquals(List.of(i.fault()), causes(diagnosis), () -> "open " + open);
    })).toList();
  }

  @TestFactory
  List<DynamicTest> withoutItsDecisiveEditsTheFaultIsNotNamed() throws IOException {
    boolean all = Boolean.getBoolean("injections.mutants");
    List<Injection> wanted = wanted();
    return wanted.stream().filter(i -> all || wanted.indexOf(i) % 8 == 0).map(i -> dynamicTest(i.name(), () -> {
      List<Map<String, Object>> less = i.withoutDecisive();
      assertTrue(less.size() < i.edits().size(), "no edit is marked decisive");
      assertFalse(causes(diagnose(less)).contains(i.fault()), "still named");
    })).toList();
  }

  @TestFactory
  List<DynamicTest> oddityAloneIsNoCause() {
    return distractors.entrySet().stream().map(d -> dynamicTest(d.getKey(), () -> assertEquals(List.of(), causes(diagnose(d.getValue()))))).toList();
  }

  @org.junit.jupiter.api.Test
  void sixtyFaultsAreInjected() throws IOException {
    assertTrue(Injection.all().stream().map(Injection::fault).distinct().count() >= 60);
  }
}
