package gdrproof.cli;

import gdrproof.collect.operator.OperatorFacts;
import gdrproof.collect.operator.OperatorSet;
import gdrproof.engine.Engine;
import gdrproof.engine.RuleBase;
import gdrproof.engine.SiteRules;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Operator;
import gdrproof.facts.Operator.BlockingBudget;
import gdrproof.facts.Operator.Change;
import gdrproof.facts.Operator.ComponentMove;
import gdrproof.facts.Operator.EnvMove;
import gdrproof.facts.Operator.ImageRisk;
import gdrproof.facts.Operator.NewProblem;
import gdrproof.facts.Operator.OperatorField;
import gdrproof.facts.Operator.VersionStand;
import gdrproof.finding.Conclusion.Effect;
import gdrproof.finding.Conclusion.Problem;
import gdrproof.finding.Consequence;
import gdrproof.finding.Derived;
import gdrproof.finding.ReviewResult;
import gdrproof.finding.ReviewResult.Entry;
import gdrproof.finding.Verdict;
import gdrproof.review.Blast;
import gdrproof.review.ReviewFacts;
import gdrproof.review.ReviewInput;
import gdrproof.review.Rollback;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The way from two states to a review: lint both states, take the problems that are new, and let the rules of the review
 * stage conclude from them and from the differences.
 */
public final class ReviewRun {
  private final RuleBase lint;
  private final RuleBase review;

  public ReviewRun(List<SiteRules> sites) {
    this.lint = RuleBase.load("lint", sites);
    this.review = RuleBase.load("review", sites);
  }

  public ReviewResult run(ReviewInput before, ReviewInput after) {
    Ledger ledger = new Ledger();
    Pipeline.addSettings(ledger);
    ReviewFacts.write(before, after, ledger);
    List<String> failures = new ArrayList<>();
    newProblems(before.set(), after.set(), ledger, failures);
    Engine.Result result = new Engine(review).conclude(ledger);
    failures.addAll(result.failures());
    List<Entry> entries = new ArrayList<>();
    for (Derived derived : result.conclusions()) {
      if (derived.conclusion() instanceof Effect effect) {
        entries.add(entry(effect, derived, before.set(), after.set(), ledger));
      }
    }
    List<String> unread = new ArrayList<>(before.unread());
    after.unread().stream().filter(u -> !unread.contains(u)).forEach(unread::add);
    return new ReviewResult(once(entries), unread, OperatorFacts.release(before.set()).version(), OperatorFacts.release(after.set()).version(), failures);
  }

  /** One entry for a place, consequence and object; of several rules the first code speaks. */
  private static List<Entry> once(List<Entry> entries) {
    Map<String, Entry> kept = new LinkedHashMap<>();
    entries.stream().sorted().forEach(e -> kept.putIfAbsent(e.object() + " " + e.path() + " " + e.consequence() + " " + e.message(), e));
    return List.copyOf(kept.values());
  }

  private void newProblems(OperatorSet before, OperatorSet after, Ledger ledger, List<String> failures) {
    Set<String> old = new HashSet<>();
    Map<String, Set<String>> oldRisks = new HashMap<>();
    for (Derived derived : lint(before, new Ledger(), failures)) {
      Problem problem = (Problem) derived.conclusion();
      old.add(derived.rule().code() + " " + object(problem.at()) + " " + derived.message());
      if (problem.at() instanceof ImageRisk risk) {
        oldRisks.computeIfAbsent(risk.object(), o -> new HashSet<>()).addAll(risk.risks());
      }
    }
    Ledger now = new Ledger();
    for (Derived derived : lint(after, now, failures)) {
      Problem problem = (Problem) derived.conclusion();
      boolean known = old.contains(derived.rule().code() + " " + object(problem.at()) + " " + derived.message())
          || problem.at() instanceof ImageRisk risk && oldRisks.getOrDefault(risk.object(), Set.of()).containsAll(risk.risks());
      if (!known && problem.verdict() == Verdict.VIOLATED) {
        Evidence at = now.of(problem.at()).isEmpty() ? Evidence.of("", 0, "") : now.of(problem.at()).first();
        ledger.add(new NewProblem(object(problem.at()), derived.rule().code(), derived.rule().check(), derived.rule().severity().toString(), at.path(), derived.message(),
            problem.at().getClass().getSimpleName()), at);
      }
    }
  }

  private List<Derived> lint(OperatorSet set, Ledger ledger, List<String> failures) {
    OperatorFacts.write(set, ledger);
    Pipeline.addSettings(ledger);
    Engine.Result result = new Engine(lint).conclude(ledger);
    failures.addAll(result.failures());
    return result.conclusions().stream().filter(d -> d.conclusion() instanceof Problem).toList();
  }

  private static String object(Fact fact) {
    return fact instanceof Operator operator ? operator.object() : "";
  }

  private static Entry entry(Effect effect, Derived derived, OperatorSet before, OperatorSet after, Ledger ledger) {
    Fact fact = effect.change();
    Evidence at = ledger.of(fact).isEmpty() ? Evidence.of("", 0, "") : ledger.of(fact).first();
    Consequence consequence = Consequence.parse(effect.consequence());
    String object = object(fact);
    String path = at.path();
    String was = Operator.ABSENT;
    String is = Operator.ABSENT;
    String key = path;
    String kind = "";
    if (fact instanceof Change change) {
      path = change.path();
      was = change.before();
      is = change.after();
      key = change.key();
      kind = change.kind();
    } else if (fact instanceof OperatorField field) {
      path = field.path();
      was = field.value();
      is = field.value();
      key = field.path();
    } else if (fact instanceof ComponentMove move) {
      was = move.before();
      is = move.after();
    } else if (fact instanceof EnvMove move) {
      path = at.path();
      was = move.before();
      is = move.after();
      key = move.name();
    } else if (fact instanceof VersionStand stand) {
      is = stand.version();
      was = Operator.ABSENT;
    } else if (fact instanceof BlockingBudget budget) {
      is = budget.reason();
      was = budget.reason();
    }
    return new Entry(object, path, was, is, consequence, derived.rule(), derived.message(), Blast.radius(before, after, object, kind, path),
        Rollback.notRestored(consequence, key), at.file(), at.line(), at.column());
  }
}
