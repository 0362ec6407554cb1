package gdrproof.collect.operator;

import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Operator;
import gdrproof.facts.Tri;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the writers of facts share: the set, its release, what pods and networks ask for, and the ledger. */
final class Scope {
  final OperatorSet set;
  final Ledger ledger;
  final Releases.Range range;
  /** Resource names that containers ask for, with the first place of each. */
  final Map<String, Part> podAsks = new LinkedHashMap<>();
  /** Of them, those that a container takes for RDMA: it names NCCL or a verbs program, or asks for GPUs beside. */
  final Set<String> rdmaAsks = new HashSet<>();

  /** Resource names that the networks name, with the prefix that HostDeviceNetwork adds. */
  final Set<String> networkResources = new HashSet<>();
  /** As written in networks whose meta plugins move RDMA devices. */
  private final Set<String> rdmaNetworks = new HashSet<>();

  private final Map<String, List<OperatorDoc>> byKind = new HashMap<>();

  Scope(OperatorSet set, Ledger ledger) {
    this.set = set;
    this.ledger = ledger;
    this.range = ReleaseFinder.find(set);
    for (OperatorDoc doc : set.docs()) {
      byKind.computeIfAbsent(doc.kind(), k -> new ArrayList<>()).add(doc);
      for (Part spec : doc.podSpecs()) {
        asks(spec.get("containers"));
        asks(spec.get("initContainers"));
        spec.get("containers").items().forEach(c -> Intent.rdmaAsks(c, rdmaAsks));
      }
      if (OperatorKinds.network(doc.kind())) {
        networkResources.add(Networks.resourceOf(doc));
        if (Networks.rdmaPlugin(doc.root().get("spec", "metaPlugins"))) {
          rdmaNetworks.add(doc.root().get("spec", "resourceName").text());
        }
      }
    }
  }

  private void asks(Part containers) {
    for (Part container : containers.items()) {
      for (String kind : List.of("limits", "requests")) {
        container.get("resources", kind).fields().forEach((name, amount) -> {
          if (name.contains("/") && !amount.text().equals("0")) {
            podAsks.putIfAbsent(name, amount);
          }
        });
      }
    }
  }

  /** Whether a network with the RDMA meta plugin takes the resource; networks may leave the prefix out. */
  boolean rdmaNetwork(String resource) {
    return rdmaNetworks.contains(resource) || resource.contains("/") && rdmaNetworks.contains(resource.substring(resource.lastIndexOf('/') + 1));
  }

  void fact(Fact fact, Part at) {
    ledger.add(fact, at.evidence());
  }

  void factAtKey(Fact fact, Part at) {
    ledger.add(fact, at.keyEvidence());
  }

  /** Objects of a kind, in the order of the set. */
  List<OperatorDoc> of(String kind) {
    return Collections.unmodifiableList(byKind.getOrDefault(kind, List.of()));
  }

  /** Objects of several kinds, in the order of the set. */
  List<OperatorDoc> of(List<String> kinds) {
    return set.docs().stream().filter(d -> kinds.contains(d.kind())).toList();
  }

  /** Policies: NicClusterPolicy and NicNodePolicy. */
  List<OperatorDoc> policies() {
    return set.docs().stream().filter(OperatorDoc::isPolicy).toList();
  }

  List<OperatorDoc> values(String chart) {
    return set.docs().stream().filter(d -> d.isValues(chart)).toList();
  }

  /**
   * Sections of a device plugin or the driver wherever they stand: below `spec` of policies, at the top of values.
   *
   * @param active NO where `deployCR`, the section's `deploy` or the release of the chart keeps it from being rendered
   */
  record Placed(OperatorDoc doc, Part section, Tri active) {}

  List<Placed> sections(String... path) {
    List<Placed> found = new ArrayList<>();
    for (OperatorDoc doc : set.docs()) {
      Part section = doc.isPolicy() ? doc.root().get("spec").get(path) : doc.isValues(OperatorSet.NETWORK_OPERATOR) ? doc.root().get(path) : Part.MISSING;
      if (section.exists()) {
        found.add(new Placed(doc, section, rendered(doc, path)));
      }
    }
    return found;
  }

  /** Whether a section is rendered by the chart of this set's release, which may have dropped its key. */
  Tri rendered(OperatorDoc doc, String... path) {
    return doc.kind().equals(OperatorDoc.VALUES) && (ChartValues.dead(range, path[0]) || ChartValues.dead(range, "deployCR")) ? Tri.NO : active(doc, path);
  }

  /** Whether a section is rendered: the chart's default for deployCR is false in every release that has it. */
  static Tri active(OperatorDoc doc, String... path) {
    if (!doc.kind().equals(OperatorDoc.VALUES)) {
      return Tri.YES;
    }
    if (!doc.root().get("deployCR").isTrue()) {
      return Tri.NO;
    }
    Part at = doc.root();
    for (String key : path) {
      at = at.get(key);
      if (at.get("deploy").isFalse()) {
        return Tri.NO;
      }
    }
    return Tri.YES;
  }

  /** Text of a scalar, or `absent`. */
  static String written(Part part) {
    return part.text().isEmpty() ? Operator.ABSENT : part.text();
  }

  static Tri yesNo(Part part) {
    return part.isTrue() ? Tri.YES : part.isFalse() ? Tri.NO : Tri.UNKNOWN;
  }
}
