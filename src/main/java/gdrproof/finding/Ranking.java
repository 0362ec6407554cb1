package gdrproof.finding;

import gdrproof.facts.Bench.NcclTestRow;
import gdrproof.facts.Bench.RdmaTestRow;
import gdrproof.facts.Bench.StatedFigures;
import gdrproof.facts.Bench.TableResult;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta;
import gdrproof.facts.Meta.Unread;
import gdrproof.facts.Nccl.FirstFailure;
import gdrproof.facts.RunFact;
import gdrproof.finding.Conclusion.Cause;
import gdrproof.finding.Conclusion.Exclusion;
import gdrproof.finding.Conclusion.Hypothesis;
import gdrproof.finding.Conclusion.Symptom;
import gdrproof.finding.Diagnosis.Answer;
import gdrproof.finding.Diagnosis.Cited;
import gdrproof.finding.Diagnosis.Outcome;
import gdrproof.finding.Diagnosis.Status;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * From conclusions to a ranked answer (design section 6): status, folding along the causality data, what is open, what is
 * ruled out, what is merely observed. Pure: the same conclusions give the same answer.
 */
public final class Ranking {
  /** Lines of evidence shown for one answer. */
  private static final int MOST_CITED = 12;

  private final Ledger ledger;
  private final Causality causality;

  public Ranking(Ledger ledger, Causality causality) {
    this.ledger = ledger;
    this.causality = causality;
  }

  /** All conclusions of one fault (or symptom) that one report entry stands for. */
  private static final class Group {
    final String fault;
    final Layer layer;
    final List<Derived> members = new ArrayList<>();
    final List<Derived> against = new ArrayList<>();
    final Map<Derived, Causality.Edge> symptoms = new LinkedHashMap<>();
    final Set<Group> folded = new LinkedHashSet<>();
    Status status = Status.OPEN;
    int decisive;
    boolean proven;

    Group(String fault, Layer layer) {
      this.fault = fault;
      this.layer = layer;
    }

    Collection<Subject> subjects() {
      Set<Subject> subjects = new TreeSet<>();
      members.forEach(m -> subjects.add(m.conclusion().subject()));
      return subjects;
    }

    private Places places;

    /** Asked when all members are there. */
    boolean related(Subject subject) {
      if (places == null) {
        places = new Places();
        subjects().forEach(places::add);
      }
      return places.related(subject);
    }

    int weight() {
      return symptoms.values().stream().mapToInt(Causality.Edge::weight).max().orElse(0);
    }
  }

