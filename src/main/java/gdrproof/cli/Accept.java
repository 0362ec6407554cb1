package gdrproof.cli;

import gdrproof.accept.BaselineFile;
import gdrproof.accept.FabricBaseline;
import gdrproof.facts.Gate.IntendedNode;
import gdrproof.facts.Gate.IntendedPort;
import gdrproof.facts.Ledger;
import gdrproof.finding.Acceptance;
import gdrproof.policy.Checklist;
import gdrproof.policy.Policies;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** `gdrproof accept BUNDLE`. */
@Command(name = "accept", mixinStandardHelpOptions = true, description = "Judges whether a fabric is ready: every item of the checklist proven, failed or not proven, with its evidence.",
    footer = {"", "Examples:", "  gdrproof accept evidence/ --baseline h200-8x400.yaml", "  gdrproof accept evidence/ --checklist our-gate.yaml -o json=gate.json -o text", "  gdrproof accept evidence/ --site site.yaml -o html=gate.html --record records/", "  gdrproof accept --list", "",
        "Exit codes: 0 accepted, 1 not accepted, 2 usage, 3 internal error, 4 nothing could be read,", "5 not accepted, but nothing failed (with --fail-on-inconclusive)."})
final class Accept implements Callable<Integer> {
  @Parameters(arity = "0..1", paramLabel = "BUNDLE", description = "folder, archive or file of evidence, - for standard input")
  private Path bundle;

  @Option(names = {"-o", "--output"}, paramLabel = "FORMAT[=FILE]", description = Outputs.ACCEPT_FORMATS + "; several at once, at most one without a file (default: text)")
  private List<String> outputs = new ArrayList<>();

  @Option(names = "--checklist", paramLabel = "FILE", description = "a site's own items: add, remove (with a reason), tighten, thresholds")
  private List<Path> checklists = new ArrayList<>();

  @Option(names = "--baseline", paramLabel = "FILE", description = "baseline of this topology class (gdrproof baseline record)")
  private Path baseline;

  @Option(names = "--site", paramLabel = "FILE", description = "site.yaml (gdrproof site init): the nodes and ports that are meant; only they are judged, and what the evidence lacks of them is not proven (default: one in the bundle)")
  private Path site;

  @Option(names = "--rules", paramLabel = "DIR", description = "a site's own rules; they are code, so name only folders you trust")
  private List<Path> rules = new ArrayList<>();

  @Option(names = "--as-of", paramLabel = "DATE", description = "day that the age of evidence is counted to, YYYY-MM-DD (default: today)")
  private String asOf = "";

  @Option(names = "--fail-on-inconclusive", description = "exit 5 instead of 1 when nothing failed and something required is not proven")
  private boolean failOnInconclusive;

  @Option(names = "--record", paramLabel = "DIR", description = "write the engineering record (Markdown and JSON) into DIR, compared with the last one there")
  private Path record;

  @Option(names = "--lifecycle-form", description = "print an empty lifecycle form, to be filled in and put into the bundle, and stop")
  private boolean form;

  @Option(names = "--list", description = "print the checklist and stop")
  private boolean list;

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    Outputs reports;
    Checklist checklist = Checklist.shipped();
    LocalDate day;
    Optional<FabricBaseline> against = Optional.empty();
    try {
      reports = new Outputs(outputs, Outputs.ACCEPT_FORMATS);
      for (Path file : checklists) {
        checklist = checklist.with(file);
      }
      if (baseline != null) {
        against = Optional.of(BaselineFile.read(baseline));
      }
      day = asOf.isEmpty() ? LocalDate.now(ZoneOffset.UTC) : LocalDate.parse(asOf);
    } catch (IllegalArgumentException | IOException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    } catch (DateTimeParseException e) {
      throw new ParameterException(spec.commandLine(), "--as-of " + asOf + " is no date (YYYY-MM-DD)", e);
    }
    if (form) {
      out.print(Policies.text("lifecycle-form.yaml"));
      out.flush();
      return ExitCode.OK.code();
    }
    if (list) {
      checklist.items().forEach(i -> out.println(String.format("%-10s %-22s %-11s %s%s", i.section(), i.id(), i.owner(), i.title(), i.required() ? "" : " (not required)")));
      out.flush();
      return ExitCode.OK.code();
    }
    if (bundle == null) {
      throw new ParameterException(spec.commandLine(), "name a BUNDLE");
    }
    Ledger ledger = Pipeline.evidence(bundle);
    if (Pipeline.empty(ledger)) {
      err.println("gdrproof: " + bundle + ": no evidence recognised; there is nothing to accept");
      return ExitCode.UNREADABLE.code();
    }
    if (site != null) {
      intent(ledger);
    }
    Ledger facts = AcceptRun.facts(ledger, checklist, against);
    Acceptance acceptance = AcceptRun.judge(facts, checklist, Pipeline.sites(rules), day);
    reports.acceptance(acceptance, facts, out);
    if (record != null) {
      err.println("gdrproof: recorded in " + Recording.write(record, facts, acceptance));
    }
    acceptance.failures().forEach(f -> err.println("gdrproof: internal: " + f));
    if (!acceptance.failures().isEmpty()) {
      return ExitCode.INTERNAL.code();
    }
    return code(acceptance).code();
  }

  private void intent(Ledger ledger) throws IOException {
    Ledger own = Pipeline.evidence(site);
    if (own.all(IntendedNode.class).isEmpty()) {
      throw new ParameterException(spec.commandLine(), "--site " + site + " names no nodes (nodeClasses, each with nodes)");
    }
    own.forEach((fact, sources) -> {
      if (fact instanceof IntendedNode || fact instanceof IntendedPort) {
        ledger.add(fact, sources);
      }
    });
  }

  private ExitCode code(Acceptance acceptance) {
    if (acceptance.accepted()) {
      return ExitCode.OK;
    }
    boolean failed = acceptance.items().stream().anyMatch(i -> i.required() && i.verdictText().equals("failed"));
    return failOnInconclusive && !failed ? ExitCode.INCONCLUSIVE : ExitCode.FINDINGS;
  }
}
