package gdrproof.collect.kube;

import gdrproof.bundle.Placeholders;
import gdrproof.bundle.Value;
import gdrproof.facts.Kube.Placeholder;
import java.util.Set;

/** Counts, quotas and the labels that choose nodes, where something else fills them in. */
final class OpenCounts {
  private static final Set<String> COUNTS = Set.of("replicas", "parallelism", "completions", "numNodes", "size", "slotsPerWorker", "minReplicas", "maxReplicas", "numOfHosts",
      "num-gpus", "numProcPerNode", "nprocPerNode", "nProcPerNode", "minAvailable", "nominalQuota", "borrowingLimit", "lendingLimit");
  /** Maps of labels: of a pod's nodes, and of the nodes of a flavour of Kueue. */
  private static final Set<String> LABELS = Set.of("nodeSelector", "nodeLabels");
  private static final int DEEPEST = 24;

  private final Manifest manifest;
  private final Facts facts;

  private OpenCounts(Manifest manifest, Facts facts) {
    this.manifest = manifest;
    this.facts = facts;
  }

  static void add(Manifest manifest, Facts facts) {
    new OpenCounts(manifest, facts).search(manifest.spec(), 0);
  }

  private void search(Value value, int depth) {
    if (value instanceof Value.Scalar scalar) {
      String group = scalar.parent().key();
      String key = COUNTS.contains(scalar.key()) || LABELS.contains(scalar.key()) ? scalar.key() : LABELS.contains(group) ? group : "";
      if (!key.isEmpty() && Placeholders.inNumber(scalar.text())) {
        facts.add(new Placeholder(manifest.id(), scalar.path(), key, scalar.text()), manifest.document(), scalar);
      }
    } else if (depth < DEEPEST) {
      (value.isList() ? value.items() : value.entries().values()).forEach(each -> search(each, depth + 1));
    }
  }
}
