package gdrproof.finding;

/**
 * A conclusion with its rule, its message and its proof.
 *
 * @param run the run whose session concluded it, or unknown when no run is known
 */
public record Derived(Conclusion conclusion, RuleInfo rule, String message, Proof proof, String run) {
  /** The statement and its run: proofs are deep, and equal statements of one run have equal ones. */
  @Override
  public int hashCode() {
    return conclusion.hashCode() * 31 + run.hashCode();
  }

  @Override
  public boolean equals(Object other) {
    return this == other || other instanceof Derived d && conclusion.equals(d.conclusion) && rule.equals(d.rule) && run.equals(d.run) && proof.equals(d.proof);
  }
}
