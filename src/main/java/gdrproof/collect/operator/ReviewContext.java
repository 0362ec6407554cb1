package gdrproof.collect.operator;

import gdrproof.facts.Evidence;
import gdrproof.facts.Ledger;
import gdrproof.facts.Operator.Feature;
import gdrproof.facts.Operator.UpgradePolicy;
import gdrproof.facts.Tri;
import gdrproof.policy.Policies;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the review of a change asks of the two states: releases, activity of sections, images, dead keys. */
public final class ReviewContext {
  private static final Map<String, Object> VALUES = Policies.read("operator/values.yaml");

  private final OperatorSet before;
  private final Ledger ledger;

  public ReviewContext(OperatorSet before, OperatorSet after, Ledger ledger) {
    this.before = before;
    this.ledger = ledger;
  }

  /** Features of the before state's release, beside those of the after state. */
  public void features() {
    Releases.Range range = ReleaseFinder.find(before);
    Releases.features().forEach(f -> ledger.add(new Feature("before", f, Releases.has(f, range)), Evidence.of("", 0, "")));
  }

  public static boolean policySection(String section) {
    return Policies.texts(VALUES.get("policy-sections")).contains(section);
  }

  public static boolean active(OperatorDoc doc, String... path) {
    return Scope.active(doc, path) == Tri.YES;
  }

  public static boolean hasChart(OperatorSet set) {
    return !set.chartVersion().isEmpty() || !set.given().isEmpty() || set.docs().stream().anyMatch(d -> d.isValues(OperatorSet.NETWORK_OPERATOR));
  }

  public static String step(String from, String to) {
    return Releases.step(from, to);
  }

  public static String driverStep(String from, String to) {
    return Releases.driverStep(from, to);
  }

  public static boolean driverTooOld(String version) {
    return Releases.driverTooOld(version);
  }

  /** The driver's section of a policy or of values that deploy it; MISSING otherwise. */
  public static Part driver(OperatorDoc doc) {
    if (doc.isPolicy()) {
      return doc.root().get("spec", "ofedDriver");
    }
    return doc.isValues(OperatorSet.NETWORK_OPERATOR) ? doc.root().get("ofedDriver") : Part.MISSING;
  }

  public static UpgradePolicy upgrade(OperatorSet set, OperatorDoc doc, Part section) {
    return Drivers.of(set, ReleaseFinder.find(set), doc, section, Scope.active(doc, "ofedDriver"));
  }

  /** Place that tells the after state's release: the first text that holds it, else the first document. */
  public static Evidence chartPlace(OperatorSet set, String version) {
    for (OperatorDoc doc : set.docs()) {
      Part at = find(doc.root(), version);
      if (at.exists()) {
        return at.evidence();
      }
    }
    return set.docs().isEmpty() ? Evidence.of("", 0, "") : set.docs().get(0).root().keyEvidence();
  }

  private static Part find(Part part, String text) {
    if (part.isScalar() && part.text().contains(text)) {
      return part;
    }
    for (Part each : part.fields().values()) {
      Part found = find(each, text);
      if (found.exists()) {
        return found;
      }
    }
    for (Part each : part.items()) {
      Part found = find(each, text);
      if (found.exists()) {
        return found;
      }
    }
    return Part.MISSING;
  }

  /** Release of a policy's component tags, by most of them; "" if they follow no release. */
  public static String componentRelease(OperatorDoc doc) {
    Map<String, Integer> count = new HashMap<>();
    count(doc.root(), count);
    return count.entrySet().stream().max(Map.Entry.<String, Integer>comparingByValue().thenComparing(Map.Entry::getKey)).map(Map.Entry::getKey).orElse("");
  }

  private static void count(Part part, Map<String, Integer> count) {
    String release = part.kind() == Part.Kind.TEXT ? Releases.ofTag(part.text()) : "";
    if (!release.isEmpty()) {
      count.merge(release, 1, Integer::sum);
    }
    part.fields().values().forEach(p -> count(p, count));
    part.items().forEach(p -> count(p, count));
  }

