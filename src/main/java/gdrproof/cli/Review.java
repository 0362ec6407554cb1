package gdrproof.cli;

import gdrproof.finding.Consequence;
import gdrproof.finding.ReviewResult;
import gdrproof.finding.Verdict;
import gdrproof.finding.Verification;
import gdrproof.report.Runbook;
import gdrproof.review.GitRevision;
import gdrproof.review.ReviewInput;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** `gdrproof review BEFORE AFTER`. */
@Command(name = "review", mixinStandardHelpOptions = true,
    description = "Says what a change of the Network Operator's configuration will do, before it is applied: drain, reload, resources that vanish, what going back does not restore.",
    footer = {"", "Examples:", "  gdrproof review values-before.yaml values-after.yaml", "  gdrproof review --git main..HEAD -o markdown -- deploy/network-operator", "  gdrproof review before/ after/ --runbook --fail-on needs-drain",
        "  gdrproof review --context prod policy.yaml      what would applying this file do to the live cluster?",
        "  gdrproof review --verify evidence-before/ evidence-after/   after the change: continue, stop or roll back?", "",
        "Exit codes: 0 nothing at or above --fail-on, 1 a consequence at or above it, 2 usage, 3 internal error,", "4 nothing to compare, 5 unknown consequences (with --fail-on-inconclusive).", "With --verify: 0 continue, 1 stop or roll back, 5 nothing violated but something required not proven (with", "--fail-on-inconclusive)."})
final class Review implements Callable<Integer> {
  @Parameters(arity = "0..2", paramLabel = "BEFORE AFTER", description = "two files or folders; with --git one path; with --context the file or folder that is to be applied")
  private List<Path> paths = new ArrayList<>();

  @Option(names = "--git", paramLabel = "REV1..REV2", description = "compare two git revisions of PATH")
  private String revisions;

  @Mixin
  private ClusterOptions cluster = new ClusterOptions();

  @Option(names = "--chart-before", paramLabel = "VERSION", defaultValue = "", description = "release of the Network Operator chart of the before state")
  private String chartBefore;

  @Option(names = {"--chart-after", "--chart-version"}, paramLabel = "VERSION", defaultValue = "", description = "release of the chart of the after state")
  private String chartAfter;

  @Option(names = {"-o", "--output"}, paramLabel = "FORMAT[=FILE]", completionCandidates = Candidates.Formats.class, description = Outputs.FORMATS + "; several at once, at most one without a file (default: text)")
  private List<String> outputs = new ArrayList<>();

  @Option(names = "--runbook", description = "print the runbook of this change as Markdown: capture, canary, revalidation, stop conditions, rollback; reports then go to files only")
  private boolean runbook;

  @Option(names = "--fail-on", paramLabel = "CONSEQUENCE", defaultValue = "risky", description = "exit 1 for consequences as bad as this or worse: forbidden, unsupported, resource-gone, needs-reboot, "
      + "needs-drain, needs-manual-step, risky, silent, benign, unknown (default: ${DEFAULT-VALUE})")
  private String failOn;

  @Option(names = "--fail-on-inconclusive", description = "exit 5 when something stays unknown")
  private boolean failOnInconclusive;

  @Option(names = "--verify", description = "BEFORE and AFTER are bundles of evidence: judge the rollback criteria after the change: continue, stop or roll back")
  private boolean verify;

