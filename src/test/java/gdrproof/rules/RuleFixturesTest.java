package gdrproof.rules;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import gdrproof.cli.LintRun;
import gdrproof.cli.Pipeline;
import gdrproof.cli.VerifyRun;
import gdrproof.collect.drill.Drills;
import gdrproof.engine.Engine;
import gdrproof.engine.RuleBase;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Setting;
import gdrproof.finding.Conclusion;
import gdrproof.finding.Conclusion.Hypothesis;
import gdrproof.finding.Conclusion.Item;
import gdrproof.finding.Conclusion.ItemVerdict;
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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Runs every folder `fixtures/CODE/{fires,silent,open}-NAME/` as a bundle; no Java per case. Rules of a drill and of a verification have one folder for each phase.
 *
 * <ul>
 * <li>fires: the rule concludes, and no hypothesis if it is a rule of causes
 * <li>silent: the rule concludes nothing; a near miss of `fires`
 * <li>open, of a drill: no rule proves or fails the item of the rule
 * <li>open: no rule claims the fault; a hypothesis of it (or an inconclusive problem of the rule) stands
 * </ul>
 * `-Dfixtures=CODE,CODE` runs some only.
 */
class RuleFixturesTest {
  private static final Path FIXTURES = Path.of("fixtures");
  private static final Pattern ITEM = Pattern.compile("new Item\\(\"([^\"]+)\"");
  private final Map<String, RuleBase> bases = new HashMap<>();

  @TestFactory
  List<DynamicTest> fixtures() throws IOException {
    String only = System.getProperty("fixtures", "");
    Map<String, RuleInfo> rules = new HashMap<>();
    RuleBase.shipped().forEach(r -> rules.put(r.code(), r));
    List<DynamicTest> tests = new ArrayList<>();
    try (Stream<Path> folders = Files.list(FIXTURES)) {
      for (Path rule : folders.filter(Files::isDirectory).sorted().toList()) {
        String code = rule.getFileName().toString();
        if (code.equals("corpus") || code.startsWith("_") || !only.isEmpty() && !List.of(only.split(",")).contains(code)) {
          continue;
        }
        tests.add(dynamicTest(code + " exists", () -> assertTrue(rules.containsKey(code), "fixtures/" + code + ": no rule has this code")));
        try (Stream<Path> cases = Files.list(rule)) {
          for (Path fixture : cases.filter(Files::isDirectory).sorted().toList()) {
            tests.add(dynamicTest(code + " " + fixture.getFileName(), () -> check(rules.get(code), fixture)));
          }
        }
      }
    }
    return tests;
  }

  private void check(RuleInfo rule, Path fixture) throws IOException {
    String name = fixture.getFileName().toString();
    String stage = rule.stages().get(0);
    Ledger ledger;
    Engine.Result result;
    if (stage.equals("lint")) {
      LintRun.Result run = LintRun.folder(fixture, bases.computeIfAbsent(stage, s -> RuleBase.load(s, List.of())));
      ledger = run.ledger();
      result = run.engine();
    } else if (stage.equals("verify")) {
      VerifyRun.Result run = VerifyRun.run(fixture.resolve("before"), fixture.resolve("after"), Files.exists(fixture.resolve("rolled-back.txt")),
          bases.computeIfAbsent("diagnose", s -> RuleBase.load(s, List.of())), bases.computeIfAbsent(stage, s -> RuleBase.load(s, List.of())));
      ledger = run.ledger();
      result = run.engine();
    } else if (stage.equals("drill")) {
      ledger = Drills.compare(Pipeline.facts(fixture.resolve("before")), Pipeline.facts(fixture.resolve("during")), Pipeline.facts(fixture.resolve("after")));
      for (Fact setting : Pipeline.facts(fixture.resolve("before")).all(Setting.class)) {
        ledger.add(setting, Evidence.of("policies", 0, setting.toString()));
      }
      result = new Engine(bases.computeIfAbsent(stage, s -> RuleBase.load(s, List.of()))).conclude(ledger);
    } else {
      ledger = Pipeline.facts(fixture);
      result = new Engine(bases.computeIfAbsent(stage, s -> RuleBase.load(s, List.of()))).conclude(ledger);
    }
    List<Derived> own = result.conclusions().stream().filter(d -> d.rule().code().equals(rule.code())).toList();
    List<Derived> sameFault = result.conclusions().stream().filter(d -> !rule.fault().isEmpty() && d.rule().fault().equals(rule.fault())).toList();
    String all = "\nconcluded: " + result.conclusions().stream().map(d -> d.rule().name() + " -> " + d.conclusion()).toList() + "\nfacts: "
        + ledger.facts().stream().filter(f -> !(f instanceof gdrproof.facts.Meta.Setting)).toList();
    assertTrue(result.failures().isEmpty(), () -> fixture + ": " + result.failures());
    if (name.startsWith("fires-")) {
      assertTrue(own.stream().anyMatch(d -> !open(d.conclusion()) || d.conclusion() instanceof Hypothesis), () -> fixture + ": " + rule.name() + " must conclude" + all);
      own.forEach(d -> assertFalse(d.message().isBlank() || d.message().contains("{"), () -> fixture + ": message of " + rule.name() + " is not filled: " + d.message()));
    } else if (name.startsWith("silent-")) {
      assertTrue(own.isEmpty(), () -> fixture + ": " + rule.name() + " must stay silent" + all);
    } else if (name.startsWith("open-") && stage.equals("drill")) {
      String item = item(rule);
      assertTrue(own.isEmpty() && result.conclusions().stream().noneMatch(d -> d.conclusion() instanceof Item i && i.item().equals(item) && i.verdict() != ItemVerdict.NOT_PROVEN),
          () -> fixture + ": " + item + " must be neither proven nor failed" + all);
    } else if (name.startsWith("open-")) {
      assertTrue(sameFault.stream().noneMatch(d -> d.conclusion() instanceof Conclusion.Cause) && own.stream().allMatch(d -> open(d.conclusion())),
          () -> fixture + ": " + rule.fault() + " must not be claimed" + all);
      assertTrue(sameFault.stream().anyMatch(d -> d.conclusion() instanceof Hypothesis) || own.stream().anyMatch(d -> open(d.conclusion())),
          () -> fixture + ": a hypothesis of " + rule.fault() + " must stand" + all);
    } else {
      throw new AssertionError(fixture + ": a fixture's name begins with fires-, silent- or open-");
    }
  }

  /** The item of a checklist that a rule concludes on. */
  private static String item(RuleInfo rule) throws IOException {
    Matcher item = ITEM.matcher(Files.readString(Path.of("rules").resolve(rule.file())));
    assertTrue(item.find(), rule.name() + " concludes on no item");
    return item.group(1);
  }

  private static boolean open(Conclusion conclusion) {
    return conclusion instanceof Hypothesis || conclusion instanceof Problem p && p.verdict() == Verdict.INCONCLUSIVE;
  }
}
