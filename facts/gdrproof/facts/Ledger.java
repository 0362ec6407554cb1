package gdrproof.facts;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
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

  /** By type: most questions are about the facts of one type, of which there are few beside the messages of a large job's logs. */
  private final Map<Class<?>, Map<Fact, SortedSet<Evidence>>> evidence = new LinkedHashMap<>();
  /** Sorted lists that were asked for, each until a fact of its type is added: derivations ask for the same ones again and again. */
  private final Map<Class<?>, List<? extends Fact>> lists = new HashMap<>();

  public synchronized void add(Fact fact, Evidence source) {
    SortedSet<Evidence> set = evidence.computeIfAbsent(fact.getClass(), t -> new HashMap<>()).computeIfAbsent(fact, f -> new TreeSet<>());
    if (!set.add(source)) {
      return;
    }
    if (set.size() > MOST_EVIDENCE) {
      // The last one stays, so that "from line a to line b" can be told; the one before it goes.
      Evidence last = set.last();
      set.remove(last);
      set.remove(set.last());
      set.add(last);
    }
    if (!lists.isEmpty()) {
      lists.keySet().removeIf(type -> type.isInstance(fact));
    }
  }

  public void add(Fact fact, Collection<Evidence> sources) {
    sources.forEach(source -> add(fact, source));
  }

  public void addAll(Ledger other) {
    other.forEach(this::add);
  }

  /** Every fact with its evidence, in no order: for whole passes over large ledgers. */
  public void forEach(BiConsumer<Fact, SortedSet<Evidence>> action) {
    evidence.values().forEach(facts -> facts.forEach((fact, set) -> action.accept(fact, Collections.unmodifiableSortedSet(set))));
  }

  public boolean has(Fact fact) {
    return evidence.getOrDefault(fact.getClass(), Map.of()).containsKey(fact);
  }

  public int size() {
    return evidence.values().stream().mapToInt(Map::size).sum();
  }

  public SortedSet<Evidence> of(Fact fact) {
    SortedSet<Evidence> found = evidence.getOrDefault(fact.getClass(), Map.of()).get(fact);
    return found == null ? Collections.emptySortedSet() : Collections.unmodifiableSortedSet(found);
  }

  /** Facts in no order: for a consumer whose result does not depend on it. */
  public Collection<Fact> unsorted() {
    return evidence.values().stream().flatMap(facts -> facts.keySet().stream()).toList();
  }

  /** Facts in the order of their first evidence, then of their text. */
  public List<Fact> facts() {
    return all(Fact.class);
  }

  /** A fact with what it is sorted by; its text is long and rarely needed. */
  private static final class Keyed implements Comparable<Keyed> {
    private static final Evidence NONE = Evidence.of("", 0, "");

    private final Fact fact;
    private final Evidence first;
    private String text;

    Keyed(Fact fact, SortedSet<Evidence> sources) {
      this.fact = fact;
      this.first = sources.isEmpty() ? NONE : sources.first();
    }

    private String text() {
      if (text == null) {
        text = fact.toString();
      }
      return text;
    }

    @Override
    public int compareTo(Keyed other) {
      int byPlace = first.compareTo(other.first);
      return byPlace != 0 ? byPlace : text().compareTo(other.text());
    }
  }

  private List<Fact> sorted(Class<?> type) {
    List<Keyed> keyed = new ArrayList<>();
    evidence.forEach((each, facts) -> {
      if (type.isAssignableFrom(each)) {
        facts.forEach((fact, set) -> keyed.add(new Keyed(fact, set)));
      }
    });
    Collections.sort(keyed);
    return keyed.stream().map(k -> k.fact).toList();
  }

  /** Facts of one type, in the order of {@link #facts()}. */
  @SuppressWarnings("unchecked")
  public synchronized <T extends Fact> List<T> all(Class<T> type) {
    return (List<T>) lists.computeIfAbsent(type, this::sorted);
  }
}