  public Diagnosis rank(List<Derived> conclusions, List<String> failures) {
    List<Derived> symptoms = conclusions.stream().filter(d -> d.conclusion() instanceof Symptom).toList();
    List<Derived> exclusions = conclusions.stream().filter(d -> d.conclusion() instanceof Exclusion).toList();
    List<Group> proven = new ArrayList<>();
    List<Group> open = new ArrayList<>();
    gather(conclusions, exclusions, symptoms, proven, open);

    for (Group group : proven) {
      explain(group, symptoms);
    }
    for (Group group : open) {
      explain(group, symptoms);
    }
    boolean hasRun = !symptoms.isEmpty() || ledger.facts().stream().anyMatch(RunFact.class::isInstance);
    List<Group> causes = new ArrayList<>();
    List<Group> observations = new ArrayList<>();
    for (Group group : proven) {
      group.status = Status.PROVEN;
      (group.symptoms.isEmpty() && (hasRun || causality.observation(group.fault)) && !explainsOther(group, proven) ? observations : causes).add(group);
    }
    if (symptoms.isEmpty()) {
      // Nothing is felt yet: a proven error on what the job uses is still what the user must know first.
      latent(observations, causes);
    }
    promote(open, causes);
    fold(causes);
    fold(observations, causes);
    causes.sort(order());
    Set<Derived> explained = new LinkedHashSet<>();
    causes.forEach(c -> explained.addAll(c.symptoms.keySet()));
    // What a cause already explains needs no second explanation; hypotheses of faults already claimed are no news.
    open.removeIf(h -> causes.stream().anyMatch(c -> c.fault.equals(h.fault)));
    // A mere possibility that would explain nothing at hand is noise beside a run that shows no such symptom.
    open.removeIf(h -> hasRun && h.decisive == 0 && h.symptoms.isEmpty());
    // ... but a deeper reason for a claimed fault is news: it is what the user asks next.
    open.removeIf(h -> !h.symptoms.isEmpty() && explained.containsAll(h.symptoms.keySet()) && causes.stream().anyMatch(c -> c.status == Status.PROVEN)
        && causes.stream().noneMatch(c -> leads(h, c) && !leads(c, h)));
    open.sort(order());

    List<Answer> ruledOut = new ArrayList<>();
    Map<String, List<Derived>> byFault = new TreeMap<>();
    for (Derived exclusion : exclusions) {
      String fault = ((Exclusion) exclusion.conclusion()).fault();
      if (causes.stream().noneMatch(c -> c.fault.equals(fault)) && open.stream().noneMatch(o -> o.fault.equals(fault))) {
        byFault.computeIfAbsent(fault, f -> new ArrayList<>()).add(exclusion);
      }
    }
    byFault.forEach((fault, list) -> ruledOut.add(answer(fault, causality.layer(fault), Status.OPEN, list, List.of(), List.of(), List.of(), 0)));

    List<Answer> causeAnswers = causes.stream().map(this::answer).toList();
    List<Answer> openAnswers = new ArrayList<>(open.stream().map(this::answer).toList());
    open.forEach(o -> explained.addAll(o.symptoms.keySet()));
    Set<String> answered = new TreeSet<>();
    causes.forEach(c -> {
      answered.add(c.fault);
      c.folded.forEach(f -> answered.add(f.fault));
    });
    open.forEach(o -> answered.add(o.fault));
    // One symptom of a kind that is explained settles those like it: pairs, rails and nodes beside it are asked about when that one is mended.
    Set<String> settled = new TreeSet<>();
    causes.forEach(c -> c.symptoms.keySet().stream().filter(s -> settles(c, s)).forEach(s -> settled.add(((Symptom) s.conclusion()).name())));
    List<Derived> unsettled = symptoms.stream().filter(s -> !settled.contains(((Symptom) s.conclusion()).name())).toList();
    boolean guest = conclusions.stream().anyMatch(d -> d.conclusion() instanceof Conclusion.Signal signal && signal.name().equals("virtual-machine"));
    openAnswers.addAll(new Candidates(causality, ledger).of(symptoms.stream().filter(s -> !explained.contains(s)).toList(), unsettled, exclusions, answered, guest, this::cite));
    // A likely cause is not settled either: what it misses is asked too.
    List<Answer> asked = new ArrayList<>(causeAnswers.stream().filter(c -> c.status() == Status.LIKELY).toList());
    asked.addAll(openAnswers);
    List<Unread> unread = ledger.all(Unread.class);
    List<Diagnosis.LayerState> layers = new Ladder().states(conclusions, causeAnswers, this::cite);
    boolean calm = openAnswers.isEmpty() && symptoms.isEmpty() && examined() && !disturbed(observations, unread, layers);
    Outcome outcome = !causes.isEmpty() ? Outcome.FAULT_FOUND : calm ? Outcome.NO_FAULT_FOUND : Outcome.INCONCLUSIVE;
    return new Diagnosis(outcome, causeAnswers, openAnswers, observations.stream().map(this::answer).toList(), symptomAnswers(symptoms),
        layers, ruledOut, new Asking(ledger::unsorted).asks(asked, outcome == Outcome.INCONCLUSIVE ? layers : List.of()), unread, failures, List.of(), new Surroundings(ledger).of(causeAnswers, openAnswers));
  }

  /**
   * Whether something keeps "no fault found" from being said: a warning of NCCL that the catalogue does not know, a proven error that explains no symptom, or parts that
   * could not be read while no layer is proven by what could.
   */
  private boolean disturbed(List<Group> observations, List<Unread> unread, List<Diagnosis.LayerState> layers) {
    boolean unknown = ledger.all(FirstFailure.class).stream().anyMatch(f -> f.id().equals("uncatalogued"));
    boolean error = observations.stream().flatMap(o -> o.members.stream()).anyMatch(d -> d.rule().severity() == Severity.ERROR);
    return unknown || error || !unread.isEmpty() && layers.stream().noneMatch(l -> l.verdict().equals("proven"));
  }

