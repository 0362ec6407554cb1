package gdrproof.collect.measure;

import gdrproof.facts.Meta.Setting;
import gdrproof.policy.Policies;
import java.util.Map;
import java.util.stream.Collectors;

/** Numbers of `policies/thresholds.yaml` that the interpretation of measurements needs. */
record Limits(double tolerance, double dip, double smallest, double slowSibling, double slowRdma, double rdmaSmallest, double changed, double plausibleFactor,
    double plausibleTime) {
  static Limits load() {
    Map<String, Double> values = Policies.settings().stream().filter(s -> s.value().known()).collect(Collectors.toMap(Setting::key, s -> s.value().value()));
    return new Limits(get(values, "plateau.tolerance"), get(values, "plateau.dip"), get(values, "plateau.smallest"), get(values, "slow.sibling"),
        get(values, "slow.rdma"), get(values, "rdma.smallest"), get(values, "changed.ratio"),
        get(values, "plausible.factor"), get(values, "plausible.time"));
  }

  private static double get(Map<String, Double> values, String key) {
    Double value = values.get(key);
    if (value == null) {
      throw new IllegalStateException("policies/thresholds.yaml has no number " + key);
    }
    return value;
  }
}
