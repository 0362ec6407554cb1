package gdrproof.cli;

import gdrproof.engine.RuleBase;
import gdrproof.facts.Ledger;
import gdrproof.finding.Acceptance;
import gdrproof.finding.Diagnosis;
import gdrproof.finding.ReviewResult;
import gdrproof.finding.Verification;
import gdrproof.finding.reading.Readings;
import gdrproof.finding.view.View;
import gdrproof.report.AcceptJson;
import gdrproof.report.AcceptJunit;
import gdrproof.report.AcceptReport;
import gdrproof.report.DiagnosisFindings;
import gdrproof.report.FindingJson;
import gdrproof.report.FindingReport;
import gdrproof.report.FindingText;
import gdrproof.report.FindingWriter;
import gdrproof.report.GithubReport;
import gdrproof.report.JsonReport;
import gdrproof.report.JunitReport;
import gdrproof.report.MarkdownReport;
import gdrproof.report.ReadingReport;
import gdrproof.report.ReviewFindings;
import gdrproof.report.ReviewReport;
import gdrproof.report.SarifReport;
import gdrproof.report.TextReport;
import gdrproof.report.VerifyReport;
import gdrproof.report.VisibleWriter;
import gdrproof.report.html.AcceptPage;
import gdrproof.report.html.DiagnosisPage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Options `-o FORMAT[=FILE]`: several at once, at most one to standard output. */
final class Outputs {
  static final String FORMATS = "text, json, sarif, junit, github, markdown";
  static final String ACCEPT_FORMATS = "text, json, junit, markdown, html";
  /** Formats of the commands that have pictures to show. */
  static final String PICTURED = FORMATS + ", html";

  private record Output(String format, Path file) {}

  private final List<Output> outputs = new ArrayList<>();

  /** @throws IllegalArgumentException with a message for the user */
  Outputs(List<String> options) {
    this(options, FORMATS);
  }

  /** @param formats those the command writes, comma-separated */
  Outputs(List<String> options, String formats) {
    for (String option : options.isEmpty() ? List.of("text") : options) {
      int equals = option.indexOf('=');
      String format = equals < 0 ? option : option.substring(0, equals);
      if (!List.of(formats.split(", ")).contains(format)) {
        throw new IllegalArgumentException("no output format " + format + " (" + formats + ")");
      }
      if (equals >= 0 && equals + 1 == option.length()) {
        throw new IllegalArgumentException("-o " + option + " names no file");
      }
      outputs.add(new Output(format, equals < 0 ? Path.of("-") : Path.of(option.substring(equals + 1))));
    }
    if (outputs.stream().filter(o -> o.file().toString().equals("-")).count() > 1) {
      throw new IllegalArgumentException("only one of several outputs can go to standard output: use -o FORMAT=FILE");
    }
    Set<Path> files = new HashSet<>();
    for (Output output : outputs) {
      if (!output.file().toString().equals("-") && !files.add(real(output.file()))) {
        throw new IllegalArgumentException("two outputs would go to " + output.file() + ", and the second would overwrite the first");
      }
    }
  }

  private static Path real(Path file) {
    try {
      return file.toRealPath();
    } catch (IOException e) {
      // Not there yet.
      return file.toAbsolutePath().normalize();
    }
  }

  void diagnosis(Diagnosis diagnosis, Ledger ledger, boolean interpret, PrintWriter out) throws IOException {
    for (Output output : outputs) {
      to(output, out, writer -> {
        switch (output.format()) {
          case "text" -> {
            TextReport.write(diagnosis, writer);
            if (interpret) {
              ReadingReport.text(Readings.of(ledger, diagnosis.causes()), writer);
            }
          }
          case "json" -> JsonReport.write(diagnosis, Readings.of(ledger, diagnosis.causes()), Version.text(), writer);
          case "html" -> DiagnosisPage.write(diagnosis, View.of(ledger, diagnosis.causes()), Readings.of(ledger, diagnosis.causes()), Version.text(), writer);
          default -> findings(output.format(), "diagnose").write(FindingReport.of(DiagnosisFindings.of(diagnosis)), writer);
        }
      });
    }
  }

