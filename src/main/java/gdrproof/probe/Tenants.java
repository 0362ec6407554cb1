package gdrproof.probe;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Whose names may stand in a bundle: those of the job's and the operators' namespaces. Objects of others keep what the checks need (that they are there, how much they
 * take) under names of our own, the same for one run and meaning nothing outside it.
 */
final class Tenants {
  private static final String RESOURCE = "k8s.v1.cni.cncf.io/resourceName";
  private static final Set<String> OWN = Set.of("default", "kube-system", "nvidia-network-operator", "network-operator", "gpu-operator", "nvidia-gpu-operator");

  private final Set<String> scope;
  private final Map<String, String> spaces = new HashMap<>();
  private final Map<String, Integer> names = new HashMap<>();

  /** @param scope namespaces of the job */
  Tenants(Set<String> scope) {
    this.scope = scope;
  }

  private boolean known(String namespace) {
    return scope.contains(namespace) || OWN.contains(namespace);
  }

  private String space(String namespace) {
    return known(namespace) ? namespace : spaces.computeIfAbsent(namespace, n -> "tenant-" + (spaces.size() + 1));
  }

  /** The object as the bundle may show it. */
  GenericKubernetesResource shown(GenericKubernetesResource item) {
    var meta = item.getMetadata();
    if (meta == null) {
      return item;
    }
    boolean space = item.getKind().equals("Namespace");
    String namespace = space ? meta.getName() : meta.getNamespace();
    if (namespace == null || known(namespace)) {
      return item;
    }
    String resource = meta.getAnnotations() == null ? null : meta.getAnnotations().get(RESOURCE);
    String level = meta.getLabels() == null ? null : meta.getLabels().get("pod-security.kubernetes.io/enforce");
    meta.setAnnotations(resource == null ? null : Map.of(RESOURCE, resource));
    meta.setLabels(level == null ? null : Map.of("pod-security.kubernetes.io/enforce", level));
    meta.setOwnerReferences(null);
    meta.setUid(null);
    if (space) {
      meta.setName(space(namespace));
      return item;
    }
    meta.setNamespace(space(namespace));
    String kind = item.getKind().toLowerCase(Locale.ROOT);
    meta.setName(kind + "-" + names.merge(kind, 1, Integer::sum));
    if (item.getKind().equals("NetworkAttachmentDefinition")) {
      item.getAdditionalProperties().remove("spec");
    }
    return item;
  }
}
