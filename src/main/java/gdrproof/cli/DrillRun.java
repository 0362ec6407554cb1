package gdrproof.cli;

import gdrproof.collect.drill.Drills;
import gdrproof.engine.Engine;
import gdrproof.engine.RuleBase;
import gdrproof.engine.SiteRules;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.finding.Acceptance;
import gdrproof.finding.Accepting;
import gdrproof.policy.Checklist;
import java.time.LocalDate;
import java.util.List;

/** The way from three bundles to a verdict on every item of a drill. */
public final class DrillRun {
  private DrillRun() {}

  public static Acceptance judge(Ledger before, Ledger during, Ledger after, List<SiteRules> sites) {
    Ledger facts = Drills.compare(before, during, after);
    Pipeline.addSettings(facts);
    List<Fact> order = facts.facts();
    Engine.Result result = new Engine(RuleBase.loadFor("drill", sites, topic -> topic.equals("drill"), order)).conclude(order);
    // Age has no meaning here: the three bundles are compared with each other.
    return new Accepting(facts, Checklist.of("drill.yaml"), LocalDate.EPOCH).judge(result.conclusions(), result.failures());
  }
}
