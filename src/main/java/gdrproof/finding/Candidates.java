package gdrproof.finding;

import gdrproof.facts.Launch.LaunchMessage;
import gdrproof.facts.Ledger;
import gdrproof.facts.Rdma.RdmaPort;
import gdrproof.finding.Conclusion.Symptom;
import gdrproof.finding.Diagnosis.Answer;
import gdrproof.finding.Diagnosis.Cited;
import gdrproof.finding.Diagnosis.Status;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * What can stand behind symptoms that nothing in the evidence explains: the row of the symptom table, each cause with the measurement that decides; for a symptom without a
 * row the heaviest edges of the causality data. They have no fact of their own, so they come last and are never claimed; without them a proven symptom would end without a
 * question.
 */
final class Candidates {
  private static final Map<String, Object> POLICY = Policies.read("next-proofs.yaml");

  private final Causality causality;
  private final Ledger ledger;

  Candidates(Causality causality, Ledger ledger) {
    this.causality = causality;
    this.ledger = ledger;
  }

  private static final class Candidate {
    private final String fault;
    private final Set<Derived> symptoms = new LinkedHashSet<>();
    private final Set<String> asks = new LinkedHashSet<>();
    private int weight;

    Candidate(String fault) {
      this.fault = fault;
    }
  }

  /** Whether a fault only says the symptom again. */
  static boolean restates(String fault, String symptom) {
    return Policies.texts(Policies.map(POLICY.get("restates")).get(fault)).contains(symptom);
  }

  /**
   * @param unexplained symptoms that no claim and no hypothesis explains
   * @param unsettled symptoms that nothing explains but open hypotheses and faults that say the same in other words; those of the table get its row
   * @param answered faults that the report names already
   * @param guest whether a node of the bundle is a virtual machine
   */
  List<Answer> of(List<Derived> unexplained, List<Derived> unsettled, List<Derived> exclusions, Set<String> answered, boolean guest, Function<Proof, List<Cited>> cite) {
    Set<String> told = told();
    Set<String> foreign = foreign();
    foreign.addAll(Policies.texts(POLICY.get(guest ? "metal" : "guest")));
    foreign.addAll(answered);
    List<Answer> answers = new ArrayList<>(table(unsettled.stream().filter(s -> !told.contains(((Symptom) s.conclusion()).name())).toList(), exclusions, foreign).stream().map(c -> answer(c, cite)).toList());
    answers.forEach(a -> foreign.add(a.fault()));
    List<Derived> rest = unexplained.stream().filter(s -> row(s).isEmpty() && !told.contains(((Symptom) s.conclusion()).name())).toList();
    answers.addAll(usual(rest, exclusions, foreign).stream().map(c -> answer(c, cite)).toList());
    return answers;
  }

  private static Map<String, Object> row(Derived symptom) {
    Map<String, Object> table = Policies.map(POLICY.get("causes"));
    String name = ((Symptom) symptom.conclusion()).name();
    return Policies.map(table.getOrDefault(name + " " + symptom.rule().code(), table.get(name)));
  }

  private List<Candidate> table(List<Derived> unsettled, List<Derived> exclusions, Set<String> not) {
    Set<String> wider = new TreeSet<>();
    Set<String> names = new TreeSet<>();
    unsettled.forEach(s -> names.add(((Symptom) s.conclusion()).name()));
    Policies.map(POLICY.get("narrower")).forEach((narrow, wide) -> wider.addAll(names.contains(narrow) ? Policies.texts(wide) : List.of()));
    Map<String, Candidate> candidates = new LinkedHashMap<>();
    for (Derived symptom : unsettled) {
      if (!wider.contains(((Symptom) symptom.conclusion()).name())) {
        row(symptom).forEach((fault, asks) -> {
          if (!not.contains(fault) && !excluded(exclusions, fault, symptom)) {
            Candidate candidate = candidates.computeIfAbsent(fault, Candidate::new);
            candidate.asks.addAll(Policies.texts(asks));
            candidate.symptoms.add(symptom);
          }
        });
      }
    }
    List<Candidate> all = new ArrayList<>(candidates.values());
    if (candidates.values().stream().flatMap(c -> c.symptoms.stream()).map(d -> ((Symptom) d.conclusion()).name()).distinct().count() > 1) {
      all.sort(Comparator.<Candidate, Layer>comparing(c -> causality.layer(c.fault)).thenComparing(c -> c.fault));
    }
    return all;
  }

