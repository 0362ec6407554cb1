package gdrproof.cli;

import gdrproof.engine.RuleBase;
import gdrproof.engine.RuleCompiler.RuleError;
import gdrproof.engine.SiteRules;
import gdrproof.finding.RuleInfo;
import gdrproof.report.RuleReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** `gdrproof rules list|explain|test`: the knowledge itself. */
@Command(name = "rules", mixinStandardHelpOptions = true, description = "Lists and explains the rules, and tests a site's own.",
    subcommands = {Rules.Listing.class, Rules.Explain.class, Rules.Test.class},
    footer = {"", "Examples:", "  gdrproof rules list --stage lint", "  gdrproof rules explain NET010", "  gdrproof rules test our-rules/"})
final class Rules implements Runnable {
  @Spec
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "name one of: list, explain, test");
  }

  private static List<RuleInfo> shipped() {
    List<RuleInfo> rules = new java.util.ArrayList<>(RuleBase.shipped());
    if (rules.isEmpty()) {
      throw new IllegalStateException("no rules loaded: the program is damaged, build it again");
    }
    rules.sort(Comparator.comparing(RuleInfo::code));
    return rules;
  }

  private static boolean json(CommandLine command, String format) {
    if (!format.equals("text") && !format.equals("json")) {
      throw new ParameterException(command, "no output format " + format + " (text, json)");
    }
    return format.equals("json");
  }

  @Command(name = "list", mixinStandardHelpOptions = true, description = "Every rule, one a line.",
      footer = {"", "Examples:", "  gdrproof rules list", "  gdrproof rules list --stage lint -o json", "  gdrproof rules list -o markdown > docs/rules.md"})
  static final class Listing implements Callable<Integer> {
    @Option(names = "--stage", paramLabel = "STAGE", completionCandidates = Candidates.Stages.class, defaultValue = "", description = "only rules of: lint, diagnose, review, accept")
    private String stage;

    @Option(names = {"-o", "--output"}, paramLabel = "FORMAT", defaultValue = "text", description = "text, json or markdown (default: text)")
    private String format;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
      List<RuleInfo> rules = shipped().stream().filter(r -> stage.isEmpty() || r.stages().contains(stage)).toList();
      if (rules.isEmpty()) {
        throw new ParameterException(spec.commandLine(), "no rule has the stage " + stage);
      }
      PrintWriter out = spec.commandLine().getOut();
      if (format.equals("markdown")) {
        RuleReport.markdown(rules, out);
      } else if (json(spec.commandLine(), format)) {
        RuleReport.json(rules, out);
      } else {
        RuleReport.list(rules, out);
      }
      out.flush();
      return ExitCode.OK.code();
    }
  }

  @Command(name = "explain", mixinStandardHelpOptions = true, description = "What a rule says, why, how to confirm it by hand, and when it is a false alarm.",
      footer = {"", "Examples:", "  gdrproof rules explain NET010", "  gdrproof rules explain NET010 -o json", "  gdrproof rules explain J23                    the rules of one check"})
  static final class Explain implements Callable<Integer> {
    @Parameters(paramLabel = "CODE", description = "code of a rule, its slug, or the check that it implements")
    private String code;

    @Option(names = "--rules", paramLabel = "DIR", description = "a site's own rules")
    private List<Path> folders = new java.util.ArrayList<>();

    @Option(names = {"-o", "--output"}, paramLabel = "FORMAT", defaultValue = "text", description = "text or json (default: text)")
    private String format;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
      List<RuleInfo> rules = new java.util.ArrayList<>(shipped());
      List<SiteRules> sites = Pipeline.sites(folders);
      List.of("lint", "diagnose", "review", "accept").forEach(stage -> RuleBase.of(stage, sites).stream().filter(rule -> !rules.contains(rule)).forEach(rules::add));
      List<RuleInfo> named = rules.stream().filter(r -> r.code().equalsIgnoreCase(code) || r.slug().equals(code.toLowerCase(Locale.ROOT))).limit(1).toList();
      if (named.isEmpty()) {
        named = rules.stream().filter(r -> !r.check().isEmpty() && r.check().equalsIgnoreCase(code)).toList();
      }
      PrintWriter out = spec.commandLine().getOut();
      if (named.isEmpty()) {
        throw new ParameterException(spec.commandLine(), "no rule, slug or check " + code + "; gdrproof rules list tells all, and --rules names a site's own");
      }
      if (named.size() > 1) {
        if (json(spec.commandLine(), format)) {
          RuleReport.json(named, out);
        } else {
          RuleReport.list(named, out);
        }
        out.flush();
        return ExitCode.OK.code();
      }
      RuleInfo rule = named.get(0);
      if (json(spec.commandLine(), format)) {
        RuleReport.json(rule, RuleBase.page(rule.code()).orElse(""), out);
      } else {
        RuleReport.explain(rule, RuleBase.page(rule.code()).orElse(""), out);
      }
      out.flush();
      return ExitCode.OK.code();
    }
  }

  @Command(name = "test", mixinStandardHelpOptions = true,
      description = {"Compiles a site's own rules and runs their fixtures:", "DIR/fixtures/CODE/fires-NAME/, silent-NAME/ and open-NAME/ are bundles."},
      footer = {"", "Examples:", "  gdrproof rules test our-rules/", "", "Exit codes: 0 all as expected, 1 a fixture is not, 2 a rule does not compile."})
  static final class Test implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "folder of .drl files; they are code, so name only folders you trust")
    private Path folder;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
      PrintWriter out = spec.commandLine().getOut();
      RuleTests.Outcome outcome;
      try {
        outcome = RuleTests.run(folder);
      } catch (RuleError e) {
        e.getMessage().lines().forEach(line -> spec.commandLine().getErr().println("gdrproof: " + line));
        return ExitCode.USAGE.code();
      }
      outcome.lines().forEach(out::println);
      out.flush();
      return (outcome.failed() == 0 ? ExitCode.OK : ExitCode.FINDINGS).code();
    }
  }
}
