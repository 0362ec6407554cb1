package gdrproof.facts;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * All facts of a bundle, each with the sorted set of its evidence. Equal statements are one fact; the order in which
 * they were added never shows.
 */
public final class Ledger {
  /** Pieces of evidence kept for one fact: the first ones and the last. More would let memory grow with the log. */
  private static final int MOST_EVIDENCE = 8;

  private final Map<Fact, SortedSet<Evidence>> evidence = new HashMap<>();

  public synchronized void add(Fact fact, Evidence source) {
    SortedSet<Evidence> set = evidence.computeIfAbsent(fact, f -> new TreeSet<>());
    set.add(source);
    if (set.size() > MOST_EVIDENCE) {
      // The last one stays, so that "from line a to line b" can be told; the one before it goes.
      Evidence last = set.last();
      set.remove(last);
      set.remove(set.last());
      set.add(last);
    }
  }

  public void add(Fact fact, Collection<Evidence> sources) {
    sources.forEach(source -> add(fact, source));
  }

  public void addAll(Ledger other) {
    other.evidence.forEach(this::add);
  }

  /** Every fact with its evidence, in no order: for whole passes over large ledgers. */
  public void forEach(BiConsumer<Fact, SortedSet<Evidence>> action) {
    evidence.forEach((fact, set) -> action.accept(fact, Collections.unmodifiableSortedSet(set)));
  }

  public boolean has(Fact fact) {
    return evidence.containsKey(fact);
  }

  public int size() {
    return evidence.size();
  }

  public SortedSet<Evidence> of(Fact fact) {
    SortedSet<Evidence> found = evidence.get(fact);
    return found == null ? Collections.emptySortedSet() : Collections.unmodifiableSortedSet(found);
  }

  /** Facts in no order: for a consumer whose result does not depend on it. */
  public Collection<Fact> unsorted() {
    return Collections.unmodifiableSet(evidence.keySet());
  }

  /** Facts in the order of their first evidence, then of their text. */
  public List<Fact> facts() {
    return sorted(Fact.class);
  }

  private <T extends Fact> List<T> sorted(Class<T> type) {
    record Keyed<T>(Evidence first, String text, T fact) {}
    List<Keyed<T>> keyed = new ArrayList<>();
    evidence.forEach((fact, set) -> {
      if (type.isInstance(fact)) {
        keyed.add(new Keyed<>(set.isEmpty() ? Evidence.of("", 0, "") : set.first(), fact.toString(), type.cast(fact)));
      }
    });
    keyed.sort((a, b) -> {
      int byPlace = a.first.compareTo(b.first);
      return byPlace != 0 ? byPlace : a.text.compareTo(b.text);
    });
    return keyed.stream().map(Keyed::fact).toList();
  }

  /** Facts of one type, in the order of {@link #facts()}. */
  public <T extends Fact> List<T> all(Class<T> type) {
    return sorted(type);
  }
}
