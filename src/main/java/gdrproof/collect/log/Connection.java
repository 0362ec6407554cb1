package gdrproof.collect.log;

import java.nio.charset.StandardCharsets;

/**
 * Reads the two kinds of lines that make logs long, without patterns: connections (`Channel 00/0 : 1[0] -> 0[0] [receive] via NET/IB/0`) and
 * calls of collectives (`AllReduce: opCount 1f ... comm 0x55aa`). Mutable and reused: one per reader.
 */
final class Connection {
  private static final byte[] CHANNEL = "Channel ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] CALL = ": opCount ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] RECEIVE = "[receive] via ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] SEND = "[send] via ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] VIA = "via ".getBytes(StandardCharsets.US_ASCII);

  /** Where the part begins that tells what kind of connection it is; for a call, the end of its name. */
  int tail;
  /** Rank at the other end. */
  int peer;
  long operation;
  private int at;

  boolean find(byte[] b, int from, int end) {
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
    if (source < 0 || !bracket(b, end) || at + 4 >= end || b[at] != ' ' || b[at + 1] != '-' || b[at + 2] != '>' || b[at + 3] != ' ') {
      return false;
    }
    at += 4;
    int target = number(b, end);
    if (target < 0 || !bracket(b, end) || at + 1 >= end || b[at] != ' ') {
      return false;
    }
    tail = ++at;
    boolean receive = skip(b, end, RECEIVE);
    peer = receive ? source : target;
    return receive || skip(b, end, SEND) || skip(b, end, VIA);
  }

  boolean call(byte[] b, int from, int end) {
    at = from;
    while (at < end && (b[at] >= 'a' && b[at] <= 'z' || b[at] >= 'A' && b[at] <= 'Z')) {
      at++;
    }
    tail = at;
    if (at == from || !skip(b, end, CALL)) {
      return false;
    }
    operation = 0;
    for (int digits = 0; at < end && digits < 15 && Character.digit(b[at], 16) >= 0; digits++) {
      operation = operation << 4 | Character.digit(b[at++], 16);
    }
    return true;
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
