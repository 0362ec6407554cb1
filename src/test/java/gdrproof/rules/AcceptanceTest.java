package gdrproof.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import gdrproof.Shared;
import gdrproof.accept.BaselineFile;
import gdrproof.accept.FabricBaseline;
import gdrproof.cli.AcceptRun;
import gdrproof.cli.Pipeline;
import gdrproof.collect.CachedCollectors;
import gdrproof.engine.RuleBase;
import gdrproof.facts.Ledger;
import gdrproof.finding.Acceptance;
import gdrproof.finding.Acceptance.Item;
import gdrproof.finding.Conclusion.ItemVerdict;
import gdrproof.policy.Checklist;
import gdrproof.policy.Policies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.yaml.snakeyaml.Yaml;

/**
 * The gate, on bundles that are overlays on one healthy base: one that is accepted, and for each item of the checklist one in which exactly that
 * item fails and one in which exactly its evidence is missing. No Java per case: `fixtures/_acceptance/`. `-Ditems=a,b` runs some only,
 * `-Dacceptance.write=DIR` writes the accepted bundle for a look with the program itself.
 */
class AcceptanceTest {
  private static final Path HOME = Path.of("fixtures/_acceptance");
  private static final Map<String, Object> ACCEPTED = load("accepted.yaml");
  /** The rules of the checklist alone: what diagnosis adds only fails items, and the command line's test runs all of them. */
  private static final RuleBase RULES = RuleBase.load("accept", List.of(), topic -> topic.equals("acceptance"));
  private static final CachedCollectors COLLECTORS = new CachedCollectors();

