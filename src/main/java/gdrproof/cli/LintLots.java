package gdrproof.cli;

import gdrproof.collect.kube.Manifests.Job;
import gdrproof.collect.kube.Placements;
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
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
  private final Map<Class<?>, Fact> kinds = new HashMap<>();
  private Function<Collection<? extends Fact>, RuleBase> load = read -> null;
  private RuleBase rules;
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

  List<Finding> judge(List<Job> jobs, Function<Collection<? extends Fact>, RuleBase> load) {
    this.load = load;
    shared.keySet().forEach(fact -> kinds.put(fact.getClass(), fact));
    Placements.derived().forEach(fact -> kinds.putIfAbsent(fact.getClass(), fact));
    int lots = (jobs.size() + LOT - 1) / LOT;
    List<List<Finding>> found = IntStream.range(0, lots).parallel().mapToObj(i -> lot(jobs.subList(i * LOT, Math.min(jobs.size(), (i + 1) * LOT)))).toList();
    if (!failures.isEmpty()) {
      // A rule that throws is taken out of the rules that all sessions share: begin again with fresh ones, one session for all.
      failures = List.of();
      rules = null;
      found = List.of(lot(jobs));
    }
    // Lots follow each other as their files do, so that most of this is in order already.
    List<Finding> findings = new ArrayList<>();
    found.forEach(findings::addAll);
    findings.sort(Comparator.naturalOrder());
    List<Finding> once = new ArrayList<>(findings.size());
    for (Finding finding : findings) {
      if (once.isEmpty() || once.get(once.size() - 1).compareTo(finding) != 0) {
        once.add(finding);
      }
    }
    return once;
  }

  private List<Finding> lot(List<Job> jobs) {
    Ledger ledger = new Ledger();
    shared.forEach(ledger::add);
    jobs.forEach(job -> job.facts().forEach(s -> ledger.add(s.fact(), s.at())));
    Placements.derive(ledger);
    Engine.Result result;
    try {
      result = new Engine(rulesFor(ledger)).unordered(ledger.unsorted());
    } catch (RuntimeException e) {
      fail(List.of(String.valueOf(e.getMessage())));
      return List.of();
    }
    if (!result.failures().isEmpty()) {
      fail(result.failures());
    }
    return Findings.of(result.conclusions(), ledger, config.severity(), names::contains);
  }

  /** Rules for all kinds of facts met so far; for the choice of rules one fact of each kind is as good as all. */
  private synchronized RuleBase rulesFor(Ledger ledger) {
    boolean known = rules != null;
    for (Fact fact : ledger.unsorted()) {
      known &= kinds.putIfAbsent(fact.getClass(), fact) != null;
    }
    if (!known) {
      rules = load.apply(kinds.values());
    }
    return rules;
  }

  private synchronized void fail(List<String> reasons) {
    failures = reasons;
  }
}
