package gdrproof.finding;

import gdrproof.facts.Fact;
import gdrproof.finding.Diagnosis.Answer;
import gdrproof.finding.Diagnosis.Ask;
import gdrproof.finding.Diagnosis.LayerState;
import gdrproof.finding.Diagnosis.Step;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Turns what open hypotheses miss into exact commands, best first: what can tell hypotheses apart before what cannot, reading before loading, loads in the raw order
 * (link, host memory, GPU memory, one GPU, one node, ...), then the most weight of hypotheses for the time, then the lowest layer.
 */
public final class Asking {
  private static final String CATALOGUE = "measurements.yaml";
  private static final int READING_SECONDS = 5;
  private static final int LOADING_SECONDS = 60;

  private final Supplier<Collection<? extends Fact>> facts;
  private final String launcher;
  private final Map<String, Object> catalogue = Policies.read(CATALOGUE);
  private AskCommands commands;

  /** @param facts read only when something is open */
  public Asking(Supplier<Collection<? extends Fact>> facts) {
    this(facts, Fact.UNKNOWN);
  }

  /** @param launcher `mpirun`, `srun`, `torchrun`; unknown for what the evidence shows */
  public Asking(Supplier<Collection<? extends Fact>> facts, String launcher) {
    this.facts = facts;
    this.launcher = launcher;
  }

  /** What one measurement would decide. */
  private static final class Want {
    private final Set<String> faults = new TreeSet<>();
    private final Set<Subject> subjects = new TreeSet<>();
    private int weight;
  }

  /**
   * @param unproven the ladder, where neither cause nor health could be told: without an open hypothesis its lowest unproven layer is what to measure
   */
  List<Ask> asks(List<Answer> open, List<LayerState> unproven) {
    Map<String, Want> wants = new TreeMap<>();
    for (Answer answer : open) {
      for (String measurement : answer.missing()) {
        Want want = wants.computeIfAbsent(measurement, m -> new Want());
        want.faults.add(answer.fault());
        want.subjects.addAll(answer.subjects());
        want.weight += weight(answer);
      }
    }
    long waiting = open.stream().filter(a -> !a.missing().isEmpty()).count();
    if (open.isEmpty()) {
      unproven.stream().filter(l -> !l.verdict().equals("proven")).findFirst().ifPresent(layer -> layer.missing().forEach(measurement -> {
        Want want = wants.computeIfAbsent(measurement, m -> new Want());
        want.faults.add("layer " + layer.layer());
        want.subjects.add(Subject.run());
        want.weight = 1;
      }));
    }
    record Weighed(Ask ask, double worth) {}
    List<Weighed> asks = new ArrayList<>();
    wants.forEach((measurement, want) -> {
      boolean splits = waiting < 2 || want.faults.size() < waiting;
      Ask ask = ask(measurement, want.faults, want.subjects, splits);
      asks.add(new Weighed(ask, (double) want.weight / ask.seconds()));
    });
    asks.sort(Comparator.<Weighed>comparingInt(w -> w.ask().splits() ? 0 : 1).thenComparingInt(w -> cost(w.ask().cost())).thenComparingInt(w -> w.ask().stage())
        .thenComparing(w -> -w.worth()).thenComparing(w -> w.ask().layer()).thenComparing(w -> w.ask().measurement()));
    return asks.stream().map(Weighed::ask).toList();
  }

  /** The measurements with a place in the raw order, for all that the facts name: a plan without a question. */
  public List<Ask> matrix() {
    List<Ask> asks = new ArrayList<>();
    catalogue.forEach((measurement, entry) -> {
      if (Boolean.TRUE.equals(Policies.map(entry).get("matrix"))) {
        asks.add(ask(measurement, Set.of(), Set.of(Subject.run()), true));
      }
    });
    asks.sort(Comparator.comparingInt(Ask::stage).thenComparing(Ask::measurement));
    return asks;
  }

  /** Hosts of the run, or all nodes with devices. */
  public List<String> hosts() {
    return new Hardware(facts.get()).hosts();
  }

  /** A test over ranks on exactly these hosts. */
  public Ask over(String measurement, List<String> hosts) {
    return ask(measurement, Set.of(), Set.of(Subject.run()), true, hosts);
  }

  /** One measurement by name, about these subjects. */
  public Ask ask(String measurement, Set<String> faults, Set<Subject> subjects, boolean splits) {
    return ask(measurement, faults, subjects, splits, List.of());
  }

  private Ask ask(String measurement, Set<String> faults, Set<Subject> subjects, boolean splits, List<String> hosts) {
    Map<String, Object> entry = Policies.map(catalogue.get(measurement));
    if (entry.isEmpty()) {
      throw new IllegalStateException("policies/" + CATALOGUE + " has no entry " + measurement);
    }
    if (commands == null) {
      commands = new AskCommands(new Hardware(facts.get()), launcher);
    }
    AskCommands.Filled filled = commands.fill(entry, subjects, hosts);
    String cost = String.valueOf(entry.get("cost"));
    Set<String> on = new TreeSet<>(Hardware.NATURAL);
    filled.steps().stream().map(Step::node).filter(n -> !n.isEmpty()).forEach(on::add);
    if (on.isEmpty()) {
      subjects.stream().map(Subject::node).filter(n -> !n.equals(Fact.UNKNOWN)).forEach(on::add);
    }
    int seconds = entry.get("seconds") instanceof Integer told ? told : cost.equals("load") ? LOADING_SECONDS : READING_SECONDS;
    return new Ask(measurement, AskCommands.text(filled.steps()), List.copyOf(on), cost, List.copyOf(faults), String.valueOf(entry.get("proves")),
        Layer.parse(String.valueOf(entry.get("layer"))), String.valueOf(entry.get("boundary")), cost.equals("load") && entry.get("stage") instanceof Integer stage ? stage : 0, seconds, splits,
        filled.steps(), filled.fill());
  }

  /** A hypothesis weighs by the decisive facts it has, and more when it would explain something that was seen. */
  private static int weight(Answer answer) {
    return 1 + answer.decisive() + (answer.explains().isEmpty() ? 0 : 2);
  }

  private static int cost(String cost) {
    return List.of("read-only", "load", "state").indexOf(cost);
  }
}
