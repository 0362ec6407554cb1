package gdrproof.collect.operator;

import gdrproof.collect.operator.Plugins.Entry;
import gdrproof.facts.Operator.Overlap;
import gdrproof.facts.Tri;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Which resources can match one NIC. Silence needs proof: two lists of one property that share nothing. */
final class Overlaps {
  /** So many resources of other names that share a NIC with one are told: the next teach nothing, and a large set of files has millions. */
  static final int TOLD = 32;

  private final Scope scope;

  Overlaps(Scope scope) {
    this.scope = scope;
  }

  /** An entry with what its selectors name, read once: each is compared with all that stand before it. */
  private record Chosen(Entry entry, Map<String, Part> nodes, List<Map<Property, Set<String>>> selectors) {
    static Chosen of(Entry entry) {
      return new Chosen(entry, entry.doc().root().get("spec", "nodeSelector").fields(), entry.selectors().stream().map(Property::all).toList());
    }
  }

  void write(List<Entry> entries) {
    List<Chosen> chosen = entries.stream().filter(e -> e.active() == Tri.YES && !e.selectors().isEmpty()).map(Chosen::of).toList();
    for (int j = 1; j < chosen.size(); j++) {
      Set<List<Object>> told = new HashSet<>();
      for (int i = 0; i < j; i++) {
        pair(chosen.get(i), chosen.get(j), told);
      }
    }
  }

  private void pair(Chosen left, Chosen right, Set<List<Object>> told) {
    Entry a = left.entry();
    Entry b = right.entry();
    if (!a.plugin().equals("shared") && !b.plugin().equals("shared") || apart(left.nodes(), right.nodes())) {
      // Within the SR-IOV plugin the first match wins, by design.
      return;
    }
    Tri same = Tri.of(a.plugin().equals(b.plugin()));
    Tri worst = Tri.NO;
    for (Map<Property, Set<String>> x : left.selectors()) {
      for (Map<Property, Set<String>> y : right.selectors()) {
        Tri meet = meet(x, y);
        worst = meet == Tri.YES || worst == Tri.YES ? Tri.YES : meet == Tri.UNKNOWN ? Tri.UNKNOWN : worst;
      }
    }
    if (worst == Tri.NO || told.size() >= TOLD || !told.add(List.of(same, worst, a.name()))) {
      return;
    }
    Part selector = b.selectors().get(0);
    Part at = selector.get("vendors").exists() ? selector.get("vendors") : selector.get("vendor").exists() ? selector.get("vendor") : selector;
    scope.factAtKey(new Overlap(b.doc().id(), b.plugin(), b.name(), a.doc().id(), a.plugin(), a.name(), same, worst), at);
  }

  /** NO when some property proves that they share no NIC, UNKNOWN when only incomparable properties narrow them. */
  private static Tri meet(Map<Property, Set<String>> x, Map<Property, Set<String>> y) {
    boolean compared = false;
    for (Map.Entry<Property, Set<String>> left : x.entrySet()) {
      Set<String> right = y.get(left.getKey());
      if (right != null) {
        if (Collections.disjoint(left.getValue(), right)) {
          return Tri.NO;
        }
        compared |= left.getKey().narrows;
      }
    }
    return compared || !narrowed(x) || !narrowed(y) ? Tri.YES : Tri.UNKNOWN;
  }

  private static boolean narrowed(Map<Property, Set<String>> selector) {
    return selector.keySet().stream().anyMatch(p -> p.narrows);
  }

  /** Nodes that differ in one label can never be the same. */
  private static boolean apart(Map<String, Part> a, Map<String, Part> b) {
    return !b.isEmpty() && a.entrySet().stream().anyMatch(e -> {
      Part other = b.getOrDefault(e.getKey(), Part.MISSING);
      return other.isScalar() && !other.text().equals(e.getValue().text());
    });
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

    /** What a selector names, by property; those that it leaves out are not in the map. */
    static Map<Property, Set<String>> all(Part selector) {
      Map<Property, Set<String>> all = new EnumMap<>(Property.class);
      for (Property property : values()) {
        Set<String> named = property.of(selector);
        if (!named.isEmpty()) {
          all.put(property, named);
        }
      }
      return all;
    }

    private Set<String> of(Part selector) {
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
