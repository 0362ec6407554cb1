package gdrproof.report;

import gdrproof.facts.Meta.Unread;
import gdrproof.finding.Finding;
import gdrproof.finding.Verdict;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Stream;

/**
 * Findings in the JSON contract of `gdrproof/report/v1`. Written by hand, because loading a JSON library costs a short
 * command more than all its rules.
 */
public final class FindingJson implements FindingWriter {
  private final String command;
  private final String version;

  public FindingJson(String command, String version) {
    this.command = command;
    this.version = version;
  }

  @Override
  public void write(FindingReport report, PrintWriter out) {
    List<Finding> findings = report.findings();
    List<Unread> unread = Stream.concat(report.unread().stream(), report.idle().stream()).toList();
    boolean violated = findings.stream().anyMatch(f -> f.verdict() == Verdict.VIOLATED);
    boolean open = findings.stream().anyMatch(f -> f.verdict() == Verdict.INCONCLUSIVE) || !report.unread().isEmpty();
    out.print("{\n  \"schema\" : " + quote(JsonReport.SCHEMA) + ",\n  \"tool\" : {\"name\" : \"gdrproof\", \"version\" : " + quote(version) + "},\n  \"command\" : "
        + quote(command) + ",\n  \"outcome\" : " + quote(violated ? "fault-found" : report.nothing() ? "nothing-judged" : open ? "inconclusive" : "no-fault-found") + ",\n  \"judged\" : " + report.judged() + ",\n  \"findings\" : [");
    String comma = "\n";
    for (Finding f : findings) {
      out.print(comma + "    {\"rule\" : " + quote(f.rule().code()) + ", \"slug\" : " + quote(f.rule().slug())
          + (f.rule().check().isEmpty() ? "" : ", \"check\" : " + quote(f.rule().check())) + ", \"severity\" : " + quote(f.severity().toString()) + ", \"verdict\" : "
          + quote(f.verdict().toString()) + ", \"file\" : " + quote(f.at().file()) + ", \"line\" : " + f.at().line() + ", \"column\" : " + f.at().column()
          + ", \"path\" : " + quote(f.at().path()) + ", \"message\" : " + quote(f.message()) + ", \"remedy\" : " + quote(f.rule().remedy()) + ", \"help\" : "
          + quote(f.help()) + "}");
      comma = ",\n";
    }
    out.print((findings.isEmpty() ? "" : "\n  ") + "],\n  \"unread\" : [");
    comma = "\n";
    for (Unread u : unread) {
      out.print(comma + "    {\"file\" : " + quote(u.file()) + ", \"line\" : " + u.line() + ", \"reason\" : " + quote(u.reason()) + "}");
      comma = ",\n";
    }
    out.print((unread.isEmpty() ? "" : "\n  ") + "]\n}\n");
  }

  private static String quote(String text) {
    StringBuilder quoted = new StringBuilder(text.length() + 8).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> quoted.append("\\\"");
        case '\\' -> quoted.append("\\\\");
        case '\n' -> quoted.append("\\n");
        case '\r' -> quoted.append("\\r");
        case '\t' -> quoted.append("\\t");
        default -> {
          if (c < ' ') {
            quoted.append(String.format("\\u%04x", (int) c));
          } else {
            quoted.append(c);
          }
        }
      }
    }
    return VisibleWriter.line(quoted.append('"').toString());
  }
}
