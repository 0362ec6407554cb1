package gdrproof.collect.kube;

import gdrproof.bundle.Value;
import gdrproof.facts.Fact;
import gdrproof.facts.Kube.PodIsolation;
import gdrproof.facts.Kube.PolicyPorts;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What network policies (networking.k8s.io/v1) let into and out of pods. A pod that any policy selects takes what one of its policies allows, and nothing else; ranks meet on
 * ports that the kernel chooses, so a rule for fixed ports does not let them.
 */
final class NetworkPolicies {
  /** Ports that Linux chooses from by default. */
  private static final Map<String, Object> CHOSEN = Policies.map(Policies.read("linux.yaml").get("local-ports"));
  private static final Num CHOSEN_FROM = Num.parse(String.valueOf(CHOSEN.get("from")));
  private static final Num CHOSEN_TO = Num.parse(String.valueOf(CHOSEN.get("to")));

  private record Side(String direction, String peers, Value rules) {}

  private NetworkPolicies() {}

  /** The ports of a policy, whichever pods it selects. */
  static void add(Manifest policy, Facts facts) {
    Value selector = policy.spec().at("podSelector");
    Tri all = Tri.of(selector.at("matchLabels").entries().isEmpty() && selector.at("matchExpressions").items().isEmpty());
    for (Side side : sides(policy)) {
      List<String> ports = new ArrayList<>();
      boolean open = false;
      for (Value rule : side.rules().items()) {
        List<Value> listed = rule.at("ports").items();
        open |= listed.isEmpty();
        for (Value port : listed) {
          if (tcp(port)) {
            open |= port.at("port").text().isEmpty();
            ports.add(port.at("port").text() + (port.at("endPort").exists() ? "-" + port.at("endPort").text() : ""));
          }
        }
      }
      facts.addAtKey(new PolicyPorts(policy.id(), policy.namespace(), policy.name(), side.direction(), all, Tri.of(open), ports), policy.document(), ports.isEmpty() || !side.rules().exists() ? policy.spec() : side.rules());
    }
  }

  /** Policies that select rank pods of their namespace. */
  static void isolation(Manifest policy, Manifest job, PodClass pods, Facts facts) {
    if (!policy.namespace().equals(job.namespace()) && !policy.namespace().equals(Fact.UNKNOWN) && !job.namespace().equals(Fact.UNKNOWN)) {
      return;
    }
    Map<String, Value> labels = pods.view.template.metadata().at("labels").entries();
    if (selects(policy.spec().at("podSelector"), labels)) {
      for (Side side : sides(policy)) {
        facts.addAtKey(new PodIsolation(policy.id(), pods.view.template.id(), side.direction(), allows(side, labels)), policy.document(), policy.spec());
      }
    }
  }

  /** Directions that a policy restricts: those it names, else ingress, and egress where it has rules for it. */
  private static List<Side> sides(Manifest policy) {
    List<Value> types = policy.spec().at("policyTypes").items();
    List<Side> sides = new ArrayList<>();
    if (types.isEmpty() || types.stream().anyMatch(t -> t.text().equals("Ingress"))) {
      sides.add(new Side("ingress", "from", policy.spec().at("ingress")));
    }
    if (types.stream().anyMatch(t -> t.text().equals("Egress")) || types.isEmpty() && policy.spec().at("egress").exists()) {
      sides.add(new Side("egress", "to", policy.spec().at("egress")));
    }
    return sides;
  }

  private static Tri allows(Side side, Map<String, Value> labels) {
    Tri best = Tri.NO;
    for (Value rule : side.rules().items()) {
      List<Value> peers = rule.at(side.peers()).items();
      boolean match = peers.isEmpty() || peers.stream().anyMatch(p -> p.at("podSelector").exists() && selects(p.at("podSelector"), labels));
      boolean blocks = peers.stream().anyMatch(p -> p.at("ipBlock").exists() || p.at("namespaceSelector").exists());
      Tri ports = chosen(rule.at("ports").items());
      if (match && ports == Tri.YES) {
        return Tri.YES;
      }
      // Address blocks and ranges of ports: whether they cover the ranks is not in the manifest.
      best = (match || blocks) && ports != Tri.NO ? Tri.UNKNOWN : best;
    }
    return best;
  }

  /** Whether a rule's ports hold those that the kernel chooses: all of them, some, or fixed ones only. */
  private static Tri chosen(List<Value> ports) {
    Tri best = ports.isEmpty() ? Tri.YES : Tri.NO;
    for (Value port : ports) {
      Num from = Num.parse(port.at("port").text());
      Num to = Num.parse(port.at("endPort").text());
      boolean all = port.at("port").text().isEmpty() || !from.above(CHOSEN_FROM.value()) && to.atLeast(CHOSEN_TO.value());
      if (tcp(port)) {
        best = all ? Tri.YES : best != Tri.YES && to.known() ? Tri.UNKNOWN : best;
      }
    }
    return best;
  }

  private static boolean tcp(Value port) {
    return port.at("protocol").text("TCP").equals("TCP");
  }

  private static boolean selects(Value selector, Map<String, Value> labels) {
    if (!selector.at("matchExpressions").items().isEmpty()) {
      return false;
    }
    return selector.at("matchLabels").entries().entrySet().stream().allMatch(e -> labels.containsKey(e.getKey()) && labels.get(e.getKey()).text().equals(e.getValue().text()));
  }
}
