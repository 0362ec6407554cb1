package gdrproof.cli;

import gdrproof.engine.RuleBase;
import gdrproof.engine.RuleCompiler.RuleError;
import gdrproof.report.TerminalColours;
import gdrproof.report.VisibleWriter;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Entry point: options in, exit code out. */
@Command(name = "gdrproof", mixinStandardHelpOptions = true, versionProvider = Version.class,
    description = "Proves, or disproves, that GPUDirect RDMA works between the GPUs of a multi-node cluster, and says why not.",
    footer = {"", "Examples:", "  gdrproof lint job.yaml                 can this job use GPUDirect RDMA?", "  gdrproof diagnose evidence/            why did this run fail, or why was it slow?", "  gdrproof facts evidence/ --summary     what was read, and what was not?",
        "  gdrproof review before/ after/         what will this operator change do?",
        "  gdrproof accept evidence/              is this fabric ready?",
        "  gdrproof map evidence/                 which HCA lies beside which GPU?", "  gdrproof verify CAUSE --before A --after B   has the cause ended?",
        "  gdrproof anonymize evidence/ public/   the same evidence without names, for others to see",
        "  gdrproof rules list                    what is known"})
public final class Main implements Runnable {
  @Spec
  private CommandSpec spec;

  public static void main(String[] args) {
    // A reader that went away (`| head`) ends the output, not the program: PrintWriter keeps the error to itself.
    StandardOutput standard = StandardOutput.ofProcess();
    Writer plain = new OutputStreamWriter(standard, StandardCharsets.UTF_8);
    // The launcher knows whether standard output is a terminal.
    PrintWriter out = new PrintWriter(Boolean.getBoolean("gdrproof.colours") ? new TerminalColours(plain) : plain, false);
    PrintWriter err = new PrintWriter(new OutputStreamWriter(System.err, StandardCharsets.UTF_8), true);
    headStart(args);
    int code;
    try {
      code = run(out, err, args);
    } catch (OutOfMemoryError e) {
      err.println("gdrproof: out of memory; give more with GDRPROOF_JAVA_OPTS=-Xmx8g");
      code = ExitCode.INTERNAL.code();
    }
    System.exit(closed(code, out, standard, err));
  }

  /** The exit code, once it is known whether the output was written. */
  static int closed(int code, PrintWriter out, StandardOutput standard, PrintWriter err) {
    out.close();
    if (standard.failure().isEmpty()) {
      return code;
    }
    err.println("gdrproof: " + standard.failure());
    return ExitCode.USAGE.code();
  }

  private static final Set<String> CONCLUDING = Set.of("lint", "diagnose", "review", "accept");
  private static final Set<String> HELP = Set.of("-h", "--help");

  private static final Map<String, Supplier<Object>> COMMANDS = new LinkedHashMap<>();

  static {
    COMMANDS.put("lint", Lint::new);
    COMMANDS.put("collect", Collect::new);
    COMMANDS.put("run", Run::new);
    COMMANDS.put("doctor", Doctor::new);
    COMMANDS.put("diagnose", Diagnose::new);
    COMMANDS.put("facts", Facts::new);
    COMMANDS.put("measure", Measure::new);
    COMMANDS.put("review", Review::new);
    COMMANDS.put("accept", Accept::new);
    COMMANDS.put("drill", Drill::new);
    COMMANDS.put("bundle", BundleCommand::new);
    COMMANDS.put("anonymize", Anonymize::new);
    COMMANDS.put("baseline", Baselines::new);
    COMMANDS.put("rules", Rules::new);
    COMMANDS.put("site", Site::new);
    COMMANDS.put("config", ConfigCommand::new);
    COMMANDS.put("completion", Completion::new);
    COMMANDS.put("map", Affinity::new);
    COMMANDS.put("verify", VerifyCause::new);
    COMMANDS.put("warmup", Warmup::new);
  }

  /** Commands that will conclude load their rules while options and input are still being read. */
  static void headStart(String... args) {
    if (args.length > 1 && CONCLUDING.contains(args[0]) && List.of(args).stream().noneMatch(HELP::contains)) {
      // Most manifests say nothing of an operator; its rules are loaded where one does.
      RuleBase.headStart(args[0], topic -> !args[0].equals("lint") || !topic.equals(LintRun.OPERATOR));
    }
  }

  /** The command named first alone, since reading the annotations of all costs a short command dear; all of them where none is named. */
  static CommandLine commandLine(String... args) {
    CommandLine line = new CommandLine(new Main());
    if (args.length > 0 && COMMANDS.containsKey(args[0])) {
      line.addSubcommand(COMMANDS.get(args[0]).get());
    } else {
      COMMANDS.values().forEach(command -> line.addSubcommand(command.get()));
    }
    return line;
  }

  /** Runs a command line without ending the process; what tests call. */
  public static int run(PrintWriter out, PrintWriter err, String... args) {
    PrintWriter shown = new VisibleWriter(err, true);
    return commandLine(args).setOut(new VisibleWriter(out, false)).setErr(shown).setCaseInsensitiveEnumValuesAllowed(true).setUsageHelpLongOptionsMaxWidth(34)
        .setParameterExceptionHandler((e, given) -> misused(e, shown)).setExecutionExceptionHandler((e, cmd, parsed) -> failed(e, shown)).execute(args);
  }

  /** What is wrong with a command line, in few lines: the whole help behind it would push it off the screen. */
  private static int misused(CommandLine.ParameterException e, PrintWriter err) {
    err.println("gdrproof: " + VisibleWriter.text(String.valueOf(e.getMessage())));
    CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
    err.println("See " + e.getCommandLine().getCommandSpec().qualifiedName() + " --help");
    return ExitCode.USAGE.code();
  }

  private static int failed(Exception e, PrintWriter err) {
    boolean debug = System.getenv("GDRPROOF_DEBUG") != null;
    if (e instanceof RuleError) {
      e.getMessage().lines().forEach(line -> err.println("gdrproof: " + line));
      return ExitCode.USAGE.code();
    }
    if (e instanceof Unwritable) {
      err.println("gdrproof: " + e.getMessage());
      return ExitCode.USAGE.code();
    }
    if (e instanceof Unreadable) {
      err.println("gdrproof: " + e.getMessage());
      return ExitCode.UNREADABLE.code();
    }
    err.println("gdrproof: internal error: " + e);
    if (debug) {
      e.printStackTrace(err);
    } else {
      err.println("Set GDRPROOF_DEBUG=1 for the stack trace, and please report it.");
    }
    return ExitCode.INTERNAL.code();
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(spec.commandLine(), "name a command");
  }
}
