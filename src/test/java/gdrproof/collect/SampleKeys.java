package gdrproof.collect;

import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Translates typed facts back into the keys of the sample lists (`KEYS.md`): `[host@][subject/]name[(argument)]`. One
 * implementation for each family of tools, in the test package of its collectors.
 */
public abstract class SampleKeys {
  private final Map<String, Set<String>> values = new TreeMap<>();

  /** Puts every key that the facts of one sample file give. */
  protected abstract void translate(String tool, Ledger ledger);

  public final Map<String, Set<String>> keys(String tool, Ledger ledger) {
    values.clear();
    translate(tool, ledger);
    return values;
  }

  protected final void put(String key, Object value) {
    if (value != null) {
      values.computeIfAbsent(key, k -> new TreeSet<>()).add(String.valueOf(value));
    }
  }

  /** Puts a value with a subject unless it is unknown to us. */
  protected final void known(String key, Object value) {
    if (value != null && !value.toString().equals(Fact.UNKNOWN)) {
      put(key, value);
    }
  }
}
