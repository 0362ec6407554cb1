package gdrproof.finding;

import gdrproof.facts.Fact;
import java.util.List;

/**
 * One step of a proof tree: a fact with its evidence, or a conclusion with the rule that drew it and what it used.
 *
 * @param stated the fact at a leaf, else the conclusion; made text only where somebody reads the tree, since most runs print none of it
 * @param rule name of the rule that drew the conclusion, "" at a leaf
 * @param because what the rule matched
 */
public record Proof(Object stated, String rule, List<Proof> because) {
  /** The fact or conclusion as text. */
  public String statement() {
    return stated.toString();
  }

  public boolean leaf() {
    return because.isEmpty() && rule.isEmpty();
  }

  /** The facts at the leaves, first use first, each once. */
  public List<Fact> facts() {
    java.util.LinkedHashSet<Fact> found = new java.util.LinkedHashSet<>();
    gather(found);
    return List.copyOf(found);
  }

  private void gather(java.util.Set<Fact> found) {
    if (stated instanceof Fact fact) {
      found.add(fact);
    }
    because.forEach(step -> step.gather(found));
  }
}
