package gdrproof.engine;

import gdrproof.facts.Fact;
import gdrproof.facts.RunFact;
import gdrproof.finding.Conclusion;
import gdrproof.finding.Derived;
import gdrproof.finding.Proof;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.drools.core.common.InternalFactHandle;
import org.drools.tms.LogicalDependency;
import org.drools.tms.TruthMaintenanceSystemEqualityKey;
import org.drools.tms.beliefsystem.BeliefSet;
import org.kie.api.runtime.KieSession;
import org.kie.api.runtime.rule.FactHandle;
import org.kie.api.runtime.rule.Match;

/**
 * Reads proofs out of the engine's truth maintenance: for every conclusion the matches that justify it, and below them
 * what those matched, down to facts. Nothing is written by hand, and a conclusion without justification cannot exist.
 */
final class Proofs {
  /** Justifications shown for one conclusion; more of the same add no understanding. */
  private static final int MOST_JUSTIFICATIONS = 4;
  private static final int DEEPEST = 12;

  private record Step(Match match, String rule, List<Object> used) {}

  private final Map<Conclusion, List<Step>> steps = new HashMap<>();
  private final Map<Conclusion, Proof> proofs = new HashMap<>();
  private final RuleBase rules;
  private final String run;
  private final boolean trees;

  /** @param trees whether {@link #all} shall tell how; else the proofs are empty */
  Proofs(KieSession session, RuleBase rules, String run, boolean trees) {
    this.rules = rules;
    this.run = run;
    this.trees = trees;
    for (FactHandle handle : session.getFactHandles(Conclusion.class::isInstance)) {
      InternalFactHandle internal = (InternalFactHandle) handle;
      steps.put((Conclusion) internal.getObject(), justifications(internal));
    }
  }

  private List<Step> justifications(InternalFactHandle handle) {
    List<Match> matches = new ArrayList<>(1);
    if (handle.getEqualityKey() instanceof TruthMaintenanceSystemEqualityKey key && key.getBeliefSet() != null) {
      BeliefSet<?> beliefs = key.getBeliefSet();
      for (Object mode = beliefs.getFirst(); mode != null; mode = next(mode)) {
        LogicalDependency<?> dependency = (LogicalDependency<?>) ((org.drools.tms.SimpleMode) mode).getObject();
        matches.add(dependency.getJustifier());
      }
    }
    List<Step> found = new ArrayList<>(matches.size());
    for (Match match : matches) {
      List<Object> used = new ArrayList<>();
      if (trees || matches.size() > 1) {
        unwrap(match.getObjects(), used);
      }
      found.add(new Step(match, match.getRule().getName(), used));
    }
    return InOrder.of(found, Step::rule, s -> s.used().toString());
  }

  private static Object next(Object mode) {
    return ((org.drools.tms.SimpleMode) mode).getNext();
  }

  /** Facts and conclusions of a match; results of accumulate come wrapped in collections and arrays. */
  private static void unwrap(Object value, List<Object> found) {
    if (value instanceof Fact || value instanceof Conclusion) {
      found.add(value);
    } else if (value instanceof Collection<?> many) {
      many.forEach(each -> unwrap(each, found));
    } else if (value instanceof Map<?, ?> map) {
      map.values().forEach(each -> unwrap(each, found));
    } else if (value != null && value.getClass().isArray() && !value.getClass().getComponentType().isPrimitive()) {
      for (int i = 0; i < Array.getLength(value); i++) {
        unwrap(Array.get(value, i), found);
      }
    }
  }

  List<Derived> all() {
    List<Derived> all = new ArrayList<>();
    steps.forEach((conclusion, justified) -> {
      if (justified.isEmpty()) {
        throw new IllegalStateException(conclusion + " has no justification: a rule used insert instead of insertLogical");
      }
      // Two rules may reach one conclusion; each is told once, with its first justification's words.
      Set<String> seen = new HashSet<>();
      for (Step step : justified) {
        if (seen.add(step.rule())) {
          Proof proof = trees ? proofOf(conclusion, step.rule(), new HashSet<>(), 0) : new Proof(conclusion, step.rule(), List.of());
          boolean ofRun = !run.equals(Fact.UNKNOWN) && proof.facts().stream().anyMatch(RunFact.class::isInstance);
          all.add(new Derived(conclusion, rules.info(step.rule()), Messages.render(rules.info(step.rule()).message(), step.match()), proof,
              ofRun ? run : Fact.UNKNOWN));
        }
      }
    });
    return all;
  }

  private Proof proofOf(Conclusion conclusion, String rule, Set<Conclusion> above, int depth) {
    Set<Object> used = new LinkedHashSet<>();
    int count = 0;
    for (Step step : steps.getOrDefault(conclusion, List.of())) {
      if (step.rule().equals(rule) && count++ < MOST_JUSTIFICATIONS) {
        used.addAll(step.used());
      }
    }
    List<Proof> because = new ArrayList<>();
    above.add(conclusion);
    for (Object each : used) {
      if (each instanceof Fact fact) {
        because.add(new Proof(fact, "", List.of()));
      } else if (each instanceof Conclusion other && !above.contains(other) && depth < DEEPEST) {
        because.add(proofs.containsKey(other) ? proofs.get(other) : memo(other, above, depth));
      }
    }
    above.remove(conclusion);
    return new Proof(conclusion, rule, because);
  }

  private Proof memo(Conclusion other, Set<Conclusion> above, int depth) {
    List<Step> justified = steps.getOrDefault(other, List.of());
    String rule = justified.isEmpty() ? "" : justified.get(0).rule();
    Proof proof = proofOf(other, rule, above, depth + 1);
    if (above.isEmpty() || depth == 0) {
      proofs.put(other, proof);
    }
    return proof;
  }
}
