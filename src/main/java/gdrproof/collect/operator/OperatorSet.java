package gdrproof.collect.operator;

import gdrproof.bundle.Yaml;
import gdrproof.bundle.Yaml.Document;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One state of a configuration: all objects and values files of a set of YAML documents, each with its identity. */
public final class OperatorSet {
  /** Name of the Network Operator's chart. */
  public static final String CHART = "network-operator";
  static final String NETWORK_OPERATOR = CHART;
  static final String GPU_OPERATOR = "gpu-operator";
  private static final Map<String, Object> VALUES = Policies.read("operator/values.yaml");
  private static final List<String> PROOF = Policies.texts(VALUES.get("proof"));
  private static final List<String> GPU_PROOF = Policies.texts(VALUES.get("gpu-proof"));

  private final List<OperatorDoc> docs = new ArrayList<>();
  private final Set<String> patchFiles = new HashSet<>();
  private String given = "";
  private String chartVersion = "";
  private String gpuChartVersion = "";
  private String base = "";

  private OperatorSet() {}

  /**
   * @param given release of the chart as the user gives it, or ""
   */
  public static OperatorSet of(List<Document> documents, String given) {
    return of(documents, given, "");
  }

  /**
   * @param base the state's folder with a slash behind it, as the files' names begin with it: no part of any identity, since the other state lies elsewhere
   */
  public static OperatorSet of(List<Document> documents, String given, String base) {
    OperatorSet set = new OperatorSet();
    set.given = given;
    set.base = base;
    documents.forEach(d -> set.patches(Part.of(d, d.root()), set.file(d)));
    documents.forEach(set::read);
    set.identify();
    return set;
  }

  /** Files in which each operator object stands whole, by kind, namespace and name. Values are layered on purpose, so they are not among them. */
  static Map<String, Set<String>> homes(List<Document> documents) {
    OperatorSet set = new OperatorSet();
    documents.forEach(d -> set.patches(Part.of(d, d.root()), d.file()));
    documents.forEach(set::read);
    Map<String, Set<String>> homes = new HashMap<>();
    set.docs.stream().filter(d -> !d.partial() && OperatorKinds.checked(d)).forEach(d -> homes.computeIfAbsent(d.id(), id -> new HashSet<>()).add(d.file()));
    return homes;
  }

  /** A set with the objects of another in place of its own of the same identity. */
  public static OperatorSet overlay(OperatorSet base, OperatorSet top) {
    OperatorSet set = new OperatorSet();
    set.given = top.given.isEmpty() ? base.given : top.given;
    set.chartVersion = top.chartVersion.isEmpty() ? base.chartVersion : top.chartVersion;
    set.gpuChartVersion = top.gpuChartVersion.isEmpty() ? base.gpuChartVersion : top.gpuChartVersion;
    set.docs.addAll(Applied.over(base.docs, top.docs));
    return set;
  }

  public List<OperatorDoc> docs() {
    return docs;
  }

  String given() {
    return given;
  }

  /** Version of the Network Operator chart as a Chart.yaml, HelmRelease, Application or kustomization of the set pins it, or "". */
  String chartVersion() {
    return chartVersion;
  }

  String gpuChartVersion() {
    return gpuChartVersion;
  }

  /** Whether anything of the operator or of what it needs is in the set. */
  public boolean isEmpty() {
    return docs.stream().noneMatch(d -> d.kind().equals(OperatorDoc.VALUES) || OperatorKinds.reviewed(d));
  }

  /** Files that a kustomization applies as patches: they lack most of their object on purpose. */
  private void patches(Part root, String file) {
    if (!root.get("kind").text().equals("Kustomization") && !file.endsWith("kustomization.yaml")) {
      return;
    }
    String folder = file.contains("/") ? file.substring(0, file.lastIndexOf('/') + 1) : "";
    for (String list : List.of("patches", "patchesJson6902")) {
      root.get(list).items().forEach(p -> patchFiles.add(folder + p.get("path").text()));
    }
    root.get("patchesStrategicMerge").texts().forEach(p -> patchFiles.add(folder + p));
  }

  private String file(Document document) {
    return document.file().startsWith(base) ? document.file().substring(base.length()) : document.file();
  }

  private void read(Document document) {
    String file = file(document);
    Part root = Part.of(document, document.root());
    if (root.isList() && !root.items().isEmpty() && root.items().stream().allMatch(i -> i.get("op").exists() && i.get("path").exists())) {
      add(OperatorDoc.PATCH, "", "", file, root, file, true, "");
      return;
    }
    if (!root.isMap()) {
      return;
    }
    String kind = root.get("kind").text();
    if (kind.isEmpty()) {
      plain(root, file);
      return;
    }
    if (kind.endsWith("List") && root.get("items").isList()) {
      root.get("items").items().forEach(item -> object(item, file));
      return;
    }
    object(root, file);
  }

  private void object(Part root, String file) {
    String kind = root.get("kind").text();
    if (kind.isEmpty()) {
      return;
    }
    Part meta = root.get("metadata");
    boolean partial = patchFiles.contains(file) || file.contains(".patch.") || file.contains("patches/") || file.contains("overlays/") || root.get("$patch").exists()
        || root.get("spec", "$patch").exists();
    String namespace = OperatorKinds.clusterScoped(kind) ? "" : meta.get("namespace").text();
    add(kind, root.get("apiVersion").text(), namespace, meta.get("name").text(meta.get("generateName").text()), root, file, partial, "");
    holders(root, kind, file);
  }

