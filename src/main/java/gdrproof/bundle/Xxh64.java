package gdrproof.bundle;

/** The 64-bit hash of xxHash with seed 0, of which zstd writes the low half behind a frame (RFC 8878, 3.1.1). */
final class Xxh64 {
  private static final long P1 = 0x9E3779B185EBCA87L;
  private static final long P2 = 0xC2B2AE3D27D4EB4FL;
  private static final long P3 = 0x165667B19E3779F9L;
  private static final long P4 = 0x85EBCA77C2B2AE63L;
  private static final long P5 = 0x27D4EB2F165667C5L;
  /** P1 + P2, which is meant to run over. */
  private static final long SUM = 0x60EA27EEADC0B5D6L;
  private static final int STRIPE = 32;

  private final long[] lanes = {SUM, P2, 0, -P1};
  private final byte[] rest = new byte[STRIPE];
  private int left;
  private long total;

  void update(byte[] bytes, int from, int length) {
    total += length;
    int at = from;
    int end = from + length;
    while (left > 0 && at < end) {
      rest[left++] = bytes[at++];
      if (left == STRIPE) {
        stripe(rest, 0);
        left = 0;
      }
    }
    for (; left == 0 && end - at >= STRIPE; at += STRIPE) {
      stripe(bytes, at);
    }
    while (at < end) {
      rest[left++] = bytes[at++];
    }
  }

  private void stripe(byte[] bytes, int from) {
    for (int i = 0; i < 4; i++) {
      lanes[i] = round(lanes[i], number(bytes, from + 8 * i, 8));
    }
  }

  long value() {
    long hash = P5;
    if (total >= STRIPE) {
      hash = Long.rotateLeft(lanes[0], 1) + Long.rotateLeft(lanes[1], 7) + Long.rotateLeft(lanes[2], 12) + Long.rotateLeft(lanes[3], 18);
      for (long lane : lanes) {
        hash = (hash ^ round(0, lane)) * P1 + P4;
      }
    }
    hash += total;
    int at = 0;
    for (; left - at >= 8; at += 8) {
      hash = Long.rotateLeft(hash ^ round(0, number(rest, at, 8)), 27) * P1 + P4;
    }
    if (left - at >= 4) {
      hash = Long.rotateLeft(hash ^ number(rest, at, 4) * P1, 23) * P2 + P3;
      at += 4;
    }
    for (; at < left; at++) {
      hash = Long.rotateLeft(hash ^ (rest[at] & 0xFF) * P5, 11) * P1;
    }
    hash = (hash ^ hash >>> 33) * P2;
    hash = (hash ^ hash >>> 29) * P3;
    return hash ^ hash >>> 32;
  }

  private static long round(long lane, long input) {
    return Long.rotateLeft(lane + input * P2, 31) * P1;
  }

  /** Little-endian. */
  static long number(byte[] bytes, int from, int length) {
    long value = 0;
    for (int i = 0; i < length; i++) {
      value |= (bytes[from + i] & 0xFFL) << 8 * i;
    }
    return value;
  }
}
