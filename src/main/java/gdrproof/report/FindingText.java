package gdrproof.report;

import gdrproof.finding.Finding;
import gdrproof.finding.Verdict;
import java.io.PrintWriter;
import java.util.List;

/** Findings as compilers print them: `file:line:column: severity: message [CODE slug]`, the remedy below. */
public final class FindingText implements FindingWriter {
  @Override
  public void write(List<Finding> findings, PrintWriter out) {
    for (Finding finding : findings) {
      if (finding.verdict() == Verdict.SUPPRESSED) {
        continue;
      }
      boolean open = finding.verdict() == Verdict.INCONCLUSIVE;
      out.println(place(finding) + ": " + (open ? "not judged" : finding.severity()) + ": " + finding.message() + " [" + finding.rule().code() + " "
          + finding.rule().slug() + "]");
      if (!finding.rule().remedy().isEmpty()) {
        out.println("    " + finding.rule().remedy());
      }
    }
  }

  private static String place(Finding finding) {
    int line = finding.at().line();
    int column = finding.at().column();
    return finding.at().file() + (line > 0 ? ":" + line + (column > 0 ? ":" + column : "") : "");
  }
}