  /** @param ledger facts that were judged: for pictures and for what the figures amount to */
  void acceptance(Acceptance acceptance, Ledger ledger, PrintWriter out) throws IOException {
    for (Output output : outputs) {
      to(output, out, writer -> {
        switch (output.format()) {
          case "json" -> AcceptJson.write(acceptance, Readings.of(ledger, List.of()), Version.text(), writer);
          case "markdown" -> AcceptReport.markdown(acceptance, writer);
          case "junit" -> AcceptJunit.write(acceptance, writer);
          case "html" -> AcceptPage.write(acceptance, View.of(ledger, acceptance), Readings.of(ledger, List.of()), Version.text(), writer);
          default -> {
            AcceptReport.text(acceptance, writer);
            ReadingReport.text(Readings.of(ledger, List.of()), writer);
          }
        }
      });
    }
  }

  /** Reports of a command that writes its formats itself. */
  void each(BiConsumer<String, PrintWriter> report, PrintWriter out) throws IOException {
    for (Output output : outputs) {
      to(output, out, writer -> report.accept(output.format(), writer));
    }
  }

  boolean toStandardOutput() {
    return outputs.stream().anyMatch(o -> o.file().toString().equals("-"));
  }

  void review(ReviewResult result, PrintWriter out) throws IOException {
    each((format, writer) -> {
      switch (format) {
        case "text" -> ReviewReport.text(result, writer);
        case "json" -> ReviewReport.json(result, Version.text(), writer);
        case "markdown" -> ReviewReport.markdown(result, writer);
        default -> findings(format, "review").write(FindingReport.of(ReviewFindings.of(result)), writer);
      }
    }, out);
  }

  void verification(Verification result, PrintWriter out) throws IOException {
    each((format, writer) -> {
      switch (format) {
        case "text" -> VerifyReport.text(result, writer);
        case "json" -> VerifyReport.json(result, Version.text(), writer);
        case "markdown" -> VerifyReport.markdown(result, writer);
        default -> findings(format, "review --verify").write(FindingReport.of(ReviewFindings.of(result)), writer);
      }
    }, out);
  }

  /** Findings of lint. */
  void findings(FindingReport report, String command, PrintWriter out) throws IOException {
    for (Output output : outputs) {
      to(output, out, writer -> {
        switch (output.format()) {
          case "text" -> new FindingText().write(report, writer);
          case "json" -> new FindingJson(command, Version.text()).write(report, writer);
          default -> findings(output.format(), command).write(report, writer);
        }
      });
    }
  }

  /** The writer of a format that is the same for every command. */
  static FindingWriter findings(String format, String command) {
    return switch (format) {
      case "sarif" -> new SarifReport(Version.text(), code -> RuleBase.page(code).orElse(""));
      case "junit" -> new JunitReport(command);
      case "github" -> new GithubReport();
      case "markdown" -> new MarkdownReport(command);
      default -> throw new IllegalArgumentException("no output format " + format + " (" + FORMATS + ")");
    };
  }

  private static void to(Output output, PrintWriter out, Consumer<PrintWriter> report) {
    if (output.file().toString().equals("-")) {
      report.accept(out);
      out.flush();
      return;
    }
    try {
      Path parent = output.file().toAbsolutePath().getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      try (PrintWriter file = new VisibleWriter(new PrintWriter(Files.newBufferedWriter(output.file(), StandardCharsets.UTF_8)), false)) {
        report.accept(file);
        if (file.checkError()) {
          throw new Unwritable(output.file() + ": not written to its end");
        }
      }
    } catch (IOException e) {
      throw new Unwritable(output.file() + ": cannot be written (" + e.getClass().getSimpleName().replace("Exception", "") + ": " + e.getMessage() + ")");
    }
  }
}
