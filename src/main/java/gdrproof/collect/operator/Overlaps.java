package gdrproof.collect.operator;

import gdrproof.collect.operator.Plugins.Entry;
import gdrproof.facts.Operator.Overlap;
import gdrproof.facts.Tri;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Which resources can match one NIC. Silence needs proof: two lists of one property that share nothing. */
final class Overlaps {
  private final Scope scope;

  Overlaps(Scope scope) {
    this.scope = scope;
  }

  void write(List<Entry> entries) {
    for (int i = 0; i < entries.size(); i++) {
      for (int j = i + 1; j < entries.size(); j++) {
        pair(entries.get(i), entries.get(j));
      }
    }
  }

  private void pair(Entry a, Entry b) {
    if (a.active() != Tri.YES || b.active() != Tri.YES || a.plugin().equals("policy") && b.plugin().equals("policy")
        || a.plugin().equals("sriov") && b.plugin().equals("policy") || a.plugin().equals("sriov") && b.plugin().equals("sriov")
        || a.selectors().isEmpty() || b.selectors().isEmpty() || apart(a.doc(), b.doc())) {
      // Within the SR-IOV plugin the first match wins, by design.
      return;
    }
    Tri worst = Tri.NO;
    for (Part x : a.selectors()) {
      for (Part y : b.selectors()) {
        Tri meet = meet(x, a.plugin(), y, b.plugin());
        worst = meet == Tri.YES || worst == Tri.YES ? Tri.YES : meet == Tri.UNKNOWN ? Tri.UNKNOWN : worst;
      }
    }
    if (worst != Tri.NO) {
      Part selector = b.selectors().get(0);
      Part at = selector.get("vendors").exists() ? selector.get("vendors") : selector.get("vendor").exists() ? selector.get("vendor") : selector;
      scope.factAtKey(new Overlap(b.doc().id(), b.plugin(), b.name(), a.doc().id(), a.plugin(), a.name(), Tri.of(a.plugin().equals(b.plugin())), worst), at);
    }
  }

  /** NO when some property proves that they share no NIC, UNKNOWN when only incomparable properties narrow them. */
  private static Tri meet(Part x, String xPlugin, Part y, String yPlugin) {
    boolean compared = false;
    Set<String> narrowX = new HashSet<>();
    Set<String> narrowY = new HashSet<>();
    for (Property property : Property.values()) {
      Set<String> left = property.of(x);
      Set<String> right = property.of(y);
      if (property.narrows && !left.isEmpty()) {
        narrowX.add(property.name());
      }
      if (property.narrows && !right.isEmpty()) {
        narrowY.add(property.name());
      }
      if (left.isEmpty() || right.isEmpty()) {
        continue;
      }
      Set<String> both = new HashSet<>(left);
      both.retainAll(right);
      if (both.isEmpty()) {
        return Tri.NO;
      }
      compared |= property.narrows;
    }
    return compared || narrowX.isEmpty() || narrowY.isEmpty() ? Tri.YES : Tri.UNKNOWN;
  }

  /** Nodes that differ in one label can never be the same. */
  private static boolean apart(OperatorDoc a, OperatorDoc b) {
    Part left = a.root().get("spec", "nodeSelector");
    Part right = b.root().get("spec", "nodeSelector");
    return left.fields().entrySet().stream().anyMatch(e -> right.get(e.getKey()).isScalar() && !right.get(e.getKey()).text().equals(e.getValue().text()));
  }

  private enum Property {
    VENDOR(false, "vendors", "vendor"),
    DEVICE(true, "deviceIDs", "devices", "deviceID"),
    NAME(true, "ifNames", "pfNames"),
    ADDRESS(true, "pciAddresses", "rootDevices"),
    INDEX(true, "acpiIndexes"),
    LINK(false, "linkTypes", "linkType");

    private final boolean narrows;
    private final List<String> keys;

    Property(boolean narrows, String... keys) {
      this.narrows = narrows;
      this.keys = List.of(keys);
    }

    Set<String> of(Part selector) {
      Set<String> found = new HashSet<>();
      for (String key : keys) {
        for (String text : selector.get(key).texts()) {
          String plain = text.replaceFirst("#.*$", "").toLowerCase(Locale.ROOT);
          found.add(switch (plain) {
            case "ib" -> "infiniband";
            case "eth", "ethernet" -> "ether";
            default -> plain;
          });
        }
      }
      return found;
    }
  }
}
