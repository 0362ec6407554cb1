package gdrproof.cli;

import gdrproof.bundle.Bundle;
import gdrproof.bundle.Bundle.Entry;
import gdrproof.collect.Collectors;
import gdrproof.collect.Observer;
import gdrproof.collect.env.NcclSettings;
import gdrproof.engine.Engine;
import gdrproof.engine.RuleBase;
import gdrproof.engine.SiteRules;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta;
import gdrproof.finding.Causality;
import gdrproof.finding.Diagnosis;
import gdrproof.finding.Ranking;
import gdrproof.policy.Policies;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;

/** The way from a bundle to an answer, the same for every command and test: bundle, facts, rules, ranking. */
public final class Pipeline {
  private Pipeline() {}

  /** Facts of a bundle, and the policies' settings as facts. */
  public static Ledger facts(Path bundle) throws IOException {
    return facts(Bundle.open(bundle), Observer.NONE);
  }

  /**
   * Facts of a bundle that a user named.
   *
   * @throws Unreadable with the message for the user
   */
  static Ledger evidence(Path bundle) {
    try {
      return facts(bundle);
    } catch (IOException e) {
      throw new Unreadable(e);
    }
  }

  public static Ledger facts(List<Entry> entries) {
    return facts(entries, Observer.NONE);
  }

  static Ledger facts(List<Entry> entries, Observer observer) {
    return settled(Collectors.read(entries, observer));
  }

  /** Facts as collected, with what policies say of them. */
  public static Ledger settled(Ledger ledger) {
    NcclSettings.judge(ledger);
    addSettings(ledger);
    return ledger;
  }

  static void addSettings(Ledger ledger) {
    Policies.settings().forEach(s -> ledger.add(s, Evidence.of(Policies.source(s), 0, s.key() + ": " + s.text())));
  }

  /** A site's own rules, compiled or from the cache. */
  static List<SiteRules> sites(List<Path> folders) throws IOException {
    if (folders.isEmpty()) {
      return List.of();
    }
    Path cache = Cache.folder();
    return folders.stream().map(folder -> SiteRules.load(folder, cache)).toList();
  }

  public static Engine.Result conclude(String stage, Ledger ledger, List<SiteRules> sites) {
    return new Engine(RuleBase.load(stage, sites)).conclude(ledger);
  }

  /** The diagnosis of facts in a given order (tests shuffle it). */
  public static Diagnosis diagnose(Ledger ledger, RuleBase rules, Collection<? extends Fact> order) {
    Engine.Result result = new Engine(rules).conclude(order);
    return new Ranking(ledger, Causality.load()).rank(result.conclusions(), result.failures());
  }

  public static Diagnosis diagnose(Ledger ledger, List<SiteRules> sites) {
    List<Fact> facts = ledger.facts();
    return diagnose(ledger, RuleBase.loadFor("diagnose", sites, topic -> true, facts), facts);
  }

  /** Whether a bundle gave no fact about anything: nothing to judge. How a command ended and which layout a text has say nothing of a node. */
  static boolean empty(Ledger ledger) {
    return ledger.facts().stream().noneMatch(Meta::tells);
  }
}
