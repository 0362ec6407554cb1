package gdrproof.review;

import gdrproof.collect.operator.OperatorDoc;
import gdrproof.collect.operator.OperatorKinds;
import gdrproof.collect.operator.OperatorSet;
import gdrproof.collect.operator.Part;
import gdrproof.policy.Policies;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compares two states by meaning: objects by kind, namespace and name; order, quoting, comments, written defaults and
 * equal quantities are no difference; JSON inside texts is compared as structure.
 */
final class Differ {
  private static final Map<String, Object> POLICY = Policies.read("operator/changes.yaml");
  private static final List<String> IDENTITY = Policies.texts(POLICY.get("identity"));
  private static final List<String> ORDERED = Policies.texts(POLICY.get("ordered"));
  private static final List<String> QUANTITIES = Policies.texts(POLICY.get("quantities"));
  private static final List<String> IGNORED = Policies.texts(POLICY.get("ignored"));
  private static final List<String> IGNORED_ANNOTATIONS = Policies.texts(POLICY.get("ignored-annotations"));
  private static final Pattern QUANTITY = Pattern.compile("^([0-9.]{1,20})(m|k|M|G|T|Ki|Mi|Gi|Ti)?$");

  private final List<Delta> deltas = new ArrayList<>();
  private final boolean sameRelease;
  private OperatorDoc before;
  private OperatorDoc after;

  private Differ(boolean sameRelease) {
    this.sameRelease = sameRelease;
  }

  /**
   * @param sameRelease whether both states are for one release of the chart: only then a value written at its default is no change
   */
  static List<Delta> compare(OperatorSet before, OperatorSet after, boolean sameRelease) {
    Differ differ = new Differ(sameRelease);
    Map<String, OperatorDoc> left = byId(before);
    Map<String, OperatorDoc> right = byId(after);
    // One values file each, whatever the files are called.
    Set<String> ids = new LinkedHashSet<>(left.keySet());
    ids.addAll(right.keySet());
    for (String id : ids) {
      differ.object(left.get(id), right.get(id));
    }
    return differ.deltas;
  }

  private static Map<String, OperatorDoc> byId(OperatorSet set) {
    Map<String, OperatorDoc> found = new TreeMap<>();
    for (OperatorDoc doc : set.docs()) {
      if (OperatorKinds.reviewed(doc)) {
        String id = doc.id();
        for (int i = 2; found.containsKey(id); i++) {
          id = doc.id() + " #" + i;
        }
        found.put(id, doc);
      }
    }
    return found;
  }

  private void object(OperatorDoc left, OperatorDoc right) {
    before = left;
    after = right;
    if (left == null || right == null) {
      Part root = left == null ? right.root() : left.root();
      deltas.add(new Delta(left, right, "", "", left == null ? "added" : "removed", left == null ? Part.MISSING : root, right == null ? Part.MISSING : root));
      return;
    }
    if (left.kind().equals(OperatorDoc.VALUES)) {
      maps(left.root(), right.root(), "", "", 0);
      return;
    }
    if (left.kind().equals(OperatorDoc.PATCH)) {
      value(left.root(), right.root(), "patch", "patch", 2);
      return;
    }
    for (String key : union(left.root(), right.root())) {
      Part a = left.root().get(key);
      Part b = right.root().get(key);
      if (key.equals("spec")) {
        maps(a, b, "spec", "", 0);
      } else if (!IGNORED.contains(key)) {
        value(a, b, key, key, 2);
      }
    }
  }

  private static Set<String> union(Part a, Part b) {
    Set<String> keys = new LinkedHashSet<>(b.fields().keySet());
    keys.addAll(a.fields().keySet());
    return keys;
  }

  private void maps(Part a, Part b, String path, String key, int depth) {
    for (String name : union(a, b)) {
      String below = key.isEmpty() ? name : key + "." + name;
      if (IGNORED.contains(below) || key.equals("metadata.annotations") && IGNORED_ANNOTATIONS.contains(name)) {
        continue;
      }
      value(a.get(name), b.get(name), path.isEmpty() ? name : path + "." + name, below, depth + 1);
    }
  }

  /** A text that is JSON counts as what it says; nothing, null and empty are one. */
  private static Part meant(Part part) {
    if (!part.isSet()) {
      return Part.MISSING;
    }
    Part json = part.kind() == Part.Kind.TEXT ? part.json() : part;
    return json.exists() ? json : part;
  }

  private void value(Part leftWritten, Part rightWritten, String path, String key, int depth) {
    Part left = meant(leftWritten);
    Part right = meant(rightWritten);
    if (!left.exists() && !right.exists()) {
      return;
    }
    boolean both = left.exists() && right.exists();
    if (both && left.isMap() && right.isMap()) {
      maps(left, right, path, key, depth);
    } else if (both && left.isList() && right.isList()) {
      lists(left, right, path, key, depth);
    } else if (both && left.isScalar() && right.isScalar()) {
      if (!sameScalar(left, right, key)) {
        add(path, key, "changed", left, right);
      }
    } else if (both) {
      add(path, key, "changed", left, right);
    } else {
      oneSided(left, right, path, key, depth);
    }
  }

  /** Sections come and go as a whole; below them every value counts for itself. */
  private void oneSided(Part left, Part right, String path, String key, int depth) {
    Part there = left.exists() ? left : right;
    boolean section = depth == 1;
    if (there.isMap() && (!section || leaves(there) == 1)) {
      maps(left, right, path, key, depth);
    } else if (there.isList() && !there.items().isEmpty() && there.items().get(0).isMap() && !section) {
      lists(left.exists() ? left : Part.MISSING, right.exists() ? right : Part.MISSING, path, key, depth);
    } else if (there.isScalar() && sameRelease && there.text().equals(defaultOf(key))) {
      return;
    } else {
      add(path, key, left.exists() ? "removed" : "added", left, right);
    }
  }

