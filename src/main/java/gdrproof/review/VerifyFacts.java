package gdrproof.review;

import gdrproof.facts.Bench.RdmaTest;
import gdrproof.facts.Bench.RdmaTestError;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Kube.NodeOffer;
import gdrproof.facts.Kube.NodeState;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Meta.Looked;
import gdrproof.facts.Num;
import gdrproof.facts.Operator.OperatorField;
import gdrproof.facts.Operator.PolicyState;
import gdrproof.facts.Rdma.CounterDelta;
import gdrproof.facts.Tri;
import gdrproof.facts.Verify.CounterGrowth;
import gdrproof.facts.Verify.CountersWatched;
import gdrproof.facts.Verify.NodeReturn;
import gdrproof.facts.Verify.OfferMove;
import gdrproof.facts.Verify.PolicyMove;
import gdrproof.facts.Verify.RdmaHealth;
import gdrproof.facts.Verify.Sides;
import gdrproof.facts.Verify.SymptomMove;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** Facts about what became of a cluster between two bundles. */
public final class VerifyFacts {
  private static final Map<String, Object> POLICY = Policies.read("operator/verify.yaml");
  private static final List<String> READY = Policies.texts(POLICY.get("ready"));
  private static final List<String> UPGRADE_LABELS = Policies.texts(POLICY.get("upgrade-labels"));
  private static final List<String> UPGRADE_OVER = Policies.texts(POLICY.get("upgrade-over"));
  private static final Set<String> SETUP_ERRORS = Set.copyOf(Policies.texts(POLICY.get("setup-errors")));
  private static final Set<String> COUNTERS = Set.copyOf(Policies.texts(POLICY.get("counter-classes")));

  private final Ledger before;
  private final Ledger after;
  private final Ledger target;

  private VerifyFacts(Ledger before, Ledger after, Ledger target) {
    this.before = before;
    this.after = after;
    this.target = target;
  }

  /** A symptom of one side, as a diagnosis concluded it. */
  public record Symptom(String node, String name, String subject, String message, List<Evidence> cited) {}

  /**
   * Adds the comparison of two sides.
   *
   * @param rolledBack whether the user says that the change was taken back
   */
  public static void write(Ledger before, List<Symptom> symptomsBefore, Ledger after, List<Symptom> symptomsAfter, boolean rolledBack, Ledger target) {
    VerifyFacts facts = new VerifyFacts(before, after, target);
    facts.sides(rolledBack);
    facts.policies();
    facts.offers();
    facts.nodes();
    facts.rdma();
    facts.counters();
    facts.symptoms(symptomsBefore, symptomsAfter);
    new VerifyRuns(before, after, target).write();
    new VerifyParts(before, after, target).write();
  }

  static <T extends Fact> List<T> of(Ledger ledger, Class<T> type) {
    List<T> found = new ArrayList<>();
    ledger.forEach((fact, sources) -> {
      if (type.isInstance(fact)) {
        found.add(type.cast(fact));
      }
    });
    return found;
  }

  static <T> Map<String, T> by(List<T> facts, Function<T, String> key) {
    Map<String, T> found = new TreeMap<>();
    facts.forEach(f -> found.putIfAbsent(key.apply(f), f));
    return found;
  }

  /** Adds a fact with the places of what it was made from on both sides. */
  static void add(Ledger target, Fact fact, Ledger before, List<? extends Fact> left, Ledger after, List<? extends Fact> right) {
    left.stream().filter(f -> f != null).forEach(f -> before.of(f).forEach(e -> target.add(fact, e.within("before"))));
    right.stream().filter(f -> f != null).forEach(f -> after.of(f).forEach(e -> target.add(fact, e.within("after"))));
  }

  private void add(Fact fact, List<? extends Fact> left, List<? extends Fact> right) {
    add(target, fact, before, left, after, right);
  }

