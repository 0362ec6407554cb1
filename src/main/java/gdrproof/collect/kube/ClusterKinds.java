package gdrproof.collect.kube;

import gdrproof.policy.Policies;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The kinds that checks look for in a cluster (`policies/operator/kinds.yaml`, list `lint`). */
final class ClusterKinds {
  private static final Map<String, Map<String, Object>> BY_KIND = new HashMap<>();
  private static final Map<String, Map<String, Object>> BY_PLURAL = new HashMap<>();

  static {
    List<Map<String, Object>> kinds = Policies.maps(Policies.read("operator/kinds.yaml").get("lint"));
    for (Map<String, Object> kind : kinds) {
      BY_KIND.put(String.valueOf(kind.get("kind")), kind);
      BY_PLURAL.put(String.valueOf(kind.get("plural")), kind);
    }
  }

  private ClusterKinds() {}

  /** Name of the complete list that objects of a kind are, "" for kinds whose list proves nothing. */
  static String looked(String kind) {
    return of(BY_KIND, kind, "looked");
  }

  /** Whether a plain list of a kind, all of one namespace, says nothing of the others; networks count as they always did. */
  static boolean oneNamespace(String kind) {
    return of(BY_KIND, kind, "scope").equals("Namespaced") && !kind.equals("NetworkAttachmentDefinition");
  }

  static String lookedByPlural(String plural) {
    return of(BY_PLURAL, plural, "looked");
  }

  /** What is not judged without the objects of a plural. */
  static String checks(String plural) {
    return of(BY_PLURAL, plural, "checks");
  }

  private static String of(Map<String, Map<String, Object>> kinds, String name, String field) {
    Object value = kinds.getOrDefault(name, Map.of()).get(field);
    return value == null ? "" : String.valueOf(value);
  }
}