  private static Map<String, Object> load(String file) {
    try {
      return Policies.map(new Yaml().load(Files.readString(HOME.resolve(file))));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static Map<String, String> accepted() throws IOException {
    Map<String, String> texts = Overlay.apply(Overlay.texts(Path.of((String) ACCEPTED.get("base"))), Overlay.edits(ACCEPTED.get("edits")));
    texts.put("baseline.yaml", Files.readString(Path.of((String) ACCEPTED.get("baseline"))));
    return texts;
  }

  private static Acceptance judge(Map<String, String> texts) throws IOException {
    Map<String, String> evidence = new TreeMap<>(texts);
    Optional<FabricBaseline> baseline = Optional.empty();
    String text = evidence.remove("baseline.yaml");
    if (text != null) {
      Path file = Files.createTempFile("baseline", ".yaml");
      try {
        Files.writeString(file, text);
        baseline = Optional.of(BaselineFile.read(file));
      } finally {
        Files.delete(file);
      }
    }
    Ledger ledger = Pipeline.settled(COLLECTORS.read(Overlay.entries(evidence, Path.of((String) ACCEPTED.get("base")))));
    Ledger facts = AcceptRun.facts(ledger, Checklist.shipped(), baseline);
    return AcceptRun.judge(facts, RULES, facts.facts(), Checklist.shipped(), LocalDate.parse(String.valueOf(ACCEPTED.get("asOf"))));
  }

  /** Items that are neither proven nor not applicable, with their verdict. */
  private static Map<String, String> open(Acceptance a) {
    Map<String, String> open = new TreeMap<>();
    a.items().stream().filter(i -> !i.holds()).forEach(i -> open.put(i.id(), i.verdictText()));
    return open;
  }

  private static String told(Acceptance a) {
    StringBuilder text = new StringBuilder();
    a.items().stream().filter(i -> !i.holds()).forEach(i -> text.append('\n').append(i.id()).append(": ").append(i.message()));
    return text.append(a.failures()).toString();
  }

  @Test
  void aWholeBundleIsAcceptedWithEveryItemProven() throws IOException {
    Map<String, String> texts = accepted();
    String folder = System.getProperty("acceptance.write", "");
    if (!folder.isEmpty()) {
      texts.remove("baseline.yaml");
      Overlay.write(texts, Path.of(folder));
      texts = accepted();
    }
    Acceptance a = judge(texts);
    assertEquals(Map.of(), open(a), () -> told(a));
    assertTrue(a.accepted());
    Set<String> exempt = new TreeSet<>();
    a.items().stream().filter(i -> i.verdict() == ItemVerdict.NOT_APPLICABLE).forEach(i -> exempt.add(i.id()));
    assertEquals(new TreeSet<>(Policies.texts(ACCEPTED.get("notApplicable"))), exempt);
    a.items().stream().filter(i -> i.verdict() == ItemVerdict.PROVEN).forEach(i -> {
      assertFalse(i.proof().isEmpty(), i.id() + " is proven without evidence");
      assertFalse(i.message().contains("{"), i.message());
    });
  }

  @Test
  void everyItemHasItsVariants() {
    Map<String, Object> items = load("items.yaml");
    Set<String> wanted = new TreeSet<>();
    Checklist.shipped().items().forEach(i -> wanted.add(i.id()));
    assertEquals(wanted, new TreeSet<>(items.keySet()));
    items.forEach((id, variants) -> assertTrue(Policies.map(variants).containsKey("fails") && Policies.map(variants).containsKey("missing"), id + " has no variant that fails, or none whose evidence is missing"));
  }

  @TestFactory
  List<DynamicTest> variants() throws IOException {
    String only = System.getProperty("items", "");
    List<DynamicTest> tests = new ArrayList<>();
    Map<String, String> base = Overlay.apply(accepted(), Overlay.edits(ACCEPTED.get("variantsWithout")));
    load("items.yaml").forEach((id, variants) -> Policies.map(variants).forEach((name, variant) -> {
      if (only.isEmpty() || List.of(only.split(",")).contains(id)) {
        tests.add(dynamicTest(id + " " + name, () -> variant(id, name, Policies.map(variant), base)));
      }
    }));
    return tests;
  }

  /** A variant: `edits`, and under `also` what must change with the item by physics, with its verdict. */
  private void variant(String id, String name, Map<String, Object> variant, Map<String, String> base) throws IOException {
    Acceptance a = judge(Overlay.apply(base, Overlay.edits(variant.get("edits"))));
    Map<String, String> expected = new LinkedHashMap<>();
    expected.put(id, name.startsWith("fails") ? "failed" : "not-proven");
    Policies.map(variant.get("also")).forEach((item, verdict) -> expected.put(item, String.valueOf(verdict)));
    assertEquals(new TreeMap<>(expected), open(a), () -> told(a));
    assertFalse(a.accepted());
    Item item = a.items().stream().filter(i -> i.id().equals(id)).findFirst().orElseThrow();
    assertFalse(item.asks().isEmpty(), id + " does not say what would prove it");
    assertFalse(item.why().isBlank(), id + " does not say why");
    assertTrue(!name.startsWith("fails") || !item.proof().isEmpty(), id + " fails without evidence");
  }

  /** Intent for nodes with HCAs mlx5_0 to the last one, all at a rate. */
  private static String site(String nodes, int hcas, int rate) {
    StringBuilder text = new StringBuilder("version: 1\nnodeClasses:\n  - name: hgx\n    nodes: [" + nodes + "]\n    hcas:\n");
    for (int i = 0; i < hcas; i++) {
      text.append("      - {name: mlx5_").append(i).append(", port: 1, rail: ").append(i).append(", rateGbps: ").append(rate).append(", linkLayer: InfiniBand}\n");
    }
    return text.toString();
  }

  @Test
  void whatASiteMeansIsTheScope() throws IOException {
    Map<String, String> texts = accepted();
    texts.put("site.yaml", site("hgx-n03, hgx-n04", 8, 400));
    Acceptance a = judge(texts);
    assertEquals(Map.of(), open(a), () -> told(a));
  }

  @Test
  void anIntendedNodeThatTheEvidenceLacksIsNotProvenAndFailsNothing() throws IOException {
    Map<String, String> texts = accepted();
    texts.put("site.yaml", site("hgx-n03, hgx-n04, hgx-n05", 8, 400));
    Acceptance a = judge(texts);
    assertFalse(a.accepted());
    Checklist.shipped().items().stream().filter(i -> i.per().equals("node") || i.per().equals("rail")).filter(i -> !i.id().equals("secondary-network")).forEach(i -> {
      Item item = a.items().stream().filter(j -> j.id().equals(i.id())).findFirst().orElseThrow();
      assertEquals("not-proven", item.verdictText(), () -> i.id() + told(a));
      assertTrue(item.message().contains("hgx-n05"), item.message());
    });
    assertFalse(open(a).containsValue("failed"), () -> told(a));
  }

  @Test
  void aPortThatIsNotMeantIsNotCounted() throws IOException {
    Map<String, String> texts = accepted();
    texts.replaceAll((file, text) -> !file.startsWith("hgx-n04/host/") ? text
        : file.endsWith("hw_counters-after.txt") ? text.replace("mlx5_7/ports/1/hw_counters/packet_seq_err:0", "mlx5_7/ports/1/hw_counters/packet_seq_err:37")
            : file.endsWith("rdma-statistic-after.txt") ? text.replaceAll("(link mlx5_7/1 .* packet_seq_err) 0", "$1 37") : text);
    assertEquals("failed", open(judge(texts)).get("counters"));
    texts.put("site.yaml", site("hgx-n03, hgx-n04", 7, 400));
    Acceptance a = judge(texts);
    assertFalse(open(a).containsKey("counters"), () -> told(a));
  }

  @Test
  void aPortBelowTheRateThatIsMeantFails() throws IOException {
    Map<String, String> texts = accepted();
    texts.put("site.yaml", site("hgx-n03, hgx-n04", 8, 800));
    assertEquals("failed", open(judge(texts)).get("ports-active"));
  }

  @Test
  void socketsAndAMissingDeviceAreRefusedAndNothingIsSaidOfRails() throws IOException {
    Path captures = Shared.path("gdrproof.captures", "captures");
    org.junit.jupiter.api.Assumptions.assumeTrue(Files.isDirectory(captures), "no captures here");
    for (String name : List.of("multi-node-socket", "single-h200-vm")) {
      Ledger facts = AcceptRun.facts(Pipeline.facts(captures.resolve(name)), Checklist.shipped(), Optional.empty());
      Acceptance a = AcceptRun.judge(facts, RULES, facts.facts(), Checklist.shipped(), LocalDate.of(2026, 11, 29));
      assertFalse(a.accepted(), name);
      Map<String, String> open = open(a);
      if (name.startsWith("multi")) {
        assertEquals("failed", open.get("no-socket-fallback"), () -> told(a));
        assertEquals("failed", open.get("transport-intended"), () -> told(a));
      } else {
        assertEquals("failed", open.get("infiniband-devices"), () -> told(a));
      }
      Checklist.shipped().items().stream().filter(i -> i.per().equals("rail")).forEach(i -> {
        assertEquals("not-proven", open.get(i.id()), () -> name + ": " + told(a));
      });
    }
  }
}
