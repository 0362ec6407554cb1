package gdrproof.rules;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.cli.Pipeline;
import gdrproof.collect.Collectors;
import gdrproof.collect.Observer;
import gdrproof.facts.Ledger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Facts of a bundle of which most files are the same each time: what a file says for itself is read once. */
final class InjectedFacts {
  private static final Map<List<String>, Ledger> READ = new HashMap<>();

  private InjectedFacts() {}

  static void forget() {
    READ.clear();
  }

  static Ledger of(Map<String, String> texts) {
    Ledger all = new Ledger();
    List<Entry> configuration = new ArrayList<>();
    for (Entry entry : Injection.entries(texts)) {
      if (entry.name().endsWith(".yaml")) {
        configuration.add(entry);
      } else {
        all.addAll(READ.computeIfAbsent(List.of(entry.name(), entry.node(), texts.get(entry.name())), k -> Collectors.raw(List.of(entry), Observer.NONE)));
      }
    }
    all.addAll(Collectors.raw(configuration, Observer.NONE));
    return Pipeline.settled(Collectors.settle(all));
  }
}
