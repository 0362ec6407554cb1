package gdrproof.finding;

import gdrproof.facts.Ledger;
import gdrproof.facts.Measure.RunSummary;
import gdrproof.facts.Num;
import gdrproof.finding.Diagnosis.Answer;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a later bundle shows that an earlier one did not, or does less well. */
final class Worse {
  private final Ledger before;
  private final Ledger after;

  Worse(Ledger before, Ledger after) {
    this.before = before;
    this.after = after;
  }

  List<String> of(Diagnosis earlier, Diagnosis later) {
    Set<String> known = Stream.of(earlier.causes(), earlier.observations(), earlier.open()).flatMap(List::stream).map(Answer::fault).collect(Collectors.toSet());
    Set<String> symptoms = earlier.symptoms().stream().map(Answer::fault).collect(Collectors.toSet());
    List<String> worse = new ArrayList<>();
    later.causes().stream().filter(a -> !known.contains(a.fault())).forEach(a -> worse.add("new cause " + a.fault() + ": " + a.message()));
    later.symptoms().stream().filter(a -> !symptoms.contains(a.fault())).forEach(a -> worse.add("new symptom " + a.fault() + ": " + a.message()));
    CauseCheck.fallen(earlier, later).forEach(worse::add);
    worse.addAll(slower());
    return worse;
  }

  private List<String> slower() {
    double limit = Policies.settings().stream().filter(s -> s.key().equals("changed.ratio")).findFirst().orElseThrow().value().value();
    List<String> slower = new ArrayList<>();
    for (RunSummary now : after.all(RunSummary.class)) {
      before.all(RunSummary.class).stream()
          .filter(b -> b.collective().equals(now.collective()) && b.ranks().equals(now.ranks()) && b.nodes().equals(now.nodes()) && b.topBytes().equals(now.topBytes()))
          .map(RunSummary::plateauGBps).filter(Num::known).max(Num::compareTo).filter(b -> now.plateauGBps().over(b).below(limit))
          .ifPresent(b -> slower.add(now.collective() + " of " + now.ranks() + " ranks settles at " + now.plateauGBps() + " GB/s, before at " + b));
    }
    return slower;
  }
}
