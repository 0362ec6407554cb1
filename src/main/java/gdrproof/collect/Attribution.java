package gdrproof.collect;

import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.RunFact;
import java.util.HashSet;
import java.util.Set;

/**
 * The last step of collection: binds facts to runs and nodes where the bundle as a whole tells them. A single file often
 * does not: a benchmark table names no process, `ibstat` names no host.
 */
final class Attribution {
  private Attribution() {}

  static Ledger settle(Ledger read) {
    return nodes(runs(SameHost.settle(read)));
  }

  private static Ledger runs(Ledger read) {
    Runs runs = Runs.of(read);
    Ledger settled = new Ledger();
    read.forEach((fact, sources) -> {
      if (fact instanceof RunFact bound) {
        // One statement read in two runs becomes two facts, each with its own evidence. What a collector named is provisional.
        sources.forEach(source -> settled.add(bound.inRun(runs.of(source, bound.run())), source));
      } else {
        settled.add(fact, sources);
      }
    });
    return settled;
  }

  /** When everything attributed is about one and the same node, the rest is about it too. */
  private static Ledger nodes(Ledger read) {
    Set<String> names = new HashSet<>();
    read.forEach((fact, sources) -> names.add(fact.node()));
    names.remove(Fact.UNKNOWN);
    if (names.size() != 1) {
      return read;
    }
    String only = names.iterator().next();
    Ledger settled = new Ledger();
    read.forEach((fact, sources) -> {
      Fact named = fact.node().equals(Fact.UNKNOWN) ? Rewrite.withNode(fact, only) : fact;
      for (Evidence source : sources) {
        settled.add(named, source);
      }
    });
    return settled;
  }
}
