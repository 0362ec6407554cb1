package gdrproof.cli;

import gdrproof.facts.Meta.Unread;
import gdrproof.finding.Finding;
import gdrproof.report.FindingJson;
import gdrproof.report.FindingText;
import gdrproof.report.FindingWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/** Output options of lint: `FORMAT` or `FORMAT=FILE`, several at once. */
final class LintOutputs {
  private LintOutputs() {}

  static void write(List<String> outputs, List<Finding> findings, List<Unread> unread, PrintWriter out) throws IOException {
    List<String> all = outputs.isEmpty() ? List.of("text") : outputs;
    if (all.stream().filter(o -> o.indexOf('=') < 0).count() > 1) {
      throw new IllegalUsage("only one of several outputs can go to standard output: use -o FORMAT=FILE");
    }
    for (String each : all) {
      int equals = each.indexOf('=');
      FindingWriter writer = writer(equals < 0 ? each : each.substring(0, equals), unread);
      if (equals < 0) {
        writer.write(findings, out);
        out.flush();
      } else {
        try (PrintWriter file = Lint.open(Path.of(each.substring(equals + 1)))) {
          writer.write(findings, file);
        }
      }
    }
  }

  private static FindingWriter writer(String format, List<Unread> unread) {
    return switch (format) {
      case "text" -> new FindingText();
      case "json" -> new FindingJson("lint", Version.text(), unread);
      default -> throw new IllegalUsage("no output format " + format + " (text, json)");
    };
  }

  /** A wrong option value; the command line turns it into exit code 2. */
  static final class IllegalUsage extends RuntimeException {
    private static final long serialVersionUID = 1L;

    IllegalUsage(String message) {
      super(message);
    }
  }
}
