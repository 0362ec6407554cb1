package gdrproof.cli;

import gdrproof.accept.FabricBaseline;
import gdrproof.collect.compare.Drift;
import gdrproof.facts.Ledger;
import gdrproof.finding.Asking;
import gdrproof.finding.Diagnosis;
import gdrproof.probe.Plan;
import gdrproof.report.ProofTree;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** `gdrproof diagnose BUNDLE`. */
@Command(name = "diagnose", mixinStandardHelpOptions = true, description = "Names the cause of a failed or slow run, with its proof.",
    footer = {"", "Examples:", "  gdrproof diagnose evidence/", "  gdrproof diagnose job-4711.tar.gz -o json=report.json -o text", "  gdrproof diagnose evidence/ -o html=report.html", "  gdrproof diagnose evidence/ --explain memlock-limit-too-low", "  gdrproof diagnose evidence/ --reference gpu-node-07", "  gdrproof diagnose after-reboot/ --reference before-reboot/", "  kubectl logs trainer-0 | gdrproof diagnose -",
        "  gdrproof diagnose evidence/ --plan plan.yaml                   the measurements that would decide",
        "  gdrproof diagnose evidence/ --measure=load --targets local     measure and conclude again until it is decided", "",
        "Exit codes: 0 no cause found, 1 a cause found, 2 usage, 3 internal error, 4 nothing could be read,", "5 inconclusive (with --fail-on-inconclusive)."})
final class Diagnose implements Callable<Integer> {
  @Parameters(paramLabel = "BUNDLE", description = "folder, archive or file of evidence, - for standard input")
  private Path bundle;

  @Option(names = {"-o", "--output"}, paramLabel = "FORMAT[=FILE]", description = Outputs.PICTURED + "; several at once, at most one without a file (default: text)")
  private List<String> outputs = new ArrayList<>();

  @Option(names = "--rules", paramLabel = "DIR", description = "a site's own rules; they are code, so name only folders you trust")
  private List<Path> rules = new ArrayList<>();

  @Option(names = "--fail-on-inconclusive", description = "exit 5 when neither a cause nor health could be told")
  private boolean failOnInconclusive;

  @Option(names = "--explain", paramLabel = "FAULT", description = "print the whole proof tree of this cause, hypothesis or observation instead of the report")
  private String explain = "";

  @Option(names = "--interpret", description = "say also what the benchmark figures amount to: ceiling, limiting part, and where the rest went (JSON and HTML always do)")
  private boolean interpret;

  @Option(names = "--plan", paramLabel = "FILE", description = "write the measurements that would decide as a plan for gdrproof measure, - for standard output in place of the report")
  private Path plan;

  @Mixin
  private MeasureOptions measure;

  @Option(names = "--reference", paramLabel = "BUNDLE_OR_NODE", description = "evidence of a good node, or the name of one in this bundle: what differs from it is ranked by what it can explain")
  private String reference = "";