  /** Whether anything was read at all: an empty bundle is no healthy one. */
  private boolean examined() {
    return ledger.facts().stream().anyMatch(Meta::tells);
  }

  private void gather(List<Derived> conclusions, List<Derived> exclusions, List<Derived> symptoms, List<Group> proven, List<Group> open) {
    Map<String, Group> causes = new TreeMap<>();
    Map<String, Group> hypotheses = new TreeMap<>();
    Map<String, List<Derived>> against = new TreeMap<>();
    Map<String, Places> excluded = new TreeMap<>();
    exclusions.forEach(e -> {
      against.computeIfAbsent(((Exclusion) e.conclusion()).fault(), f -> new ArrayList<>()).add(e);
      excluded.computeIfAbsent(((Exclusion) e.conclusion()).fault(), f -> new Places()).add(e.conclusion().subject());
    });
    for (Derived derived : conclusions) {
      if (derived.conclusion() instanceof Cause cause) {
        Layer layer = layer(derived, cause.fault());
        boolean contradicted = excluded.containsKey(cause.fault()) && excluded.get(cause.fault()).related(cause.subject())
            && against.get(cause.fault()).stream().anyMatch(e -> excludes(e, derived, cause.fault(), symptoms));
        Map<String, Group> into = contradicted ? hypotheses : causes;
        Group group = into.computeIfAbsent(cause.fault(), f -> new Group(f, layer));
        group.members.add(derived);
        group.proven |= !contradicted;
        group.decisive = Math.max(group.decisive, contradicted ? 1 : 3);
        if (contradicted && group.against.size() < MOST_CITED) {
          against.get(cause.fault()).stream().filter(e -> excludes(e, derived, cause.fault(), symptoms)).limit(MOST_CITED).forEach(group.against::add);
        }
      } else if (derived.conclusion() instanceof Hypothesis hypothesis) {
        if (excluded.containsKey(hypothesis.fault()) && excluded.get(hypothesis.fault()).related(hypothesis.subject())
            && against.get(hypothesis.fault()).stream().anyMatch(e -> excludes(e, derived, hypothesis.fault(), symptoms))) {
          continue;
        }
        Group group = hypotheses.computeIfAbsent(hypothesis.fault(), f -> new Group(f, layer(derived, hypothesis.fault())));
        group.members.add(derived);
        group.decisive = Math.max(group.decisive, hypothesis.decisive());
      }
    }
    causes.keySet().forEach(hypotheses::remove);
    proven.addAll(causes.values());
    open.addAll(hypotheses.values());
  }

  private Layer layer(Derived derived, String fault) {
    return derived.rule().layer().isEmpty() ? causality.layer(fault) : Layer.parse(derived.rule().layer());
  }

  /** A fault of one run is about that run; one of no run is about the runs whose symptoms it can explain. */
  private boolean excludes(Derived exclusion, Derived conclusion, String fault, List<Derived> symptoms) {
    Subject subject = conclusion.conclusion().subject();
    return Exclusions.against(exclusion, fault, subject, () -> {
      List<String> own = Exclusions.runs(conclusion);
      return !own.isEmpty() ? own : symptoms.stream().filter(s -> !s.run().equals(Fact.UNKNOWN)
          && causality.path(fault, ((Symptom) s.conclusion()).name(), subject.related(s.conclusion().subject())) != null).map(Derived::run).distinct().toList();
    });
  }

  private void explain(Group group, List<Derived> symptoms) {
    // A job of thousands of ranks has as many symptoms of few names: the way to each name is sought once.
    Map<String, java.util.Optional<Causality.Edge>> near = new java.util.HashMap<>();
    Map<String, java.util.Optional<Causality.Edge>> far = new java.util.HashMap<>();
    for (Derived symptom : symptoms) {
      Symptom s = (Symptom) symptom.conclusion();
      java.util.Optional<Causality.Edge> edge = near.computeIfAbsent(s.name(), n -> java.util.Optional.ofNullable(causality.path(group.fault, n, true)));
      if (edge.isPresent() && !group.related(s.subject())) {
        edge = far.computeIfAbsent(s.name(), n -> java.util.Optional.ofNullable(causality.path(group.fault, n, false)));
      }
      edge.ifPresent(e -> group.symptoms.put(symptom, e));
    }
  }

