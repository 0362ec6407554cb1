package gdrproof.collect.operator;

import gdrproof.bundle.Yaml.Document;
import gdrproof.collect.operator.Plugins.Entry;
import gdrproof.facts.Ledger;
import gdrproof.facts.Operator.Companion;
import gdrproof.facts.Operator.Feature;
import gdrproof.facts.Operator.OperatorField;
import gdrproof.facts.Operator.OperatorObject;
import gdrproof.facts.Operator.OperatorRelease;
import gdrproof.facts.Operator.OperatorSection;
import gdrproof.facts.Operator.PolicyState;
import gdrproof.facts.Operator.SelectorMeeting;
import gdrproof.facts.Tri;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Facts of the operator's configuration in a set of YAML documents, judged as one state. */
public final class OperatorFacts {
  private OperatorFacts() {}

  /** Adds the facts of a set; a set without anything of the operator adds none. */
  public static OperatorSet read(List<Document> documents, String release, Ledger ledger) {
    OperatorSet set = OperatorSet.of(documents, release);
    if (!set.isEmpty()) {
      write(set, ledger);
    } else if (set.docs().stream().anyMatch(d -> d.kind().equals(OperatorDoc.PLUGIN))) {
      // A device plugin without the operator: what it selects is all there is to tell.
      new Plugins(new Scope(set, ledger)).write();
    }
    return set;
  }

  public static void write(OperatorSet set, Ledger ledger) {
    Scope scope = new Scope(set, ledger);
    objects(scope);
    states(scope);
    List<Entry> entries = new ArrayList<>(new Plugins(scope).write());
    entries.addAll(new Sriov(scope).write());
    new Overlaps(scope).write(entries);
    Drivers.write(scope);
    Images.write(scope);
    new Schema(scope).write();
    new ChartValues(scope).write();
    new NicTemplates(scope).write();
    new Networks(scope, entries).write();
    nodePolicies(scope);
    companions(scope);
  }

  /** The release of a set, for the review of a step: version as found, or unknown. */
  public static OperatorRelease release(OperatorSet set) {
    Releases.Range range = ReleaseFinder.find(set);
    return new OperatorRelease("chart", range.version(), range.major(), range.source());
  }

  /** What the controllers say of the objects, where they were read from a cluster. */
  private static void states(Scope scope) {
    for (OperatorDoc doc : scope.set.docs()) {
      Part status = doc.root().get("status");
      Part state = status.get("state").isSet() ? status.get("state") : status.get("syncStatus");
      if (OperatorKinds.stateful(doc.kind()) && state.isScalar() && state.isSet()) {
        List<String> parts = new ArrayList<>();
        for (Part part : status.get("appliedStates").items()) {
          if (OperatorKinds.unready(part.get("state").text())) {
            parts.add(part.get("name").text() + " " + part.get("state").text());
          }
        }
        scope.fact(new PolicyState(doc.id(), doc.kind(), state.text(), parts), state);
      }
    }
  }

  private static void objects(Scope scope) {
    for (OperatorDoc doc : scope.set.docs()) {
      if (!OperatorKinds.checked(doc) && !doc.kind().equals(OperatorDoc.VALUES)) {
        continue;
      }
      Part name = doc.root().get("metadata", "name");
      scope.fact(new OperatorObject(doc.id(), doc.kind(), doc.namespace(), doc.name(), doc.isPartial()), name.exists() ? name : doc.root());
      Part spec = doc.kind().equals(OperatorDoc.VALUES) ? doc.root() : doc.root().get("spec");
      spec.fields().forEach((key, section) -> {
        if (doc.isPolicy() || doc.isValues(OperatorSet.NETWORK_OPERATOR)) {
          scope.factAtKey(new OperatorSection(doc.id(), doc.kind(), key, scope.rendered(doc, key)), section);
          section.fields().forEach((below, part) -> {
            if (part.isMap()) {
              scope.factAtKey(new OperatorSection(doc.id(), doc.kind(), key + "." + below, scope.rendered(doc, key, below)), part);
            }
          });
        }
      });
      fields(scope, doc, doc.kind().equals(OperatorDoc.VALUES) ? "" : "spec", spec, doc.isValues(OperatorSet.NETWORK_OPERATOR) ? null : Tri.YES);
    }
    if (!scope.set.docs().isEmpty()) {
      OperatorRelease release = release(scope.set);
      scope.ledger.add(release, scope.set.docs().get(0).root().keyEvidence());
      for (String feature : Releases.features()) {
        scope.ledger.add(new Feature("chart", feature, Releases.has(feature, scope.range)), scope.set.docs().get(0).root().keyEvidence());
      }
    }
  }

