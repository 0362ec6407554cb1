package gdrproof.report;

import gdrproof.facts.Evidence;
import gdrproof.finding.Diagnosis;
import gdrproof.finding.Diagnosis.Answer;
import gdrproof.finding.Finding;
import gdrproof.finding.Verdict;
import java.util.ArrayList;
import java.util.List;

/** A diagnosis as findings, for the formats that know nothing of causes: causes are violated, open hypotheses inconclusive. */
public final class DiagnosisFindings {
  private DiagnosisFindings() {}

  public static List<Finding> of(Diagnosis diagnosis) {
    List<Finding> findings = new ArrayList<>();
    diagnosis.causes().forEach(c -> findings.add(finding(c, Verdict.VIOLATED)));
    diagnosis.open().forEach(o -> findings.add(finding(o, Verdict.INCONCLUSIVE)));
    return findings;
  }

  private static Finding finding(Answer answer, Verdict verdict) {
    Evidence at = answer.cited().isEmpty() ? Evidence.of(".", 0, "") : answer.cited().get(0).evidence();
    String status = verdict == Verdict.VIOLATED ? " (" + answer.status() + ")" : "";
    return new Finding(answer.rule(), answer.rule().severity(), verdict, at, answer.fault() + status + ": " + answer.message());
  }
}
