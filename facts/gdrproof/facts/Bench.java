package gdrproof.facts;

/** Measurements: nccl-tests, perftest and tables of results. */
public sealed interface Bench extends Fact, RunFact {
  /**
   * One row of an nccl-tests report, one placement.
   *
   * @param program benchmark (`all_reduce_perf`), or unknown
   * @param bytes message size in bytes
   * @param placement `out-of-place` or `in-place`
   * @param timeUs time in microseconds
   * @param algbwGBps algorithm bandwidth, GB/s (10^9)
   * @param busbwGBps bus bandwidth, GB/s (10^9)
   * @param wrong elements found wrong; unknown where checking was off or the release prints a deviation
   */
  record NcclTestRow(String node, String run, String program, Num bytes, String placement, Num timeUs, Num algbwGBps, Num busbwGBps, Num wrong)
      implements Bench {
    @Override
    public Fact inRun(String other) {
      return new NcclTestRow(node, other, program, bytes, placement, timeUs, algbwGBps, busbwGBps, wrong);
    }
  }

  /**
   * Footer of an nccl-tests report.
   *
   * @param outOfBounds failed checks (not elements)
   * @param checked whether the run checked its results
   * @param avgBusbwGBps mean over the sweep, GB/s; never a verdict
   * @param finished whether the report reached its end
   */
  record NcclTestSummary(String node, String run, String program, Num ranks, Num outOfBounds, Tri checked, Num avgBusbwGBps, Tri finished)
      implements Bench {
    @Override
    public Fact inRun(String other) {
      return new NcclTestSummary(node, other, program, ranks, outOfBounds, checked, avgBusbwGBps, finished);
    }
  }
}