  @Option(names = "--baseline", paramLabel = "FILE", description = "what this configuration measured when it was accepted (gdrproof baseline record): results below it are a symptom")
  private Path baseline;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    Outputs reports;
    try {
      reports = new Outputs(outputs, Outputs.PICTURED);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    if (baseline != null && measure.wanted()) {
      throw new ParameterException(spec.commandLine(), "--baseline compares what is there; measure first, and diagnose the bundle then");
    }
    FabricBaseline accepted = baseline == null ? null : Baselines.read(baseline, spec);
    Ledger ledger = Pipeline.evidence(bundle);
    if (!reference.isEmpty() && !compared(ledger, err)) {
      return ExitCode.UNREADABLE.code();
    }
    Diagnosis diagnosis;
    if (measure.wanted()) {
      diagnosis = measured(err);
      // What was measured lies in the bundle now.
      ledger = Pipeline.facts(bundle);
    } else {
      if (baseline != null) {
        BesideBaseline.Answer answer = BesideBaseline.compare(ledger, accepted);
        BesideBaseline.add(ledger, accepted);
        if (!answer.remark().isEmpty()) {
          err.println("gdrproof: " + answer.remark());
        }
      }
      diagnosis = Pipeline.diagnose(ledger, Pipeline.sites(rules));
    }
    if (plan != null) {
      write(diagnosis, ledger, out);
    }
    if (plan != null && plan.toString().equals("-")) {
      out.flush();
    } else if (explain.isEmpty()) {
      reports.diagnosis(diagnosis, ledger, interpret, out);
    } else if (!explained(diagnosis, ledger, out)) {
      throw new ParameterException(spec.commandLine(), "--explain " + explain + ": not among the answers: "
          + answers(diagnosis).map(Diagnosis.Answer::fault).distinct().collect(Collectors.joining(", ")));
    }
    diagnosis.failures().forEach(f -> err.println("gdrproof: internal: " + f));
    if (!diagnosis.failures().isEmpty()) {
      return ExitCode.INTERNAL.code();
    }
    if (Pipeline.empty(ledger)) {
      err.println("gdrproof: " + bundle + ": no evidence recognised; looked for logs of NCCL and its launchers, outputs of GPU, RDMA, network and host tools, benchmarks, and Kubernetes objects");
      return ExitCode.UNREADABLE.code();
    }
    return code(diagnosis).code();
  }

  /** The loop of concluding, asking and measuring; its outputs join the bundle. */
  private Diagnosis measured(PrintWriter err) throws IOException {
    if (!Files.isDirectory(bundle)) {
      throw new ParameterException(spec.commandLine(), "--measure: " + bundle + " is no folder that measurements could join");
    }
    try {
      measure.check();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    try (MeasureRun run = new MeasureRun(bundle, measure, told -> told.lines().forEach(line -> err.println("gdrproof: " + line)))) {
      return run.loop(Pipeline.sites(rules));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while measuring; what was measured is in " + bundle, e);
    }
  }

  private void write(Diagnosis diagnosis, Ledger ledger, PrintWriter out) throws IOException {
    String yaml = Plan.of(diagnosis.asks(), new Asking(ledger::unsorted, measure.launcher())).yaml();
    if (plan.toString().equals("-")) {
      out.print(yaml);
    } else {
      Files.writeString(plan, yaml);
    }
  }

  /** Adds what differs from the reference; a message and false where it cannot be read or shares no node. */
  private boolean compared(Ledger ledger, PrintWriter err) {
    Path other = Path.of(reference);
    try {
      if (Files.exists(other)) {
        if (!Drift.against(ledger, Pipeline.facts(other))) {
          err.println("gdrproof: --reference " + reference + ": neither holds a node of the same name nor speaks of one node alone");
          return false;
        }
        return true;
      }
    } catch (IOException e) {
      err.println("gdrproof: --reference: " + e.getMessage());
      return false;
    }
    if (!Drift.against(ledger, reference)) {
      throw new ParameterException(spec.commandLine(), "--reference " + reference + ": no such file, and no node of that name in " + bundle);
    }
    return true;
  }

  private boolean explained(Diagnosis diagnosis, Ledger ledger, PrintWriter out) {
    List<Diagnosis.Answer> wanted = answers(diagnosis).filter(a -> a.fault().equals(explain)).toList();
    wanted.forEach(answer -> ProofTree.write(answer, ledger, out));
    return !wanted.isEmpty();
  }

  private static Stream<Diagnosis.Answer> answers(Diagnosis diagnosis) {
    return Stream.of(diagnosis.causes(), diagnosis.open(), diagnosis.observations(), diagnosis.symptoms(), diagnosis.ruledOut()).flatMap(List::stream);
  }

  private ExitCode code(Diagnosis diagnosis) {
    if (!diagnosis.causes().isEmpty()) {
      return ExitCode.FINDINGS;
    }
    return failOnInconclusive && diagnosis.outcome() == Diagnosis.Outcome.INCONCLUSIVE ? ExitCode.INCONCLUSIVE : ExitCode.OK;
  }
}
