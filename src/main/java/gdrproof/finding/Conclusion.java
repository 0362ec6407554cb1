package gdrproof.finding;

import gdrproof.facts.Fact;
import java.util.List;

/**
 * What a rule concludes. Equality is about the statement; the proof comes from the engine. Rules insert these logically
 * and nothing else, in one direction: facts and signals, then symptoms, then causes, hypotheses and exclusions.
 */
public sealed interface Conclusion {
  /** The thing it is about. */
  Subject subject();

  /**
   * An inference that several rules share and no report prints, such as "this job means to use RDMA".
   *
   * @param name kebab-case name
   * @param detail further key, "" where there is none
   */
  record Signal(String name, Subject subject, String detail) implements Conclusion {
    public static Signal of(String name, Subject subject) {
      return new Signal(name, subject, "");
    }
  }

  /** Something observed that should not be; its name stands in `policies/causality.yaml`. */
  record Symptom(String name, Subject subject) implements Conclusion {}

  /** A fault whose decisive facts are all there. */
  record Cause(String fault, Subject subject) implements Conclusion {}

  /**
   * A fault that the facts allow but do not prove.
   *
   * @param decisive how many of the decisive facts are there; 0 for a mere possibility
   * @param missing names of measurements in `policies/measurements.yaml` that would decide
   */
  record Hypothesis(String fault, Subject subject, int decisive, List<String> missing) implements Conclusion {
    public static Hypothesis of(String fault, Subject subject, int decisive, String... missing) {
      return new Hypothesis(fault, subject, decisive, List.of(missing));
    }
  }

  /** A fact that speaks against a fault on a subject: it demotes a cause there, or rules the fault out. */
  record Exclusion(String fault, Subject subject) implements Conclusion {}

  /** A layer's required proof is there. Failure of a layer follows from its causes. */
  record LayerProof(Layer layer, Subject subject) implements Conclusion {}

  /**
   * A finding about configuration, at the place of a fact (lint).
   *
   * @param rule code of the rule, so that two rules at one place stay two findings
   * @param at the fact whose evidence is the finding's place
   */
  record Problem(String rule, Fact at, Verdict verdict) implements Conclusion {
    public static Problem at(String rule, Fact at) {
      return new Problem(rule, at, Verdict.VIOLATED);
    }

    /** What was asked for is so, and a fact shows it. */
    public static Problem met(String rule, Fact at) {
      return new Problem(rule, at, Verdict.SATISFIED);
    }

    public static Problem open(String rule, Fact at) {
      return new Problem(rule, at, Verdict.INCONCLUSIVE);
    }

    @Override
    public Subject subject() {
      return Subject.setting(rule);
    }
  }

  /**
   * What a change of an operator's configuration does (review).
   *
   * @param change the change fact
   * @param consequence name of the consequence (`needs-drain`), see the reference's section E
   */
  record Effect(String rule, Fact change, String consequence) implements Conclusion {
    @Override
    public Subject subject() {
      return Subject.setting(rule);
    }
  }

  /**
   * The verdict on an item of the acceptance checklist.
   *
   * @param item id in `policies/acceptance.yaml`
   */
  record Item(String item, ItemVerdict verdict, Subject subject) implements Conclusion {}

  /** Verdicts of an acceptance item, worst first. */
  enum ItemVerdict {
    FAILED,
    NOT_PROVEN,
    PROVEN,
    NOT_APPLICABLE
  }
}
