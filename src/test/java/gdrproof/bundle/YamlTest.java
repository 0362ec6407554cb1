package gdrproof.bundle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.bundle.Yaml.Document;
import gdrproof.bundle.Yaml.Flaw;
import gdrproof.bundle.Yaml.FlawKind;
import gdrproof.facts.Evidence;
import java.util.List;
import org.junit.jupiter.api.Test;

class YamlTest {
  private static Document one(String text) {
    List<Document> documents = Yaml.read("f.yaml", text);
    assertEquals(1, documents.size(), () -> documents.toString());
    return documents.get(0);
  }

  @Test
  void everyValueKnowsItsPlaceAndPath() {
    Document d = one("# head\nspec:\n  containers:\n  - name: a\n    env:\n    - {name: NCCL_DEBUG, value: \"INFO\"}\n  annotations:\n    k8s.v1.cni.cncf.io/networks: x\n");
    Value value = d.root().at("spec", "containers").items().get(0).at("env").items().get(0).at("value");
    Evidence place = d.at(value);
    assertEquals(6, place.line());
    assertEquals(33, place.column());
    assertEquals("spec.containers[0].env[0].value", place.path());
    assertEquals("- {name: NCCL_DEBUG, value: \"INFO\"}", place.excerpt());
    assertEquals("spec.annotations[\"k8s.v1.cni.cncf.io/networks\"]", d.root().at("spec", "annotations", "k8s.v1.cni.cncf.io/networks").path());
    assertEquals(3, d.atKey(d.root().at("spec", "containers")).line());
    assertFalse(d.root().at("spec", "nothing", "below").exists());
  }

  @Test
  void documentsAreSplitAndEmptyOnesGiveNone() {
    List<Document> documents = Yaml.read("f", "---\r\na: 1\r\n---\r\n# only a comment\r\n---\r\nb: |\r\n  ---\r\n  text\r\n");
    assertEquals(2, documents.size());
    assertEquals("1", documents.get(0).root().at("a").text());
    assertEquals("---\ntext\n", documents.get(1).root().at("b").text());
    assertEquals(6, documents.get(1).root().at("b").line());
    assertEquals(8, ((Value.Scalar) documents.get(1).root().at("b")).lineOf(1));
  }

  @Test
  void aBrokenDocumentLeavesTheOthersReadable() {
    List<Document> documents = Yaml.read("f", "a: 1\n---\nb: [1,\n---\nc: 3\n");
    assertEquals(3, documents.size());
    Flaw flaw = documents.get(1).flaws().get(0);
    assertEquals(FlawKind.BROKEN, flaw.kind());
    assertTrue(flaw.line() >= 3, flaw.toString());
    assertEquals("3", documents.get(2).root().at("c").text());
    assertEquals(5, documents.get(2).root().at("c").line());
  }

  @Test
  void whatIsMissingAtTheEndIsToldOnTheLastLine() {
    for (String text : List.of("a: \"{{ .Values.x }}", "a: [1, {{x}}, ", "---\nb: 'open\n", "{\"a\": {%x%}", "b: 1\n---\na: \"{{ x }}\n\n")) {
      List<String> lines = List.of(text.split("\n", -1));
      List<Document> documents = Yaml.read("f", lines, 1);
      documents.forEach(d -> d.flaws().forEach(f -> assertTrue(f.line() >= 1 && f.line() <= lines.size(), () -> text + " " + f)));
      assertFalse(documents.get(documents.size() - 1).flaws().isEmpty(), text);
    }
  }

  @Test
  void templatesAreNotMistakes() {
    for (String text : List.of("a: {{ .Values.a }}\n", "{{- if .x }}\na: 1\n{{- end }}\n", "a:\n  {{ toYaml . | nindent 2 }}\nb: 1\n", "image: {{ a }}:{{ b }}\n",
        "{% for i in x %}\na: 1\n{% endfor %}\n")) {
      assertEquals(FlawKind.TEMPLATE, one(text).flaws().get(0).kind(), text);
    }
    assertTrue(one("a: \"{{inputs.parameters.x}}\"\n").flaws().isEmpty());
  }

  @Test
  void linesAndValuesThatSedOrEnvsubstFillInMakeATemplate() {
    for (String text : List.of("a:\n  b:\n    c: 1\n${MORE}\n  d: 2\n", "a:\n  b: 1\n  $MORE\n", "a:\n  b: 1\n  ${MORE:-}  # more\n  c: 2\n", "- a\n__MORE__\n- b\n",
        "image: @IMAGE@\n", "image: %IMAGE%\n", "a: 1\n@@MORE@@\n")) {
      assertEquals(FlawKind.TEMPLATE, one(text).flaws().get(0).kind(), text);
    }
    assertEquals(4, one("a:\n  b:\n    c: 1\n${MORE}\n  d: 2\n").flaws().get(0).line());
    for (String text : List.of("a: |\n  set -e\n  ${COMMAND}\nb: [1\n", "a: 1\nMORE\nb: 2\n", "a: @image\n", "a: 1\n$(MORE)\nb: 2\n")) {
      assertEquals(FlawKind.BROKEN, one(text).flaws().get(0).kind(), text);
    }
  }

