package gdrproof.cli;

import gdrproof.engine.Engine;
import gdrproof.engine.RuleBase;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.finding.Diagnosis;
import gdrproof.finding.Diagnosis.Answer;
import gdrproof.finding.Subject;
import gdrproof.finding.Verification;
import gdrproof.review.VerifyFacts;
import gdrproof.review.VerifyFacts.Symptom;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The way from a bundle of each side to the verdict on a change: facts and diagnosis of both, their comparison, the criteria. */
public final class VerifyRun {
  /** What the rules concluded, the compared facts, and what that comes to. */
  public record Result(Engine.Result engine, Ledger ledger, Verification verification) {}

  private VerifyRun() {}

  /**
   * @param rolledBack whether the user says that the after side was rolled back
   * @throws IOException if a bundle cannot be read or holds nothing
   */
  public static Result run(Path before, Path after, boolean rolledBack) throws IOException {
    return run(before, after, rolledBack, RuleBase.load("diagnose", List.of()), RuleBase.load("verify", List.of()));
  }

  /** The same with rules that are loaded already (tests). */
  public static Result run(Path before, Path after, boolean rolledBack, RuleBase diagnose, RuleBase verify) throws IOException {
    Ledger left = facts(before);
    Ledger right = facts(after);
    List<String> failures = new ArrayList<>();
    Ledger ledger = new Ledger();
    VerifyFacts.write(left, symptoms(left, diagnose, failures), right, symptoms(right, diagnose, failures), rolledBack, ledger);
    Pipeline.addSettings(ledger);
    Engine.Result result = new Engine(verify).conclude(ledger);
    failures.addAll(result.failures());
    return new Result(result, ledger, Verification.of(result.conclusions(), ledger, failures));
  }

  private static Ledger facts(Path bundle) throws IOException {
    Ledger ledger = Pipeline.facts(bundle);
    if (Pipeline.empty(ledger)) {
      throw new IOException(bundle + ": nothing recognised in this bundle");
    }
    return ledger;
  }

  private static List<Symptom> symptoms(Ledger ledger, RuleBase rules, List<String> failures) {
    Diagnosis diagnosis = Pipeline.diagnose(ledger, rules, ledger.facts());
    failures.addAll(diagnosis.failures());
    List<Symptom> found = new ArrayList<>();
    for (Answer answer : diagnosis.symptoms()) {
      List<Evidence> cited = answer.cited().stream().map(Diagnosis.Cited::evidence).limit(2).toList();
      for (Subject subject : answer.subjects()) {
        found.add(new Symptom(subject.node().isEmpty() ? Fact.UNKNOWN : subject.node(), answer.fault(), subject.toString(), answer.message(), cited));
      }
    }
    return found;
  }
}
