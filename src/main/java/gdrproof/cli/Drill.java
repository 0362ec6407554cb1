package gdrproof.cli;

import gdrproof.facts.Ledger;
import gdrproof.finding.Acceptance;
import gdrproof.report.DrillReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** `gdrproof drill`: staged failures. */
@Command(name = "drill", mixinStandardHelpOptions = true, description = "Judges a staged failure.", subcommands = Drill.Check.class, footer = {"", "Examples:", "  gdrproof drill check before/ during/ after/"})
final class Drill implements Runnable {
  @Spec
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "name one of: check");
  }

  @Command(name = "check", mixinStandardHelpOptions = true, description = "Compares the evidence taken before, during and after a staged failure: what it cost, and whether everything came back.",
      footer = {"", "Examples:", "  gdrproof drill check before/ during/ after/", "  gdrproof drill check before.tar.gz during.tar.gz after.tar.gz -o json=drill.json -o text", "",
          "Exit codes: 0 everything proven, 1 something failed or is not proven, 2 usage, 3 internal error, 4 nothing could be read,", "5 nothing failed, something is not proven (with --fail-on-inconclusive)."})
  static final class Check implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "BEFORE", description = "bundle taken before the failure")
    private Path before;

    @Parameters(index = "1", paramLabel = "DURING", description = "bundle taken while the failure was there")
    private Path during;

    @Parameters(index = "2", paramLabel = "AFTER", description = "bundle taken after it was taken back")
    private Path after;

    @Option(names = {"-o", "--output"}, paramLabel = "FORMAT[=FILE]", description = "text, json; several at once, at most one without a file (default: text)")
    private List<String> outputs = new ArrayList<>();

    @Option(names = "--rules", paramLabel = "DIR", description = "a site's own rules; they are code, so name only folders you trust")
    private List<Path> rules = new ArrayList<>();

    @Option(names = "--fail-on-inconclusive", description = "exit 5 instead of 1 when nothing failed and something is not proven")
    private boolean failOnInconclusive;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
      PrintWriter err = spec.commandLine().getErr();
      Outputs reports;
      try {
        reports = new Outputs(outputs, "text, json");
      } catch (IllegalArgumentException e) {
        throw new ParameterException(spec.commandLine(), e.getMessage(), e);
      }
      List<Ledger> phases = new ArrayList<>();
      for (Path bundle : List.of(before, during, after)) {
        try {
          phases.add(Pipeline.facts(bundle));
        } catch (IOException e) {
          err.println("gdrproof: " + e.getMessage());
          return ExitCode.UNREADABLE.code();
        }
        if (Pipeline.empty(phases.get(phases.size() - 1))) {
          err.println("gdrproof: " + bundle + ": no evidence recognised");
          return ExitCode.UNREADABLE.code();
        }
      }
      Acceptance result = DrillRun.judge(phases.get(0), phases.get(1), phases.get(2), Pipeline.sites(rules));
      reports.each((format, out) -> {
        if (format.equals("json")) {
          DrillReport.json(result, Version.text(), out);
        } else {
          DrillReport.text(result, out);
        }
      }, spec.commandLine().getOut());
      result.failures().forEach(f -> err.println("gdrproof: internal: " + f));
      if (!result.failures().isEmpty()) {
        return ExitCode.INTERNAL.code();
      }
      boolean failed = result.items().stream().anyMatch(i -> i.verdictText().equals("failed"));
      return (result.accepted() ? ExitCode.OK : failOnInconclusive && !failed ? ExitCode.INCONCLUSIVE : ExitCode.FINDINGS).code();
    }
  }
}