  private void sides(boolean told) {
    Set<String> then = new TreeSet<>();
    Set<String> now = new TreeSet<>();
    of(before, OperatorField.class).forEach(f -> then.add(f.object() + " " + f.path() + " " + f.value()));
    of(after, OperatorField.class).forEach(f -> now.add(f.object() + " " + f.path() + " " + f.value()));
    boolean known = !then.isEmpty() && !now.isEmpty();
    Tri back = told || known && then.equals(now) ? Tri.YES : known ? Tri.NO : Tri.UNKNOWN;
    String how = told ? "the user says so" : back == Tri.YES ? "the operator's configuration is that of before" : back == Tri.NO ? "the operator's configuration differs" : "no configuration of the operator on both sides";
    List<OperatorField> fields = of(after, OperatorField.class);
    Sides fact = new Sides(Fact.UNKNOWN, back, how);
    if (fields.isEmpty()) {
      target.add(fact, Evidence.of("after", 0, ""));
    } else {
      add(fact, List.of(), fields.subList(0, 1));
    }
  }

  private void policies() {
    Map<String, PolicyState> then = by(of(before, PolicyState.class), PolicyState::object);
    by(of(after, PolicyState.class), PolicyState::object).forEach((object, now) -> {
      PolicyState old = then.get(object);
      boolean ready = READY.stream().anyMatch(now.state()::equalsIgnoreCase);
      add(new PolicyMove(Fact.UNKNOWN, object, old == null ? Fact.UNKNOWN : old.state(), now.state(), Tri.of(ready), now.notReady()), old == null ? List.of() : List.of(old), List.of(now));
    });
  }

  private void offers() {
    Map<String, NodeOffer> now = by(of(after, NodeOffer.class), o -> o.node() + " " + o.resource());
    Set<String> read = new TreeSet<>();
    now.values().forEach(o -> read.add(o.node()));
    for (NodeOffer old : of(before, NodeOffer.class)) {
      if (old.resource().contains("/") && read.contains(old.node())) {
        NodeOffer same = now.get(old.node() + " " + old.resource());
        // A node whose status was read lists everything that it offers.
        NodeOffer any = same != null ? same : now.values().stream().filter(o -> o.node().equals(old.node())).findFirst().orElse(null);
        add(new OfferMove(old.node(), old.resource(), old.allocatable(), same == null ? Num.of(0) : same.allocatable()), List.of(old), any == null ? List.of() : List.of(any));
      }
    }
  }

  private void nodes() {
    Map<String, NodeState> now = by(of(after, NodeState.class), NodeState::node);
    List<Looked> lists = of(after, Looked.class).stream().filter(l -> l.kind().equals(Kind.CLUSTER_NODES)).toList();
    for (NodeState old : of(before, NodeState.class)) {
      NodeState there = now.get(old.node());
      if (there != null) {
        String upgrade = upgrade(there);
        boolean settled = there.ready() != Tri.NO && there.schedulable() != Tri.NO && UPGRADE_OVER.contains(upgrade);
        Tri known = there.ready() == Tri.UNKNOWN ? settled ? Tri.UNKNOWN : Tri.NO : Tri.of(settled);
        // A node that was away before the change is no work of the change.
        boolean was = old.ready() != Tri.NO && old.schedulable() != Tri.NO;
        if (was || settled) {
          add(new NodeReturn(old.node(), Tri.YES, there.ready(), there.schedulable(), upgrade.isEmpty() ? "none" : upgrade, known), List.of(old), List.of(there));
        }
      } else if (!lists.isEmpty()) {
        add(new NodeReturn(old.node(), Tri.NO, Tri.UNKNOWN, Tri.UNKNOWN, Fact.UNKNOWN, Tri.NO), List.of(old), lists.subList(0, 1));
      }
    }
  }

  private static String upgrade(NodeState node) {
    for (String label : node.labels()) {
      for (String name : UPGRADE_LABELS) {
        if (label.startsWith(name + "=")) {
          String value = label.substring(name.length() + 1);
          if (!UPGRADE_OVER.contains(value)) {
            return value;
          }
        }
      }
    }
    return "";
  }

  /** Tests of one side by node and kind of memory. */
  private record Tests(Tri fine, Num gbps, List<Fact> used) {}

