package gdrproof.accept;

import gdrproof.accept.Samples.Key;
import gdrproof.accept.Samples.Value;
import gdrproof.facts.Fact;
import gdrproof.facts.Gate.MatrixRow;
import gdrproof.facts.Gate.MissingFile;
import gdrproof.facts.Gate.TopologyClass;
import gdrproof.facts.Gate.Undertaking;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Unread;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Adds what acceptance needs to the facts of a bundle: scope, matrix, class, distributions, and the comparison with a baseline. */
public final class GateFacts {
  private GateFacts() {}

  /** Files that a lifecycle form names and that nothing in the bundle comes from, not even a remark that it was not read. */
  private static void missingFiles(Ledger ledger) {
    Set<String> files = new HashSet<>();
    ledger.forEach((fact, sources) -> {
      sources.forEach(s -> files.add(s.file()));
      if (fact instanceof Unread unread) {
        files.add(unread.file());
      }
    });
    for (Undertaking entry : ledger.all(Undertaking.class)) {
      for (String file : entry.files()) {
        String path = file.endsWith("/") ? file.substring(0, file.length() - 1) : file;
        if (files.stream().noneMatch(f -> f.equals(path) || f.endsWith("/" + path) || f.startsWith(path + "/"))) {
          ledger.add(new MissingFile(Fact.UNKNOWN, entry.kind(), file), List.copyOf(ledger.of(entry)));
        }
      }
    }
  }

  public static void derive(Ledger ledger, Optional<FabricBaseline> baseline) {
    missingFiles(ledger);
    Scopes.derive(ledger);
    List<MatrixRow> rows = Matrix.derive(ledger);
    TopologyClass here = TopologyClasses.derive(ledger);
    Map<Key, List<Value>> samples = Samples.of(ledger, rows);
    Distributions.derive(ledger, samples);
    baseline.ifPresent(b -> new BaselineCompare(ledger, b).derive(here, samples));
  }
}
