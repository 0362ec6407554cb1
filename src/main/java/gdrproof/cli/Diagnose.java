package gdrproof.cli;

import gdrproof.facts.Ledger;
import gdrproof.finding.Diagnosis;
import gdrproof.report.JsonReport;
import gdrproof.report.TextReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** `gdrproof diagnose BUNDLE`. */
@Command(name = "diagnose", mixinStandardHelpOptions = true, description = "Names the cause of a failed or slow run, with its proof.")
final class Diagnose implements Callable<Integer> {
  @Parameters(paramLabel = "BUNDLE", description = "folder or file of evidence, - for standard input")
  private Path bundle;

  @Option(names = {"-o", "--output"}, defaultValue = "text", description = "text or json")
  private String format;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    Ledger ledger;
    try {
      ledger = Pipeline.facts(bundle);
    } catch (IOException e) {
      err.println("gdrproof: " + e.getMessage());
      return ExitCode.UNREADABLE.code();
    }
    Diagnosis diagnosis = Pipeline.diagnose(ledger, List.of());
    if (format.equals("json")) {
      JsonReport.write(diagnosis, Version.text(), out);
    } else {
      TextReport.write(diagnosis, out);
    }
    out.flush();
    if (!diagnosis.failures().isEmpty()) {
      return ExitCode.INTERNAL.code();
    }
    if (Pipeline.empty(ledger)) {
      err.println("gdrproof: " + bundle + ": no evidence recognised");
      return ExitCode.UNREADABLE.code();
    }
    return (diagnosis.causes().isEmpty() ? ExitCode.OK : ExitCode.FINDINGS).code();
  }
}
