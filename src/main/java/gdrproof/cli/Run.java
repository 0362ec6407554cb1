package gdrproof.cli;

import gdrproof.accept.FabricBaseline;
import gdrproof.facts.Bench.NcclTestRow;
import gdrproof.facts.Ledger;
import gdrproof.finding.Diagnosis;
import gdrproof.probe.Gathering.Plan;
import gdrproof.probe.Probe;
import gdrproof.report.TextReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** `gdrproof run -- CMD`. */
@Command(name = "run", mixinStandardHelpOptions = true, description = "Runs a job; when it fails, is slow by its own numbers, or stays below a baseline, collects and diagnoses by itself.",
    footer = {"", "Examples:", "  gdrproof run -- srun ./all_reduce_perf -b 8M -e 8G -f 2 -g 1", "  gdrproof run --out /shared/$SLURM_JOB_ID --min-busbw 180 -- mpirun -np 16 ./all_reduce_perf -b 8M -e 8G -f 2 -g 1",
        "  gdrproof run --baseline h200-8x400.yaml -- srun ./all_reduce_perf -b 8M -e 8G -f 2 -g 1",
        "", "Standard output is the job's; the diagnosis goes to standard error. Exit code: the job's own (127 if it cannot be started); 2 usage, 3 internal error."})
final class Run implements Callable<Integer> {
  @Parameters(paramLabel = "CMD", description = "the job, behind --")
  private List<String> words = new ArrayList<>();

  @Option(names = "--out", paramLabel = "DIR", description = "folder of the bundle (default: a new one, gdrproof-run-TIME)")
  private Path out = Path.of("");

  @Mixin
  private Nodes nodes;

  @Option(names = "--min-busbw", paramLabel = "GB/s", description = "a benchmark whose best bus bandwidth stays below this is slow")
  private double minimum;

  @Option(names = "--baseline", paramLabel = "FILE", description = "what this configuration measured when it was accepted (gdrproof baseline record); compared only with a cluster of the same topology class")
  private Path baseline;

  @Option(names = "--timeout", paramLabel = "SECONDS", description = "longest time of one probe")
  private int timeout;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<String> command = CommandRun.behindDashes(spec, words);
    if (command.isEmpty() || command.size() != words.size()) {
      throw new ParameterException(spec.commandLine(), "the job stands behind --: gdrproof run -- CMD");
    }
    PrintWriter err = spec.commandLine().getErr();
    Path bundle = out.toString().isEmpty() ? Path.of("gdrproof-run-" + System.currentTimeMillis()) : out;
    if (Files.exists(bundle) && !Files.isDirectory(bundle)) {
      throw new ParameterException(spec.commandLine(), "--out " + bundle + " is a file; name a folder");
    }
    // A baseline that cannot be read is said now and not after hours.
    FabricBaseline accepted = baseline == null ? null : Baselines.read(baseline, spec);
    Plan plan = new Plan(Probe.all(), Set.of(), Duration.ofSeconds(timeout), "", "", "", 8);
    boolean[] suspicious = {false};
    int exit = new Collect.Session(bundle, plan, nodes, err).collect(command, spec.commandLine().getOut(), (code, more) -> {
      String why = code != 0 ? "exit status " + code : slow(bundle, err);
      if (why.isEmpty() && accepted != null) {
        more.gather(BesideBaseline.probes(plan.probes()));
        why = below(bundle, accepted, err);
      }
      suspicious[0] = !why.isEmpty();
      err.println(why.isEmpty() ? "gdrproof: no sign of trouble in this run; counters and log are in " + bundle : "gdrproof: " + why + "; collecting evidence");
      return suspicious[0];
    });
    if (suspicious[0]) {
      Ledger ledger = Pipeline.facts(bundle);
      if (accepted != null) {
        BesideBaseline.add(ledger, accepted);
      }
      TextReport.write(Pipeline.diagnose(ledger, List.of()), err);
      err.println("gdrproof: the evidence is in " + bundle + " (gdrproof diagnose " + bundle + (accepted == null ? "" : " --baseline " + baseline) + ")");
      err.flush();
    }
    return exit;
  }

  private static String below(Path bundle, FabricBaseline accepted, PrintWriter err) throws IOException {
    BesideBaseline.Answer answer = BesideBaseline.compare(Pipeline.facts(bundle), accepted);
    if (!answer.remark().isEmpty()) {
      err.println("gdrproof: " + answer.remark());
    }
    return answer.below();
  }

  /** What the run's own log and counters say against it; "" for nothing. */
  private String slow(Path bundle, PrintWriter err) {
    try {
      Ledger ledger = Pipeline.facts(bundle);
      double best = ledger.all(NcclTestRow.class).stream().filter(r -> r.busbwGBps().known()).mapToDouble(r -> r.busbwGBps().value()).max().orElse(-1);
      if (minimum > 0 && best >= 0 && best < minimum) {
        return "best bus bandwidth " + best + " GB/s is below " + minimum + " GB/s";
      }
      Diagnosis diagnosis = Pipeline.diagnose(ledger, List.of());
      return diagnosis.causes().isEmpty() && diagnosis.symptoms().isEmpty() ? ""
          : "the run's log shows " + (diagnosis.symptoms().isEmpty() ? diagnosis.causes().get(0) : diagnosis.symptoms().get(0)).message();
    } catch (IOException e) {
      err.println("gdrproof: " + e.getMessage());
      return "";
    }
  }
}
