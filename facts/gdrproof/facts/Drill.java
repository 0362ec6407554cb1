package gdrproof.facts;

/**
 * A staged failure: what three bundles, taken before, during and after it, say of the same things. Worked out across the three, whose names are `before`, `during`
 * and `after`; a value is unknown where nothing in that bundle tells it, and `absent` where a whole list lacks the thing.
 */
public sealed interface Drill extends Fact {
  /**
   * A thing in its three states.
   *
   * @param kind `port`, `gpu`, `routing`, `affinity`, `selection` (HCAs that NCCL takes)
   * @param name of the thing on its node
   */
  record DrillPart(String node, String kind, String name, String before, String during, String after) implements Drill {
    public boolean known() {
      return !before.equals(UNKNOWN) && !after.equals(UNKNOWN);
    }

    /** There before, and not looked at afterwards. */
    public boolean unseen() {
      return !before.equals(UNKNOWN) && !before.equals("absent") && after.equals(UNKNOWN);
    }

    /** As before, afterwards. */
    public boolean returned() {
      return known() && before.equals(after);
    }

    /** Different from before, afterwards. */
    public boolean lost() {
      return known() && !before.equals(after);
    }
  }

  /**
   * A failure that was staged: a port, a GPU, a node with all its ports, or one rail on every node.
   *
   * @param what `port`, `gpu`, `node`, `rail`
   */
  record DrillFailure(String node, String what, String name) implements Drill {}

  /** How many separate failures the bundle taken during the drill shows. */
  record DrillFailures(String node, Num count) implements Drill {}

  /** Share of its active ports that the worst node kept during the drill; remaining ports, ports before. */
  record DrillCapacity(String node, Num share, Num remaining, Num before) implements Drill {}

  /**
   * A measurement in the three phases.
   *
   * @param metric `busbw` (plateau, GB/s), `host-rdma`, `gpu-rdma` (Gb/s)
   * @param subject collective with its ranks, or the rail
   * @param duringShare during over before; afterShare after over before
   */
  record DrillFigure(String node, String metric, String subject, Num before, Num during, Num after, Num duringShare, Num afterShare) implements Drill {}

  /** Growth of a counter that should stand still, within the readings of the bundle taken during and of the one taken after. */
  record DrillCounter(String node, String device, String name, String meaning, Num during, Num after) implements Drill {
    /** Whether it stands still afterwards. */
    public boolean settled() {
      return after.is(0);
    }

    /** Whether it still grows afterwards. */
    public boolean growing() {
      return after.above(0);
    }
  }

  /** Hosts, ranks and GPUs a node of the largest run of each phase. */
  record DrillPlacement(String node, String before, String during, String after) implements Drill {
    public boolean known() {
      return !before.equals(UNKNOWN) && !during.equals(UNKNOWN) && !after.equals(UNKNOWN);
    }

    public boolean same() {
      return known() && before.equals(during) && before.equals(after);
    }
  }

  /**
   * How a run behaved while the failure was there.
   *
   * @param finished whether it reached its end; correctness as in {@link Measure.RunSummary}
   * @param error `none`, or how it ended
   */
  record DrillRun(String node, String run, Tri finished, String correctness, String error) implements Drill {}

  /**
   * The longest time that a run stood still during the drill, beyond its usual iteration.
   *
   * @param gpuSeconds that time for all its GPUs together
   */
  record DrillStall(String node, String run, Num seconds, Num gpus, Num gpuSeconds) implements Drill {}
}
