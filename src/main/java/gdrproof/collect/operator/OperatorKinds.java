package gdrproof.collect.operator;

import gdrproof.policy.Policies;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which kinds belong to the operator's configuration, from `policies/operator/kinds.yaml`. */
public final class OperatorKinds {
  private static final Map<String, Object> POLICY = Policies.read("operator/kinds.yaml");

  private static final Set<String> REVIEWED = kinds("reviewed");
  private static final Set<String> CHECKED = kinds("checked");
  private static final Set<String> CLUSTER_SCOPED = kinds("cluster-scoped");
  private static final Set<String> NETWORKS = kinds("networks");
  private static final Set<String> STATEFUL = kinds("stateful");
  private static final List<String> IGNORED = Policies.texts(Policies.read("operator/verify.yaml").get("ignored-parts"));

  private OperatorKinds() {}

  private static Set<String> kinds(String list) {
    return Set.copyOf(Policies.texts(POLICY.get(list)));
  }

  /** Kinds whose changes review judges one by one. */
  public static boolean reviewed(OperatorDoc doc) {
    return REVIEWED.contains(doc.kind()) || doc.kind().equals(OperatorDoc.VALUES) || doc.kind().equals(OperatorDoc.PATCH);
  }

  /** Kinds of the operator and its helpers that lint checks. */
  static boolean checked(OperatorDoc doc) {
    return CHECKED.contains(doc.kind());
  }

  static boolean clusterScoped(String kind) {
    return CLUSTER_SCOPED.contains(kind);
  }

  static boolean network(String kind) {
    return NETWORKS.contains(kind);
  }

  /** Kinds whose status tells whether what they ask for is in place. */
  static boolean stateful(String kind) {
    return STATEFUL.contains(kind);
  }

  /** Whether a component's state in a policy's status says that it is wanted and not in place. */
  public static boolean unready(String state) {
    return IGNORED.stream().noneMatch(state::equalsIgnoreCase);
  }

  public static List<Map<String, Object>> live() {
    return Policies.maps(POLICY.get("live"));
  }
}
