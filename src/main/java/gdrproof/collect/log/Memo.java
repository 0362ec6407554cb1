package gdrproof.collect.log;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** What a body of a process came to, by a 64-bit hash; of fixed size, an older entry makes way. */
final class Memo {
  private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int SIZE = 1 << 16;
  /** Places that a text may take: with one alone, texts that share it would drive each other out all the time. */
  private static final int WAYS = 8;
  private static final long PRIME = 0x9E3779B97F4A7C15L;

  private final long[] keys = new long[SIZE];
  private final Hit[] hits = new Hit[SIZE];

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

  /** Brings the places of many texts into the cache at once: one after the other they would cost a wait each. */
  long touch(long[] hashes, int count) {
    long any = 0;
    for (int i = 0; i < count; i++) {
      int set = (int) hashes[i] & SIZE - WAYS;
      any |= keys[set] | keys[set + WAYS - 1];
      any |= hits[set] == null ? 1 : 0;
    }
    return any;
  }

  /** Null if the text is new. */
  @Nullable
  Hit get(long hash) {
    int set = (int) hash & SIZE - WAYS;
    for (int way = set; way < set + WAYS; way++) {
      if (keys[way] == hash) {
        return hits[way];
      }
    }
    return null;
  }

  void put(long hash, Hit value) {
    int set = (int) hash & SIZE - WAYS;
    // The place of a text that is new is free, or that of the one that came first: so many texts seldom fall together.
    System.arraycopy(keys, set, keys, set + 1, WAYS - 1);
    System.arraycopy(hits, set, hits, set + 1, WAYS - 1);
    keys[set] = hash;
    hits[set] = value;
  }
}
