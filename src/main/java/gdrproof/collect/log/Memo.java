package gdrproof.collect.log;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** What a body of a process came to, by a 64-bit hash; of fixed size, an older entry makes way. */
final class Memo {
  private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int SIZE = 1 << 16;
  private static final long PRIME = 0x9E3779B97F4A7C15L;

  private final long[] keys = new long[SIZE];
  private final Hit[][] hits = new Hit[SIZE][];

  /** @param seed whatever makes the same text mean another thing: process and level */
  static long hash(byte[] b, int from, int end, long seed) {
    long h = seed * PRIME + (end - from);
    int i = from;
    for (; i + 8 <= end; i += 8) {
      h = Long.rotateLeft((h ^ (long) LONGS.get(b, i)) * PRIME, 29);
    }
    long tail = 0;
    for (; i < end; i++) {
      tail = tail << 8 | b[i] & 0xFF;
    }
    h = (h ^ tail) * PRIME;
    h ^= h >>> 32;
    return h == 0 ? 1 : h;
  }

  Hit[] get(long hash) {
    int slot = (int) hash & SIZE - 1;
    return keys[slot] == hash ? hits[slot] : null;
  }

  void put(long hash, Hit[] value) {
    int slot = (int) hash & SIZE - 1;
    keys[slot] = hash;
    hits[slot] = value;
  }
}