  @Option(names = "--rolled-back", description = "with --verify: the change was taken back; what is still new of the data plane is flagged (also detected by itself)")
  private boolean rolledBack;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    Consequence limit = limit();
    Outputs reports;
    try {
      reports = new Outputs(outputs);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    if (runbook && reports.toStandardOutput() && !outputs.isEmpty()) {
      throw new ParameterException(spec.commandLine(), "--runbook writes to standard output: use -o FORMAT=FILE beside it");
    }
    if (verify) {
      return verify(reports, out, err);
    }
    ReviewInput before;
    ReviewInput after;
    try {
      ReviewInput[] states = states();
      before = states[0];
      after = states[1];
    } catch (IOException e) {
      err.println("gdrproof: " + e.getMessage());
      return ExitCode.UNREADABLE.code();
    }
    ReviewResult result = new ReviewRun(List.of()).run(before, after);
    if (runbook) {
      Runbook.write(result, out);
      out.flush();
    }
    if (!runbook || !outputs.isEmpty()) {
      reports.review(result, out);
    }
    result.unread().forEach(u -> err.println("gdrproof: not judged: " + u));
    result.failures().forEach(f -> err.println("gdrproof: internal: " + f));
    if (!result.failures().isEmpty()) {
      return ExitCode.INTERNAL.code();
    }
    if (result.entries().isEmpty() && before.set().isEmpty() && after.set().isEmpty()) {
      err.println("gdrproof: nothing of the Network Operator's configuration found: looked for NicClusterPolicy, NicNodePolicy, networks, SR-IOV policies, pools and values of its chart");
      return ExitCode.UNREADABLE.code();
    }
    return code(result, limit);
  }

  private int verify(Outputs reports, PrintWriter out, PrintWriter err) throws IOException {
    if (paths.size() != 2) {
      throw new ParameterException(spec.commandLine(), "--verify takes two bundles of evidence: BEFORE and AFTER");
    }
    Verification result;
    try {
      result = VerifyRun.run(paths.get(0), paths.get(1), rolledBack).verification();
    } catch (IOException e) {
      err.println("gdrproof: " + e.getMessage());
      return ExitCode.UNREADABLE.code();
    }
    reports.verification(result, out);
    if (!result.failures().isEmpty()) {
      return ExitCode.INTERNAL.code();
    }
    boolean violated = result.criteria().stream().anyMatch(c -> c.verdict() == Verdict.VIOLATED);
    // A canary that nobody measured has passed nothing: not proven does not end with 0.
    return (result.outcome() == Verification.Outcome.CONTINUE ? ExitCode.OK : !violated && failOnInconclusive ? ExitCode.INCONCLUSIVE : ExitCode.FINDINGS).code();
  }

  private int code(ReviewResult result, Consequence limit) {
    boolean reached = result.entries().stream().map(ReviewResult.Entry::consequence).anyMatch(c -> c.reaches(limit));
    if (reached) {
      return ExitCode.FINDINGS.code();
    }
    boolean open = result.entries().stream().anyMatch(e -> e.consequence() == Consequence.UNKNOWN) || !result.unread().isEmpty();
    return (failOnInconclusive && open ? ExitCode.INCONCLUSIVE : ExitCode.OK).code();
  }

  private Consequence limit() {
    try {
      return Consequence.parse(failOn);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "unknown consequence " + failOn);
    }
  }

  private ReviewInput[] states() throws IOException {
    if (revisions != null) {
      int dots = revisions.indexOf("..");
      if (dots <= 0 || dots + 2 >= revisions.length() || paths.size() > 1) {
        throw new ParameterException(spec.commandLine(), "--git takes REV1..REV2 and one PATH");
      }
      Path path = paths.isEmpty() ? Path.of(".") : paths.get(0);
      return new ReviewInput[] {GitRevision.read(revisions.substring(0, dots), path, chartBefore), GitRevision.read(revisions.substring(dots + 2), path, chartAfter)};
    }
    if (cluster.given()) {
      if (paths.size() != 1) {
        throw new ParameterException(spec.commandLine(), "--context takes one PATH: what is to be applied");
      }
      return ReviewLive.states(cluster.access(), paths.get(0), chartBefore, chartAfter);
    }
    if (paths.size() != 2) {
      throw new ParameterException(spec.commandLine(), "name BEFORE and AFTER, or use --git or --context");
    }
    return new ReviewInput[] {ReviewInput.of(paths.get(0), chartBefore), ReviewInput.of(paths.get(1), chartAfter)};
  }
}
