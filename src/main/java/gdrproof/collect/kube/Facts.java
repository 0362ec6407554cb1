package gdrproof.collect.kube;

import gdrproof.bundle.Value;
import gdrproof.bundle.Yaml.Document;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import java.util.function.BiConsumer;

/** Where manifest readers put facts: a fact and the value whose place is its evidence. */
final class Facts {
  private final BiConsumer<Fact, Evidence> target;

  Facts(BiConsumer<Fact, Evidence> target) {
    this.target = target;
  }

  /** At the value itself if it is a scalar, else at its key (for a list's item: its first key). */
  void add(Fact fact, Document document, Value at) {
    target.accept(fact, document.at(at));
  }

  /** At the key that holds the value. */
  void addAtKey(Fact fact, Document document, Value at) {
    target.accept(fact, document.atKey(at));
  }

  void add(Fact fact, Evidence evidence) {
    target.accept(fact, evidence);
  }
}
