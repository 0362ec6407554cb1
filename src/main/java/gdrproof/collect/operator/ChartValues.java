package gdrproof.collect.operator;

import gdrproof.facts.Operator.FeatureDiscovery;
import gdrproof.facts.Operator.ValuesKey;
import gdrproof.facts.Tri;
import gdrproof.policy.Policies;
import java.util.List;
import java.util.Map;

/** Values files: keys that the chart of the release does not have, and who runs Node Feature Discovery. */
final class ChartValues {
  private static final Map<String, Object> POLICY = Policies.read("operator/values.yaml");
  private static final Map<String, Object> KEYS = Policies.map(POLICY.get("keys"));
  private static final Map<String, Object> ON_SINCE = Policies.map(POLICY.get("on-by-default-since"));
  private static final List<String> OPEN = Policies.texts(POLICY.get("open"));
  private static final List<String> NIC_CLASSES = List.of("02", "0200", "0207");

  private final Scope scope;

  ChartValues(Scope scope) {
    this.scope = scope;
  }

  void write() {
    for (OperatorDoc doc : scope.values(OperatorSet.NETWORK_OPERATOR)) {
      doc.root().fields().forEach((key, value) -> key(doc, key, value));
      deep(doc, "nvIpam.config", "ofedDriver.imagePullSecrets", "rdmaSharedDevicePlugin.imagePullSecrets", "sriovDevicePlugin.imagePullSecrets",
          "sriov-network-operator.operator.enableAdmissionController");
      featureDiscovery(doc);
    }
  }

  private void deep(OperatorDoc doc, String... paths) {
    for (String path : paths) {
      Part part = doc.root().get(path.split("\\."));
      // A dead section tells it once.
      if (part.exists() && status(path) != null && (status(path.split("\\.")[0]) == null)) {
        emit(doc, path, part);
      }
    }
  }

  private void key(OperatorDoc doc, String path, Part value) {
    if (!KEYS.containsKey(path)) {
      scope.factAtKey(new ValuesKey(doc.id(), path, "unknown", "", ""), value);
      return;
    }
    if (status(path) != null) {
      emit(doc, path, value);
      return;
    }
    if (!OPEN.contains(path)) {
      value.fields().forEach((key, each) -> key(doc, path + "." + key, each));
    } else if (path.equals("sriovNetworkOperator")) {
      value.fields().forEach((key, each) -> key(doc, path + "." + key, each));
    }
  }

  /** Whether the chart of a release certainly has a key no more. */
  static boolean dead(Releases.Range range, String path) {
    Object until = Policies.map(KEYS.get(path)).get("until");
    return until != null && range.has("", String.valueOf(until)) == Tri.NO;
  }

  /** Whether the chart switches a key on that a values file leaves out: by its release, which may not be known. */
  static Tri onByDefault(Releases.Range range, String path) {
    Object since = ON_SINCE.get(path);
    return since == null ? Tri.NO : range.has(String.valueOf(since), "");
  }

  /** dead, undecided, or null where the release has the key (or it is too young, which only a given release shows). */
  private String status(String path) {
    Map<String, Object> bounds = Policies.map(KEYS.get(path));
    String until = bounds.containsKey("until") ? String.valueOf(bounds.get("until")) : "";
    if (until.isEmpty()) {
      return null;
    }
    return switch (scope.range.has("", until)) {
      case YES -> null;
      case NO -> "dead";
      case UNKNOWN -> "undecided";
    };
  }

  private void emit(OperatorDoc doc, String path, Part value) {
    Map<String, Object> bounds = Policies.map(KEYS.get(path));
    scope.factAtKey(new ValuesKey(doc.id(), path, status(path), "after " + bounds.get("until"), String.valueOf(bounds.getOrDefault("instead", "nothing"))), value);
  }

  private void featureDiscovery(OperatorDoc doc) {
    List<OperatorDoc> gpus = scope.values(OperatorSet.GPU_OPERATOR);
    boolean here = !doc.root().get("nfd", "enabled").isFalse();
    Part switchPart = doc.root().get("nfd", "enabled").exists() ? doc.root().get("nfd", "enabled") : doc.root();
    if (!gpus.isEmpty()) {
      boolean there = gpus.stream().anyMatch(g -> !g.root().get("nfd", "enabled").isFalse());
      String owners = here && there ? "both" : here ? "network-operator" : there ? "gpu-operator" : "none";
      scope.factAtKey(new FeatureDiscovery(doc.id(), owners, rules(doc), labelSource(doc, gpus)), switchPart);
    } else if (doc.root().get("nfd", "deployNodeFeatureRules").isFalse()) {
      scope.factAtKey(new FeatureDiscovery(doc.id(), "unknown", Tri.NO, labelSource(doc, gpus)), doc.root().get("nfd", "deployNodeFeatureRules"));
    }
  }

  private static Tri rules(OperatorDoc doc) {
    return Tri.of(!doc.root().get("nfd", "deployNodeFeatureRules").isFalse());
  }

  /** Whether something else of the set gives the label pci-15b3.present. */
  private Tri labelSource(OperatorDoc doc, List<OperatorDoc> gpus) {
    boolean rule = scope.of("NodeFeatureRule").stream().anyMatch(r -> mentions(r.root(), "15b3"));
    Part whitelist = doc.root().get("node-feature-discovery", "worker", "config", "sources", "pci", "deviceClassWhitelist");
    boolean byClass = whitelist.texts().stream().anyMatch(NIC_CLASSES::contains);
    boolean byGpu = gpus.stream().anyMatch(g -> !g.root().get("nfd", "enabled").isFalse());
    if (rule || byClass || byGpu) {
      return Tri.YES;
    }
    return gpus.isEmpty() ? Tri.UNKNOWN : Tri.NO;
  }

  private static boolean mentions(Part part, String word) {
    return part.isScalar() && part.text().contains(word) || part.fields().entrySet().stream().anyMatch(e -> e.getKey().contains(word) || mentions(e.getValue(), word))
        || part.items().stream().anyMatch(p -> mentions(p, word));
  }
}
