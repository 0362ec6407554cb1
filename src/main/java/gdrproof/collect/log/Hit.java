package gdrproof.collect.log;

import gdrproof.bundle.Redaction;
import gdrproof.facts.Evidence;
import gdrproof.facts.Nccl.NcclMessage;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** One statement of one process, however often it was printed. */
final class Hit {
  private static final int MOST_RANKS = 1 << 20;
  private static final long[] NOBODY = {};
  private static final byte[] NOTHING = {};

  final ProcessLog process;
  final NcclMessage message;
  final Evidence first;
  long count = 1;
  /** Highest operation number of a call trace, -1 without one. */
  long operation = -1;
  private Evidence last;
  /** Ranks at the other end of connections, a bit each. */
  private long[] peers = NOBODY;
  /** A later line than `last`, decoded only once it is known to be the last one. */
  private byte[] later = NOTHING;
  private int laterLength;
  private int laterNumber;

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
    int word = rank >> 6;
    if (word >= peers.length) {
      peers = Arrays.copyOf(peers, Math.max(word + 1, 2 * peers.length));
    }
    peers[word] |= 1L << rank;
  }

  long[] peers() {
    return peers;
  }

  void again(Evidence at) {
    count++;
    last = at;
    laterNumber = 0;
  }

  /** Printed again, in a line like the first but for numbers that are no fields. */
  void again(byte[] b, int from, int to, int number) {
    laterLength = to - from;
    if (later.length < laterLength) {
      later = new byte[laterLength];
    }
    System.arraycopy(b, from, later, 0, laterLength);
    laterNumber = number;
  }

  Evidence last() {
    if (laterNumber > 0) {
      last = Evidence.of(last.file(), laterNumber, Redaction.line(new String(later, 0, laterLength, StandardCharsets.UTF_8)).strip()).from(last.host(), last.command(), last.time());
      laterNumber = 0;
    }
    return last;
  }
}
