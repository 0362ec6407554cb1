package gdrproof.collect;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.collect.operator.OperatorCollector;
import gdrproof.facts.Ledger;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Reads bundles that share most of their files: a file is read once, only files of the operator's set (YAML, judged together) each time. */
public final class CachedCollectors {
  private final Map<String, Ledger> read = new ConcurrentHashMap<>();

  public Ledger read(List<Entry> entries) throws IOException {
    Ledger all = new Ledger();
    OperatorCollector operator = new OperatorCollector();
    for (Entry entry : entries) {
      if (entry.name().endsWith(".yaml")) {
        Collectors.read(entry, all, operator);
        continue;
      }
      String key = entry.name() + "\n" + entry.node() + "\n" + new String(entry.open().readAllBytes(), StandardCharsets.UTF_8);
      Ledger own = read.get(key);
      if (own == null) {
        own = new Ledger();
        Collectors.read(entry, own, new OperatorCollector());
        read.put(key, own);
      }
      all.addAll(own);
    }
    return Collectors.settle(Collectors.finish(all, operator));
  }
}
