package gdrproof.review;

import gdrproof.collect.env.NcclSettings;
import gdrproof.collect.operator.OperatorDoc;
import gdrproof.collect.operator.OperatorSet;
import gdrproof.collect.operator.Part;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Operator;
import gdrproof.facts.Operator.ComponentMove;
import gdrproof.facts.Operator.EnvMove;
import gdrproof.facts.Operator.MatrixGap;
import gdrproof.facts.Operator.OperatorRelease;
import gdrproof.facts.Operator.VersionStand;
import gdrproof.facts.Versions;
import gdrproof.policy.Policies;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where versions that a change brings stand against published floors and baselines, and which NCCL settings of jobs it alters. */
final class Stands {
  private static final Map<String, Object> POLICY = Policies.read("operator/versions.yaml");
  /** NCCL's release in an image's name or tag: `nccl-tests:2.27.3`, `pytorch:25.04-nccl2.26.5`. */
  private static final Pattern NCCL = Pattern.compile("nccl[a-z-]{0,12}[:_-]?v?(2\\.\\d{1,2}\\.\\d{1,2})");
  private static final Map<String, String> COMPONENTS = Map.of("Network Operator", "network-operator", "DOCA-OFED", "doca-ofed", "GPU Operator", "gpu-operator", "CUDA or NCCL image", "nccl");

  private final OperatorSet before;
  private final OperatorSet after;
  private final Ledger ledger;

  Stands(OperatorSet before, OperatorSet after, Ledger ledger) {
    this.before = before;
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
    environments();
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

  /** Variables of NCCL in pod specs of both states, by object and container. */
  private void environments() {
    Map<String, Part> then = variables(before);
    Map<String, Part> now = variables(after);
    TreeSet<String> keys = new TreeSet<>(then.keySet());
    keys.addAll(now.keySet());
    for (String key : keys) {
      Part old = then.getOrDefault(key, Part.MISSING);
      Part next = now.getOrDefault(key, Part.MISSING);
      String[] word = key.split(" ");
      // An object that comes or goes as a whole is no change of its settings.
      boolean both = before.docs().stream().anyMatch(d -> d.id().equals(word[0])) && after.docs().stream().anyMatch(d -> d.id().equals(word[0]));
      if (both && (old.exists() != next.exists() || !old.text().equals(next.text()))) {
        String name = word[word.length - 1];
        Part at = next.exists() ? next : old;
        ledger.add(new EnvMove(word[0], word[1], name, old.exists() ? old.text() : Operator.ABSENT, next.exists() ? next.text() : Operator.ABSENT, NcclSettings.production(name)), at.evidence());
      }
    }
  }

  private static Map<String, Part> variables(OperatorSet set) {
    Map<String, Part> found = new TreeMap<>();
    for (OperatorDoc doc : set.docs()) {
      if (doc.isValues() || doc.kind().equals(OperatorDoc.PATCH)) {
        continue;
      }
      int spec = 0;
      for (Part pod : doc.podSpecs()) {
        for (Part container : pod.get("containers").items()) {
          for (Part variable : container.get("env").items()) {
            String name = variable.get("name").text();
            if (name.startsWith("NCCL_") && variable.get("value").exists()) {
              found.put(doc.id() + " " + spec + "/" + container.get("name").text("container") + " " + name, variable.get("value"));
            }
          }
        }
        spec++;
      }
    }
    return found;
  }
}
