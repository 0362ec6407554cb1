package gdrproof.cli;

import gdrproof.bundle.Bundle;
import gdrproof.bundle.Bundle.Entry;
import gdrproof.bundle.Reasons;
import gdrproof.collect.kube.LintFile;
import gdrproof.engine.RuleBase;
import gdrproof.facts.Fact;
import gdrproof.facts.Meta.Unread;
import gdrproof.finding.Baseline;
import gdrproof.finding.Finding;
import gdrproof.finding.Severity;
import gdrproof.finding.Silenced;
import gdrproof.finding.Suppressions;
import gdrproof.finding.Verdict;
import gdrproof.policy.LintConfig;
import gdrproof.report.FindingReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** `gdrproof lint PATHS...`. */
@Command(name = "lint", mixinStandardHelpOptions = true, description = "Checks job manifests before they are submitted: can these pods use GPUDirect RDMA, are the NCCL settings sane?",
    footer = {"", "Examples:", "  gdrproof lint jobs/                           every manifest of a folder", "  helm template run ./chart | gdrproof lint -   a rendered chart",
        "  gdrproof lint 'jobs/*.yaml' -o text -o sarif=lint.sarif", "  gdrproof lint job.yaml --facts cluster/       with facts of the cluster", "  gdrproof lint job.yaml --context prod         with a live look at the cluster, read only",
        "  gdrproof lint jobs/ --fix-diff | patch -p1    repair what is safe to repair", "", "Exit codes: 0 nothing at or above --fail-on, 1 findings, 2 usage, 3 internal error, 4 nothing could be judged,", "5 inconclusive (with --fail-on-inconclusive). A file that cannot be read gives 4 unless there are findings."})
final class Lint implements Callable<Integer> {
  /** Jobs from which each is judged by itself. */
  private static final int MANY_JOBS = 600;

  @Parameters(paramLabel = "PATHS", arity = "0..*", description = "files, folders, glob patterns, - for standard input")
  private List<String> paths = new ArrayList<>();

  @Option(names = {"-o", "--output"}, paramLabel = "FORMAT[=FILE]", completionCandidates = Candidates.Formats.class, description = Outputs.FORMATS + "; several at once, at most one without a file (default: text)")
  private List<String> outputs = new ArrayList<>();

  @Option(names = "--fail-on", paramLabel = "SEVERITY", completionCandidates = Candidates.Severities.class, description = "exit 1 for findings at or above: info, warning, error, never (default: warning)")
  private String failOn = "";

  @Option(names = "--fail-on-inconclusive", description = "exit 5 when something was not judged and nothing else is wrong")
  private boolean failOnInconclusive;

  @Option(names = "--allow-nothing", description = "exit 0 instead of 4 when there was nothing to judge (for hooks that pass every changed file)")
  private boolean allowNothing;

  @Option(names = "--facts", paramLabel = "BUNDLE", description = "facts of the cluster: a folder with kubectl get -o yaml outputs and node command outputs")
  private Path facts;

  @Mixin
  private ClusterOptions cluster = new ClusterOptions();

  @Option(names = "--config", paramLabel = "FILE", description = "configuration (default: gdrproof.yaml in the working folder)")
  private String config = "";

  @Option(names = "--platform", paramLabel = "NAME", completionCandidates = Candidates.Profiles.class, description = "platform profile: aks, eks, gke, oke, coreweave, nebius, openshift, bare-metal-ib, bare-metal-roce")
  private String platform = "";

  @Option(names = "--baseline", paramLabel = "FILE", description = "findings listed there do not count; those that are gone from the files at hand are removed from it")
  private Path baseline;

  @Option(names = "--write-baseline", paramLabel = "FILE", description = "list the findings at hand as the baseline, and end with 0")
  private Path writeBaseline;

  @Option(names = "--rules", paramLabel = "DIR", description = "a site's own rules")
  private List<Path> rules = new ArrayList<>();

  @Option(names = "--fix-diff", description = "print a unified diff that repairs what can be repaired safely, instead of the report; no file is changed")
  private boolean fixDiff;

  @Option(names = {"-q", "--quiet"}, description = "no summary; what is wrong with suppressions is told all the same")
  private boolean quiet;

  @Spec
  private CommandSpec spec;

  private PrintWriter err;

