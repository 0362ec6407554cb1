package gdrproof.cli;

import gdrproof.engine.Engine;
import gdrproof.engine.RuleBase;
import gdrproof.engine.SiteRules;
import gdrproof.finding.Conclusion;
import gdrproof.finding.Conclusion.Hypothesis;
import gdrproof.finding.Conclusion.Problem;
import gdrproof.finding.Derived;
import gdrproof.finding.RuleInfo;
import gdrproof.finding.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Runs the fixtures of a site's rules with the shipped rules beside them. */
final class RuleTests {
  /** @param lines what to print */
  record Outcome(List<String> lines, int passed, int failed) {}

  private RuleTests() {}

  static Outcome run(Path folder) throws IOException {
    List<SiteRules> sites = Pipeline.sites(List.of(folder));
    Map<String, RuleInfo> own = new HashMap<>();
    for (String stage : List.of("diagnose", "lint", "review", "accept")) {
      RuleBase.of(stage, sites).forEach(r -> own.put(r.code(), r));
    }
    List<String> lines = new ArrayList<>();
    lines.add(own.size() + " rules compile: " + String.join(", ", own.keySet().stream().sorted().toList()));
    Path fixtures = folder.resolve("fixtures");
    int passed = 0;
    int failed = 0;
    for (Path rule : folders(fixtures)) {
      RuleInfo info = own.get(rule.getFileName().toString());
      for (Path fixture : folders(rule)) {
        String problem = info == null ? "no rule has this code" : check(info, fixture, sites);
        lines.add((problem.isEmpty() ? "pass " : "FAIL ") + folder.relativize(fixture) + (problem.isEmpty() ? "" : ": " + problem));
        passed += problem.isEmpty() ? 1 : 0;
        failed += problem.isEmpty() ? 0 : 1;
      }
    }
    lines.add(passed + " passed, " + failed + " failed" + (passed + failed == 0 ? "; a rule needs fixtures in " + fixtures + "/CODE/{fires,silent,open}-NAME/" : ""));
    return new Outcome(lines, passed, failed);
  }

  private static List<Path> folders(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(path)) {
      return all.filter(Files::isDirectory).sorted().toList();
    }
  }

  private static String check(RuleInfo rule, Path fixture, List<SiteRules> sites) throws IOException {
    String stage = rule.stages().get(0);
    Engine.Result result = stage.equals("lint") ? LintRun.folder(fixture, RuleBase.load(stage, sites)).engine() : Pipeline.conclude(stage, Pipeline.facts(fixture), sites);
    List<Derived> own = result.conclusions().stream().filter(d -> d.rule().code().equals(rule.code())).toList();
    String name = fixture.getFileName().toString();
    if (!result.failures().isEmpty()) {
      return String.join("; ", result.failures());
    }
    if (name.startsWith("fires-")) {
      return own.isEmpty() ? "the rule must conclude, and did not" : "";
    }
    if (name.startsWith("silent-")) {
      return own.isEmpty() ? "" : "the rule must stay silent, and concluded " + own.get(0).message();
    }
    if (name.startsWith("open-")) {
      return own.stream().allMatch(d -> open(d.conclusion())) ? "" : "the rule must not claim, and concluded " + own.get(0).message();
    }
    return "a fixture's name begins with fires-, silent- or open-";
  }

  private static boolean open(Conclusion conclusion) {
    return conclusion instanceof Hypothesis || conclusion instanceof Problem p && p.verdict() == Verdict.INCONCLUSIVE;
  }
}
