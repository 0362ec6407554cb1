package gdrproof.finding;

import gdrproof.facts.Bench.RdmaTest;
import gdrproof.facts.Fact;
import gdrproof.facts.Launch.LaunchMessage;
import gdrproof.facts.Ledger;
import gdrproof.facts.Nccl.NcclHca;
import gdrproof.facts.Rdma.RdmaPort;
import gdrproof.finding.Conclusion.Symptom;
import gdrproof.finding.Diagnosis.Answer;
import gdrproof.finding.Diagnosis.Cited;
import gdrproof.finding.Diagnosis.Status;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * What usually stands behind symptoms that nothing in the evidence explains: the heaviest edges of the causality data, with the symptom's next proof. They have no fact
 * of their own, so they come last and are never claimed; without them a proven symptom would end without a question.
 */
final class Candidates {
  private static final Map<String, Object> POLICY = Policies.read("next-proofs.yaml");

  private static final Set<String> LISTED = Policies.map(POLICY.get("causes")).keySet();
  private static final Set<String> RESTATING = Set.copyOf(Policies.texts(POLICY.get("restating")));

  private final Causality causality;
  private final Ledger ledger;

  Candidates(Causality causality, Ledger ledger) {
    this.causality = causality;
    this.ledger = ledger;
  }

  private static final class Candidate {
    private final String fault;
    private final Set<Derived> symptoms = new LinkedHashSet<>();
    /** Measurements of the list of causes; empty where the cause comes from the weights alone. */
    private final Set<String> decide = new LinkedHashSet<>();
    private int weight;

    Candidate(String fault) {
      this.fault = fault;
    }
  }

  /**
   * @param unexplained symptoms that no claim and no hypothesis explains
   * @param answered faults that the report names already
   */
  List<Answer> of(List<Derived> unexplained, List<Derived> exclusions, Set<String> answered, Function<Proof, List<Cited>> cite) {
    int least = ((Number) POLICY.get("least-weight")).intValue();
    int most = ((Number) POLICY.get("most-causes")).intValue();
    Set<String> foreign = foreign();
    Set<String> told = told();
    Map<String, Candidate> candidates = new TreeMap<>();
    for (Derived symptom : unexplained) {
      Symptom s = (Symptom) symptom.conclusion();
      if (told.contains(s.name())) {
        continue;
      }
      for (String fault : causality.faults()) {
        Causality.Edge edge = causality.edge(fault, s.name());
        if (!LISTED.contains(s.name()) && edge != null && edge.weight() >= least && !answered.contains(fault) && !foreign.contains(fault) && exclusions.stream().noneMatch(e -> Exclusions.against(e, fault, s.subject(), () -> Exclusions.runs(symptom)))) {
          Candidate candidate = candidates.computeIfAbsent(fault, Candidate::new);
          if (candidate.symptoms.stream().noneMatch(d -> ((Symptom) d.conclusion()).name().equals(s.name()))) {
            candidate.weight += edge.weight();
          }
          candidate.symptoms.add(symptom);
        }
      }
    }
    List<Candidate> best = new ArrayList<>(candidates.values());
    best.sort(Comparator.<Candidate>comparingInt(c -> -c.weight).thenComparing(c -> causality.layer(c.fault)).thenComparing(c -> c.fault));
    return best.stream().limit(most).map(c -> answer(c, cite)).toList();
  }

  /** Whether a fault only says a symptom in other words, so that the question for its reason stays. */
  static boolean restating(String fault) {
    return RESTATING.contains(fault);
  }

  /**
   * The whole list of causes of symptoms that have one, lowest layer first.
   *
   * @param unsettled symptoms that nothing explains but open hypotheses and faults that say the same in other words
   * @param answered faults that the report names already
   */
  List<Answer> listed(List<Derived> unsettled, List<Derived> exclusions, Set<String> answered, Function<Proof, List<Cited>> cite) {
    Set<String> foreign = foreign();
    Map<String, Candidate> candidates = new TreeMap<>();
    for (Derived symptom : unsettled) {
      Symptom s = (Symptom) symptom.conclusion();
      Policies.map(Policies.map(POLICY.get("causes")).get(s.name())).forEach((fault, measurements) -> {
        boolean excluded = exclusions.stream().anyMatch(e -> Exclusions.against(e, fault, s.subject(), () -> Exclusions.runs(symptom)));
        if (!answered.contains(fault) && !foreign.contains(fault) && !excluded) {
          Candidate candidate = candidates.computeIfAbsent(fault, Candidate::new);
          candidate.symptoms.add(symptom);
          candidate.decide.addAll(Policies.texts(measurements));
        }
      });
    }
    return candidates.values().stream().sorted(Comparator.<Candidate, Layer>comparing(c -> causality.layer(c.fault)).thenComparing(c -> c.fault)).map(c -> answer(c, cite)).toList();
  }

  private Answer answer(Candidate candidate, Function<Proof, List<Cited>> cite) {
    Set<Subject> subjects = new TreeSet<>();
    Set<String> explains = new TreeSet<>();
    Set<String> names = new TreeSet<>();
    Set<String> missing = new LinkedHashSet<>();
    Set<Cited> cited = new LinkedHashSet<>();
    for (Derived symptom : candidate.symptoms) {
      Symptom s = (Symptom) symptom.conclusion();
      subjects.add(s.subject());
      names.add(s.name());
      explains.add(s.name() + ": " + symptom.message());
      missing.addAll(candidate.decide.isEmpty() ? Policies.texts(Policies.map(POLICY.get("proofs")).get(s.name())) : candidate.decide);
      cited.addAll(cite.apply(symptom.proof()));
    }
    Derived first = candidate.symptoms.iterator().next();
    return new Answer(first.rule(), candidate.fault, causality.layer(candidate.fault), Status.OPEN, List.copyOf(subjects),
        candidate.fault + " often stands behind " + String.join(", ", names) + "; nothing in the evidence speaks for or against it", List.copyOf(cited),
        candidate.symptoms.stream().map(Derived::proof).toList(), List.copyOf(explains), List.of(), List.copyOf(missing), 0, first.run());
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
    ledger.all(RdmaTest.class).stream().filter(t -> !t.linkLayer().equals(Fact.UNKNOWN)).forEach(t -> layers.add(t.linkLayer().startsWith("I") ? "InfiniBand" : "Ethernet"));
    ledger.all(NcclHca.class).stream().filter(h -> !h.link().equals(Fact.UNKNOWN)).forEach(h -> layers.add(h.link().equals("RoCE") ? "Ethernet" : "InfiniBand"));
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
