package gdrproof.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.engine.RuleBase;
import gdrproof.finding.Causality;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChecklistTest {
  private static final Pattern ITEM = Pattern.compile("new Item\\(\"(?<item>[^\"]+)\", ItemVerdict\\.(?<verdict>\\w+)");
  private static final Pattern GUARD = Pattern.compile("\"guard-off\",[^;]*\"(?<name>[a-z-]+)\"\\)");

  @TempDir
  private Path folder;

  private Checklist with(String text) throws IOException {
    Path file = folder.resolve("own.yaml");
    Files.writeString(file, text);
    return Checklist.shipped().with(file);
  }

  private static String refused(ChecklistTest test, String text) {
    return assertThrows(IOException.class, () -> test.with(text)).getMessage();
  }

  @Test
  void everyItemHasRulesThatProveItAndRulesThatFailIt() throws IOException {
    Set<String> proven = new TreeSet<>();
    Set<String> failed = new TreeSet<>();
    Set<String> guards = new TreeSet<>();
    try (Stream<Path> files = Files.list(Path.of("rules/acceptance"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".drl")).toList()) {
        String text = Files.readString(file);
        ITEM.matcher(text).results().forEach(m -> (m.group(2).equals("PROVEN") ? proven : m.group(2).equals("FAILED") ? failed : new TreeSet<String>()).add(m.group(1)));
        GUARD.matcher(text).results().forEach(m -> guards.add(m.group(1)));
      }
    }
    Set<String> items = Checklist.shipped().items().stream().map(Checklist.Item::id).collect(Collectors.toCollection(TreeSet::new));
    assertEquals(items, proven);
    assertEquals(items, failed);
    Checklist.shipped().items().forEach(i -> assertTrue(guards.containsAll(i.needs()), i.id() + " needs a guard that no rule concludes: " + i.needs()));
  }

  @Test
  void everyItemNamesKnownFaultsMeasurementsAndASection() {
    Set<String> faults = Causality.load().faults();
    for (Checklist.Item item : Checklist.shipped().items()) {
      assertTrue(faults.containsAll(item.faults()), item.id() + ": " + item.faults());
      assertFalse(item.asks().isEmpty(), item.id());
      assertTrue(Set.of("topology", "pods", "fabric", "nccl", "lifecycle").contains(item.section()), item.section());
    }
    assertTrue(RuleBase.shipped().stream().anyMatch(r -> r.topic().equals("acceptance")));
  }

  @Test
  void aSiteAddsRemovesAndTightens() throws IOException {
    Checklist own = with("add:\n  burn-in: {section: lifecycle, title: nodes ran 48 hours of burn-in, owner: server, asks: [nvidia-smi]}\n"
        + "remove:\n- {item: secondary-network, reason: all ranks use the host's network}\ntighten:\n  ports-active: {maxAge: 1d, requireAge: true}\nthresholds:\n  repeat.spread: 3\n");
    assertEquals(Checklist.shipped().items().size(), own.items().size());
    assertEquals("all ranks use the host's network", own.removed().get(0).reason());
    assertEquals(1, own.items().stream().filter(i -> i.id().equals("ports-active")).findFirst().orElseThrow().maxAgeDays());
    assertEquals(Map.of("repeat.spread", "3"), own.thresholds());
    assertEquals("burn-in", own.items().get(own.items().size() - 1).id());
  }

  @Test
  void whatWouldLoosenTheGateInSilenceIsRefused() {
    assertTrue(refused(this, "remove: [{item: correctness}]\n").contains("without a reason"));
    assertTrue(refused(this, "remove: [{item: correctness, reason: '  '}]\n").contains("without a reason"));
    assertTrue(refused(this, "remove: [{item: nonsense, reason: none}]\n").contains("no item nonsense"));
    assertTrue(refused(this, "tighten: {ports-active: {maxAge: 60d}}\n").contains("loosened"));
    assertTrue(refused(this, "tighten: {ports-active: {required: false}}\n").contains("loosened"));
    assertTrue(refused(this, "tighten: {ports-active: {owner: nobody}}\n").contains("only maxAge"));
    assertTrue(refused(this, "thresholds: {made.up: 3}\n").contains("no threshold made.up"));
    assertTrue(refused(this, "add: {x: {section: s, title: t, owner: me, asks: [nvidia-smi]}}\n").contains("owner is one of"));
    assertTrue(refused(this, "add: {x: {section: s, title: t, owner: server, asks: [made-up]}}\n").contains("no entry made-up"));
    assertTrue(refused(this, "drop: []\n").contains("unknown key drop"));
    assertTrue(refused(this, "tighten: {ports-active: {maxAge: soon}}\n").contains("maxAge is a number"));
  }

  @Test
  void theFormHoldsEveryEntryThatTheChecklistAsksFor() {
    Map<String, Object> form = Policies.read("lifecycle-form.yaml");
    assertEquals("lifecycle", form.get("kind"));
    List.of("pre-change-manifests", "baseline-evidence", "canary", "rollback", "escalation").forEach(kind -> assertTrue(form.containsKey(kind), kind));
  }
}
