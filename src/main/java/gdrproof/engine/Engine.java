package gdrproof.engine;

import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.RunFact;
import gdrproof.finding.Conclusion;
import gdrproof.finding.Derived;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.kie.api.runtime.KieSession;
import org.kie.api.runtime.KieSessionConfiguration;

/**
 * Runs rules over facts, one session for each run that the facts tell apart; what belongs to no run is in every
 * session. The result does not depend on the order of the facts.
 */
public final class Engine {
  /** Firings allowed for each fact; a rule base without loops stays far below. */
  private static final int FIRINGS_PER_FACT = 200;

  private final RuleBase rules;

  public Engine(RuleBase rules) {
    this.rules = rules;
  }

  /**
   * Everything concluded, in a stable order.
   *
   * @param failures one line for each rule that threw and was left out
   */
  public record Result(List<Derived> conclusions, List<String> failures) {}

  public Result conclude(Ledger ledger) {
    return conclude(ledger.facts());
  }

  /** Concludes from facts in the order given (tests shuffle it). */
  public Result conclude(Collection<? extends Fact> given) {
    Result result = conclude(given, true);
    return new Result(InOrder.of(result.conclusions(), d -> d.rule().name(), d -> d.conclusion() + "\n" + d.run()), result.failures());
  }

  /** The same in any order and with empty proofs, for a caller that orders what it makes of them and shows no proof: both are dear for very many. */
  public Result unordered(Collection<? extends Fact> given) {
    return conclude(given, false);
  }

  private Result conclude(Collection<? extends Fact> given, boolean proofs) {
    Collection<? extends Fact> facts = ControlRuns.without(given);
    Set<String> runs = new TreeSet<>();
    for (Fact fact : facts) {
      if (fact instanceof RunFact inRun && !inRun.run().equals(Fact.UNKNOWN)) {
        runs.add(inRun.run());
      }
    }
    if (runs.isEmpty()) {
      runs.add(Fact.UNKNOWN);
    }
    Set<String> broken = new TreeSet<>();
    List<String> failures = new ArrayList<>();
    Map<Key, Derived> merged = new LinkedHashMap<>();
    for (String run : runs) {
      List<Fact> own = new ArrayList<>();
      for (Fact fact : facts) {
        if (!(fact instanceof RunFact inRun) || inRun.run().equals(Fact.UNKNOWN) || inRun.run().equals(run)) {
          own.add(fact);
        }
      }
      for (Derived derived : session(own, run, broken, failures, proofs)) {
        merged.putIfAbsent(new Key(derived.rule().code(), derived.rule().slug(), derived.conclusion(), derived.run()), derived);
      }
    }
    return new Result(new ArrayList<>(merged.values()), failures);
  }

  private record Key(String code, String slug, Conclusion conclusion, String run) {}

  /** One session; a rule that throws is removed and the session begins again without it. */
  private List<Derived> session(List<Fact> facts, String run, Set<String> broken, List<String> failures, boolean proofs) {
    while (true) {
      try {
        return once(facts, run, proofs);
      } catch (RuntimeException e) {
        String rule = Failures.ruleOf(e, rules);
        if (rule.isEmpty() || !broken.add(rule)) {
          throw e;
        }
        failures.add("rule \"" + rule + "\" (" + rules.info(rule).file() + ") failed and was left out: " + Failures.reason(e));
        removeRule(rule);
      }
    }
  }

  private void removeRule(String name) {
    rules.base().removeRule(RuleCompiler.packageOf(rules.info(name).topic()), name);
  }

  private List<Derived> once(List<Fact> facts, String run, boolean proofs) {
    KieSessionConfiguration configuration = org.kie.api.KieServices.get().newKieSessionConfiguration();
    KieSession session = rules.base().newKieSession(configuration, null);
    try {
      for (Fact fact : facts) {
        session.insert(fact);
      }
      int limit = Math.max(10_000, (int) Math.min(Integer.MAX_VALUE / 2, (long) facts.size() * FIRINGS_PER_FACT));
      int fired = session.fireAllRules(limit);
      if (fired >= limit) {
        throw new IllegalStateException("rules fired " + fired + " times without coming to an end; a rule feeds itself");
      }
      return new Proofs(session, rules, run, proofs).all();
    } finally {
      session.dispose();
    }
  }
}
