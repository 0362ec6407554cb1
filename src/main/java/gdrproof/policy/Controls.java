package gdrproof.policy;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Variables of control runs, from `policies/controls.yaml`. */
public final class Controls {
  private static final Map<String, Object> FILE = Policies.read("controls.yaml");
  private static final Set<String> ALONE = FILE.keySet().stream().filter(name -> Boolean.TRUE.equals(Policies.map(FILE.get(name)).get("alone"))).collect(Collectors.toUnmodifiableSet());

  private Controls() {}

  /** All that a control run may set on its command line beyond its main run. */
  public static Set<String> variables() {
    return FILE.keySet();
  }

  /** Those whose presence alone makes a run a control. */
  public static Set<String> alone() {
    return ALONE;
  }
}
