package gdrproof.cli;

import gdrproof.facts.Ledger;
import gdrproof.finding.AffinityMap;
import gdrproof.report.MapReport;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** `gdrproof map BUNDLE`. */
@Command(name = "map", mixinStandardHelpOptions = true, description = "Prints which HCA lies beside which GPU, compares nodes, and derives the list of HCAs, the order of ranks and their CPUs.",
    footer = {"", "Examples:", "  gdrproof map evidence/", "  nvidia-smi topo -m | gdrproof map -", "  gdrproof map evidence/ -o json", "",
        "Reads nvidia-smi topo -m, or lspci with sysfs, or both; ibstat adds ports and their states. What is not told is printed as ?.", "",
        "Exit codes: 0 a map was printed, 1 nodes differ, 2 usage, 3 internal error, 4 nothing to make a map of."})
final class Affinity implements Callable<Integer> {
  @Parameters(paramLabel = "BUNDLE", description = "folder, archive or file of evidence, - for standard input")
  private Path bundle;

  @Option(names = {"-o", "--output"}, paramLabel = "FORMAT", description = "text or json (default: text)")
  private String output = "text";

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    if (!List.of("text", "json").contains(output)) {
      throw new ParameterException(spec.commandLine(), "no output format " + output + " (text, json)");
    }
    Ledger ledger = Pipeline.evidence(bundle);
    AffinityMap.Result result = AffinityMap.of(ledger);
    if (result.nodes().isEmpty()) {
      err.println("gdrproof: " + bundle + ": no GPU in it; looked for nvidia-smi topo -m, nvidia-smi, lspci and sysfs");
      return ExitCode.UNREADABLE.code();
    }
    if (output.equals("json")) {
      MapReport.json(result, Version.text(), out);
    } else {
      MapReport.text(result, out);
    }
    return result.deviations().isEmpty() ? ExitCode.OK.code() : ExitCode.FINDINGS.code();
  }
}
