package gdrproof.collect.bench;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Bench.HostPlacement;
import java.util.Arrays;
import java.util.List;

/** Tables that say on which machine a pod runs: a heading with NAME (or POD) and NODE, as kubectl prints and people copy it. */
final class Placements implements Collector {
  @Override
  public String tool() {
    return "kubectl get pods -o custom-columns=NAME:.metadata.name,NODE:.spec.nodeName";
  }

  @Override
  public List<String> hints() {
    return List.of("NODE ", "NODE\t", " NODE", "\tNODE");
  }

  @Override
  public void collect(Section section, Sink sink) {
    for (int i = 0; i < section.lines().size(); i++) {
      List<String> heads = words(section.lines().get(i));
      int name = heads.contains("NAME") ? heads.indexOf("NAME") : heads.indexOf("POD");
      int node = heads.indexOf("NODE");
      if (name < 0 || node < 0 || !heads.stream().allMatch(h -> h.equals(h.toUpperCase(java.util.Locale.ROOT)))) {
        continue;
      }
      for (int j = i + 1; j < section.lines().size(); j++) {
        List<String> cells = words(section.lines().get(j));
        if (cells.size() != heads.size()) {
          // `kubectl -o wide` prints headings of two words, and restarts with a time behind them: not this table.
          break;
        }
        if (!cells.get(node).startsWith("<")) {
          sink.fact(new HostPlacement(Sections.shortName(cells.get(name)), Sections.shortName(cells.get(node))), section.at(j));
        }
      }
    }
  }

  private static List<String> words(String line) {
    return Arrays.stream(line.strip().split("\\s+")).filter(w -> !w.isEmpty()).toList();
  }
}
