package gdrproof.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.facts.Evidence;
import gdrproof.facts.Gpu.GpuCount;
import gdrproof.facts.Ledger;
import gdrproof.facts.Num;
import gdrproof.finding.RuleInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kie.api.definition.KiePackage;
import org.kie.api.definition.rule.Rule;

class RuleBaseTest {
  private static final String GOOD = "rule \"SITE010 counts\"\n  @Severity(\"info\")\n  @Message(\"{g.gpus} GPUs\")\nwhen\n  $g : GpuCount($node : node, gpus.atLeast(1))\nthen\n"
      + "  insertLogical(Signal.of(\"site-gpus\", Subject.node($node)));\nend\n";
  private static final String THROWS = "rule \"SITE011 throws\"\n  @Severity(\"info\")\n  @Message(\"x\")\nwhen\n  $g : GpuCount($node : node, Integer.parseInt(node) > 0)\nthen\n"
      + "  insertLogical(Signal.of(\"never\", Subject.node($node)));\nend\n";
  private static final String THROWS_IN_THEN = "rule \"SITE012 throws-late\"\n  @Severity(\"info\")\n  @Message(\"x\")\nwhen\n  $g : GpuCount($node : node)\nthen\n"
      + "  insertLogical(Signal.of(String.valueOf(Integer.parseInt($node)), Subject.node($node)));\nend\n";

  @TempDir
  private Path folder;

  /** The catalogue is read from the text of the rules, the rule base from compiled classes: they must be the same rules. */
  @Test
  void everyRuleOfTheTextIsInTheRuleBase() throws IOException {
    Set<String> loaded = new TreeSet<>();
    for (String stage : List.of("lint", "diagnose", "review", "accept", "drill", "verify")) {
      if (RuleBase.shipped().stream().anyMatch(r -> r.stages().contains(stage))) {
        for (KiePackage each : RuleBase.load(stage, List.of()).base().getKiePackages()) {
          each.getRules().stream().map(Rule::getName).forEach(loaded::add);
        }
      }
    }
    assertEquals(new TreeSet<>(RuleBase.shipped().stream().map(RuleInfo::name).toList()), loaded);
    long written;
    try (Stream<Path> files = Files.walk(Path.of("rules"))) {
      written = files.filter(f -> f.toString().endsWith(".drl")).flatMap(RuleBaseTest::lines).filter(l -> l.startsWith("rule \"")).count();
    }
    assertEquals(written, loaded.size());
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void noRulesAtAllIsAFailure() throws IOException {
    assertThrows(IllegalStateException.class, () -> RuleBase.load("no-such-stage", List.of()));
    Files.createDirectories(folder.resolve("rules"));
    assertThrows(RuleCompiler.RuleError.class, () -> RuleCompiler.main(new String[] {folder.resolve("rules").toString(), folder.resolve("classes").toString()}));
    assertThrows(RuleCompiler.RuleError.class, () -> SiteRules.load(folder.resolve("rules"), folder.resolve("cache")));
    Files.writeString(folder.resolve("rules/empty.drl"), "// nothing\n");
    assertThrows(RuleCompiler.RuleError.class, () -> SiteRules.load(folder.resolve("rules"), folder.resolve("cache")));
  }

  private Engine.Result conclude(SiteRules site) {
    Ledger ledger = new Ledger();
    ledger.add(new GpuCount("n1", Num.of(8)), Evidence.of("topo.txt", 1, "GPU0"));
    return new Engine(RuleBase.load("diagnose", List.of(site))).conclude(ledger);
  }

  @Test
  void aSitesRuleIsAddedAndItsCompiledFormKept() throws IOException {
    Path rules = Files.createDirectories(folder.resolve("rules"));
    Files.writeString(rules.resolve("SITE010.drl"), GOOD);
    Engine.Result result = conclude(SiteRules.load(rules, folder.resolve("cache")));
    assertTrue(result.conclusions().stream().anyMatch(d -> d.rule().code().equals("SITE010") && d.message().equals("8 GPUs")), result::toString);
    Set<FileTime> before = times();
    conclude(SiteRules.load(rules, folder.resolve("cache")));
    assertEquals(before, times(), "the second load takes what the first compiled");
    Files.writeString(rules.resolve("SITE010.drl"), GOOD.replace("GPUs", "devices"));
    assertTrue(conclude(SiteRules.load(rules, folder.resolve("cache"))).conclusions().stream().anyMatch(d -> d.message().equals("8 devices")));
  }

  private Set<FileTime> times() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("cache"))) {
      return files.filter(f -> f.toString().endsWith(".class")).map(f -> {
        try {
          return Files.getLastModifiedTime(f);
        } catch (IOException e) {
          throw new java.io.UncheckedIOException(e);
        }
      }).collect(Collectors.toSet());
    }
  }

  @Test
  void aRuleThatDoesNotCompileIsNamedWithItsFile() throws IOException {
    Path rules = Files.createDirectories(folder.resolve("rules"));
    Files.writeString(rules.resolve("SITE010.drl"), GOOD);
    Files.writeString(rules.resolve("SITE013.drl"), GOOD.replace("SITE010 counts", "SITE013 typo").replace("gpus.atLeast", "gpuz.atLeast"));
    String message = assertThrows(RuleCompiler.RuleError.class, () -> SiteRules.load(rules, folder.resolve("cache"))).getMessage();
    assertTrue(message.contains("SITE013"), message);
  }

  @Test
  void aRuleThatThrowsIsNamedAndTheOthersConclude() throws IOException {
    Path rules = Files.createDirectories(folder.resolve("rules"));
    Files.writeString(rules.resolve("SITE010.drl"), GOOD);
    Files.writeString(rules.resolve("SITE011.drl"), THROWS);
    Files.writeString(rules.resolve("SITE012.drl"), THROWS_IN_THEN);
    Engine.Result result = conclude(SiteRules.load(rules, folder.resolve("cache")));
    assertTrue(result.conclusions().stream().anyMatch(d -> d.rule().code().equals("SITE010")), result::toString);
    assertTrue(result.failures().stream().anyMatch(f -> f.contains("SITE011")), result.failures()::toString);
    assertTrue(result.failures().stream().anyMatch(f -> f.contains("SITE012")), result.failures()::toString);
  }
}
