package gdrproof.report;

import gdrproof.facts.Meta.Unread;
import gdrproof.finding.Finding;
import gdrproof.finding.Severity;
import gdrproof.finding.Verdict;
import java.io.PrintWriter;

/** Workflow commands that GitHub shows beside the line (`::error file=...,line=...::message`). */
public final class GithubReport implements FindingWriter {
  @Override
  public void write(FindingReport report, PrintWriter out) {
    for (Unread each : report.unread()) {
      out.print("::warning file=" + property(each.file()) + (each.line() > 0 ? ",line=" + each.line() : "") + ",title=not read::" + data("not read: " + each.reason()) + "\n");
    }
    if (report.nothing()) {
      out.print("::warning title=gdrproof::nothing was judged\n");
    }
    for (Finding finding : report.findings()) {
      if (finding.verdict() == Verdict.SUPPRESSED) {
        continue;
      }
      StringBuilder line = new StringBuilder("::").append(finding.verdict() == Verdict.INCONCLUSIVE ? "notice" : level(finding.severity())).append(" file=")
          .append(property(finding.at().file()));
      if (finding.at().line() > 0) {
        line.append(",line=").append(finding.at().line());
        if (finding.at().endLine() > finding.at().line()) {
          line.append(",endLine=").append(finding.at().endLine());
        }
        if (finding.at().column() > 0) {
          line.append(",col=").append(finding.at().column());
        }
      }
      line.append(",title=").append(property(finding.rule().code() + " " + finding.rule().slug()));
      out.print(line.append("::").append(data((finding.verdict() == Verdict.INCONCLUSIVE ? "not judged: " : "") + finding.message())).append('\n'));
    }
  }

  private static String level(Severity severity) {
    return switch (severity) {
      case ERROR -> "error";
      case WARNING -> "warning";
      case INFO -> "notice";
    };
  }

  private static String data(String text) {
    return VisibleWriter.text(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"));
  }

  private static String property(String text) {
    return data(text).replace(":", "%3A").replace(",", "%2C");
  }
}
