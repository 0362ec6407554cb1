package gdrproof.collect.kube;

import gdrproof.bundle.Value;
import gdrproof.bundle.Yaml;
import gdrproof.bundle.Yaml.Document;
import gdrproof.bundle.Yaml.Flaw;
import gdrproof.facts.Fact;
import java.util.ArrayList;
import java.util.List;

/**
 * A Kubernetes object inside a document: the document itself, an item of a List, a component of an AppWrapper, an object
 * with pods that another carries, or one that an Argo template holds as text.
 *
 * @param root the object's map
 * @param id `file#document` plus the path inside it
 * @param template whether the document looks like input of envsubst (variables where numbers or images stand)
 */
record Manifest(Document document, Value root, String id, String apiVersion, String kind, String namespace, String name, boolean template) {
  private static final int DEEPEST = 40;

  /** An embedded text that is no YAML. */
  record Embedded(Value at, Flaw flaw) {}

  static List<Manifest> of(Document document, List<Embedded> broken) {
    List<Manifest> found = new ArrayList<>();
    boolean template = looksLikeTemplate(document.root(), 0);
    add(document, document.root(), document.file() + "#" + document.index(), template, found, broken, 0);
    return found;
  }

  /** A kustomization may leave out what it is. */
  private static final String KUSTOMIZATION = "Kustomization";

  private static void add(Document document, Value root, String id, boolean template, List<Manifest> found, List<Embedded> broken, int depth) {
    if (depth == 0 && root.isMap() && !root.at("kind").exists() && KustomizePatches.isNamed(document.file())) {
      found.add(new Manifest(document, root, id, "kustomize.config.k8s.io/v1beta1", KUSTOMIZATION, Fact.UNKNOWN, Fact.UNKNOWN, template));
      return;
    }
    if (root.at("kind").text().isEmpty() || root.at("apiVersion").text().isEmpty() || depth > 5) {
      return;
    }
    String kind = root.at("kind").text();
    if (kind.equals("CustomResourceDefinition")) {
      return;
    }
    if (kind.endsWith("List") && root.at("items").isList()) {
      for (int i = 0; i < root.at("items").items().size(); i++) {
        add(document, root.at("items").items().get(i), id + "/items[" + i + "]", template, found, broken, depth + 1);
      }
      return;
    }
    Value metadata = root.at("metadata");
    String name = metadata.at("name").text(metadata.at("generateName").text(Fact.UNKNOWN));
    found.add(new Manifest(document, root, id, root.at("apiVersion").text(), kind, metadata.at("namespace").text(Fact.UNKNOWN), name, template));
    for (Value component : root.at("spec", "components").items()) {
      add(document, component.at("template"), id + "/" + component.path(), template, found, broken, depth + 1);
    }
    held(document, root, id, template, found, broken, depth);
    if (kind.contains("Workflow")) {
      for (Value each : root.at("spec", "templates").items()) {
        embedded(document, each.at("resource", "manifest"), id, found, broken, depth);
      }
      for (Value each : root.at("spec", "workflowSpec", "templates").items()) {
        embedded(document, each.at("resource", "manifest"), id, found, broken, depth);
      }
    }
  }

  /**
   * Whole objects with pods below a value, as other objects carry them to create them: the trial of a Katib experiment, the manifests of a work that goes to another cluster,
   * extra objects in a chart's values. Those of other kinds (claims of a StatefulSet) are parts of who carries them.
   */
  private static void held(Document document, Value value, String id, boolean template, List<Manifest> found, List<Embedded> broken, int depth) {
    for (Value each : value.isList() ? value.items() : value.entries().values()) {
      if (!whole(each)) {
        held(document, each, id, template, found, broken, depth);
      } else if (!each.key().equals("template") || !value.parent().key().equals("components")) {
        if (holdsPods(each, 0)) {
          add(document, each, id + "/" + each.path(), template, found, broken, depth + 1);
        }
      }
    }
  }

  /** Whether a map below an object is an object of its own. */
  static boolean whole(Value value) {
    return value.at("apiVersion").exists() && value.at("kind").exists() && value.at("spec").exists();
  }

  private static boolean holdsPods(Value value, int depth) {
    return value.at("containers").isList() || depth < DEEPEST
        && (value.isList() ? value.items() : value.entries().values()).stream().anyMatch(each -> holdsPods(each, depth + 1));
  }

  private static void embedded(Document outer, Value text, String id, List<Manifest> found, List<Embedded> broken, int depth) {
    if (!(text instanceof Value.Scalar scalar)) {
      return;
    }
    for (Document inner : Yaml.read(outer.file(), List.of(scalar.text().split("\n", -1)), scalar.lineOf(0))) {
      if (inner.root().exists()) {
        add(inner, inner.root(), id + "/" + text.path(), true, found, broken, depth + 1);
      } else {
        inner.flaws().forEach(flaw -> broken.add(new Embedded(text, flaw)));
      }
    }
  }

  /** API group, "" for the core group. */
  String group() {
    int slash = apiVersion.indexOf('/');
    return slash < 0 ? "" : apiVersion.substring(0, slash);
  }

  Value spec() {
    return root.at("spec");
  }

  String label(String key) {
    return root.at("metadata", "labels", key).text();
  }

  String annotation(String key) {
    return root.at("metadata", "annotations", key).text();
  }

  private static boolean looksLikeTemplate(Value value, int depth) {
    if (value instanceof Value.Scalar scalar) {
      return switch (scalar.key()) {
        case "replicas", "image", "namespace", "name", "nvidia.com/gpu", "parallelism", "completions", "slotsPerWorker", "numNodes" ->
          scalar.text().indexOf('$') >= 0 && scalar.text().indexOf("$(") < 0;
        default -> false;
      };
    }
    if (depth > DEEPEST) {
      return false;
    }
    for (Value each : value.isList() ? value.items() : value.entries().values()) {
      if (looksLikeTemplate(each, depth + 1)) {
        return true;
      }
    }
    return false;
  }
}
