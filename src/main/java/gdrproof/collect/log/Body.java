package gdrproof.collect.log;

import java.nio.charset.StandardCharsets;

/**
 * Body of a line of NCCL, by what makes it the same statement as an earlier one. Three kinds make logs long and are read here without patterns, so
 * that numbers that change from line to line do not count: connections (`Channel 00/0 : 1[0] -> 0[0] [receive] via NET/IB/0`), calls of collectives
 * (`AllReduce: opCount 1f ... comm 0x55aa`), and queue pairs (`NET/IB: NCCL Dev 0 IbDev 0 Port 1 qpn 1234 mtu 5 ...`). Mutable and reused: one per reader.
 */
final class Body {
  enum Kind {
    CONNECTION,
    CALL,
    QUEUE_PAIR,
    OTHER
  }

  private static final byte[] CHANNEL = ascii("Channel ");
  private static final byte[] ARROW = ascii(" -> ");
  private static final byte[] COUNT = ascii(": opCount ");
  private static final byte[] COMM = ascii(" comm 0x");
  private static final byte[] STREAM = ascii(" stream ");
  private static final byte[] RECEIVE = ascii("[receive] via ");
  private static final byte[] SEND = ascii("[send] via ");
  private static final byte[] VIA = ascii("via ");
  private static final byte[] NET = ascii("NET/IB: ");
  private static final byte[] QPN = ascii(" qpn ");
  private static final byte[] QP_NUM = ascii(" qp_num ");
  private static final byte[] KEY = ascii(" fifoRkey=0x");
  private static final byte[] LOCAL_KEY = ascii(" fifoLkey=0x");

  Kind kind = Kind.OTHER;
  /** Rank at the other end of a connection; operation number of a call. */
  long value;
  private int at;

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Adds what this line says beyond a statement that was made before. */
  static void add(Hit hit, Kind kind, long value) {
    if (kind == Kind.CONNECTION) {
      hit.peer((int) value);
    } else if (kind == Kind.CALL) {
      hit.operation = Math.max(hit.operation, value);
    }
  }

  /** The same for bodies that state the same, 0 for one that must be read each time. @param seed of process and level */
  long hash(byte[] b, int from, int end, long seed) {
    if (connection(b, from, end)) {
      kind = Kind.CONNECTION;
      return Memo.hash(b, at, end, seed);
    }
    if (call(b, from, end)) {
      kind = Kind.CALL;
      // The name of the collective and its communicator; numbers between them change with every call.
      int name = at;
      int comm = indexOf(b, operation(b, end), end, COMM);
      int stream = comm < 0 ? -1 : indexOf(b, comm, end, STREAM);
      return stream < 0 ? 0 : Memo.hash(b, comm, stream, Memo.hash(b, from, name, seed));
    }
    if (queuePair(b, from, end)) {
      kind = Kind.QUEUE_PAIR;
      int number = at;
      digits(b, end, 10);
      int rest = at;
      int key = indexOf(b, rest, end, KEY);
      return key >= 0 && !keys(b, key, end) ? 0 : Memo.hash(b, rest, key < 0 ? end : key + KEY.length, Memo.hash(b, from, number, seed));
    }
    kind = Kind.OTHER;
    return Memo.hash(b, from, end, seed);
  }

  /** Leaves `at` where the part begins that tells what kind of connection it is; what comes before names channel and ranks. */
  private boolean connection(byte[] b, int from, int end) {
    at = from;
    if (!skip(b, end, CHANNEL) || number(b, end) < 0) {
      return false;
    }
    if (at < end && b[at] == '/') {
      at++;
      number(b, end);
    }
    if (at + 3 >= end || b[at] != ' ' || b[at + 1] != ':' || b[at + 2] != ' ') {
      return false;
    }
    at += 3;
    int source = number(b, end);
    if (source < 0 || !bracket(b, end) || !skip(b, end, ARROW)) {
      return false;
    }
    int target = number(b, end);
    if (target < 0 || !bracket(b, end) || at + 1 >= end || b[at] != ' ') {
      return false;
    }
    int tail = ++at;
    boolean receive = skip(b, end, RECEIVE);
    value = receive ? source : target;
    boolean via = receive || skip(b, end, SEND) || skip(b, end, VIA);
    at = tail;
    return via;
  }

  /** Leaves `at` behind the name of a collective. */
  private boolean call(byte[] b, int from, int end) {
    at = from;
    while (at < end && (b[at] >= 'a' && b[at] <= 'z' || b[at] >= 'A' && b[at] <= 'Z')) {
      at++;
    }
    int name = at;
    boolean call = at > from && skip(b, end, COUNT);
    at = name;
    return call;
  }

  /** Reads the number of a call. @return the place behind it */
  private int operation(byte[] b, int end) {
    at += COUNT.length;
    value = 0;
    for (int digits = 0; at < end && digits < 15 && Character.digit(b[at], 16) >= 0; digits++) {
      value = value << 4 | Character.digit(b[at++], 16);
    }
    return at;
  }

  /** Leaves `at` before the number of the queue pair. */
  private boolean queuePair(byte[] b, int from, int end) {
    at = from;
    if (!skip(b, end, NET)) {
      return false;
    }
    for (; at < end; at++) {
      if (b[at] == ' ' && (skip(b, end, QPN) || skip(b, end, QP_NUM))) {
        return at < end && Character.digit(b[at], 10) >= 0;
      }
    }
    return false;
  }

  /** Whether nothing but the two keys stands there, which no field names. */
  private boolean keys(byte[] b, int from, int end) {
    at = from;
    return skip(b, end, KEY) && digits(b, end, 16) && skip(b, end, LOCAL_KEY) && digits(b, end, 16) && at == end;
  }

  private boolean digits(byte[] b, int end, int radix) {
    int start = at;
    while (at < end && Character.digit(b[at], radix) >= 0) {
      at++;
    }
    return at > start;
  }

  private static int indexOf(byte[] b, int from, int end, byte[] text) {
    for (int i = from; i + text.length <= end; i++) {
      int j = 0;
      while (j < text.length && b[i + j] == text[j]) {
        j++;
      }
      if (j == text.length) {
        return i;
      }
    }
    return -1;
  }

  private boolean skip(byte[] b, int end, byte[] text) {
    if (at + text.length > end) {
      return false;
    }
    for (int i = 0; i < text.length; i++) {
      if (b[at + i] != text[i]) {
        return false;
      }
    }
    at += text.length;
    return true;
  }

  private int number(byte[] b, int end) {
    int value = -1;
    while (at < end && b[at] >= '0' && b[at] <= '9' && value < 1 << 24) {
      value = Math.max(value, 0) * 10 + b[at++] - '0';
    }
    return value;
  }

  /** A device in brackets. */
  private boolean bracket(byte[] b, int end) {
    if (at >= end || b[at] != '[') {
      return false;
    }
    int limit = Math.min(end, at + 20);
    while (at < limit && b[at] != ']') {
      at++;
    }
    return at < limit && b[at++] == ']';
  }
}
