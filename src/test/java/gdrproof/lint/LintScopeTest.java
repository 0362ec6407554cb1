package gdrproof.lint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.lint.Linting.Called;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which files are this program's business: hooks give it every YAML and JSON file of a commit. */
class LintScopeTest {
  @TempDir
  private Path temp;

  @Test
  void jsonAndYamlOfOtherProgramsAreSilent() throws IOException {
    List<String> others = List.of("{\n\t\"a\": {\n\t  \"b\": 1\n\t}\n}\n", "{\"a\": 1}\n{\"a\": 2}\n", "{\n  // a comment\n  \"editor.tabSize\": 2,\n}\n", "{\"big\": \"" + "x".repeat(3 << 20) + "\"}\n", "[1,\n\t2]\n");
    for (String text : others) {
      Called called = Linting.call("lint", Files.writeString(temp.resolve("a.json"), text).toString(), "--allow-nothing");
      assertEquals(0, called.code(), text.substring(0, Math.min(text.length(), 40)) + called.out());
      assertFalse(called.out().contains("a.json"), called.out());
    }
    Path values = Files.writeString(temp.resolve("values.json"), "{\n\t\"operator\": {\"image\": \"network-operator\"},\n\t\"nfd\": {\"enabled\": true},\n\t\"sriovNetworkOperator\": {\"enabled\": false}\n}\n");
    assertTrue(Linting.call("lint", values.toString()).err().contains("1 object judged"), "values of the operator's chart as JSON");
    Called twice = Linting.call("lint", Files.writeString(temp.resolve("ci.yaml"), "a: 1\na: 2\n").toString(), "--allow-nothing");
    assertEquals(0, twice.code(), twice.out());
    assertEquals(1, Linting.call("lint", Files.writeString(temp.resolve("v.yaml"), "env: {NCCL_DEBUG: WARN}\na: 1\na: 2\n").toString()).code(), "values of a job's chart");
    assertEquals(1, Linting.call("lint", Files.writeString(temp.resolve("o.yaml"), "kind: Pod\nkind: Job\n").toString()).code());
  }

  @Test
  void jsonManifestsMayBeIndentedWithTabs() throws IOException {
    Path pod = Files.writeString(temp.resolve("pod.json"), """
        {
        \t"apiVersion": "v1",
        \t"kind": "Pod",
        \t"metadata": {"name": "p"},
        \t"spec": {"containers": [{
        \t\t"name": "main", "image": "registry.example.com/train:1",
        \t\t"env": [{"name": "NCCL_IB_DISABLE", "value": "true"}],
        \t\t"resources": {"limits": {"nvidia.com/gpu": 8}}
        \t}]}
        }
        """);
    Called called = Linting.call("lint", pod.toString());
    assertTrue(called.out().contains(pod + ":7:48: warning: NCCL_IB_DISABLE=true is read as 0"), called.out());
    assertFalse(called.out().contains("POD001"), called.out());
  }

  /** NCCL takes all before the equals sign for the name. */
  @Test
  void aBlankBeforeTheEqualsSignIsPartOfTheName() throws IOException {
    Path conf = Files.writeString(temp.resolve("nccl.conf"), "# ours\nNCCL_IB_TIMEOUT=20\nNCCL_NET_GDR_LEVEL = PHB\n");
    Called called = Linting.call("lint", conf.toString());
    assertTrue(called.out().contains(conf + ":3:1: warning: NCCL_NET_GDR_LEVEL  is read by nothing; NCCL_NET_GDR_LEVEL was likely meant"), called.out() + called.err());
  }

  @Test
  void aConfigMapIsJudgedByItself() throws IOException {
    String map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: nccl}\ndata:\n  NCCL_IB_HCAA: mlx5_0\n  NCCL_IB_QPS_PER_CONNECTION: 4\n  list: [a]\n  text: \"5\"\n";
    Path alone = Files.writeString(temp.resolve("map.yaml"), map);
    String out = Linting.call("lint", alone.toString()).out();
    assertTrue(out.contains(alone + ":5:17: warning: NCCL_IB_HCAA is read by nothing"), out);
    assertTrue(out.contains(alone + ":6:31: error: value of NCCL_IB_QPS_PER_CONNECTION is no text"), out);
    assertTrue(out.contains(alone + ":7:3: error: value of list is no text"), out);
    assertEquals(3, out.lines().filter(l -> l.startsWith(temp.toString())).count(), out);
    String pod = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - name: main\n    image: registry.example.com/train:1\n    envFrom: [{configMapRef: {name: nccl}}]\n"
        + "    env: [{name: A, value: [x]}]\n    resources: {limits: {nvidia.com/gpu: 8}}\n";
    String both = Linting.call("lint", Files.writeString(temp.resolve("map.yaml"), map + pod).toString()).out();
    assertEquals(1, both.lines().filter(l -> l.contains("NCCL_IB_HCAA is read by nothing")).count(), both);
    assertTrue(both.contains("value of A is no text"), both);
  }

  @Test
  void whatAKustomizationPatchesWithIsNoWholeObject() throws IOException {
    Files.writeString(temp.resolve("p.yaml"), "apiVersion: kubeflow.org/v2beta1\nkind: MPIJob\nmetadata: {name: j}\nspec: {slotsPerWorker: 4}\n");
    assertEquals(1, Linting.call("lint", temp.toString()).code(), "alone it is a job without launcher");
    Files.writeString(temp.resolve("kustomization.yaml"), "patches: [{path: p.yaml}]\n");
    Called called = Linting.call("lint", temp.toString());
    assertEquals(0, called.code(), called.out());
    assertTrue(called.out().contains("p.yaml:1:1: not judged: patch of ") && called.out().contains("kustomization.yaml:1:1: not judged: kustomization"), called.out());
    assertEquals(5, Linting.call("lint", temp.toString(), "--fail-on-inconclusive").code());
  }
}
