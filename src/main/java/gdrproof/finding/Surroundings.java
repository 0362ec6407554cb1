package gdrproof.finding;

import gdrproof.facts.Compare.Difference;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Nccl.FirstOfNode;
import gdrproof.facts.Tri;
import gdrproof.finding.Diagnosis.Answer;
import gdrproof.finding.Diagnosis.Cited;
import gdrproof.finding.Diagnosis.Context;
import gdrproof.finding.Diagnosis.Differs;
import gdrproof.finding.Diagnosis.First;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a report says around its answers: who failed first, and what sets nodes apart. */
final class Surroundings {
  private final Ledger ledger;

  Surroundings(Ledger ledger) {
    this.ledger = ledger;
  }

  Context of(List<Answer> causes, List<Answer> open) {
    return new Context(first(), differences(causes, open));
  }

  private List<First> first() {
    return ledger.all(FirstOfNode.class).stream().sorted(Comparator.comparing((FirstOfNode f) -> f.oneClock() != Tri.YES).thenComparing(FirstOfNode::run).thenComparing(FirstOfNode::node))
        .map(f -> new First(f.node(), f.process(), f.rank().toString(), f.time(), f.text(), f.peer(), f.oneClock() == Tri.YES, cite(f))).toList();
  }

  private List<Differs> differences(List<Answer> causes, List<Answer> open) {
    List<Difference> all = ledger.all(Difference.class);
    if (all.isEmpty()) {
      return List.of();
    }
    List<Answer> answers = new ArrayList<>(causes);
    answers.addAll(open);
    Map<Fact, Set<String>> faults = new HashMap<>();
    for (Answer answer : answers) {
      answer.proofs().stream().flatMap(p -> p.facts().stream()).filter(Difference.class::isInstance)
          .forEach(d -> faults.computeIfAbsent(d, f -> new LinkedHashSet<>()).add(answer.fault()));
    }
    List<Differs> differs = new ArrayList<>();
    for (Difference d : all) {
      Set<String> explains = faults.getOrDefault(d, Set.of());
      differs.add(new Differs(d.node(), d.reference(), d.aspect(), d.part(), d.value(), d.other(), List.copyOf(explains), cite(d)));
    }
    differs.sort(Comparator.comparingInt((Differs d) -> rank(d, answers)).thenComparing(Differs::aspect).thenComparing(Differs::part).thenComparing(Differs::node));
    return List.copyOf(differs);
  }

  private static int rank(Differs d, List<Answer> answers) {
    for (int i = 0; i < answers.size(); i++) {
      if (d.explains().contains(answers.get(i).fault())) {
        return i;
      }
    }
    return Integer.MAX_VALUE;
  }

  private List<Cited> cite(Fact fact) {
    return ledger.of(fact).stream().limit(2).map(e -> new Cited(e, fact.toString())).toList();
  }
}
