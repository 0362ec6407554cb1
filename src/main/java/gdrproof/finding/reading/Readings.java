package gdrproof.finding.reading;

import gdrproof.facts.Bench.NcclTestRow;
import gdrproof.facts.Bench.NcclTestSummary;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Gate.MatrixRow;
import gdrproof.facts.Ledger;
import gdrproof.facts.Measure.RunSummary;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import gdrproof.finding.Diagnosis.Answer;
import gdrproof.finding.Diagnosis.Cited;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;

/** Reads every benchmark run of a bundle against what its hardware allows. */
public final class Readings {
  private final Ledger ledger;
  private final Hardware hardware;
  private final Overheads overheads = new Overheads();
  private final Map<String, String> roles = new TreeMap<>();
  private final Map<String, TreeMap<Double, Double>> times = new TreeMap<>();
  private final Map<String, TreeMap<Double, Double>> rates = new TreeMap<>();
  private final Map<String, Num> averages = new TreeMap<>();
  private final List<Answer> causes;

  private Readings(Ledger ledger, List<Answer> causes) {
    this.ledger = ledger;
    this.hardware = new Hardware(ledger);
    this.causes = causes;
    for (Fact fact : ledger.facts()) {
      if (fact instanceof MatrixRow row) {
        roles.put(row.run(), row.role());
      } else if (fact instanceof NcclTestSummary footer && footer.avgBusbwGBps().known()) {
        averages.put(footer.run(), footer.avgBusbwGBps());
      } else if (fact instanceof NcclTestRow row && row.bytes().above(0) && row.timeUs().above(0)) {
        times.computeIfAbsent(row.run(), r -> new TreeMap<>()).merge(row.bytes().value(), row.timeUs().value(), Math::min);
        rates.computeIfAbsent(row.run(), r -> new TreeMap<>()).merge(row.bytes().value(), row.busbwGBps().value(), Math::max);
      }
    }
  }

  /**
   * One reading for each run with a plateau, in the order of their names.
   *
   * @param causes of the diagnosis, which losses are tied to; empty where there is none
   */
  public static List<Reading> of(Ledger ledger, List<Answer> causes) {
    Readings readings = new Readings(ledger, causes);
    List<Reading> all = new ArrayList<>();
    ledger.all(RunSummary.class).stream().filter(r -> r.plateauGBps().known()).sorted(java.util.Comparator.comparing(RunSummary::run)).forEach(r -> all.add(readings.read(r)));
    return all;
  }

  private Reading read(RunSummary run) {
    Waterfall waterfall = new Waterfall(run, hardware, overheads, roles.getOrDefault(run.run(), Fact.UNKNOWN), overhead(run), causes);
    Num expected = waterfall.expected();
    List<Cited> cited = evidence(run);
    return new Reading(run.run(), run.collective(), run.ranks(), run.nodes(), run.plateauGBps(), run.algbwGBps(), run.plateauBytes(), factor(run), half(run), waterfall.parts(),
        waterfall.limiting(), expected.rounded(), run.plateauGBps().over(expected).rounded(), !expected.known() || run.plateauGBps().over(expected).atLeast(overheads.reached()), waterfall.steps(), notes(run, waterfall), cited);
  }

  private List<Cited> evidence(RunSummary run) {
    SortedSet<Evidence> sources = ledger.of(run);
    return sources.isEmpty() ? List.of() : List.of(new Cited(sources.first(), run.collective() + " plateau " + run.plateauGBps() + " GB/s"));
  }

  private static String factor(RunSummary run) {
    String n = run.ranks().known() ? run.ranks().toString() : "n";
    if (!run.ranks().atLeast(2) || run.collective().equals(Fact.UNKNOWN)) {
      return "not told: collective or ranks are not in the evidence";
    }
    double factor = gdrproof.facts.BusFactor.of(run.collective(), (int) run.ranks().value());
    String formula = run.collective().equals("all_reduce") ? "2(n-1)/n" : factor < 1 ? "(n-1)/n" : "1";
    return "busbw = algbw x " + formula + " = algbw x " + Num.of(Math.round(factor * 10_000) / 10_000.0) + " for " + n + " ranks";
  }

  /** Time that an operation takes whatever its size, us, from the two smallest sizes; unknown with fewer. */
  private Num overhead(RunSummary run) {
    TreeMap<Double, Double> curve = times.getOrDefault(run.run(), new TreeMap<>());
    if (curve.size() < 3) {
      return Num.UNKNOWN;
    }
    double s1 = curve.firstKey();
    double s2 = curve.higherKey(s1);
    double slope = (curve.get(s2) - curve.get(s1)) / (s2 - s1);
    double fixed = Math.max(0, Math.min(curve.get(s1), curve.get(s1) - slope * s1));
    Double at = curve.lastEntry().getValue();
    return Num.of(fixed / at);
  }

  /** Smallest size from which on the curve stays above half of the plateau. */
  private Num half(RunSummary run) {
    for (Map.Entry<Double, Double> row : rates.getOrDefault(run.run(), new TreeMap<>()).entrySet()) {
      if (row.getValue() >= run.plateauGBps().value() / 2) {
        return Num.of(row.getKey());
      }
    }
    return Num.UNKNOWN;
  }

  private List<String> notes(RunSummary run, Waterfall waterfall) {
    List<String> notes = new ArrayList<>();
    if (run.flat() == Tri.NO) {
      notes.add("the curve still rises at its largest size, so the plateau is not reached; measure larger messages");
    } else if (run.flat() == Tri.UNKNOWN) {
      notes.add("too few large sizes to tell a plateau from one peak");
    }
    if (run.oneNode()) {
      notes.add("one node: the network takes no part, so compare it with nothing measured over the network");
    }
    Num average = averages.getOrDefault(run.run(), Num.UNKNOWN);
    if (average.known() && average.over(run.plateauGBps()).below(1 - overheads.noise())) {
      notes.add("the average of the sweep (" + average.rounded() + " GB/s) mixes small messages in and is not the plateau");
    }
    if (!run.dips().isEmpty()) {
      notes.add("sizes inside the plateau fall out of it: " + String.join(", ", run.dips()));
    }
    if (run.correctness().equals("unchecked") || run.correctness().equals(Fact.UNKNOWN)) {
      notes.add("results were not checked, so the figure proves no correct transfer");
    } else if (run.correctness().equals("wrong")) {
      notes.add("results were wrong: the figure counts for nothing");
    }
    notes.addAll(waterfall.notes());
    return notes;
  }
}
