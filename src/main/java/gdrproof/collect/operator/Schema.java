package gdrproof.collect.operator;

import gdrproof.facts.Operator.MissingField;
import gdrproof.facts.Operator.OperatorPlaceholder;
import gdrproof.facts.Operator.StrayField;
import gdrproof.facts.Tri;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Required fields, fields and enum values that the CRD of the release does not have, and placeholders. */
final class Schema {
  private static final Map<String, Object> POLICY = Policies.read("operator/schema.yaml");
  private static final List<String> COMPONENTS = Policies.texts(POLICY.get("components"));
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{.*}}|\\$\\{[^}]*}|\\$[A-Z_]{3,}|<[A-Za-z][A-Za-z0-9_ .-]*>|__[A-Za-z0-9_]+__|(?i)\\b(CHANGE_?ME|REPLACE_?ME|TODO|YOUR[_-][A-Z_-]+)\\b");

  private final Scope scope;

  Schema(Scope scope) {
    this.scope = scope;
  }

  static boolean placeholder(String text) {
    return !text.isEmpty() && PLACEHOLDER.matcher(text).find();
  }

  void write() {
    for (OperatorDoc doc : scope.set.docs()) {
      if (!OperatorKinds.checked(doc)) {
        continue;
      }
      placeholders(doc, doc.root());
      if (!doc.partial()) {
        required(doc);
      }
      enums(doc);
      if (doc.isPolicy()) {
        sections(doc);
        if (!doc.partial()) {
          components(doc);
        }
      }
    }
  }

  private void placeholders(OperatorDoc doc, Part part) {
    if (part.kind() == Part.Kind.TEXT && placeholder(part.text())) {
      String shown = part.text().strip();
      scope.fact(new OperatorPlaceholder(doc.id(), part.path(), shown.length() > 60 ? shown.substring(0, 60) : shown), part);
    }
    part.fields().values().forEach(p -> placeholders(doc, p));
    part.items().forEach(p -> placeholders(doc, p));
  }

  private void required(OperatorDoc doc) {
    for (String path : Policies.texts(Policies.map(POLICY.get("required")).get(doc.kind()))) {
      // A template that only resets the NIC needs no settings.
      if (doc.kind().equals("NicConfigurationTemplate") && path.startsWith("spec.template") && doc.root().get("spec", "resetToDefault").isTrue()) {
        continue;
      }
      Object instead = Policies.map(POLICY.get("instead")).get(path);
      if (instead != null && doc.root().get(String.valueOf(instead).split("\\.")).exists()) {
        continue;
      }
      missing(doc, doc.root(), List.of(path.split("\\.")), 0, path);
    }
  }

  private void missing(OperatorDoc doc, Part at, List<String> keys, int depth, String path) {
    if (depth == keys.size()) {
      return;
    }
    if (keys.get(depth).equals("*")) {
      at.items().forEach(item -> missing(doc, item, keys, depth + 1, path));
      return;
    }
    Part next = at.get(keys.get(depth));
    if (next.exists() && next.kind() != Part.Kind.NULL) {
      missing(doc, next, keys, depth + 1, path);
    } else {
      scope.factAtKey(new MissingField(doc.id(), doc.kind(), path, doc.isPartial()), at);
    }
  }

  /** Image blocks: `image` always; repository and version may come from `spec.global` where the release has it. */
  private void components(OperatorDoc doc) {
    Part spec = doc.root().get("spec");
    Part global = spec.get("global");
    for (String component : COMPONENTS) {
      Part block = spec.get(component.split("\\."));
      if (!block.isMap()) {
        continue;
      }
      for (String field : List.of("image", "repository", "version")) {
        boolean inherits = !field.equals("image") && global.get(field).isSet() && !(component.equals("ofedDriver") && field.equals("version"));
        if (!block.get(field).isSet() && !inherits) {
          Tri open = Tri.of(doc.kind().equals("NicNodePolicy") && !field.equals("image") && !component.equals("ofedDriver"));
          // A NicNodePolicy has no global block of its own: what the cluster policy supplies is not known here.
          scope.factAtKey(new MissingField(doc.id(), doc.kind(), "spec." + component + "." + field, open), block);
        }
      }
    }
  }

  private void sections(OperatorDoc doc) {
    Part spec = doc.root().get("spec");
    Map<String, Object> known = Policies.map(POLICY.get("sections"));
    known.forEach((path, bounds) -> {
      Part field = spec.get(path.split("\\."));
      String since = text(bounds, "since");
      String until = text(bounds, "until");
      Tri has = scope.range.has(since, until);
      // Presence of a young section tells the release better than tags, which may be those of older components.
      boolean young = scope.range.has("", until) != Tri.NO;
      boolean byTags = scope.range.source().equals("component-tag") || scope.range.source().equals("driver-tag");
      if (field.exists() && has == Tri.NO && !scope.range.source().equals("keys") && !(young && byTags)) {
        stray(doc, field, "spec." + path, "field", until.isEmpty() || young ? "exists from release " + since : "was last known in release " + until);
      }
    });
    Policies.map(POLICY.get("never")).forEach((path, right) -> {
      Part field = spec.get(path.split("\\."));
      if (field.exists()) {
        stray(doc, field, "spec." + path, "field", "no release has it; the field is " + right);
      }
    });
    if (doc.kind().equals("NicNodePolicy")) {
      List<String> allowed = Policies.texts(POLICY.get("sections-of-node-policy"));
      spec.fields().forEach((key, field) -> {
        if (!allowed.contains(key) && !Policies.map(POLICY.get("never")).containsKey(key)) {
          stray(doc, field, "spec." + key, "field", "a NicNodePolicy has no such section");
        }
      });
      if (scope.range.has("26.4", "") == Tri.NO && !scope.range.source().equals("keys")) {
        stray(doc, doc.root().get("kind"), "kind", "field", "the kind exists from release 26.4");
      }
    }
  }

  private static String text(Object bounds, String key) {
    Object value = Policies.map(bounds).get(key);
    return value == null ? "" : String.valueOf(value);
  }

  private void enums(OperatorDoc doc) {
    Policies.map(Policies.map(POLICY.get("enums")).get(doc.kind())).forEach((path, allowed) -> {
      Part field = doc.root().get(path.split("\\."));
      List<String> values = new ArrayList<>(Policies.texts(allowed));
      if (field.isScalar() && field.isSet() && !values.contains(field.text()) && !placeholder(field.text())) {
        // An unquoted on or off reads as a boolean, which the API refuses too, but the word itself is right.
        stray(doc, field, path, "enum", "is not one of " + String.join(", ", values));
      }
    });
  }

  private void stray(OperatorDoc doc, Part field, String path, String kind, String reason) {
    scope.factAtKey(new StrayField(doc.id(), path, kind, reason), field);
  }
}
