package gdrproof.cli;

import gdrproof.facts.Ledger;
import gdrproof.finding.Asking;
import gdrproof.probe.MeasureScript;
import gdrproof.probe.Measurer.Result;
import gdrproof.probe.Plan;
import gdrproof.probe.ProbeException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** `gdrproof measure`. */
@Command(name = "measure", mixinStandardHelpOptions = true, description = "Measures what is missing to decide: raw RDMA and collectives, lowest step first.",
    footer = {"", "Examples:", "  gdrproof measure evidence/ --dry-run                                        what would be measured to decide this case",
        "  gdrproof measure --plan plan.yaml --into evidence/ --targets local          the part of a plan that only reads",
        "  gdrproof measure evidence/ --measure=load --targets local --budget 600      loads too, ten minutes at most",
        "  gdrproof measure evidence/ --progressive --measure=load --targets local     the whole matrix for the devices that the evidence names",
        "  gdrproof measure --script --plan plan.yaml > measure.sh                     a plan as a POSIX script, for machines without Java",
        "  gdrproof measure --script --progressive > measure.sh                        the whole matrix of one machine as a script",
        "  sh measure.sh -o bundle -b 1500 && gdrproof diagnose bundle", "",
        "Exit codes: 0 all that was planned ran, 1 some of it failed or did not run, 2 usage, 3 internal error, 4 bundle or plan unreadable."})
final class Measure implements Callable<Integer> {
  @Parameters(paramLabel = "BUNDLE", arity = "0..1", description = "folder of evidence: its open questions are measured, and what is measured joins it")
  private Path bundle;

  @Option(names = "--plan", paramLabel = "FILE", description = "run this plan (of diagnose --plan), - for standard input")
  private Path plan;

  @Option(names = "--progressive", description = "the whole matrix: link, host memory, GPU memory, one GPU, one node, one GPU a node, two, all, each rail, controls, more nodes")
  private boolean progressive;

  @Option(names = "--into", paramLabel = "FOLDER", description = "bundle that what is measured joins (default: BUNDLE, else gdrproof-measured)")
  private Path into;

  @Option(names = "--script", description = "print a POSIX script that measures, instead of measuring")
  private boolean script;

  @Mixin
  private MeasureOptions options;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    if (script && progressive && plan == null && bundle == null) {
      out.print(MeasureScript.progressive());
      out.flush();
      return ExitCode.OK.code();
    }
    check();
    Ledger ledger;
    Asking asking;
    Plan wanted;
    try {
      ledger = bundle == null ? new Ledger() : Pipeline.facts(bundle);
      asking = new Asking(ledger::unsorted, options.launcher());
      wanted = plan != null ? Plan.read(plan.toString().equals("-") ? new String(System.in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8) : Files.readString(plan))
          : Plan.of(progressive ? asking.matrix() : Pipeline.diagnose(ledger, List.of()).asks(), asking);
    } catch (ProbeException e) {
      err.println("gdrproof: " + plan + ": " + e.getMessage());
      return ExitCode.UNREADABLE.code();
    } catch (IOException e) {
      err.println("gdrproof: cannot read " + e.getMessage());
      return ExitCode.UNREADABLE.code();
    }
    if (script) {
      out.print(MeasureScript.of(wanted));
      out.flush();
      return ExitCode.OK.code();
    }
    Path to = into != null ? into : bundle != null ? bundle : Path.of("gdrproof-measured");
    List<Result> results;
    try (MeasureRun run = new MeasureRun(to, options, told -> told.lines().forEach(line -> (options.dry() ? out : err).println((options.dry() ? "" : "gdrproof: ") + line)))) {
      results = run.run(wanted, asking, asking.hosts());
    }
    out.flush();
    if (options.dry()) {
      // All was said as it was planned.
      return ExitCode.OK.code();
    }
    results.forEach(r -> out.println(r.measurement() + (r.node().isEmpty() ? "" : " " + r.node()) + " " + r.status() + (r.ran() ? " exit " + r.exit() + " " + String.format(Locale.ROOT, "%.1f", r.seconds()) + " s " + r.file() : "")
        + (r.note().isEmpty() ? "" : " (" + r.note() + ")")));
    boolean whole = results.stream().allMatch(r -> r.status().equals("done") && r.exit() == 0);
    return (whole ? ExitCode.OK : ExitCode.FINDINGS).code();
  }

  private void check() {
    try {
      options.check();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    if (plan == null && bundle == null) {
      throw new ParameterException(spec.commandLine(), "name a BUNDLE, --plan FILE, or --script --progressive");
    }
    if (!script && bundle != null && into == null && !Files.isDirectory(bundle)) {
      throw new ParameterException(spec.commandLine(), bundle + " is no folder that measurements could join; name one with --into");
    }
  }
}
