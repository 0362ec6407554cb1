package gdrproof.review;

import gdrproof.finding.Consequence;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What going back does not restore, from `policies/operator/rollback.yaml`. */
public final class Rollback {
  private static final Map<String, Object> POLICY = Policies.read("operator/rollback.yaml");
  private static final Set<Consequence> NOTHING = Set.of(Consequence.BENIGN, Consequence.SILENT, Consequence.FORBIDDEN);

  private Rollback() {}

  public static List<String> notRestored(Consequence consequence, String key) {
    Set<String> found = new LinkedHashSet<>(Policies.texts(Policies.map(POLICY.get("consequences")).get(consequence.toString())));
    if (!NOTHING.contains(consequence)) {
      for (String step : key.split("\\.")) {
        found.addAll(Policies.texts(Policies.map(POLICY.get("sections")).get(step)));
      }
    }
    return new ArrayList<>(found);
  }
}
