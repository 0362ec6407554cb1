package gdrproof.facts;

/** What starts the ranks: MPI, Slurm, torchrun, and the framework's own messages. */
public sealed interface Launch extends Fact, RunFact {
  /** Ranks that a launcher was asked to start on a host. */
  record Slots(String node, String run, Num ranks) implements Launch {
    @Override
    public Fact inRun(String other) {
      return new Slots(node, other, ranks);
    }
  }

  /**
   * A launch begins at this place: the head of an nccl-tests report, or a prompt with a launch command. It separates the runs of one file.
   *
   * @param file path inside the bundle
   * @param line first line, 1-based
   * @param program benchmark or launcher, or unknown
   */
  record RunStart(String node, String run, String file, Num line, String program) implements Launch {
    @Override
    public Fact inRun(String other) {
      return new RunStart(node, other, file, line, program);
    }
  }

  /**
   * A rank's place as the head of an nccl-tests report prints it.
   *
   * @param process `host:pid`, unknown in releases that print no pid
   * @param group communicator of a split run
   * @param device CUDA device index inside the process
   * @param busId PCI address as printed: `0000:1b:00`, or `0x1b` in old releases
   */
  record RankPlacement(String node, String run, String process, Num rank, Num group, Num device, String busId, String model) implements Launch {
    @Override
    public Fact inRun(String other) {
      return new RankPlacement(node, other, process, rank, group, device, busId, model);
    }
  }

  /**
   * Rank that a launcher's tag gives to a process's lines.
   *
   * @param source `mpirun`, `srun`, `torchrun`, `hydra`
   */
  record RankTag(String node, String run, String process, Num rank, String source) implements Launch {
    @Override
    public Fact inRun(String other) {
      return new RankTag(node, other, process, rank, source);
    }
  }
}
