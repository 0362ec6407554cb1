package gdrproof.cli;

import gdrproof.facts.Ledger;
import gdrproof.finding.CauseCheck;
import gdrproof.finding.Diagnosis;
import gdrproof.report.CauseCheckReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** `gdrproof verify CAUSE --before BUNDLE --after BUNDLE`. */
@Command(name = "verify", mixinStandardHelpOptions = true, description = "Says whether a cause has ended: by which fact, or that it stands, or that the later evidence no longer shows; and what got worse.",
    footer = {"", "Examples:", "  gdrproof verify memlock-limit-too-low --before failed/ --after repaired/", "  gdrproof verify acs-redirect-enabled --before monday.tar.gz --after today.tar.gz -o json", "",
        "Exit codes: 0 the cause has ended and nothing got worse, 1 it stands or something got worse, 2 usage,", "3 internal error, 4 a bundle could not be read, 5 not provable: its evidence is missing."})
final class VerifyCause implements Callable<Integer> {
  @Parameters(paramLabel = "CAUSE", description = "fault that the earlier bundle shows")
  private String fault;

  @Option(names = "--before", required = true, paramLabel = "BUNDLE", description = "evidence of the faulty state")
  private Path before;

  @Option(names = "--after", required = true, paramLabel = "BUNDLE", description = "evidence after the repair")
  private Path after;

  @Option(names = {"-o", "--output"}, paramLabel = "FORMAT", description = "text or json (default: text)")
  private String output = "text";

  @Option(names = "--rules", paramLabel = "DIR", description = "a site's own rules")
  private List<Path> rules = List.of();

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (!List.of("text", "json").contains(output)) {
      throw new ParameterException(spec.commandLine(), "no output format " + output + " (text, json)");
    }
    Ledger earlier = Pipeline.evidence(before);
    Ledger later = Pipeline.evidence(after);
    Diagnosis first = Pipeline.diagnose(earlier, Pipeline.sites(rules));
    Diagnosis second = Pipeline.diagnose(later, Pipeline.sites(rules));
    CauseCheck.Result result = new CauseCheck(earlier, later).of(fault, first, second).orElseThrow(() -> new ParameterException(spec.commandLine(),
        fault + " is not among what " + before + " shows: " + Stream.of(first.causes(), first.open(), first.observations()).flatMap(List::stream).map(Diagnosis.Answer::fault)
            .distinct().collect(Collectors.joining(", "))));
    if (output.equals("json")) {
      CauseCheckReport.json(result, Version.text(), out);
    } else {
      CauseCheckReport.text(result, out);
    }
    return code(result);
  }

  private static int code(CauseCheck.Result result) {
    return (switch (result.verdict()) {
      case STANDS -> ExitCode.FINDINGS;
      case ENDED -> result.worse().isEmpty() ? ExitCode.OK : ExitCode.FINDINGS;
      case NOT_PROVABLE -> ExitCode.INCONCLUSIVE;
    }).code();
  }
}
