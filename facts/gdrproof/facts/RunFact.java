package gdrproof.facts;

/** A fact that belongs to one execution. Joins of such facts stay inside a run unless a rule compares runs. */
public interface RunFact {
  /** Name of the run, or {@link Fact#UNKNOWN} where nothing attributes it. */
  String run();

  /** The same statement, bound to another run; used when provisional run names of files are merged. */
  Fact inRun(String run);
}
