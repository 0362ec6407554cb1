package gdrproof.cli;

import gdrproof.probe.Probe;
import gdrproof.probe.ScriptWriter;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** `gdrproof collect`. */
@Command(name = "collect", mixinStandardHelpOptions = true, description = "Collects evidence; only reads.",
    footer = {"", "Examples:", "  gdrproof collect --script > collect.sh; scp collect.sh node7: && ssh node7 sh collect.sh -o - > node7.tar", "", "Exit codes: 0 collected, 2 usage, 3 internal error."})
final class Collect implements Callable<Integer> {
  @Option(names = "--script", description = "print a POSIX sh script that makes the same bundle on a machine without Java")
  private boolean script;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    if (script) {
      out.print(ScriptWriter.write(Probe.all(), Version.text()));
      out.flush();
    }
    return ExitCode.OK.code();
  }
}