  /** Whether an answer gives the reason of a symptom, and does not only say it again. */
  private static boolean settles(Group group, Derived symptom) {
    return group.symptoms.containsKey(symptom) && !Candidates.restates(group.fault, ((Symptom) symptom.conclusion()).name());
  }

  /** A fault that explains no symptom itself is still a cause when it explains a fault that does. */
  private boolean explainsOther(Group group, List<Group> all) {
    return all.stream().anyMatch(other -> other != group && !other.symptoms.isEmpty() && leads(group, other));
  }

  /** Whether a symptom that one explains is what the other only tells the outcome of. */
  private boolean echoes(Group from, Group to) {
    return from.symptoms.keySet().stream().anyMatch(s -> causality.through(((Symptom) s.conclusion()).name(), to.fault) && to.related(s.conclusion().subject()));
  }

  private boolean leads(Group from, Group to) {
    boolean related = to.members.stream().anyMatch(m -> from.related(m.conclusion().subject()));
    return !from.fault.equals(to.fault) && (causality.path(from.fault, to.fault, related) != null || echoes(from, to));
  }

  /** Moves proven errors from the observations to the causes; where no figure tells how fast a run was, also what makes one slow. */
  private void latent(List<Group> observations, List<Group> causes) {
    boolean measured = ledger.facts().stream().anyMatch(f -> f instanceof NcclTestRow || f instanceof RdmaTestRow || f instanceof TableResult || f instanceof StatedFigures);
    for (Group group : List.copyOf(observations)) {
      boolean slows = !measured && !causality.observation(group.fault) && causality.slows(group.fault);
      if (group.members.stream().anyMatch(m -> m.rule().severity() == Severity.ERROR || slows && m.rule().severity() == Severity.WARNING)) {
        observations.remove(group);
        causes.add(group);
      }
    }
  }

  /** An open hypothesis becomes a likely cause if it has decisive facts, explains a symptom, and has no rival as strong. */
  private void promote(List<Group> open, List<Group> causes) {
    List<Group> likely = new ArrayList<>();
    for (Group group : open) {
      if (group.decisive < 1 || group.symptoms.isEmpty() || !group.against.isEmpty()) {
        continue;
      }
      boolean explainedByProven = group.symptoms.keySet().stream().allMatch(s -> causes.stream().anyMatch(c -> c.symptoms.containsKey(s)));
      boolean rival = open.stream()
          .anyMatch(other -> other != group && other.decisive >= group.decisive && !leads(group, other) && other.symptoms.keySet().stream().anyMatch(group.symptoms::containsKey));
      if (!rival && !explainedByProven) {
        group.status = Status.LIKELY;
        likely.add(group);
      }
    }
    open.removeAll(likely);
    causes.addAll(likely);
  }

  /** A fault that another claimed one explains is told under it; two that explain each other keep the deeper layer. */
  private void fold(List<Group> causes) {
    for (Group upper : List.copyOf(causes)) {
      for (Group lower : List.copyOf(causes)) {
        boolean mutual = leads(upper, lower) && leads(lower, upper) && upper.layer.compareTo(lower.layer) >= 0;
        // What only says the symptom again is the consequence of its reason, even of a likely one.
        boolean sure = lower.status.compareTo(upper.status) <= 0 || !upper.symptoms.isEmpty() && lower.symptoms.keySet().containsAll(upper.symptoms.keySet())
            && upper.symptoms.keySet().stream().noneMatch(s -> settles(upper, s));
        if (upper != lower && causes.contains(upper) && causes.contains(lower) && sure && leads(lower, upper)
            && !mutual) {
          lower.folded.add(upper);
          lower.folded.addAll(upper.folded);
          upper.symptoms.forEach(lower.symptoms::putIfAbsent);
          causes.remove(upper);
        }
      }
    }
  }

  private void fold(List<Group> observations, List<Group> causes) {
    observations.removeIf(o -> causes.stream().anyMatch(c -> leads(c, o) && c.folded.add(o)));
  }

