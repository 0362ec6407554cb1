package gdrproof.collect.kube;

import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;

/** A fact where a reader found it, before any ledger holds it. */
public record Stated(Fact fact, Evidence at) {}
