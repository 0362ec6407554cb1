package gdrproof.cli;

import gdrproof.probe.MeasureScript;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** `gdrproof measure`. */
@Command(name = "measure", mixinStandardHelpOptions = true, description = "Measures what is missing to decide: raw RDMA and collectives, lowest step first.",
    footer = {"", "Examples:", "  gdrproof measure --script --progressive > measure.sh     the whole matrix of one machine as a POSIX script, for machines without Java",
        "  sh measure.sh -o bundle -b 1500 && gdrproof diagnose bundle", "", "Exit codes: 0 measured, 2 usage, 3 internal error."})
final class Measure implements Callable<Integer> {
  @Option(names = "--script", description = "print a POSIX script that measures, instead of measuring")
  private boolean script;

  @Option(names = "--progressive", description = "the whole matrix: one GPU, two, all, controls, two host names")
  private boolean progressive;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() {
    if (!script || !progressive) {
      throw new ParameterException(spec.commandLine(), "name --script --progressive");
    }
    spec.commandLine().getOut().print(MeasureScript.progressive());
    spec.commandLine().getOut().flush();
    return ExitCode.OK.code();
  }
}
