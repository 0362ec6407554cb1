package gdrproof.finding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.GpuCount;
import gdrproof.facts.Ledger;
import gdrproof.facts.Nccl.NcclMessage;
import gdrproof.facts.Num;
import gdrproof.finding.Conclusion.Cause;
import gdrproof.finding.Conclusion.Exclusion;
import gdrproof.finding.Conclusion.Hypothesis;
import gdrproof.finding.Conclusion.Symptom;
import gdrproof.finding.Diagnosis.Answer;
import gdrproof.finding.Diagnosis.Outcome;
import gdrproof.finding.Diagnosis.Status;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Status, folding and order of answers (design section 6). */
class RankingTest {
  private static final Causality CAUSALITY = Causality.of(
      List.of(Map.of("symptoms", Map.of("hang", Map.of("kind", "failure"), "slow", Map.of("kind", "slow"), "apart", Map.of("kind", "slow")), "edges",
          List.of(Map.of("from", List.of("ib-port-down", "memlock-limit-too-low"), "to", List.of("hang"), "how", "x", "weight", 4),
              Map.of("from", "no-subnet-manager", "to", List.of("ib-port-down", "hang"), "how", "y"),
              Map.of("from", "link-degraded", "to", List.of("slow"), "how", "z"),
              Map.of("through", List.of("slow"), "to", List.of("slow-node"), "how", "w"),
              Map.of("from", "slow-node", "to", List.of("apart"), "how", "v")))),
      Map.of("ib-port-down", Map.of("layer", "fabric"), "no-subnet-manager", Map.of("layer", "fabric"), "memlock-limit-too-low", Map.of("layer", "container"),
          "link-degraded", Map.of("layer", "fabric"), "shm-too-small", Map.of("layer", "container"), "slow-node", Map.of("layer", "repeatability")));
  private final Ledger ledger = new Ledger();
  private int line;

  private Derived derived(Conclusion conclusion, String layer) {
    NcclMessage fact = new NcclMessage("n1", "r", "n1:1", "id" + ++line, "INFO", Map.of());
    ledger.add(fact, Evidence.of("nccl.log", line, "line " + line));
    RuleInfo rule = new RuleInfo("T" + line, "t", "test", Severity.ERROR, layer, List.of("diagnose"), "", "", "m", "s", "r", "x", "t.drl", 1);
    return new Derived(conclusion, rule, "message " + line, new Proof(conclusion, rule.name(), List.of(new Proof(fact, "", List.of()))), "r");
  }

  private Diagnosis rank(Derived... all) {
    Diagnosis first = new Ranking(ledger, CAUSALITY).rank(List.of(all), List.of());
    List<Derived> shuffled = new ArrayList<>(List.of(all));
    for (int i = 0; i < 10; i++) {
      Collections.shuffle(shuffled, new Random(i));
      assertEquals(first, new Ranking(ledger, CAUSALITY).rank(shuffled, List.of()), "order of conclusions must not matter");
    }
    return first;
  }

  private static List<String> faults(List<Answer> answers) {
    return answers.stream().map(Answer::fault).toList();
  }

  private static Derived in(String run, Derived d) {
    return new Derived(d.conclusion(), d.rule(), d.message(), d.proof(), run);
  }

  @Test
  void whatOneRunShowsRulesOutNoCandidateOfAnother() {
    Derived hang = in("b", derived(new Symptom("hang", Subject.node("n1")), "fabric"));
    Derived excluded = derived(new Exclusion("ib-port-down", Subject.node("n1")), "fabric");
    assertTrue(faults(rank(hang, in("a", excluded)).open()).contains("ib-port-down"));
    assertEquals(List.of("memlock-limit-too-low"), faults(rank(hang, in("b", excluded)).open()));
  }

  @Test
  void aProvenFaultThatExplainsNoSymptomOfTheRunIsAnObservation() {
    Diagnosis d = rank(derived(new Cause("shm-too-small", Subject.node("n1")), "container"), derived(new Symptom("hang", Subject.node("n1")), "fabric"));
    assertEquals(List.of(), faults(d.causes()));
    assertEquals(List.of("shm-too-small"), faults(d.observations()));
    assertEquals(Outcome.INCONCLUSIVE, d.outcome());
  }

  @Test
  void whatExplainsASymptomExplainsAFaultThatTheSymptomLeadsToOnTheSameNodeOnly() {
    Derived port = derived(new Cause("link-degraded", Subject.node("n1")), "fabric");
    Derived slow = derived(new Symptom("slow", Subject.node("n1")), "fabric");
    Diagnosis same = rank(port, slow, derived(new Cause("slow-node", Subject.node("n1")), "repeatability"), derived(new Symptom("apart", Subject.node("n1")), "repeatability"));
    assertEquals(List.of("link-degraded"), faults(same.causes()));
    Diagnosis other = rank(port, slow, derived(new Cause("slow-node", Subject.node("n2")), "repeatability"), derived(new Symptom("apart", Subject.node("n2")), "repeatability"));
    assertEquals(List.of("link-degraded", "slow-node"), faults(other.causes()));
  }

