package gdrproof.rules;

import gdrproof.Shared;
import gdrproof.bundle.Bundle;
import gdrproof.bundle.Bundle.Entry;
import gdrproof.cli.Pipeline;
import gdrproof.engine.RuleBase;
import gdrproof.facts.Ledger;
import gdrproof.finding.RuleInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Bundles that the gates walk: the corpus, labelled cases, and the fixtures of rules of diagnose that fire. */
final class Bundles {
  /** A labelled case: `case.yaml` inside a folder of cases must not be read as evidence. */
  static final String LABEL = "case.yaml";

  private Bundles() {}

  static List<Path> corpus() throws IOException {
    return folders(Path.of("fixtures/corpus"));
  }

  static List<Path> cases() throws IOException {
    Path cases = Shared.path("gdrproof.cases", "cases");
    return Files.isDirectory(cases) ? folders(cases).stream().filter(c -> Files.exists(c.resolve(LABEL))).toList() : List.of();
  }

  static List<Path> firing() throws IOException {
    Map<String, RuleInfo> rules = new HashMap<>();
    RuleBase.shipped().forEach(r -> rules.put(r.code(), r));
    List<Path> found = new ArrayList<>();
    for (Path code : folders(Path.of("fixtures"))) {
      RuleInfo rule = rules.get(code.getFileName().toString());
      if (rule != null && rule.stages().get(0).equals("diagnose")) {
        folders(code).stream().filter(f -> f.getFileName().toString().startsWith("fires-")).forEach(found::add);
      }
    }
    return found;
  }

  private static List<Path> folders(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(path)) {
      return all.filter(Files::isDirectory).sorted().toList();
    }
  }

  static List<Entry> entries(Path bundle) throws IOException {
    return Bundle.open(bundle).stream().filter(e -> !e.name().equals(LABEL)).toList();
  }

  static Ledger facts(List<Entry> entries) {
    return Pipeline.facts(entries);
  }
}