  private Comparator<Group> order() {
    return Comparator.<Group>comparingInt(g -> g.symptoms.isEmpty() ? 1 : 0)
        .thenComparing(g -> g.status)
        .thenComparingInt(g -> g.symptoms.keySet().stream().mapToInt(s -> causality.kind(((Symptom) s.conclusion()).name()).ordinal()).min().orElse(9))
        .thenComparingInt(g -> -g.decisive)
        .thenComparingInt(g -> -g.weight())
        .thenComparingInt(g -> -names(g).size())
        .thenComparing(g -> g.layer)
        .thenComparing(g -> g.fault);
  }

  private static Set<String> names(Group group) {
    Set<String> names = new TreeSet<>();
    group.symptoms.keySet().forEach(s -> names.add(((Symptom) s.conclusion()).name()));
    return names;
  }

  private List<Answer> symptomAnswers(List<Derived> symptoms) {
    Map<String, List<Derived>> byName = new TreeMap<>();
    symptoms.forEach(s -> byName.computeIfAbsent(((Symptom) s.conclusion()).name(), n -> new ArrayList<>()).add(s));
    List<Answer> answers = new ArrayList<>();
    byName.forEach((name, list) -> {
      String layer = list.get(0).rule().layer();
      answers.add(answer(name, layer.isEmpty() ? Layer.APPLICATION : Layer.parse(layer), Status.PROVEN, list, List.of(), List.of(), List.of(), 0));
    });
    return answers;
  }

  private Answer answer(Group group) {
    Set<String> explains = new LinkedHashSet<>();
    group.folded.forEach(f -> explains.add(f.fault + ": " + f.members.get(0).message()));
    group.symptoms.keySet().stream().map(s -> ((Symptom) s.conclusion()).name() + ": " + s.message()).sorted().forEach(explains::add);
    Set<String> missing = new TreeSet<>();
    group.members.forEach(m -> {
      if (m.conclusion() instanceof Hypothesis h) {
        missing.addAll(h.missing());
      }
    });
    return answer(group.fault, group.layer, group.status, group.members, List.copyOf(explains),
        group.against.stream().map(Derived::message).distinct().sorted().toList(), List.copyOf(missing), group.decisive);
  }

  private Answer answer(String fault, Layer layer, Status status, List<Derived> members, List<String> explains, List<String> against, List<String> missing,
      int decisive) {
    List<Derived> sorted = members.stream()
        .sorted(Comparator.comparingInt((Derived d) -> d.conclusion() instanceof Hypothesis h ? -h.decisive() : -9)
            .thenComparing(d -> firstEvidence(d.proof()))
            .thenComparing(d -> d.rule().name())
            .thenComparing(d -> d.conclusion().subject()))
        .toList();
    Set<Subject> subjects = new LinkedHashSet<>();
    sorted.forEach(d -> subjects.add(d.conclusion().subject()));
    Set<Cited> cited = new LinkedHashSet<>();
    for (Derived d : sorted) {
      // Thousands of members cite no more than the first ones.
      if (cited.size() < MOST_CITED) {
        cited.addAll(cite(d.proof()));
      }
    }
    Derived first = sorted.get(0);
    return new Answer(first.rule(), fault, layer, status, List.copyOf(subjects), first.message(), cited.stream().limit(MOST_CITED).toList(),
        sorted.stream().map(Derived::proof).toList(), explains, against, missing, decisive, first.run());
  }

  private Evidence firstEvidence(Proof proof) {
    return proof.facts().stream().filter(f -> !(f instanceof gdrproof.facts.Meta.Setting)).map(ledger::of).filter(s -> !s.isEmpty()).map(java.util.SortedSet::first).findFirst().orElse(Evidence.of("", 0, ""));
  }

  /** The first evidence of every fact in a proof. */
  private List<Cited> cite(Proof proof) {
    List<Cited> cited = new ArrayList<>();
    for (Fact fact : proof.facts()) {
      var set = ledger.of(fact);
      // A threshold is no evidence: its file is not part of the bundle.
      if (!set.isEmpty() && !(fact instanceof gdrproof.facts.Meta.Setting)) {
        cited.add(new Cited(set.first(), fact.toString()));
      }
    }
    return cited;
  }
}
