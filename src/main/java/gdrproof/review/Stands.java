package gdrproof.review;

import gdrproof.collect.operator.OperatorDoc;
import gdrproof.collect.operator.OperatorSet;
import gdrproof.collect.operator.Part;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Operator.ComponentMove;
import gdrproof.facts.Operator.MatrixGap;
import gdrproof.facts.Operator.OperatorRelease;
import gdrproof.facts.Operator.VersionStand;
import gdrproof.facts.Versions;
import gdrproof.policy.Policies;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where versions that a change brings stand against published floors and baselines. */
final class Stands {
  private static final Map<String, Object> POLICY = Policies.read("operator/versions.yaml");
  /** NCCL's release in an image's name or tag: `nccl-tests:2.27.3`, `pytorch:25.04-nccl2.26.5`. */
  private static final Pattern NCCL = Pattern.compile("nccl[a-z-]{0,12}[:_-]?v?(2\\.\\d{1,2}\\.\\d{1,2})");
  private static final Map<String, String> COMPONENTS = Map.of("Network Operator", "network-operator", "DOCA-OFED", "doca-ofed", "GPU Operator", "gpu-operator", "CUDA or NCCL image", "nccl");

  private final OperatorSet after;
  private final Ledger ledger;

  Stands(OperatorSet after, Ledger ledger) {
    this.after = after;
    this.ledger = ledger;
  }

  void write(List<ComponentMove> moves, OperatorRelease from, OperatorRelease to) {
    for (ComponentMove move : moves) {
      String key = COMPONENTS.getOrDefault(move.component(), "");
      Map<String, Object> bar = Policies.map(Policies.map(POLICY.get("versions")).get(key));
      // A driver release goes on behind its dash: 5.5-1.0.3.2.
      String version = (key.equals("nccl") ? nccl(move.after()) : move.after()).replace('-', '.');
      for (String kind : List.of("floor", "baseline")) {
        String bound = String.valueOf(bar.getOrDefault(kind, "")).replace('-', '.');
        if (Versions.known(bound) && Versions.known(version)) {
          String stand = Versions.below(version, bound) ? "below" : Versions.below(bound, version) ? "above" : "at";
          ledger.add(new VersionStand(move.object(), move.change(), move.component(), key.equals("nccl") ? version : move.after(), String.valueOf(bar.get(kind)), kind, stand, String.valueOf(bar.get("source"))), ledger.of(move));
        }
      }
    }
    matrix(from, to);
  }

  private static String nccl(String image) {
    Matcher found = NCCL.matcher(image);
    return found.find() ? found.group(1) : Fact.UNKNOWN;
  }

  /** Releases of Kubernetes that nodes of the after state run, against those that the support page of the new release names. */
  private void matrix(OperatorRelease from, OperatorRelease to) {
    List<String> range = Policies.texts(Policies.map(POLICY.get("kubernetes")).get(to.major()));
    if (range.size() != 2 || from.version().equals(to.version())) {
      return;
    }
    Map<String, Part> kubelets = new TreeMap<>();
    for (OperatorDoc doc : after.docs()) {
      Part version = doc.root().get("status", "nodeInfo", "kubeletVersion");
      if (doc.kind().equals("Node") && version.isSet()) {
        kubelets.putIfAbsent(version.text().replaceFirst("^v?(\\d+\\.\\d+).*$", "$1"), version);
      }
    }
    kubelets.forEach((release, at) -> {
      if (Versions.below(release, range.get(0)) || Versions.below(range.get(1), release)) {
        ledger.add(new MatrixGap("chart", to.version(), release, range.get(0), range.get(1)), at.evidence());
      }
    });
  }
}
