package gdrproof.cli;

import gdrproof.accept.BaselineFile;
import gdrproof.accept.BaselineRecorder;
import gdrproof.accept.FabricBaseline;
import gdrproof.accept.FabricBaseline.SignOff;
import gdrproof.accept.GateFacts;
import gdrproof.facts.Fact;
import gdrproof.facts.Gate.BaselineCheck;
import gdrproof.facts.Gate.BaselineState;
import gdrproof.facts.Gate.VersionCheck;
import gdrproof.facts.Ledger;
import gdrproof.facts.Tri;
import gdrproof.policy.Policies;
import gdrproof.report.BaselineReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** `gdrproof baseline record|show|compare`. */
@Command(name = "baseline", mixinStandardHelpOptions = true, description = "Records what an accepted configuration measures, and sets a bundle beside it.",
    subcommands = {Baselines.Record.class, Baselines.Show.class, Baselines.Compare.class},
    footer = {"", "Examples:", "  gdrproof baseline record run1/ run2/ run3/ -o h200-8x400.yaml", "  gdrproof baseline compare evidence/ --baseline h200-8x400.yaml"})
final class Baselines implements Runnable {
  @Spec
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "name one of: record, show, compare");
  }

  /** A bundle without any fact gives no distribution and no comparison. */
  private static void recognised(Path bundle, Ledger ledger) {
    if (Pipeline.empty(ledger)) {
      throw new Unreadable(bundle + ": no evidence recognised");
    }
  }

  /** @throws ParameterException where it cannot be read */
  static FabricBaseline read(Path file, CommandSpec spec) {
    try {
      return BaselineFile.read(file);
    } catch (IOException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  /** `gdrproof baseline record BUNDLE...`. */
  @Command(name = "record", mixinStandardHelpOptions = true, description = "Writes a baseline from the bundles of comparable runs, in the order they were taken.",
      footer = {"", "A distribution needs three comparable runs (in one bundle or several), the first of them as warm-up.", "", "Examples:", "  gdrproof baseline record idle1/ idle2/ idle3/ --load busy1/ busy2/ busy3/ --note idle.window=\"02:00-04:00\" -o base.yaml",
          "  gdrproof baseline record run1/ run2/ run3/ --signed-by \"A. Miller\" --why \"acceptance of pod 3\" -o base.yaml", "", "Exit codes: 0 written, 1 written, but without a distribution, 2 usage, 3 internal error, 4 a bundle could not be read."})
  static final class Record implements Callable<Integer> {
    @Parameters(arity = "1..*", paramLabel = "BUNDLE", description = "bundles taken with the fabric idle otherwise")
    private List<Path> idle = new ArrayList<>();

    @Option(names = "--load", arity = "1..*", paramLabel = "BUNDLE", description = "bundles taken under representative load")
    private List<Path> load = new ArrayList<>();

    @Option(names = "--note", paramLabel = "CONDITION.NAME=TEXT", description = "what a condition was: window, placement, messages, routing, maintenance, clusterLoad of idle or load")
    private Map<String, String> notes = new LinkedHashMap<>();

    @Option(names = "--signed-by", paramLabel = "WHO", description = "who accepts it")
    private String who = "";

    @Option(names = "--signed-on", paramLabel = "DATE", description = "when, YYYY-MM-DD (default: today)")
    private String when = "";

    @Option(names = "--why", paramLabel = "TEXT", description = "why it is accepted")
    private String why = "";

    @Option(names = {"-o", "--output"}, paramLabel = "FILE", defaultValue = "-", description = "file to write (default: standard output)")
    private String output;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
      PrintWriter err = spec.commandLine().getErr();
      if (who.isEmpty() != why.isEmpty()) {
        throw new ParameterException(spec.commandLine(), "a sign-off says who and why: give --signed-by and --why");
      }
      Map<String, Map<String, String>> conditions = conditions();
      Map<String, Object> fewest = Policies.map(Policies.read("thresholds.yaml").get("baseline.runs"));
      BaselineRecorder recorder = new BaselineRecorder(((Number) fewest.get("value")).intValue());
      for (String condition : List.of("idle", "load")) {
        for (Path bundle : condition.equals("idle") ? idle : load) {
          Ledger ledger = Pipeline.evidence(bundle);
          recognised(bundle, ledger);
          try {
            recorder.add(bundle.toString(), ledger, condition);
          } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
          }
        }
      }
      String day = when.isEmpty() ? LocalDate.now(ZoneOffset.UTC).toString() : when;
      FabricBaseline baseline = recorder.build(conditions, who.isEmpty() ? SignOff.NONE : new SignOff(who, day, why));
      String text = BaselineFile.write(baseline);
      if (output.equals("-")) {
        spec.commandLine().getOut().print(text);
        spec.commandLine().getOut().flush();
      } else {
        Files.writeString(Path.of(output), text, StandardCharsets.UTF_8);
        err.println("gdrproof: wrote " + output + ": " + baseline.series().size() + " distributions");
      }
      recorder.remarks().forEach(r -> err.println("gdrproof: " + r));
      return (baseline.series().isEmpty() ? ExitCode.FINDINGS : ExitCode.OK).code();
    }

    private Map<String, Map<String, String>> conditions() {
      Map<String, Map<String, String>> conditions = new TreeMap<>();
      for (String condition : load.isEmpty() ? List.of("idle") : List.of("idle", "load")) {
        Map<String, String> own = new TreeMap<>();
        List.of("window", "placement", "messages", "routing", "maintenance", "clusterLoad").forEach(name -> own.put(name, "not noted"));
        conditions.put(condition, own);
      }
      notes.forEach((key, value) -> {
        String[] parts = key.split("\\.", 2);
        if (parts.length < 2 || !conditions.containsKey(parts[0]) || !conditions.get(parts[0]).containsKey(parts[1])) {
          throw new ParameterException(spec.commandLine(), "--note " + key + ": name idle or load, a dot, and one of window, placement, messages, routing, maintenance, clusterLoad");
        }
        conditions.get(parts[0]).put(parts[1], value);
      });
      return conditions;
    }
  }

  /** `gdrproof baseline show FILE`. */
  @Command(name = "show", mixinStandardHelpOptions = true, description = "Prints a baseline for people.", footer = {"", "Examples:", "  gdrproof baseline show h200-8x400.yaml", "", "Exit codes: 0 shown, 2 no such baseline."})
  static final class Show implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "baseline file")
    private Path file;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
      FabricBaseline b = read(file, spec);
      PrintWriter out = spec.commandLine().getOut();
      BaselineReport.show(b.file(), b.topology(), b.conditions(), b.signOff().signed() == Tri.YES ? b.signOff().who() + " on " + b.signOff().when() + ": " + b.signOff().why() : Fact.UNKNOWN, b.versions(), b.series(), out);
      out.flush();
      return ExitCode.OK.code();
    }
  }

  /** `gdrproof baseline compare BUNDLE --baseline FILE`. */
  @Command(name = "compare", mixinStandardHelpOptions = true, description = "Sets the distributions of a bundle beside those of a baseline of the same topology class.",
      footer = {"", "Examples:", "  gdrproof baseline compare evidence/ --baseline h200-8x400.yaml", "", "Exit codes: 0 nothing has regressed, 1 something has, 2 usage, 3 internal error, 4 nothing could be read,",
          "5 not comparable (another topology class, or the bundle does not tell)."})
  static final class Compare implements Callable<Integer> {
    @Parameters(paramLabel = "BUNDLE", description = "folder, archive or file of evidence, - for standard input")
    private Path bundle;

    @Option(names = "--baseline", required = true, paramLabel = "FILE", description = "baseline file")
    private Path file;

    @Option(names = {"-o", "--output"}, defaultValue = "text", description = "text or json")
    private String format;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
      PrintWriter out = spec.commandLine().getOut();
      if (!List.of("text", "json").contains(format)) {
        throw new ParameterException(spec.commandLine(), "unknown output " + format + ": text or json");
      }
      FabricBaseline baseline = read(file, spec);
      Ledger ledger = Pipeline.evidence(bundle);
      recognised(bundle, ledger);
      GateFacts.derive(ledger, Optional.of(baseline));
      BaselineState state = ledger.all(BaselineState.class).get(0);
      List<BaselineCheck> checks = ledger.all(BaselineCheck.class).stream().sorted(java.util.Comparator.comparing(BaselineCheck::metric).thenComparing(BaselineCheck::subject).thenComparing(BaselineCheck::node)
          .thenComparing(BaselineCheck::bytes)).toList();
      List<VersionCheck> versions = ledger.all(VersionCheck.class);
      if (format.equals("json")) {
        BaselineReport.json(state, checks, versions, Version.text(), out);
      } else {
        BaselineReport.compare(state, checks, versions, out);
      }
      out.flush();
      boolean regressed = checks.stream().anyMatch(c -> List.of("regressed", "tail-regressed", "unstable").contains(c.verdict()));
      return (regressed ? ExitCode.FINDINGS : state.sameClass() == Tri.YES ? ExitCode.OK : ExitCode.INCONCLUSIVE).code();
    }
  }
}
