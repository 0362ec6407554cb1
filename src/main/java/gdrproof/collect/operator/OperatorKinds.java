package gdrproof.collect.operator;

import gdrproof.policy.Policies;
import java.util.List;
import java.util.Map;

/** Which kinds belong to the operator's configuration, from `policies/operator/kinds.yaml`. */
public final class OperatorKinds {
  private static final Map<String, Object> POLICY = Policies.read("operator/kinds.yaml");

  private OperatorKinds() {}

  /** Kinds whose changes review judges one by one. */
  public static boolean reviewed(OperatorDoc doc) {
    return Policies.texts(POLICY.get("reviewed")).contains(doc.kind()) || doc.kind().equals(OperatorDoc.VALUES) || doc.kind().equals(OperatorDoc.PATCH);
  }

  /** Kinds of the operator and its helpers that lint checks. */
  static boolean checked(OperatorDoc doc) {
    return Policies.texts(POLICY.get("checked")).contains(doc.kind());
  }

  static boolean clusterScoped(String kind) {
    return Policies.texts(POLICY.get("cluster-scoped")).contains(kind);
  }

  static boolean network(String kind) {
    return Policies.texts(POLICY.get("networks")).contains(kind);
  }

  /** Kinds whose status tells whether what they ask for is in place. */
  static boolean stateful(String kind) {
    return Policies.texts(POLICY.get("stateful")).contains(kind);
  }

  /** Whether a component's state in a policy's status says that it is wanted and not in place. */
  public static boolean unready(String state) {
    return Policies.texts(Policies.read("operator/verify.yaml").get("ignored-parts")).stream().noneMatch(state::equalsIgnoreCase);
  }

  public static List<Map<String, Object>> live() {
    return Policies.maps(POLICY.get("live"));
  }
}
