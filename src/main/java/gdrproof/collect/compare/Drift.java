package gdrproof.collect.compare;

import gdrproof.facts.Compare.Compared;
import gdrproof.facts.Compare.Difference;
import gdrproof.facts.Evidence;
import gdrproof.facts.Ledger;
import gdrproof.facts.Num;
import gdrproof.policy.Policies;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Compares nodes: each with what most nodes of its bundle say, or with one node that is known to be good, of the same or of another bundle.
 * Only what both sides show is compared.
 */
public final class Drift {
  /** Name of the reference where most nodes of the bundle agree. */
  public static final String MOST = "most";
  private static final String OTHER_BUNDLE = "reference/";
  /** Fewer nodes have no majority that tells which of them is the odd one. */
  private static final int FEWEST_NODES = 3;

  private Drift() {}

  /** Adds what sets single nodes apart from more than half of their bundle. Aspects that nodes may rightly differ in are left out. */
  public static void derive(Ledger ledger) {
    SortedMap<String, NodeView> nodes = Views.of(ledger, true);
    if (nodes.size() < FEWEST_NODES) {
      return;
    }
    Set<String> left = new TreeSet<>(Policies.texts(Policies.read("compare.yaml").get("own-choice")));
    Map<String, Set<String>> parts = new TreeMap<>();
    nodes.values().forEach(v -> v.aspects.forEach((aspect, values) -> parts.computeIfAbsent(aspect, a -> new TreeSet<>()).addAll(values.keySet())));
    parts.keySet().removeAll(left);
    parts.forEach((aspect, names) -> names.forEach(part -> odd(aspect, part, nodes.values(), ledger)));
  }

  private static void odd(String aspect, String part, Collection<NodeView> nodes, Ledger ledger) {
    Map<String, Integer> counts = new HashMap<>();
    int known = 0;
    for (NodeView view : nodes) {
      NodeView.Value value = view.value(aspect, part);
      if (value != null) {
        counts.merge(value.text(), 1, Integer::sum);
        known++;
      }
    }
    if (known < FEWEST_NODES || counts.size() < 2) {
      return;
    }
    Map.Entry<String, Integer> most = counts.entrySet().stream().max(Map.Entry.<String, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
        .orElseThrow();
    if (most.getValue() * 2 <= known) {
      return;
    }
    Set<Evidence> normal = new TreeSet<>();
    for (NodeView view : nodes) {
      NodeView.Value value = view.value(aspect, part);
      if (value != null && value.text().equals(most.getKey()) && normal.isEmpty()) {
        value.facts.forEach(f -> normal.addAll(ledger.of(f)));
      }
    }
    for (NodeView view : nodes) {
      NodeView.Value value = view.value(aspect, part);
      if (value != null && !value.text().equals(most.getKey())) {
        Set<Evidence> sources = new TreeSet<>(normal);
        value.facts.forEach(f -> sources.addAll(ledger.of(f)));
        ledger.add(new Difference(view.node, MOST, aspect, part, value.text(), most.getKey()), sources);
      }
    }
  }

  /**
   * Adds the differences of every other node to a node of the bundle that is known to be good.
   *
   * @return whether the bundle speaks of that node
   */
  public static boolean against(Ledger ledger, String good) {
    SortedMap<String, NodeView> nodes = Views.of(ledger, false);
    NodeView reference = nodes.get(good);
    if (reference != null) {
      nodes.values().stream().filter(v -> v != reference).forEach(v -> compare(v, reference, good, ledger, ledger));
    }
    return reference != null;
  }

  /** The same with another bundle: a node of the same name there, else its only node; others are left out. */
  public static boolean against(Ledger ledger, Ledger good) {
    SortedMap<String, NodeView> nodes = Views.of(ledger, false);
    SortedMap<String, NodeView> references = Views.of(good, false);
    boolean any = false;
    for (NodeView view : nodes.values()) {
      NodeView reference = references.getOrDefault(view.node, references.size() == 1 ? references.get(references.firstKey()) : null);
      if (reference != null) {
        compare(view, reference, OTHER_BUNDLE + reference.node, ledger, good);
        any = true;
      }
    }
    return any;
  }

  private static void compare(NodeView view, NodeView reference, String name, Ledger ledger, Ledger other) {
    Set<String> aspects = new TreeSet<>(view.aspects.keySet());
    aspects.addAll(view.complete);
    Set<String> theirs = new TreeSet<>(reference.aspects.keySet());
    theirs.addAll(reference.complete);
    aspects.retainAll(theirs);
    int parts = 0;
    int differences = 0;
    for (String aspect : aspects) {
      Set<String> names = new TreeSet<>(view.aspects.getOrDefault(aspect, new TreeMap<>()).keySet());
      names.addAll(reference.aspects.getOrDefault(aspect, new TreeMap<>()).keySet());
      for (String part : names) {
        NodeView.Value own = view.value(aspect, part);
        NodeView.Value its = reference.value(aspect, part);
        if (own == null || its == null) {
          continue;
        }
        parts++;
        if (!own.text().equals(its.text())) {
          differences++;
          Set<Evidence> sources = new TreeSet<>();
          own.facts.forEach(f -> sources.addAll(ledger.of(f)));
          its.facts.forEach(f -> other.of(f).forEach(e -> sources.add(ledger == other ? e : e.within(OTHER_BUNDLE.substring(0, OTHER_BUNDLE.length() - 1)))));
          ledger.add(new Difference(view.node, name, aspect, part, own.text(), its.text()), sources);
        }
      }
    }
    ledger.add(new Compared(view.node, name, Num.of(aspects.size()), Num.of(parts), Num.of(differences)), List.of(Evidence.of("", 0, "")));
  }
}