  /** Objects that carry values or patches of others. */
  private void holders(Part root, String kind, String file) {
    Part spec = root.get("spec");
    switch (kind) {
      case "HelmRelease" -> {
        Part chart = spec.get("chart", "spec");
        values(chart.get("chart").text(), chart.get("version").text(), spec.get("values"), file);
      }
      case "Application" -> {
        List<Part> sources = new ArrayList<>(spec.get("sources").items());
        sources.add(spec.get("source"));
        for (Part source : sources) {
          Part helm = source.get("helm");
          Part values = helm.get("valuesObject").isSet() ? helm.get("valuesObject") : nested(helm.get("values"));
          values(source.get("chart").text(), source.get("targetRevision").text(), values, file);
        }
      }
      case "HelmChart" -> values(spec.get("chart").text(), spec.get("version").text(), nested(spec.get("valuesContent")), file);
      case "Kustomization" -> {
        root.get("helmCharts").items().forEach(c -> values(c.get("name").text(), c.get("version").text(), c.get("valuesInline"), file));
        for (Part patch : root.get("patches").items()) {
          Part body = nested(patch.get("patch"));
          if (body.isMap() && !body.get("kind").text().isEmpty()) {
            add(body.get("kind").text(), "", "", body.get("metadata", "name").text(), body, file, true, "");
          } else if (body.isList()) {
            add(OperatorDoc.PATCH, "", "", patch.get("target", "kind").text() + " " + patch.get("target", "name").text(), body, file, true, "");
          }
        }
      }
      case "ConfigMap" -> root.get("data").fields().forEach((key, text) -> {
        Part config = text.text().contains("\"resourceList\"") || text.text().contains("\"configList\"") ? text.json() : Part.MISSING;
        if (pluginConfig(config)) {
          add(OperatorDoc.PLUGIN, "", root.get("metadata", "namespace").text(), root.get("metadata", "name").text() + "/" + key, config, file, false, "");
        }
      });
      default -> {
      }
    }
  }

  /** What a device plugin without the operator reads: its list at the top, as a file or in a ConfigMap. */
  private static boolean pluginConfig(Part root) {
    return root.get("resourceList").isList() || root.get("configList").isList();
  }

  /** YAML written as a text of YAML. */
  private static Part nested(Part text) {
    if (text.kind() != Part.Kind.TEXT) {
      return Part.MISSING;
    }
    List<Document> inner = Yaml.read(text.document().file(), List.of(text.text().split("\n", -1)), text.literal() ? text.line() + 1 : text.line());
    return inner.isEmpty() ? Part.MISSING : Part.of(inner.get(0), inner.get(0).root());
  }

  private void values(String chart, String version, Part values, String file) {
    String name = chart.contains("/") ? chart.substring(chart.lastIndexOf('/') + 1) : chart;
    if (name.equals(NETWORK_OPERATOR)) {
      chartVersion = version;
    } else if (name.equals(GPU_OPERATOR)) {
      gpuChartVersion = version;
    } else {
      return;
    }
    if (values.isMap()) {
      add(OperatorDoc.VALUES, "", "", name, values, file, false, version);
    }
  }

  /** A document without kind: Chart.yaml, values of one chart, or values of an umbrella chart. */
  private void plain(Part root, String file) {
    if (file.endsWith("kustomization.yaml") || root.get("helmCharts").isList()) {
      holders(root, "Kustomization", file);
      return;
    }
    if (root.get("name").text().equals(NETWORK_OPERATOR) && root.get("version").isScalar() && root.get("apiVersion").isScalar()) {
      chartVersion = root.get("version").text();
      return;
    }
    if (pluginConfig(root)) {
      add(OperatorDoc.PLUGIN, "", "", file, root, file, false, "");
      return;
    }
    root.get("dependencies").items().forEach(d -> values(d.get("name").text(), d.get("version").text(), Part.MISSING, file));
    if (isFor(NETWORK_OPERATOR, root, file)) {
      add(OperatorDoc.VALUES, "", "", NETWORK_OPERATOR, root, file, false, "");
    } else if (isFor(GPU_OPERATOR, root, file)) {
      add(OperatorDoc.VALUES, "", "", GPU_OPERATOR, root, file, false, "");
    } else {
      for (String chart : List.of(NETWORK_OPERATOR, GPU_OPERATOR)) {
        if (root.get(chart).isMap()) {
          add(OperatorDoc.VALUES, "", "", chart, root.get(chart), file, false, "");
        }
      }
    }
  }

  /** Proof by keys, never by the file's name alone: `helm get values` prints under any name. */
  private static boolean isFor(String chart, Part root, String file) {
    if (chart.equals(NETWORK_OPERATOR) && root.get("operator", "image").text().equals(NETWORK_OPERATOR)) {
      return true;
    }
    List<String> proof = chart.equals(NETWORK_OPERATOR) ? PROOF : GPU_PROOF;
    long found = proof.stream().filter(k -> root.get(k).exists()).count();
    return found >= 2 || found == 1 && file.contains(chart);
  }

  private void add(String kind, String apiVersion, String namespace, String name, Part root, String file, boolean partial, String version) {
    String id = kind.equals(OperatorDoc.VALUES) ? "values/" + name : namespace.isEmpty() ? kind + "/" + name : kind + "/" + namespace + "/" + name;
    docs.add(new OperatorDoc(id, kind, apiVersion, namespace, name, root, file, partial, version));
  }

  /** One name in several documents: each keeps its file in its id, and none of them is the whole object. */
  private void identify() {
    Map<String, Integer> count = new HashMap<>();
    docs.forEach(d -> count.merge(d.id(), 1, Integer::sum));
    for (int i = 0; i < docs.size(); i++) {
      OperatorDoc doc = docs.get(i);
      if (count.get(doc.id()) > 1) {
        OperatorDoc named = doc.renamed(doc.id() + " (" + doc.file() + ")");
        docs.set(i, doc.kind().equals(OperatorDoc.VALUES) ? named : named.asPartial());
      }
    }
  }
}