  private static boolean excluded(List<Derived> exclusions, String fault, Derived symptom) {
    return exclusions.stream().anyMatch(e -> Exclusions.against(e, fault, symptom.conclusion().subject(), () -> Exclusions.runs(symptom)));
  }

  private List<Candidate> usual(List<Derived> unexplained, List<Derived> exclusions, Set<String> not) {
    int least = ((Number) POLICY.get("least-weight")).intValue();
    int most = ((Number) POLICY.get("most-causes")).intValue();
    Map<String, Candidate> candidates = new TreeMap<>();
    for (Derived symptom : unexplained) {
      Symptom s = (Symptom) symptom.conclusion();
      for (String fault : causality.faults()) {
        Causality.Edge edge = causality.edge(fault, s.name());
        if (edge != null && edge.weight() >= least && !not.contains(fault) && !excluded(exclusions, fault, symptom)) {
          Candidate candidate = candidates.computeIfAbsent(fault, Candidate::new);
          if (candidate.symptoms.stream().noneMatch(d -> ((Symptom) d.conclusion()).name().equals(s.name()))) {
            candidate.weight += edge.weight();
          }
          candidate.asks.addAll(Policies.texts(Policies.map(POLICY.get("proofs")).get(s.name())));
          candidate.symptoms.add(symptom);
        }
      }
    }
    List<Candidate> best = new ArrayList<>(candidates.values());
    best.sort(Comparator.<Candidate>comparingInt(c -> -c.weight).thenComparing(c -> causality.layer(c.fault)).thenComparing(c -> c.fault));
    return best.stream().limit(most).toList();
  }

  private Answer answer(Candidate candidate, Function<Proof, List<Cited>> cite) {
    Set<Subject> subjects = new TreeSet<>();
    Set<String> explains = new TreeSet<>();
    Set<String> names = new TreeSet<>();
    Set<Cited> cited = new LinkedHashSet<>();
    for (Derived symptom : candidate.symptoms) {
      Symptom s = (Symptom) symptom.conclusion();
      subjects.add(s.subject());
      names.add(s.name());
      explains.add(s.name() + ": " + symptom.message());
      cited.addAll(cite.apply(symptom.proof()));
    }
    Derived first = candidate.symptoms.iterator().next();
    return new Answer(first.rule(), candidate.fault, causality.layer(candidate.fault), Status.OPEN, List.copyOf(subjects),
        candidate.fault + " can stand behind " + String.join(", ", names) + "; nothing in the evidence speaks for or against it", List.copyOf(cited),
        candidate.symptoms.stream().map(Derived::proof).toList(), List.copyOf(explains), List.of(), List.copyOf(candidate.asks), 0, first.run());
  }

  /** Symptoms of which a launcher's line tells how they came about. */
  private Set<String> told() {
    Set<String> ids = new TreeSet<>();
    ledger.all(LaunchMessage.class).forEach(m -> ids.add(m.id()));
    Set<String> told = new TreeSet<>();
    Policies.map(POLICY.get("told-by")).forEach((symptom, by) -> {
      if (Policies.texts(by).stream().anyMatch(ids::contains)) {
        told.add(symptom);
      }
    });
    return told;
  }

  /** Faults of fabrics that the ports at hand are not of; empty where no port is known. */
  private Set<String> foreign() {
    Set<String> layers = new TreeSet<>();
    ledger.all(RdmaPort.class).forEach(p -> layers.add(p.linkLayer()));
    Set<String> foreign = new TreeSet<>();
    Policies.map(POLICY.get("only-on")).forEach((fabric, faults) -> {
      boolean here = fabric.equals("RoCE") ? layers.contains("Ethernet") : fabric.equals("InfiniBand") ? layers.contains("InfiniBand") : layers.isEmpty();
      if (!layers.isEmpty() && !here) {
        foreign.addAll(Policies.texts(faults));
      }
    });
    return foreign;
  }
}
