package gdrproof.cli;

import gdrproof.engine.Needs;
import gdrproof.probe.Checkup;
import gdrproof.probe.Checkup.Item;
import gdrproof.probe.Checkup.Report;
import gdrproof.probe.Checkup.Unprovable;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;

/** `gdrproof doctor`. */
@Command(name = "doctor", mixinStandardHelpOptions = true, description = "Says which prerequisites of a proof are present, and what stays unprovable without the others. Changes nothing.",
    footer = {"", "Examples:", "  gdrproof doctor", "  gdrproof doctor evidence/ --node root@gpu[01-04]", "  gdrproof doctor -o json", "",
        "Exit codes: 0 everything is present, 1 something is missing, 2 usage, 3 internal error."})
final class Doctor implements Callable<Integer> {
  @Parameters(paramLabel = "EVIDENCE", description = "folders that may hold site.yaml, baselines, copies for a rollback, outputs of switches (default: this folder)")
  private List<Path> evidence = new ArrayList<>();

  @Mixin
  private Nodes nodes;

  @Option(names = {"-o", "--output"}, paramLabel = "FORMAT", description = "text or json (default: ${DEFAULT-VALUE})")
  private String format = "text";

  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    if (!List.of("text", "json").contains(format)) {
      throw new ParameterException(spec.commandLine(), "no output format " + format + " (text, json)");
    }
    evidence.stream().filter(folder -> !Files.exists(folder)).forEach(folder -> {
      throw new ParameterException(spec.commandLine(), folder + ": no such file or folder");
    });
    Report report;
    try (Nodes.Opened opened = nodes.open()) {
      report = new Checkup(Needs.load()).run(opened.targets(), evidence.isEmpty() ? List.of(Path.of(".")) : evidence, opened.failed());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (format.equals("json")) {
      json(report, out);
    } else {
      text(report, out);
    }
    out.flush();
    return (report.items().stream().allMatch(Item::present) ? ExitCode.OK : ExitCode.FINDINGS).code();
  }

  private static void text(Report report, PrintWriter out) {
    Map<String, List<Item>> byNode = report.items().stream().collect(Collectors.groupingBy(Item::node, LinkedHashMap::new, Collectors.toList()));
    byNode.forEach((node, items) -> {
      out.println(node.isEmpty() ? "beside the nodes" : node);
      items.stream().filter(i -> !i.name().startsWith("tool:")).forEach(i -> out.printf("  %-8s %-18s %s%n", i.present() ? "present" : "missing", i.name(), i.detail()));
      tools(items, true, "present", out);
      tools(items, false, "missing", out);
    });
    if (!report.unprovable().isEmpty()) {
      out.println();
      out.println("not provable without them (most faults first):");
      for (Unprovable lost : report.unprovable()) {
        out.println("  " + lost.measurement() + " (needs " + lost.needs() + "): " + lost.proves());
        if (!lost.faults().isEmpty()) {
          out.println("    stay open: " + String.join(", ", lost.faults()));
        }
      }
    }
  }

  private static void tools(List<Item> items, boolean present, String word, PrintWriter out) {
    List<String> names = items.stream().filter(i -> i.name().startsWith("tool:") && i.present() == present).map(i -> i.name().substring(5)).toList();
    if (!names.isEmpty()) {
      out.printf("  %-8s %-18s %s%n", word, "tools", String.join(", ", names));
    }
  }

  private static void json(Report report, PrintWriter out) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("schema", "gdrproof/doctor/v1");
    all.put("tool", "gdrproof " + Version.text());
    all.put("command", "doctor");
    all.put("items", report.items());
    all.put("unprovable", report.unprovable());
    out.print(JsonMapper.builder().build().writerWithDefaultPrettyPrinter().writeValueAsString(all) + "\n");
  }
}
