package gdrproof.cli;

import gdrproof.bundle.Reasons;
import gdrproof.facts.Meta.Setting;
import gdrproof.policy.LintConfig;
import gdrproof.policy.Policies;
import gdrproof.report.VisibleWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** `gdrproof config show`: which value counts, and who set it. */
@Command(name = "config", mixinStandardHelpOptions = true, description = "Shows the configuration of lint.", subcommands = ConfigCommand.Show.class,
    footer = {"", "Examples:", "  gdrproof config show"})
final class ConfigCommand implements Runnable {
  @Spec
  private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "name one of: show");
  }

  @Command(name = "show", mixinStandardHelpOptions = true, description = "Prints each value and where it comes from: the environment, gdrproof.yaml, or the default. Flags of lint win over all of them.",
      footer = {"", "Environment: GDRPROOF_CONFIG, GDRPROOF_FAIL_ON, GDRPROOF_PLATFORM, GDRPROOF_SEVERITY and GDRPROOF_THRESHOLDS (KEY=VALUE,KEY=VALUE)", "", "Examples:",
          "  gdrproof config show", "  gdrproof config show --all --config ci/gdrproof.yaml", "  GDRPROOF_SEVERITY=J57=off gdrproof config show -o json", "",
          "Exit codes: 0 printed, 2 usage, 4 the file is missing or says something unknown."})
  static final class Show implements Callable<Integer> {
    private record Row(String key, String value, String origin) {}

    @Option(names = "--config", paramLabel = "FILE", description = "configuration (default: gdrproof.yaml in the working folder)")
    private String config = "";

    @Option(names = "--rules", paramLabel = "DIR", description = "a site's own rules, which the configuration may name")
    private List<Path> rules = new ArrayList<>();

    @Option(names = "--all", description = "also thresholds that nobody changed")
    private boolean all;

    @Option(names = {"-o", "--output"}, paramLabel = "FORMAT", description = "text or json (default: text)")
    private String format = "text";

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
      if (!List.of("text", "json").contains(format)) {
        throw new ParameterException(spec.commandLine(), "no output format " + format + " (text, json)");
      }
      LintConfig read;
      try {
        read = LintConfig.layered(config, System.getenv());
        ConfiguredRules.check(read, rules);
      } catch (IOException e) {
        spec.commandLine().getErr().println("gdrproof: " + Reasons.of(e));
        return ExitCode.UNREADABLE.code();
      }
      List<Row> rows = rows(read);
      PrintWriter out = spec.commandLine().getOut();
      if (format.equals("json")) {
        List<Map<String, String>> values = new ArrayList<>();
        rows.forEach(r -> {
          Map<String, String> value = new LinkedHashMap<>();
          value.put("key", r.key());
          value.put("value", r.value());
          value.put("origin", r.origin());
          values.add(value);
        });
        out.print(VisibleWriter.text(JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build().writeValueAsString(Map.of("config", values))) + "\n");
        return ExitCode.OK.code();
      }
      int width = rows.stream().mapToInt(r -> r.key().length()).max().orElse(0);
      rows.forEach(r -> out.printf("%-" + width + "s  %s  (%s)%n", r.key(), r.value().isEmpty() ? "-" : r.value(), r.origin()));
      return ExitCode.OK.code();
    }

    private List<Row> rows(LintConfig read) {
      List<Row> rows = new ArrayList<>();
      rows.add(new Row("fail-on", read.failOn().isEmpty() ? "warning" : read.failOn(), read.origin("fail-on")));
      rows.add(new Row("platform", read.platform(), read.origin("platform")));
      read.severity().forEach((rule, level) -> rows.add(new Row("severity." + rule, level, read.origin("severity." + rule))));
      for (Setting setting : Policies.settings()) {
        String own = read.thresholds().getOrDefault(setting.key(), "");
        if (all || !own.isEmpty()) {
          rows.add(new Row("thresholds." + setting.key(), own.isEmpty() ? setting.text() : own, read.origin("thresholds." + setting.key())));
        }
      }
      for (LintConfig.Ignored each : read.ignore()) {
        rows.add(new Row("ignore." + String.join(",", each.rules()), (each.files().isEmpty() ? "every file" : String.join(", ", each.files())) + ": "
            + (each.reason().isEmpty() ? "no reason, so it does not count" : each.reason()) + (each.until().isEmpty() ? "" : " (until " + each.until() + ")"), read.source()));
      }
      return rows;
    }
  }
}
