package gdrproof.cli;

import gdrproof.accept.FabricBaseline;
import gdrproof.accept.GateFacts;
import gdrproof.engine.Engine;
import gdrproof.engine.RuleBase;
import gdrproof.engine.SiteRules;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Setting;
import gdrproof.facts.Num;
import gdrproof.finding.Acceptance;
import gdrproof.finding.Accepting;
import gdrproof.policy.Checklist;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The way from facts to a verdict on every item, the same for the command and the tests. */
public final class AcceptRun {
  private AcceptRun() {}

  /** Facts of a bundle with everything that acceptance derives from them; a checklist's own thresholds replace the shipped ones. */
  public static Ledger facts(Ledger ledger, Checklist checklist, Optional<FabricBaseline> baseline) {
    Ledger facts = checklist.thresholds().isEmpty() ? ledger : tightened(ledger, checklist.thresholds());
    GateFacts.derive(facts, baseline);
    return facts;
  }

  /** The verdicts on facts as {@link #facts} gives them. */
  public static Acceptance judge(Ledger facts, Checklist checklist, List<SiteRules> sites, LocalDate asOf) {
    List<Fact> order = facts.facts();
    return judge(facts, RuleBase.loadFor("accept", sites, topic -> true, order), order, checklist, asOf);
  }

  /** The verdicts on facts as {@link #facts} gives them, with a rule base at hand and the facts in a given order (tests shuffle them). */
  public static Acceptance judge(Ledger ledger, RuleBase rules, List<Fact> order, Checklist checklist, LocalDate asOf) {
    Engine.Result result = new Engine(rules).conclude(order);
    return new Accepting(ledger, checklist, asOf).judge(result.conclusions(), result.failures());
  }

  private static Ledger tightened(Ledger ledger, Map<String, String> thresholds) {
    Ledger facts = new Ledger();
    ledger.forEach((fact, sources) -> {
      if (fact instanceof Setting setting && thresholds.containsKey(setting.key())) {
        String own = thresholds.get(setting.key());
        facts.add(new Setting(setting.key(), Num.parse(own), own), Evidence.of("checklist", 0, setting.key() + ": " + own));
      } else {
        facts.add(fact, sources);
      }
    });
    return facts;
  }
}
