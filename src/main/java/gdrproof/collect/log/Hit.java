package gdrproof.collect.log;

import gdrproof.facts.Evidence;
import gdrproof.facts.Nccl.NcclMessage;
import java.util.BitSet;

/** One statement of one process, however often it was printed. */
final class Hit {
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
}