  private void rdma() {
    Map<String, Tests> then = tests(before);
    tests(after).forEach((key, now) -> {
      Tests old = then.getOrDefault(key, new Tests(Tri.UNKNOWN, Num.UNKNOWN, List.of()));
      int cut = key.lastIndexOf(' ');
      add(new RdmaHealth(key.substring(0, cut), key.substring(cut + 1), old.fine(), now.fine(), old.gbps(), now.gbps()), old.used(), now.used());
    });
  }

  private static Map<String, Tests> tests(Ledger side) {
    Map<String, Tests> found = new TreeMap<>();
    List<RdmaTestError> errors = of(side, RdmaTestError.class);
    for (RdmaTest test : of(side, RdmaTest.class)) {
      String memory = memory(test.memory());
      boolean failed = errors.stream().anyMatch(e -> e.node().equals(test.node()) && e.id().equals(test.id()));
      if (!memory.isEmpty() && !failed && test.gbps().above(0)) {
        found.merge(test.node() + " " + memory, new Tests(Tri.YES, test.gbps(), List.of(test)), VerifyFacts::both);
      }
    }
    for (RdmaTestError error : errors) {
      String memory = memory(error.memory()).isEmpty() ? asked(side, error) : memory(error.memory());
      if (!memory.isEmpty() && !SETUP_ERRORS.contains(error.error())) {
        found.merge(error.node() + " " + memory, new Tests(Tri.NO, Num.UNKNOWN, List.of(error)), VerifyFacts::both);
      }
    }
    return found;
  }

  /** One failed test of a node and memory is a failure, whatever others say. */
  private static Tests both(Tests a, Tests b) {
    Num best = !a.gbps().known() || b.gbps().above(a.gbps()) ? b.gbps() : a.gbps();
    List<Fact> used = new ArrayList<>(a.used());
    used.addAll(b.used());
    return new Tests(a.fine() == Tri.NO || b.fine() == Tri.NO ? Tri.NO : Tri.YES, best.known() ? best : a.gbps(), used);
  }

  /** The memory that the command asked for, where the test did not come so far as to say it. */
  private static String asked(Ledger side, RdmaTestError error) {
    String command = side.of(error).isEmpty() ? "" : side.of(error).first().command();
    return !command.contains("ib_") ? "" : command.contains("--use_cuda") || command.contains("--use_rocm") ? "gpu" : "host";
  }

  private static String memory(String text) {
    return text.startsWith("cuda") || text.equals("gpu") ? "gpu" : text.equals("host") ? "host" : "";
  }

  private void counters() {
    Map<String, List<CounterDelta>> watched = new TreeMap<>();
    for (CounterDelta delta : of(after, CounterDelta.class)) {
      if (COUNTERS.contains(delta.meaning())) {
        watched.computeIfAbsent(delta.node(), n -> new ArrayList<>()).add(delta);
        if (delta.grown().above(0)) {
          add(new CounterGrowth(delta.node(), delta.device(), delta.port(), delta.name(), delta.meaning(), delta.grown()), List.of(), List.of(delta));
        }
      }
    }
    watched.forEach((node, deltas) -> add(new CountersWatched(node, Num.of(deltas.size())), List.of(), deltas.subList(0, 1)));
  }

  private void symptoms(List<Symptom> then, List<Symptom> now) {
    Map<String, Symptom> old = by(then, s -> s.name() + " " + s.subject());
    Map<String, Symptom> names = by(then, Symptom::name);
    for (Symptom symptom : now) {
      // A symptom that was there on any subject of the run is nothing new of the change, unless it names a place that was fine.
      boolean same = old.containsKey(symptom.name() + " " + symptom.subject()) || symptom.node().equals(Fact.UNKNOWN) && names.containsKey(symptom.name());
      SymptomMove move = new SymptomMove(symptom.node(), symptom.name(), symptom.subject(), symptom.message(), Tri.of(same), Tri.YES);
      target.add(move, Evidence.of("after", 0, symptom.message()));
      symptom.cited().forEach(e -> target.add(move, e.within("after")));
    }
  }
}
