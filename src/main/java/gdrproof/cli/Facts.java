package gdrproof.cli;

import gdrproof.bundle.Bundle;
import gdrproof.collect.FactLines;
import gdrproof.facts.Ledger;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** `gdrproof facts BUNDLE`. */
@Command(name = "facts", mixinStandardHelpOptions = true, description = "Prints what was read: every fact with its evidence, as JSON Lines, or a summary.",
    footer = {"", "Examples:", "  gdrproof facts evidence/ --summary", "  gdrproof facts evidence/ --summary --unmatched   lines that nothing understood",
        "  gdrproof facts node7/ > node7.jsonl              read on the node, diagnose elsewhere", "  gdrproof diagnose node7.jsonl", "",
        "Exit codes: 0 facts were read, 2 usage, 3 internal error, 4 nothing was recognised."})
final class Facts implements Callable<Integer> {
  @Parameters(paramLabel = "BUNDLE", description = "folder, archive or file of evidence, - for standard input")
  private Path bundle;

  @Option(names = "--summary", description = "what was found where, instead of the facts")
  private boolean summary;

  @Option(names = "--unmatched", description = "with --summary: the lines that were not understood")
  private boolean unmatched;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    if (unmatched && !summary) {
      throw new ParameterException(spec.commandLine(), "--unmatched goes with --summary");
    }
    FactSummary read = new FactSummary();
    Ledger ledger;
    try {
      ledger = Pipeline.facts(Bundle.open(bundle), read);
    } catch (IOException e) {
      err.println("gdrproof: " + e.getMessage());
      return ExitCode.UNREADABLE.code();
    }
    if (summary) {
      read.print(ledger, unmatched, out);
    } else {
      FactLines.write(ledger, out::println);
    }
    out.flush();
    if (Pipeline.empty(ledger)) {
      err.println("gdrproof: " + bundle + ": no evidence recognised");
      return ExitCode.UNREADABLE.code();
    }
    return ExitCode.OK.code();
  }
}
