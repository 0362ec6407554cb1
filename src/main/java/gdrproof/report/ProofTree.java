package gdrproof.report;

import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.finding.Diagnosis.Answer;
import gdrproof.finding.Proof;
import java.io.PrintWriter;

/** The full proof of an answer as an indented tree: conclusions with their rules, down to facts with file and line. */
public final class ProofTree {
  private ProofTree() {}

  public static void write(Answer answer, Ledger ledger, PrintWriter out) {
    out.println(answer.fault() + " (" + answer.status() + "): " + answer.message());
    for (Proof proof : answer.proofs()) {
      step(proof, ledger, 1, out);
    }
  }

  private static void step(Proof proof, Ledger ledger, int depth, PrintWriter out) {
    String indent = "  ".repeat(depth);
    if (!(proof.stated() instanceof Fact fact)) {
      out.println(indent + proof.statement() + "   by rule " + proof.rule());
      proof.because().forEach(below -> step(below, ledger, depth + 1, out));
      return;
    }
    out.println(indent + proof.statement());
    ledger.of(fact).forEach(e -> out.println(indent + "  " + e.file() + (e.line() > 0 ? ":" + e.line() : "") + "  " + firstLine(e.excerpt())));
  }

  private static String firstLine(String excerpt) {
    int end = excerpt.indexOf('\n');
    return end < 0 ? excerpt : excerpt.substring(0, end) + " …";
  }
}
