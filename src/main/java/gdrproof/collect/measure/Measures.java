package gdrproof.collect.measure;

import gdrproof.facts.Ledger;

/** Works out what the measurements of a bundle amount to, after all files are read and bound to runs. */
public final class Measures {
  private Measures() {}

  /** Adds the derived facts, each with the evidence of what it was derived from. */
  public static Ledger derive(Ledger ledger) {
    Limits limits = Limits.load();
    RunSummaries.derive(ledger, limits);
    Ceilings.derive(ledger);
    Comparisons.derive(ledger, limits);
    Experiments.derive(ledger);
    Together.derive(ledger, limits);
    GpuCopies.derive(ledger, limits);
    PairTables.derive(ledger, limits);
    RawRdma.derive(ledger, limits);
    OneChanges.derive(ledger, limits);
    return ledger;
  }
}