  @Test
  void duplicateKeysKeepTheLastAndTellBothLines() {
    Document d = one("x:\n  resources: {a: 1}\n  image: i\n  resources: {b: 2}\n");
    Flaw flaw = d.flaws().get(0);
    assertEquals(new Flaw(FlawKind.DUPLICATE_KEY, 4, 3, "x.resources", "key \"resources\" stands twice in one map (first on line 2)", 2), flaw);
    assertEquals("2", d.root().at("x", "resources", "b").text());
  }

  @Test
  void mergeKeysAndAliasesAreExpandedWithTheirOwnPath() {
    Document d = one("base: &b\n  cpu: 1\n  mem: 2\nuse:\n  <<: *b\n  mem: 3\nlist: [*b]\n");
    assertEquals("1", d.root().at("use", "cpu").text());
    assertEquals("3", d.root().at("use", "mem").text());
    assertEquals("use.cpu", d.root().at("use", "cpu").path());
    assertEquals(2, d.root().at("use", "cpu").line());
    assertEquals("list[0].mem", d.root().at("list").items().get(0).at("mem").path());
    assertTrue(d.flaws().isEmpty());
  }

  @Test
  void scalarsHaveTheTypesOfYamlOneOne() {
    Document d = one("a: no\nb: 'no'\nc: 0777\nd: 1\ne: 1.5\nf:\ng: 2026-01-01\nh: on\ni: !!str 5\nj: 0x1F\nk: 1e3\nl: true\nm: mlx5_0\nn: -\n".replace("n: -\n", ""));
    assertType(d, "a", Value.Type.BOOL, true);
    assertType(d, "b", Value.Type.TEXT, false);
    assertType(d, "c", Value.Type.INTEGER, true);
    assertType(d, "d", Value.Type.INTEGER, false);
    assertType(d, "e", Value.Type.FLOAT, false);
    assertType(d, "f", Value.Type.NULL, false);
    assertType(d, "g", Value.Type.TEXT, false);
    assertType(d, "h", Value.Type.BOOL, true);
    assertType(d, "i", Value.Type.TEXT, false);
    assertType(d, "j", Value.Type.INTEGER, false);
    assertType(d, "k", Value.Type.FLOAT, false);
    assertType(d, "l", Value.Type.BOOL, false);
    assertType(d, "m", Value.Type.TEXT, false);
  }

  private static void assertType(Document d, String key, Value.Type type, boolean differs) {
    Value.Scalar scalar = (Value.Scalar) d.root().at(key);
    assertEquals(type, scalar.type(), key);
    assertEquals(differs, scalar.readersDiffer(), key);
  }

  @Test
  void hostileDocumentsAreRefusedWithAMessage() {
    assertEquals(FlawKind.REFUSED, one("[".repeat(50_000)).flaws().get(0).kind());
    assertEquals(FlawKind.REFUSED, one("{a: ".repeat(50_000)).flaws().get(0).kind());
    assertEquals(FlawKind.REFUSED, one("a: " + "x".repeat(Yaml.LONGEST_SCALAR + 1)).flaws().get(0).kind());
    StringBuilder bomb = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x]\n");
    for (int i = 1; i < 30; i++) {
      bomb.append("a").append(i).append(": &a").append(i).append(" [").append(("*a" + (i - 1) + ",").repeat(8)).append("*a").append(i - 1).append("]\n");
    }
    assertEquals(FlawKind.REFUSED, one(bomb.toString()).flaws().get(0).kind());
    assertEquals(FlawKind.BROKEN, one("a: &a [*a]\n").flaws().get(0).kind());
    assertEquals(FlawKind.BROKEN, one("a:\n\t- b\n").flaws().get(0).kind());
    assertEquals(FlawKind.BROKEN, one("a: \u0001\n").flaws().get(0).kind());
  }

  @Test
  void placeholdersOfManyToolsAreKnown() {
    for (String text : List.of("{{ x }}", "${NODES}", "$GPU_PER_NODE", "__NUM_NODES__", "<image>", "PLACEHOLDER_IMAGE", "%s", "REPLACE_ME", "your-image")) {
      assertTrue(Placeholders.in(text), text);
    }
    for (String text : List.of("nvcr.io/nvidia/pytorch:24.07-py3", "mlx5_0:1,mlx5_1:1", "=mlx5_0", "^docker0,lo", "$(POD_NAME)", "8", "eth0", "a<b", "__init__")) {
      assertFalse(Placeholders.in(text), text);
    }
  }
}
