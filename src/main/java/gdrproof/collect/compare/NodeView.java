package gdrproof.collect.compare;

import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the evidence says of one node, as values that can be compared: aspect, part, value. What is not known is left out. */
final class NodeView {
  static final String ABSENT = "absent";

  /** A value with the facts that say so; several values of one part contradict each other and compare with nothing. */
  static final class Value {
    final SortedSet<String> texts = new TreeSet<>();
    final Set<Fact> facts = new java.util.LinkedHashSet<>();

    String text() {
      return texts.first();
    }
  }

  final String node;
  final SortedMap<String, SortedMap<String, Value>> aspects = new TreeMap<>();
  /** Aspects of which the node has no more parts than those seen. */
  final Set<String> complete = new TreeSet<>();

  NodeView(String node) {
    this.node = node;
  }

  void put(String aspect, String part, String text, Fact fact) {
    if (text.equals(Fact.UNKNOWN) || text.isBlank() || part.contains(Fact.UNKNOWN)) {
      return;
    }
    Value value = aspects.computeIfAbsent(aspect, a -> new TreeMap<>()).computeIfAbsent(part, p -> new Value());
    value.texts.add(text);
    value.facts.add(fact);
  }

  void put(String aspect, String part, Num number, Fact fact) {
    put(aspect, part, number.toString(), fact);
  }

  void put(String aspect, String part, Tri state, Fact fact) {
    put(aspect, part, state == Tri.YES ? "yes" : state == Tri.NO ? "no" : Fact.UNKNOWN, fact);
  }

  /** The one value of a part, `absent` where the list is whole and lacks it, or null. */
  Value value(String aspect, String part) {
    SortedMap<String, Value> parts = aspects.get(aspect);
    Value value = parts == null ? null : parts.get(part);
    if (value == null && complete.contains(aspect)) {
      value = new Value();
      value.texts.add(ABSENT);
    }
    return value == null || value.texts.size() > 1 ? null : value;
  }
}
