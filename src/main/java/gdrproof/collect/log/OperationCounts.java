package gdrproof.collect.log;

import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Nccl.CrossedOrder;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** Operation counts of the ranks of one communicator, by kind of collective: ranks that are ahead in one kind and behind in another follow another order. */
final class OperationCounts {
  /** A rank that was not named: it shares the count of the greatest unnamed group. */
  private static final String REST = "";

  /** A named rank's count of one kind. */
  record Count(String node, String process, Num rank, Num count, List<Evidence> at) {}

  private final Map<String, Map<String, Count>> named = new TreeMap<>();
  private final Map<String, Num> rest = new TreeMap<>();

  void add(String operation, Count count) {
    named.computeIfAbsent(operation, o -> new TreeMap<>()).put(count.process(), count);
  }

  /** The count of the ranks that the answer does not name. */
  void rest(String operation, Num count) {
    rest.put(operation, count);
  }

  boolean knowsRest(String operation) {
    return rest.containsKey(operation);
  }

  void clear() {
    named.clear();
    rest.clear();
  }

  /** One fact for each rank that is crossed with another rank, or with those that are not named. */
  void crossed(BiConsumer<Fact, List<Evidence>> sink) {
    List<String> kinds = List.copyOf(named.keySet());
    Map<String, CrossedOrder> found = new TreeMap<>();
    Map<String, List<Evidence>> sources = new TreeMap<>();
    for (String ahead : kinds) {
      for (String behind : kinds) {
        for (Count high : ahead.equals(behind) ? List.<Count>of() : List.copyOf(named.get(ahead).values())) {
          Num low = of(behind, high.process());
          if (!low.known() || found.containsKey(high.process()) || !against(ahead, high, behind, low)) {
            continue;
          }
          List<Evidence> at = new ArrayList<>(high.at());
          named.get(behind).values().stream().filter(c -> c.process().equals(high.process())).forEach(c -> at.addAll(c.at()));
          sources.put(high.process(), at);
          found.put(high.process(), new CrossedOrder(high.node(), Fact.UNKNOWN, high.process(), high.rank(), ahead, high.count(), behind, low));
        }
      }
    }
    found.forEach((process, fact) -> sink.accept(fact, sources.get(process)));
  }

  /** Whether one and the same other rank is lower in the first kind and higher in the second. */
  private boolean against(String ahead, Count high, String behind, Num low) {
    List<String> others = new ArrayList<>(named.get(ahead).keySet());
    named.get(behind).keySet().stream().filter(o -> !others.contains(o)).forEach(others::add);
    others.add(REST);
    return others.stream().anyMatch(o -> of(ahead, o).below(high.count()) && of(behind, o).above(low));
  }

  private Num of(String kind, String process) {
    Count count = named.get(kind).get(process);
    return count == null ? rest.getOrDefault(kind, Num.UNKNOWN) : count.count();
  }
}
