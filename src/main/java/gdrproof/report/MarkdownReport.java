package gdrproof.report;

import gdrproof.finding.Finding;
import gdrproof.finding.Severity;
import gdrproof.finding.Verdict;
import java.io.PrintWriter;
import java.util.List;

/** A table of findings for a comment or a ticket, remedies below. */
public final class MarkdownReport implements FindingWriter {
  private final String command;

  public MarkdownReport(String command) {
    this.command = command;
  }

  @Override
  public void write(FindingReport report, PrintWriter out) {
    List<Finding> shown = report.findings().stream().filter(f -> f.verdict() != Verdict.SUPPRESSED).toList();
    out.println("## gdrproof " + command);
    out.println();
    unread(report, out);
    if (shown.isEmpty()) {
      out.println(report.nothing() ? "Nothing was judged." : "No findings.");
      return;
    }
    out.println(count(shown, Severity.ERROR) + " errors, " + count(shown, Severity.WARNING) + " warnings, " + count(shown, Severity.INFO) + " notes, "
        + shown.stream().filter(f -> f.verdict() == Verdict.INCONCLUSIVE).count() + " not judged");
    out.println();
    out.println("| | rule | place | message |");
    out.println("| --- | --- | --- | --- |");
    for (Finding finding : shown) {
      String place = finding.at().file() + (finding.at().line() > 0 ? ":" + finding.at().line() : "");
      out.println("| " + (finding.verdict() == Verdict.INCONCLUSIVE ? "not judged" : finding.severity()) + " | " + finding.rule().code() + " " + finding.rule().slug() + " | `"
          + code(place) + "` | " + cell(finding.message()) + " |");
    }
    List<Finding> remedies = shown.stream().filter(f -> f.verdict() == Verdict.VIOLATED && !f.rule().remedy().isEmpty()).toList();
    if (!remedies.isEmpty()) {
      out.println();
      remedies.stream().map(f -> "- **" + f.rule().code() + "**: " + cell(f.rule().remedy())).distinct().forEach(out::println);
    }
  }

  private static void unread(FindingReport report, PrintWriter out) {
    report.unread().forEach(u -> out.println("- not read: `" + code(FindingReport.place(u)) + "`: " + cell(u.reason())));
    report.idle().forEach(u -> out.println("- not judged: `" + code(FindingReport.place(u)) + "`: " + cell(u.reason())));
    if (!report.unread().isEmpty() || !report.idle().isEmpty()) {
      out.println();
    }
  }

  private static String code(String place) {
    return place.replace("`", "'").replace("|", "\\|");
  }

  private static long count(List<Finding> findings, Severity severity) {
    return findings.stream().filter(f -> f.verdict() == Verdict.VIOLATED && f.severity() == severity).count();
  }

  private static String cell(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|").replaceAll("\\s*\\R\\s*", " ");
  }
}