  private static int leaves(Part part) {
    if (!part.isSet()) {
      return 0;
    }
    return part.isMap() ? part.fields().values().stream().mapToInt(Differ::leaves).sum() : 1;
  }

  private void lists(Part left, Part right, String path, String key, int depth) {
    boolean scalars = left.items().stream().allMatch(Part::isScalar) && right.items().stream().allMatch(Part::isScalar);
    if (scalars) {
      List<String> a = new ArrayList<>(left.texts());
      List<String> b = new ArrayList<>(right.texts());
      if (!ORDERED.contains(key.substring(key.lastIndexOf('.') + 1))) {
        a.sort(null);
        b.sort(null);
      }
      if (!a.equals(b)) {
        add(path, key, !left.exists() ? "added" : !right.exists() ? "removed" : "changed", left, right);
      }
      return;
    }
    items(left, right, path, key, depth);
  }

  /** Equal items go first, then items of one name, then what is left by its position. */
  private void items(Part left, Part right, String path, String key, int depth) {
    List<Part> a = new ArrayList<>(left.items());
    List<Part> b = new ArrayList<>(right.items());
    for (Part item : left.items()) {
      for (Part other : b) {
        if (new Differ(sameRelease).same(item, other, key, before, after)) {
          a.remove(item);
          b.remove(other);
          break;
        }
      }
    }
    Map<String, Part> named = new LinkedHashMap<>();
    a.forEach(i -> named.put(name(i), i));
    for (Part item : List.copyOf(b)) {
      Part other = name(item).isEmpty() ? null : named.get(name(item));
      if (other != null && a.remove(other)) {
        b.remove(item);
        value(other, item, path + "[" + name(item) + "]", key, depth + 2);
      }
    }
    boolean unnamed = a.stream().allMatch(i -> name(i).isEmpty()) && b.stream().allMatch(i -> name(i).isEmpty());
    while (unnamed && !a.isEmpty() && !b.isEmpty()) {
      Part item = b.remove(0);
      value(a.remove(0), item, path + "[" + right.items().indexOf(item) + "]", key, depth + 2);
    }
    a.forEach(i -> add(path + "[" + (name(i).isEmpty() ? Integer.toString(left.items().indexOf(i)) : name(i)) + "]", key, "removed", i, Part.MISSING));
    b.forEach(i -> add(path + "[" + (name(i).isEmpty() ? Integer.toString(right.items().indexOf(i)) : name(i)) + "]", key, "added", Part.MISSING, i));
  }

  private boolean same(Part a, Part b, String key, OperatorDoc leftDoc, OperatorDoc rightDoc) {
    before = leftDoc;
    after = rightDoc;
    value(a, b, "", key, 2);
    return deltas.isEmpty();
  }

  static String name(Part item) {
    for (String key : IDENTITY) {
      if (item.get(key).isScalar() && item.get(key).isSet()) {
        return item.get(key).text();
      }
    }
    return item.isScalar() ? item.text() : "";
  }

  private static boolean sameScalar(Part a, Part b, String key) {
    if (key.endsWith("env.value") && a.kind() != b.kind()) {
      // Quotes decide here: the API refuses a boolean.
      return false;
    }
    if (a.text().strip().equals(b.text().strip())) {
      return true;
    }
    if (QUANTITIES.contains(key.substring(key.lastIndexOf('.') + 1))) {
      BigDecimal left = quantity(a.text());
      BigDecimal right = quantity(b.text());
      return left != null && right != null && left.compareTo(right) == 0;
    }
    return a.kind() == Part.Kind.NUMBER && b.kind() == Part.Kind.NUMBER && number(a.text()) != null && number(b.text()) != null
        && number(a.text()).compareTo(number(b.text())) == 0;
  }

  static BigDecimal quantity(String text) {
    Matcher matcher = QUANTITY.matcher(text);
    if (!matcher.matches() || number(matcher.group(1)) == null) {
      return null;
    }
    String unit = matcher.group(2) == null ? "" : matcher.group(2);
    BigDecimal factor = switch (unit) {
      case "m" -> new BigDecimal("0.001");
      case "k" -> BigDecimal.valueOf(1_000L);
      case "M" -> BigDecimal.valueOf(1_000_000L);
      case "G" -> BigDecimal.valueOf(1_000_000_000L);
      case "T" -> BigDecimal.valueOf(1_000_000_000_000L);
      case "Ki" -> BigDecimal.valueOf(1L << 10);
      case "Mi" -> BigDecimal.valueOf(1L << 20);
      case "Gi" -> BigDecimal.valueOf(1L << 30);
      case "Ti" -> BigDecimal.valueOf(1L << 40);
      default -> BigDecimal.ONE;
    };
    return number(matcher.group(1)).multiply(factor);
  }

  private static BigDecimal number(String text) {
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** The value in effect where nothing is written, or "". */
  private String defaultOf(String key) {
    return defaultOf(after == null ? before : after, key);
  }

  static String defaultOf(OperatorDoc doc, String key) {
    String kind = doc.kind().equals(OperatorDoc.VALUES) ? doc.name() : doc.kind();
    Object value = Policies.map(Policies.map(POLICY.get("defaults")).get(kind)).get(key);
    return value == null ? "" : String.valueOf(value);
  }

  private void add(String path, String key, String type, Part left, Part right) {
    deltas.add(new Delta(before, after, path, key, type, left, right));
  }
}
