package gdrproof.collect.measure;

import gdrproof.facts.Bench.GpuMatrixCell;
import gdrproof.facts.Evidence;
import gdrproof.facts.Ledger;
import gdrproof.facts.Measure.Contrast;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Sets what GPUs get when they copy at the same time against what each gets alone. */
final class Together {
  private static final String METRIC = "copies at the same time";

  private record SetOf(String gpus, int size, Num least, Num alone, Num ratio, List<Evidence> sources) {}

  private Together() {}

  static void derive(Ledger ledger, Limits limits) {
    Map<String, List<GpuMatrixCell>> tables = ledger.all(GpuMatrixCell.class).stream().filter(c -> c.metric().equals(METRIC) && c.value().above(0))
        .collect(Collectors.groupingBy(c -> c.node() + " " + c.table(), TreeMap::new, Collectors.toList()));
    tables.values().forEach(cells -> table(cells, ledger, limits));
  }

  private static void table(List<GpuMatrixCell> cells, Ledger ledger, Limits limits) {
    Map<String, GpuMatrixCell> alone = new TreeMap<>();
    Map<String, List<GpuMatrixCell>> sets = new TreeMap<>();
    cells.forEach(c -> {
      if (c.from().indexOf(',') < 0) {
        alone.put(c.to(), c);
      } else {
        sets.computeIfAbsent(c.from(), s -> new ArrayList<>()).add(c);
      }
    });
    Optional<GpuMatrixCell> best = alone.values().stream().max(Comparator.comparing(GpuMatrixCell::value));
    if (best.isEmpty()) {
      return;
    }
    List<SetOf> measured = new ArrayList<>();
    sets.forEach((gpus, own) -> {
      SetOf worst = null;
      for (GpuMatrixCell cell : own) {
        GpuMatrixCell single = alone.getOrDefault(cell.to(), best.get());
        Num ratio = cell.value().over(single.value());
        if (worst == null || ratio.below(worst.ratio().value())) {
          TreeSet<Evidence> sources = new TreeSet<>(ledger.of(cell));
          sources.addAll(ledger.of(single));
          worst = new SetOf(gpus, gpus.split(",").length, cell.value(), single.value(), ratio.rounded(), List.copyOf(sources));
        }
      }
      measured.add(worst);
    });
    Optional<SetOf> slow = measured.stream().filter(s -> s.ratio().below(limits.slowSibling())).min(Comparator.comparingInt(SetOf::size).thenComparing(SetOf::ratio).thenComparing(SetOf::gpus));
    slow.ifPresent(s -> {
      String node = cells.get(0).node();
      ledger.add(new Contrast(node, "gpus-together", "GPUs " + s.gpus() + " at the same time", s.gpus(), s.least(), "one GPU alone", s.alone(), s.ratio()), s.sources());
      measured.stream().filter(o -> o.size() == s.size() && s.ratio().over(o.ratio()).below(limits.slowSibling())).max(Comparator.comparing(SetOf::ratio)).ifPresent(o -> ledger.add(
          new Contrast(node, "gpus-apart", "GPUs " + s.gpus() + " against GPUs " + o.gpus(), s.gpus(), s.least(), o.gpus(), o.least(), s.least().over(o.least()).rounded()), o.sources()));
    });
  }
}