  @Override
  public Integer call() throws IOException {
    err = spec.commandLine().getErr();
    if (paths.isEmpty()) {
      return nothing();
    }
    LintConfig settings;
    LintRun.Result run;
    List<Finding> findings;
    Suppressions suppressions;
    Outputs reports;
    try {
      reports = new Outputs(outputs);
    } catch (IllegalArgumentException e) {
      throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    if (fixDiff) {
      diffAlone(reports);
    }
    try {
      settings = settings();
      // A site's rules may join any facts, and repairs look at what was concluded.
      run = LintRun.run(paths, cluster(), settings, this::load, rules.isEmpty() && !fixDiff ? MANY_JOBS : Integer.MAX_VALUE);
      suppressions = new Suppressions(run.suppressions(), LocalDate.now());
      findings = baseline(suppressions.apply(run.findings()), run);
    } catch (IOException e) {
      err.println("gdrproof: " + Reasons.of(e));
      return ExitCode.UNREADABLE.code();
    }
    Severity limit = limit(settings);
    FixDiff.Written diff = null;
    if (fixDiff) {
      diff = FixDiff.write(findings, run, spec.commandLine().getOut());
      diff.remarks().forEach(r -> err.println("gdrproof: " + r));
    }
    if (!fixDiff || !outputs.isEmpty()) {
      reports.findings(report(findings, run, limit), "lint", spec.commandLine().getOut());
    }
    run.unread().forEach(u -> err.println("gdrproof: " + u.file() + ": " + u.reason()));
    run.failures().forEach(f -> err.println("gdrproof: internal: " + f));
    suppressions.remarks().forEach(r -> err.println("gdrproof: " + r));
    if (!quiet) {
      if (diff != null) {
        err.println("gdrproof: " + (diff.done() == 0 ? "there is nothing to repair with a diff"
            : "the diff repairs " + diff.done() + (diff.done() == 1 ? " finding" : " findings") + "; apply it with " + diff.apply() + "; look at the others with gdrproof lint"));
      }
      summary(findings, run);
    }
    return code(findings, run, limit).code();
  }

  private FindingReport report(List<Finding> findings, LintRun.Result run, Severity limit) {
    Map<Boolean, List<Unread>> lost = run.unread().stream().collect(Collectors.partitioningBy(LintFile::lost));
    Optional<Severity> fails = writeBaseline == null ? Optional.ofNullable(limit) : Optional.empty();
    return new FindingReport(findings, lost.get(true), lost.get(false), run.judged(), fails, Silenced.of(findings, run.suppressions(), LocalDate.now()));
  }

  /** A diff has standard output for itself, and files to name. */
  private void diffAlone(Outputs reports) {
    if (paths.contains("-")) {
      throw new CommandLine.ParameterException(spec.commandLine(), "--fix-diff needs a file that a patch can name, and standard input has no name: write it to a file first");
    }
    if (!outputs.isEmpty() && reports.toStandardOutput()) {
      throw new CommandLine.ParameterException(spec.commandLine(), "--fix-diff prints the diff to standard output: give the report a file (-o FORMAT=FILE)");
    }
  }

  /** A call without paths, as hooks make it that pass the changed files and found none. */
  private int nothing() {
    if (allowNothing) {
      err.println("gdrproof: no path was named, so there was nothing to judge");
      return ExitCode.OK.code();
    }
    throw new CommandLine.ParameterException(spec.commandLine(), "name what to check: files, folders, glob patterns, or - for standard input");
  }

  /** Evidence of the cluster: of a bundle, of a live look, of both. */
  private List<Entry> cluster() throws IOException {
    List<Entry> entries = new ArrayList<>();
    if (facts != null) {
      if (!Files.exists(facts)) {
        throw new IOException(facts + ": no such file or folder with facts of the cluster");
      }
      entries.addAll(Bundle.open(facts));
      if (entries.isEmpty()) {
        throw new IOException(facts + ": no facts of the cluster: there is no file in it");
      }
    }
    if (cluster.given()) {
      entries.addAll(LintLive.entries(cluster.access(), err));
    }
    return entries;
  }

  private RuleBase load(Predicate<String> topics, Collection<? extends Fact> read) {
    try {
      return RuleBase.loadFor("lint", Pipeline.sites(rules), topics, read);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private LintConfig settings() throws IOException {
    LintConfig read = LintConfig.layered(config, System.getenv());
    if (!platform.isEmpty() && !gdrproof.policy.Platforms.exists(platform)) {
      throw new CommandLine.ParameterException(spec.commandLine(), "no platform profile " + platform);
    }
    if (!failOn.isEmpty()) {
      limit(failOn);
    }
    ConfiguredRules.check(read, rules);
    return read.with("flag --platform", Map.of(), Map.of(), platform, "").with("flag --fail-on", Map.of(), Map.of(), "", failOn);
  }

  /** The severity to fail on; null for never. */
  private Severity limit(LintConfig settings) {
    return limit(settings.failOn().isEmpty() ? "warning" : settings.failOn());
  }

  private Severity limit(String text) {
    if (text.equalsIgnoreCase("never") || text.equalsIgnoreCase("none")) {
      return null;
    }
    try {
      return Severity.parse(text);
    } catch (IllegalArgumentException e) {
      throw new CommandLine.ParameterException(spec.commandLine(), "--fail-on is info, warning, error or never, not " + text, e);
    }
  }

  private List<Finding> baseline(List<Finding> findings, LintRun.Result run) throws IOException {
    if (writeBaseline != null) {
      try {
        Baseline.of(findings, writeBaseline).write(writeBaseline);
      } catch (IOException e) {
        throw new Unwritable(writeBaseline + ": cannot be written: " + Reasons.word(e));
      }
    }
    if (baseline == null) {
      return findings;
    }
    if (!Files.exists(baseline)) {
      err.println("gdrproof: " + baseline + ": no such baseline, so nothing is hidden (--write-baseline makes one)");
    }
    Baseline.Applied applied = Baseline.read(baseline).apply(findings, run.whole());
    if (applied.gone() > 0) {
      String gone = "gdrproof: " + baseline + ": " + applied.gone() + (applied.gone() == 1 ? " finding is gone and " : " findings are gone and ");
      try {
        applied.left().write(baseline);
        err.println(gone + (applied.gone() == 1 ? "was removed" : "were removed"));
      } catch (IOException e) {
        err.println(gone + "could not be removed: " + Reasons.of(e));
      }
    }
    return applied.findings();
  }

  private void summary(List<Finding> findings, LintRun.Result run) {
    int judged = run.judged();
    long lost = run.unread().stream().filter(LintFile::lost).count();
    long errors = count(findings, Severity.ERROR);
    long warnings = count(findings, Severity.WARNING);
    long infos = count(findings, Severity.INFO);
    long open = findings.stream().filter(f -> f.verdict() == Verdict.INCONCLUSIVE).count();
    long suppressed = findings.stream().filter(f -> f.verdict() == Verdict.SUPPRESSED).count();
    err.println("gdrproof: " + judged + (judged == 1 ? " object judged: " : " objects judged: ") + errors + " errors, " + warnings + " warnings, " + infos + " notes, " + open
        + " not judged, " + suppressed + " suppressed" + (lost == 0 ? "" : ", " + lost + (lost == 1 ? " file not read" : " files not read")));
  }

  private static long count(List<Finding> findings, Severity severity) {
    return findings.stream().filter(f -> f.verdict() == Verdict.VIOLATED && f.severity() == severity).count();
  }

  private ExitCode code(List<Finding> findings, LintRun.Result run, Severity limit) {
    if (!run.failures().isEmpty()) {
      return ExitCode.INTERNAL;
    }
    boolean fails = limit != null && findings.stream().anyMatch(f -> f.verdict() == Verdict.VIOLATED && f.severity().compareTo(limit) >= 0);
    if (fails && writeBaseline == null) {
      return ExitCode.FINDINGS;
    }
    if (run.unread().stream().anyMatch(LintFile::lost)) {
      return ExitCode.UNREADABLE;
    }
    if (run.judged() == 0) {
      err.println("gdrproof: nothing could be judged: no Kubernetes object, values file or nccl.conf in " + String.join(" ", paths));
      if (!allowNothing) {
        return ExitCode.UNREADABLE;
      }
    }
    if (failOnInconclusive && findings.stream().anyMatch(f -> f.verdict() == Verdict.INCONCLUSIVE)) {
      return ExitCode.INCONCLUSIVE;
    }
    return ExitCode.OK;
  }
}
