package gdrproof.finding;

/**
 * A conclusion with its rule, its message and its proof.
 *
 * @param run the run whose session concluded it, or unknown when no run is known
 */
public record Derived(Conclusion conclusion, RuleInfo rule, String message, Proof proof, String run) {}
