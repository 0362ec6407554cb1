package gdrproof.finding;

import gdrproof.facts.Fact;
import gdrproof.finding.Diagnosis.Answer;
import gdrproof.finding.Diagnosis.Ask;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Turns what open hypotheses miss into measurements, cheapest and lowest layer first. */
final class Asking {
  List<Ask> asks(List<Answer> open) {
    Map<String, Object> catalogue = Policies.read("measurements.yaml");
    Map<String, Set<String>> separates = new TreeMap<>();
    Map<String, Set<String>> on = new TreeMap<>();
    for (Answer answer : open) {
      for (String measurement : answer.missing()) {
        separates.computeIfAbsent(measurement, m -> new TreeSet<>()).add(answer.fault());
        answer.subjects().stream().map(Subject::node).filter(n -> !n.equals(Fact.UNKNOWN)).forEach(
            n -> on.computeIfAbsent(measurement, m -> new TreeSet<>()).add(n));
      }
    }
    record Sorted(Ask ask, int cost, int weight, Layer layer) {}
    List<Sorted> asks = new ArrayList<>();
    separates.forEach((measurement, faults) -> {
      Map<String, Object> entry = Policies.map(catalogue.get(measurement));
      if (entry.isEmpty()) {
        throw new IllegalStateException("policies/measurements.yaml has no entry " + measurement);
      }
      String cost = String.valueOf(entry.get("cost"));
      asks.add(new Sorted(new Ask(measurement, String.valueOf(entry.get("command")), List.copyOf(on.getOrDefault(measurement, Set.of())), cost,
          List.copyOf(faults), String.valueOf(entry.get("proves"))), cost.equals("read-only") ? 0 : 1, faults.size(),
          Layer.parse(String.valueOf(entry.get("layer")))));
    });
    asks.sort(Comparator.comparingInt(Sorted::cost).thenComparing(Sorted::weight, Comparator.reverseOrder()).thenComparing(Sorted::layer)
        .thenComparing(s -> s.ask().measurement()));
    return asks.stream().map(Sorted::ask).toList();
  }
}