  private static void fields(Scope scope, OperatorDoc doc, String path, Part part, Tri active) {
    if (part.isScalar()) {
      scope.fact(new OperatorField(doc.id(), doc.kind(), path, part.text(), part.kind().name().toLowerCase(Locale.ROOT), active == null ? Tri.YES : active), part);
    }
    part.fields().forEach((key, each) -> {
      Tri below = active == null && path.isEmpty() && each.get("deploy").exists() ? scope.rendered(doc, key) : active;
      fields(scope, doc, path.isEmpty() ? key : path + "." + key, each, below);
    });
    for (int i = 0; i < part.items().size(); i++) {
      Part item = part.items().get(i);
      fields(scope, doc, path + "[" + (item.get("name").isSet() ? item.get("name").text() : Integer.toString(i)) + "]", item, active);
    }
  }

  /** Do two node policies meet? Equal or contained selectors always do, one label with two values never. */
  private static void nodePolicies(Scope scope) {
    List<OperatorDoc> policies = scope.of("NicNodePolicy");
    for (int j = 1; j < policies.size(); j++) {
      int told = 0;
      for (int i = 0; i < j && told < Overlaps.TOLD; i++) {
        Part a = policies.get(i).root().get("spec", "nodeSelector");
        Part b = policies.get(j).root().get("spec", "nodeSelector");
        boolean differ = a.fields().entrySet().stream().anyMatch(e -> b.get(e.getKey()).isScalar() && !b.get(e.getKey()).text().equals(e.getValue().text()));
        boolean within = holds(a, b) || holds(b, a);
        boolean partial = policies.get(i).partial() || policies.get(j).partial();
        Tri meet = differ ? Tri.NO : within && !partial ? Tri.YES : Tri.UNKNOWN;
        String reason = !a.isSet() || !b.isSet() ? "an empty selector takes every node" : within ? "one selector holds the other" : "their labels can meet on a node";
        if (meet != Tri.NO) {
          told++;
          scope.factAtKey(new SelectorMeeting(policies.get(j).id(), policies.get(i).name(), meet, reason), b.exists() ? b : policies.get(j).root().get("metadata", "name"));
        }
      }
    }
  }

  private static boolean holds(Part small, Part large) {
    return small.fields().entrySet().stream().allMatch(e -> large.get(e.getKey()).text().equals(e.getValue().text()));
  }

  /** What Spectrum-X needs beside it: NIC configuration in the policy, the SR-IOV operator in the values, NV-IPAM. */
  private static void companions(Scope scope) {
    for (OperatorDoc doc : scope.of("NicClusterPolicy")) {
      Part section = doc.root().get("spec", "spectrumXOperator");
      if (!section.exists()) {
        continue;
      }
      List<OperatorDoc> values = scope.values(OperatorSet.NETWORK_OPERATOR);
      companion(scope, doc, section, "nicConfigurationOperator", present(doc, doc.root().get("spec", "nicConfigurationOperator").exists(), !values.isEmpty()));
      companion(scope, doc, section, "nvIpam", present(doc, doc.root().get("spec", "nvIpam").exists(), !values.isEmpty()));
      boolean sriov = values.stream().anyMatch(v -> v.root().get("sriovNetworkOperator", "enabled").isTrue());
      companion(scope, doc, section, "sriovNetworkOperator", sriov ? Tri.YES : values.isEmpty() ? Tri.UNKNOWN : Tri.NO);
    }
  }

  private static Tri present(OperatorDoc doc, boolean here, boolean whole) {
    return here ? Tri.YES : whole && !doc.partial() ? Tri.NO : Tri.UNKNOWN;
  }

  private static void companion(Scope scope, OperatorDoc doc, Part section, String needs, Tri present) {
    if (present != Tri.YES) {
      scope.factAtKey(new Companion(doc.id(), "spectrumXOperator", needs, present), section);
    }
  }
}