  @Test
  void aFaultThatAnotherOneExplainsIsToldUnderIt() {
    Diagnosis d = rank(derived(new Cause("ib-port-down", Subject.node("n1")), "fabric"), derived(new Cause("no-subnet-manager", Subject.run()), "fabric"),
        derived(new Symptom("hang", Subject.node("n1")), "fabric"));
    assertEquals(List.of("no-subnet-manager"), faults(d.causes()));
    assertTrue(d.causes().get(0).explains().stream().anyMatch(e -> e.startsWith("ib-port-down")));
  }

  @Test
  void manySubjectsOfOneFaultAreOneCause() {
    Diagnosis d = rank(derived(new Cause("ib-port-down", Subject.hca("n1", "mlx5_0")), "fabric"), derived(new Cause("ib-port-down", Subject.hca("n1", "mlx5_1")), "fabric"),
        derived(new Symptom("hang", Subject.node("n1")), "fabric"));
    assertEquals(List.of("ib-port-down"), faults(d.causes()));
    assertEquals(2, d.causes().get(0).subjects().size());
  }

  @Test
  void failureComesBeforeSlowness() {
    Diagnosis d = rank(derived(new Cause("link-degraded", Subject.run()), "fabric"), derived(new Cause("memlock-limit-too-low", Subject.node("n1")), "container"),
        derived(new Symptom("slow", Subject.run()), "fabric"), derived(new Symptom("hang", Subject.node("n1")), "fabric"));
    assertEquals(List.of("memlock-limit-too-low", "link-degraded"), faults(d.causes()));
  }

  @Test
  void anExclusionDemotesACauseAndIsShown() {
    Diagnosis d = rank(derived(new Cause("ib-port-down", Subject.hca("n1", "mlx5_0")), "fabric"), derived(new Exclusion("ib-port-down", Subject.hca("n1", "mlx5_0")), "fabric"),
        derived(new Symptom("hang", Subject.node("n1")), "fabric"));
    assertEquals(List.of(), faults(d.causes()));
    assertEquals(List.of("ib-port-down"), faults(d.open()));
    assertEquals(1, d.open().get(0).contradictedBy().size());
  }

  @Test
  void anExclusionOnAnotherNodeDoesNothing() {
    Diagnosis d = rank(derived(new Cause("ib-port-down", Subject.hca("n1", "mlx5_0")), "fabric"), derived(new Exclusion("ib-port-down", Subject.hca("n2", "mlx5_0")), "fabric"),
        derived(new Symptom("hang", Subject.node("n1")), "fabric"));
    assertEquals(List.of("ib-port-down"), faults(d.causes()));
  }

  @Test
  void aHypothesisWithADecisiveFactAndNoRivalIsLikely() {
    Diagnosis d = rank(derived(Hypothesis.of("ib-port-down", Subject.node("n1"), 1), "fabric"), derived(Hypothesis.of("memlock-limit-too-low", Subject.node("n1"), 0), "container"),
        derived(new Symptom("hang", Subject.node("n1")), "fabric"));
    assertEquals(List.of("ib-port-down"), faults(d.causes()));
    assertEquals(Status.LIKELY, d.causes().get(0).status());
  }

  @Test
  void twoRivalsWithTheSameEvidenceStayOpen() {
    Diagnosis d = rank(derived(Hypothesis.of("ib-port-down", Subject.node("n1"), 1), "fabric"), derived(Hypothesis.of("memlock-limit-too-low", Subject.node("n1"), 1), "container"),
        derived(new Symptom("hang", Subject.node("n1")), "fabric"));
    assertEquals(List.of(), faults(d.causes()));
    assertEquals(2, d.open().size());
  }

  @Test
  void anExcludedHypothesisIsRuledOut() {
    Diagnosis d = rank(derived(Hypothesis.of("ib-port-down", Subject.node("n1"), 1), "fabric"), derived(new Exclusion("ib-port-down", Subject.node("n1")), "fabric"),
        derived(new Symptom("hang", Subject.node("n1")), "fabric"));
    assertEquals(List.of("memlock-limit-too-low"), faults(d.open()), "the symptom's other usual cause is named, never the excluded one");
    assertEquals(List.of("ib-port-down"), faults(d.ruledOut()));
  }

  @Test
  void aPortWithoutItsNumberIsNoRelativeOfALongerName() {
    assertTrue(Subject.hca("n1", "mlx5_1").related(Subject.port("n1", "mlx5_1", gdrproof.facts.Num.of(1))));
    assertEquals(false, Subject.hca("n1", "mlx5_1").related(Subject.port("n1", "mlx5_10", gdrproof.facts.Num.of(1))));
  }

  @Test
  void withoutConclusionsNoFaultIsFound() {
    assertEquals(Outcome.INCONCLUSIVE, rank().outcome(), "nothing was read, so nothing is healthy");
    ledger.add(new GpuCount("n1", Num.of(8)), Evidence.of("topo.txt", 1, "GPU0"));
    assertEquals(Outcome.NO_FAULT_FOUND, rank().outcome());
    assertEquals(Fact.UNKNOWN, Subject.run().node());
  }
}
