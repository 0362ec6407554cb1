package gdrproof.collect.operator;

import gdrproof.facts.Operator;
import gdrproof.facts.Operator.ImageRisk;
import gdrproof.facts.Operator.MixedReleases;
import gdrproof.facts.Operator.OperatorImage;
import gdrproof.facts.Tri;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Images that policies and values name, in their three spellings: repository/image/version, repository/name/tag, one text. */
final class Images {
  private static final List<String> OWN_TAGS = Policies.texts(Policies.read("operator/schema.yaml").get("own-tags"));
  private static final Set<String> SECTIONS = Set.copyOf(Policies.texts(Policies.read("operator/values.yaml").get("policy-sections")));

  private final Scope scope;
  private final OperatorDoc doc;
  private final Set<String> risks = new TreeSet<>();
  private final List<String> risky = new ArrayList<>();
  private final Set<String> majors = new TreeSet<>();
  private Part first = Part.MISSING;
  private Part firstTagged = Part.MISSING;

  private Images(Scope scope, OperatorDoc doc) {
    this.scope = scope;
    this.doc = doc;
  }

  static void write(Scope scope) {
    for (OperatorDoc doc : scope.set.docs()) {
      if (doc.isPolicy()) {
        new Images(scope, doc).all(doc.root().get("spec"));
      } else if (doc.isValues(OperatorSet.NETWORK_OPERATOR)) {
        new Images(scope, doc).all(doc.root());
      }
    }
  }

  private void all(Part root) {
    walk("", root, Tri.YES);
    if (first.exists()) {
      scope.fact(new ImageRisk(doc.id(), List.copyOf(risks), List.copyOf(risky)), first);
    }
    if (majors.size() > 1) {
      scope.fact(new MixedReleases(doc.id(), List.copyOf(majors)), firstTagged);
    }
  }

  private void walk(String component, Part part, Tri active) {
    Part repository = part.get("repository");
    Part name = part.get("image").isScalar() ? part.get("image") : part.get("name");
    if (part.isMap() && repository.isScalar()) {
      Part tag = part.get("version").exists() ? part.get("version") : part.get("tag");
      block(component, repository, name, tag, active);
    }
    for (Map.Entry<String, Part> field : part.fields().entrySet()) {
      String below = component.isEmpty() ? field.getKey() : component + "." + field.getKey();
      Tri rendered = doc.kind().equals(OperatorDoc.VALUES) && isPolicySection(below) ? scope.rendered(doc, below.split("\\.")) : active;
      if (component.endsWith("images") && field.getValue().isScalar()) {
        whole(below, field.getValue(), rendered);
      } else if (!field.getKey().equals("containerResources")) {
        walk(below, field.getValue(), rendered);
      }
    }
  }

  private static boolean isPolicySection(String path) {
    return SECTIONS.contains(path.split("\\.")[0]);
  }

  private void block(String component, Part repository, Part name, Part tag, Tri active) {
    String version = tag.text();
    boolean inherits = !tag.isSet();
    String pin = inherits ? "inherited" : Schema.placeholder(version) ? "placeholder" : Releases.pin(version);
    boolean staging = Releases.staging(repository.text());
    Part at = staging || !tag.isSet() ? repository : tag;
    image(component, repository.text() + (name.text().isEmpty() ? "" : "/" + name.text()), version, staging, pin, active, at);
  }

  private void whole(String component, Part image, Tri active) {
    String text = image.text();
    int digest = text.indexOf('@');
    String plain = digest < 0 ? text : text.substring(0, digest);
    int colon = plain.lastIndexOf(':') > plain.lastIndexOf('/') ? plain.lastIndexOf(':') : -1;
    String tag = digest >= 0 ? text.substring(digest + 1) : colon < 0 ? "" : plain.substring(colon + 1);
    if (!text.isEmpty() && !Schema.placeholder(text)) {
      image(component, text, tag, Releases.staging(text), Releases.pin(tag), active, image);
    }
  }

  private void image(String component, String image, String tag, boolean staging, String pin, Tri active, Part at) {
    boolean bad = staging || List.of("none", "floating", "pre-release").contains(pin);
    if (bad) {
      if (staging) {
        risks.add("staging registry");
      }
      if (!pin.equals("pinned") && !pin.equals("inherited") && !pin.equals("placeholder")) {
        risks.add(pin.equals("none") ? "no tag" : pin + " tag");
      }
      risky.add(component.isEmpty() ? "spec" : component);
      first = !first.exists() || at.line() < first.line() ? at : first;
    }
    String release = OWN_TAGS.contains(component) ? "" : Releases.ofTag(tag);
    if (!release.isEmpty()) {
      majors.add(Releases.major(release));
      firstTagged = !firstTagged.exists() || at.line() < firstTagged.line() ? at : firstTagged;
    }
    scope.fact(new OperatorImage(doc.id(), component.isEmpty() ? "spec" : component, image, tag.isEmpty() ? Operator.ABSENT : tag, staging ? "staging" : "released", pin,
        release.isEmpty() ? gdrproof.facts.Fact.UNKNOWN : Releases.major(release), active), at);
  }
}
