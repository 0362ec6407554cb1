package gdrproof.cli;

import gdrproof.collect.kube.Placements;
import gdrproof.collect.kube.Stated;
import gdrproof.engine.Engine;
import gdrproof.engine.RuleBase;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.finding.Finding;
import gdrproof.finding.Findings;
import gdrproof.policy.LintConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Judges very many jobs in lots, each in a session of its own, several at a time: no rule joins a job with another one, only with what the set shares. The findings
 * are those of one large session; memory and time are not.
 */
final class LintLots {
  /** Jobs of a lot: enough that the start of a session does not count, few enough that its facts stay young. */
  private static final int LOT = 400;

  private final Map<Fact, Collection<Evidence>> shared = new LinkedHashMap<>();
  private final LintConfig config;
  private final Set<String> names;
  private List<String> failures = List.of();

  /** @param ledger what the set shares */
  LintLots(Ledger ledger, LintConfig config, Set<String> names) {
    ledger.forEach(shared::put);
    this.config = config;
    this.names = names;
  }

  /** What the sessions said; conclusions are not kept. */
  Engine.Result result() {
    return new Engine.Result(List.of(), failures);
  }

  List<Finding> judge(List<List<Stated>> jobs, Function<Collection<? extends Fact>, RuleBase> load) {
    // For the choice of rules one fact of each kind is as good as all.
    Map<Class<?>, Fact> kinds = new HashMap<>();
    shared.keySet().forEach(fact -> kinds.put(fact.getClass(), fact));
    jobs.forEach(job -> job.forEach(s -> kinds.put(s.fact().getClass(), s.fact())));
    Placements.derived().forEach(fact -> kinds.putIfAbsent(fact.getClass(), fact));
    RuleBase rules = load.apply(kinds.values());
    TreeSet<Finding> findings = new TreeSet<>();
    int lots = (jobs.size() + LOT - 1) / LOT;
    List<List<Finding>> found = IntStream.range(0, lots).parallel().mapToObj(i -> lot(jobs.subList(i * LOT, Math.min(jobs.size(), (i + 1) * LOT)), rules)).toList();
    if (!failures.isEmpty()) {
      // A rule that throws is taken out of the rules that all sessions share: begin again with fresh ones, one session for all.
      failures = List.of();
      found = List.of(lot(jobs, load.apply(kinds.values())));
    }
    found.forEach(findings::addAll);
    return new ArrayList<>(findings);
  }

  private List<Finding> lot(List<List<Stated>> jobs, RuleBase rules) {
    Ledger ledger = new Ledger();
    shared.forEach(ledger::add);
    jobs.forEach(job -> job.forEach(s -> ledger.add(s.fact(), s.at())));
    Placements.derive(ledger);
    Engine.Result result;
    try {
      result = new Engine(rules).conclude(ledger.unsorted());
    } catch (RuntimeException e) {
      fail(List.of(String.valueOf(e.getMessage())));
      return List.of();
    }
    if (!result.failures().isEmpty()) {
      fail(result.failures());
    }
    return Findings.of(result.conclusions(), ledger, config.severity(), names::contains);
  }

  private synchronized void fail(List<String> reasons) {
    failures = reasons;
  }
}