  /** What an image's change means: to or from a staging registry, to a tag that is no released one. */
  public static void imageMarks(Part was, Part is, boolean image, List<String> marks) {
    boolean then = staging(was);
    boolean now = staging(is);
    if (now && !then) {
      marks.add("to-staging");
    } else if (then && !now && is.exists()) {
      marks.add("from-staging");
    }
    if (image && is.isScalar() && !is.text().contains("/")) {
      String pin = Releases.pin(is.text());
      if ((pin.equals("pre-release") || pin.equals("floating")) && is.text().matches(".*[0-9].*|latest|main|master|stable|nightly")) {
        marks.add("to-unpinned");
      }
    }
  }

  private static boolean staging(Part part) {
    return part.isScalar() && Releases.staging(part.text()) || part.fields().values().stream().anyMatch(ReviewContext::staging)
        || part.items().stream().anyMatch(ReviewContext::staging);
  }

  /** Whether the chart of either state's release has a values key. */
  public static void deadMarks(OperatorSet before, OperatorSet after, String key, List<String> marks) {
    if (dead(ReleaseFinder.find(after), key)) {
      marks.add("dead-after");
    }
    if (dead(ReleaseFinder.find(before), key)) {
      marks.add("dead-before");
    }
  }

  private static boolean dead(Releases.Range range, String key) {
    Map<String, Object> keys = Policies.map(VALUES.get("keys"));
    String path = key;
    while (true) {
      Map<String, Object> bounds = Policies.map(keys.get(path));
      if (bounds.containsKey("until") && range.has("", String.valueOf(bounds.get("until"))) == Tri.NO) {
        return true;
      }
      int dot = path.lastIndexOf('.');
      if (dot < 0) {
        return false;
      }
      path = path.substring(0, dot);
    }
  }

  /** Full names of the resources that a state offers, with the object and the list that offers each. */
  public static Map<String, OperatorDoc> offers(OperatorSet set) {
    Map<String, OperatorDoc> found = new java.util.TreeMap<>();
    String prefix = "nvidia.com";
    for (OperatorDoc doc : set.docs()) {
      if (doc.isValues(OperatorSet.NETWORK_OPERATOR)) {
        prefix = doc.root().get("sriov-network-operator", "operator", "resourcePrefix").text(prefix);
      }
    }
    for (OperatorDoc doc : set.docs()) {
      if (doc.isPolicy() || doc.isValues(OperatorSet.NETWORK_OPERATOR)) {
        Part root = doc.isPolicy() ? doc.root().get("spec") : doc.root();
        for (String section : List.of("rdmaSharedDevicePlugin", "sriovDevicePlugin")) {
          if (root.get(section).exists() && active(doc, section)) {
            Plugins.offered(doc, section.startsWith("rdma") ? "shared" : "sriov", root.get(section)).forEach(n -> found.putIfAbsent(n, doc));
          }
        }
      } else if (doc.kind().equals("SriovNetworkNodePolicy")) {
        found.putIfAbsent(prefix + "/" + doc.root().get("spec", "resourceName").text(), doc);
      }
    }
    return found;
  }

  /** Objects of a state that name a resource: pods, networks, quotas. */
  public static List<String> askers(OperatorSet set, String resource) {
    return set.docs().stream().filter(d -> !d.isPolicy() && !d.kind().equals("SriovNetworkNodePolicy") && !d.kind().equals(OperatorDoc.VALUES))
        .filter(d -> names(d.root(), resource) || OperatorKinds.network(d.kind()) && Networks.same(Networks.resourceOf(d), resource)).map(OperatorDoc::id).sorted().toList();
  }

  private static boolean names(Part part, String resource) {
    return part.isScalar() && part.text().equals(resource)
        || part.fields().entrySet().stream().anyMatch(e -> e.getKey().equals(resource) || e.getKey().endsWith("." + resource) || names(e.getValue(), resource))
        || part.items().stream().anyMatch(p -> names(p, resource));
  }
}
