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
}
