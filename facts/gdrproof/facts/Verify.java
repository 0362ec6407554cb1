package gdrproof.facts;

import java.util.List;

/**
 * A cluster before and after a change, each told by its own bundle, worked out by comparing the two (`gdrproof.review`). `before` and `after` components hold the
 * two sides; a fact is only there when both sides (or, where said, the after side) tell enough.
 */
public sealed interface Verify extends Fact {
  /**
   * The comparison as a whole.
   *
   * @param rolledBack whether the after side is one that was rolled back: told by the user, or the operator's configuration is that of before again
   * @param how what tells it
   */
  record Sides(String node, Tri rolledBack, String how) implements Verify {}

  /** State of a policy of an operator; `before` is unknown where only the after side tells it, `parts` names components that are not ready. */
  record PolicyMove(String node, String object, String before, String after, Tri ready, List<String> parts) implements Verify {}

  /** A resource of a node that both sides list. */
  record OfferMove(String node, String resource, Num before, Num after) implements Verify {}

  /**
   * A node that was there before.
   *
   * @param present NO when the complete list of after lacks it
   * @param upgrade state of a driver upgrade by the node's label, `none` without one
   * @param settled whether it takes pods again and no upgrade is under way or failed
   */
  record NodeReturn(String node, Tri present, Tri ready, Tri schedulable, String upgrade, Tri settled) implements Verify {}

  /**
   * Raw RDMA on a node with one kind of memory.
   *
   * @param memory `host` or `gpu`
   * @param before, after whether a test of that side ran through; UNKNOWN without one
   * @param gbps best figures of each side
   */
  record RdmaHealth(String node, String memory, Tri before, Tri after, Num beforeGbps, Num afterGbps) implements Verify {}

  /** A benchmark run of the after side that is no control run. */
  record RunAfter(String node, String run, String collective, Num nodes, String network, String networkBefore, String correctness, Tri finished) implements Verify {}

  /**
   * Runs of both sides that should agree.
   *
   * @param key collective, ranks, nodes
   * @param lostPercent how much lower the median of after is; negative when it is higher
   * @param spread (highest - lowest) / median of each side in percent, unknown for one run
   */
  record BusbwMove(String node, String key, Num beforeGBps, Num afterGBps, Num lostPercent, Num spreadBefore, Num spreadAfter, Num runsBefore, Num runsAfter)
      implements Verify {}

  /** An error counter that grew between two readings of the after side. */
  record CounterGrowth(String node, String device, Num port, String name, String meaning, Num grown) implements Verify {}

  /** Error counters of the after side that were read twice, on a node. */
  record CountersWatched(String node, Num counters) implements Verify {}

  /**
   * A part of the data plane that no Kubernetes rollback touches.
   *
   * @param what `gpu-driver`, `firmware`, `module`, `stack`, `kernel`, `gid-order`, `rdma-mode`, `vf-count`
   * @param name which one: module, HCA, HCA/port
   */
  record PartMove(String node, String what, String name, String before, String after, Tri same) implements Verify {}

  /** A symptom that a diagnosis of one side concludes. */
  record SymptomMove(String node, String name, String subject, String message, Tri before, Tri after) implements Verify {}
}
