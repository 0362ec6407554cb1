package gdrproof.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Entry point: options in, exit code out. */
@Command(name = "gdrproof", mixinStandardHelpOptions = true, versionProvider = Version.class, subcommands = {Diagnose.class, Warmup.class},
    description = "Proves, or disproves, that GPUDirect RDMA works between the GPUs of a multi-node cluster, and says why not.")
public final class Main implements Runnable {
  @Spec
  private CommandSpec spec;

  public static void main(String[] args) {
    PrintWriter out = new PrintWriter(new java.io.OutputStreamWriter(System.out, StandardCharsets.UTF_8), false);
    PrintWriter err = new PrintWriter(new java.io.OutputStreamWriter(System.err, StandardCharsets.UTF_8), true);
    int code = run(out, err, args);
    out.flush();
    System.exit(code);
  }

  /** Runs a command line without ending the process; what tests call. */
  public static int run(PrintWriter out, PrintWriter err, String... args) {
    return new CommandLine(new Main()).setOut(out).setErr(err).setCaseInsensitiveEnumValuesAllowed(true).setExecutionExceptionHandler((e, cmd, parsed) -> {
      err.println("gdrproof: internal error: " + e);
      if (System.getenv("GDRPROOF_DEBUG") != null) {
        e.printStackTrace(err);
      } else {
        err.println("Set GDRPROOF_DEBUG=1 for the stack trace, and please report it.");
      }
      return ExitCode.INTERNAL.code();
    }).execute(args);
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(spec.commandLine(), "name a command: diagnose");
  }
}
