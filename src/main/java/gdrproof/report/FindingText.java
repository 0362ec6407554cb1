package gdrproof.report;

import gdrproof.finding.Finding;
import gdrproof.finding.Verdict;
import java.io.PrintWriter;

/** Findings as compilers print them: `file:line:column: severity: message [CODE slug]`, the remedy below. */
public final class FindingText implements FindingWriter {
  @Override
  public void write(FindingReport report, PrintWriter out) {
    report.unread().forEach(u -> out.println(FindingReport.place(u) + ": not read: " + u.reason()));
    report.idle().forEach(u -> out.println(FindingReport.place(u) + ": not judged: " + u.reason()));
    if (report.nothing()) {
      out.println("nothing was judged");
    }
    StringBuilder line = new StringBuilder();
    for (Finding finding : report.findings()) {
      if (finding.verdict() == Verdict.SUPPRESSED) {
        continue;
      }
      line.setLength(0);
      line.append(finding.at().file());
      if (finding.at().line() > 0) {
        line.append(':').append(finding.at().line());
        if (finding.at().column() > 0) {
          line.append(':').append(finding.at().column());
        }
      }
      line.append(": ").append(finding.verdict() == Verdict.INCONCLUSIVE ? "not judged" : finding.severity()).append(": ").append(finding.message());
      line.append(" [").append(finding.rule().code()).append(' ').append(finding.rule().slug()).append(']');
      out.println(line);
      if (!finding.rule().remedy().isEmpty()) {
        out.println("    " + finding.rule().remedy());
      }
    }
  }
}
