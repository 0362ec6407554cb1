package gdrproof.finding;

import gdrproof.finding.Conclusion.LayerProof;
import gdrproof.finding.Diagnosis.Answer;
import gdrproof.finding.Diagnosis.Cited;
import gdrproof.finding.Diagnosis.LayerState;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The ladder of a report: per layer the required proof, and whether it is proven, failed or not proven. */
final class Ladder {
  private static final int MOST_CITED = 4;

  List<LayerState> states(List<Derived> conclusions, List<Answer> causes, Function<Proof, List<Cited>> cite) {
    Map<String, Object> policy = Policies.read("layers.yaml");
    List<LayerState> states = new ArrayList<>();
    for (Layer layer : Layer.values()) {
      Map<String, Object> entry = Policies.map(policy.get(layer.toString()));
      if (entry.isEmpty()) {
        continue;
      }
      String requires = String.valueOf(entry.get("proof"));
      List<Answer> failed = causes.stream().filter(c -> c.layer() == layer).toList();
      Set<Cited> cited = new LinkedHashSet<>();
      if (!failed.isEmpty()) {
        failed.forEach(c -> cited.addAll(c.cited()));
        states.add(new LayerState(layer, "failed", requires, cited.stream().limit(MOST_CITED).toList(), List.of()));
        continue;
      }
      conclusions.stream().filter(d -> d.conclusion() instanceof LayerProof p && p.layer() == layer).forEach(d -> cited.addAll(cite.apply(d.proof())));
      if (cited.isEmpty()) {
        states.add(new LayerState(layer, "not-proven", requires, List.of(), Policies.texts(entry.get("measurements"))));
      } else {
        states.add(new LayerState(layer, "proven", requires, cited.stream().limit(MOST_CITED).toList(), List.of()));
      }
    }
    return states;
  }
}
