package gdrproof.facts;

/**
 * One typed statement read from evidence. A record holds the statement only: where it was read stands in the ledger
 * (`gdrproof.finding.Ledger`), so two tools that say the same thing make one fact with two pieces of evidence.
 *
 * <p>No component is ever null. What a tool did not print is {@link #UNKNOWN} (text), {@link Num#UNKNOWN} (number) or
 * {@link Tri#UNKNOWN} (yes/no); never 0, false or "". Units are part of the component's name.
 */
public sealed interface Fact permits Bench, Compare, Drill, Gate, Gpu, Host, Kube, Launch, Measure, Meta, Nccl, Net, Operator, Pcie, Rdma, Verify {
  /** The text for what is not known: a node that nothing attributes, a state that a tool did not print. */
  String UNKNOWN = "unknown";

  /** Name of the node (host name cut at the first dot) the statement is about, or {@link #UNKNOWN}. */
  String node();
}
