package gdrproof.collect.log;

import gdrproof.facts.Evidence;
import gdrproof.facts.Nccl.NcclMessage;
import java.util.BitSet;

/** One statement of one process, however often it was printed. */
final class Hit {
  private static final int MOST_RANKS = 1 << 20;

  final ProcessLog process;
  final NcclMessage message;
  final Evidence first;
  Evidence last;
  long count = 1;
  /** Ranks at the other end of connections. */
  BitSet peers;
  /** Highest operation number of a call trace, -1 without one. */
  long operation = -1;

  Hit(ProcessLog process, NcclMessage message, Evidence first) {
    this.process = process;
    this.message = message;
    this.first = first;
    this.last = first;
  }

  void peer(int rank) {
    if (rank < 0 || rank >= MOST_RANKS) {
      return;
    }
    if (peers == null) {
      peers = new BitSet();
    }
    peers.set(rank);
  }
}
