package gdrproof.collect.log;

import gdrproof.collect.log.Body.Kind;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Lines whose process may have printed their body before, put off until there are some dozens. Counters of a large job fill more than a cache, and a
 * wait for memory costs more than all else that a line needs; in short loops over many lines the waits overlap.
 */
final class Repeats {
  private static final int MOST = 64;

  /** Reads a line by the patterns. */
  @FunctionalInterface
  interface Fresh {
    /** What it comes to; null when it must not be remembered. */
    @Nullable
    Hit read(byte[] b, int from, int to, int number);
  }

  private final Fresh fresh;
  private final IntConsumer understood;
  private final Memo memo = new Memo();
  private final int[] from = new int[MOST];
  private final int[] to = new int[MOST];
  private final int[] number = new int[MOST];
  private final long[] hash = new long[MOST];
  private final long[] value = new long[MOST];
  private final Kind[] kind = new Kind[MOST];
  private final Hit[] known = new Hit[MOST];
  private byte[] buffer = {};
  private int size;
  private long touched;

  /** @param understood told the number of each line that says again what a pattern took */
  Repeats(Fresh fresh, IntConsumer understood) {
    this.fresh = fresh;
    this.understood = understood;
  }

  void add(byte[] b, int first, int end, int line, long key, Body body) {
    if (size == MOST) {
      flush();
    }
    buffer = b;
    from[size] = first;
    to[size] = end;
    number[size] = line;
    hash[size] = key;
    value[size] = body.value;
    kind[size++] = body.kind;
  }

  /** Reads what was put off; the bytes of the lines are as they were. */
  void flush() {
    int count = size;
    size = 0;
    touched |= memo.touch(hash, count);
    for (int i = 0; i < count; i++) {
      known[i] = memo.get(hash[i]);
    }
    for (int i = 0; i < count; i++) {
      if (known[i] != null) {
        known[i].count++;
      }
    }
    for (int i = 0; i < count; i++) {
      Hit hit = known[i] == null ? once(i) : known[i];
      if (hit != null) {
        if (!hit.message.id().isEmpty()) {
          understood.accept(number[i]);
        }
        Body.add(hit, kind[i], value[i]);
        if (kind[i] == Kind.QUEUE_PAIR) {
          hit.again(buffer, from[i], to[i], number[i]);
        }
      }
    }
  }

  /** A body that was new when the lines were put off; one before it may have been the same. */
  private @Nullable Hit once(int i) {
    Hit hit = memo.get(hash[i]);
    if (hit != null) {
      hit.count++;
      return hit;
    }
    hit = fresh.read(buffer, from[i], to[i], number[i]);
    if (hit != null) {
      memo.put(hash[i], hit);
    }
    return hit;
  }
}
