package gdrproof.collect;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Finds which of many texts occur in each line of bytes, in one pass: an Aho-Corasick automaton as a dense table, a row of 256 steps a state.
 * States in which a text or the line ends are numbered from a power of two, so that one comparison tells for several states at once whether any
 * of them is of interest. A step waits for the one before it; four places of a buffer are therefore read in turns, which takes a third of the time.
 */
public final class Automaton {
  private static final int BYTES = 256;
  private static final int ROW = 8;

  private final char[] next;
  private final int firstSpecial;
  private final int newline;
  private final int[][] outputs;
  private final int words;

  /** @param texts each at least one byte, none with a line end; the index is the bit it sets */
  public Automaton(List<String> texts) {
    words = (texts.size() + 63) / 64;
    byte[] classes = new byte[BYTES];
    int count = 1;
    for (String text : texts) {
      for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
        if (classes[b & 0xFF] == 0) {
          classes[b & 0xFF] = (byte) count++;
        }
      }
    }
    Trie trie = new Trie(count);
    for (int bit = 0; bit < texts.size(); bit++) {
      trie.add(texts.get(bit).getBytes(StandardCharsets.UTF_8), bit, classes);
    }
    trie.complete();
    int states = trie.size();
    int plain = (int) trie.out.stream().filter(BitSet::isEmpty).count();
    firstSpecial = Integer.highestOneBit(plain) << 1;
    outputs = new int[states - plain][];
    newline = firstSpecial + outputs.length;
    if (newline > Character.MAX_VALUE) {
      throw new IllegalArgumentException("too many texts for one automaton: " + newline + " states");
    }
    int[] number = new int[states];
    int common = 0;
    int special = firstSpecial;
    for (int s = 0; s < states; s++) {
      if (trie.out.get(s).isEmpty()) {
        number[s] = common++;
      } else {
        outputs[special - firstSpecial] = trie.out.get(s).stream().toArray();
        number[s] = special++;
      }
    }
    next = new char[(newline + 1) << ROW];
    for (int s = 0; s < states; s++) {
      row(trie, s, number[s], number, classes);
    }
    // Behind a line end everything is as at the start.
    row(trie, 0, newline, number, classes);
  }

  private void row(Trie trie, int state, int row, int[] number, byte[] classes) {
    for (int b = 0; b < BYTES; b++) {
      next[(row << ROW) + b] = (char) number[trie.step(state, classes[b] & 0xFF)];
    }
    next[(row << ROW) + '\n'] = (char) newline;
  }

  private static final class Trie {
    private final int width;
    private final List<int[]> steps = new ArrayList<>();
    private final List<BitSet> out = new ArrayList<>();

    Trie(int width) {
      this.width = width;
      grow();
    }

    private int grow() {
      int[] row = new int[width];
      Arrays.fill(row, -1);
      steps.add(row);
      out.add(new BitSet());
      return steps.size() - 1;
    }

    void add(byte[] text, int bit, byte[] classes) {
      int at = 0;
      for (byte b : text) {
        int c = classes[b & 0xFF];
        if (steps.get(at)[c] < 0) {
          steps.get(at)[c] = grow();
        }
        at = steps.get(at)[c];
      }
      out.get(at).set(bit);
    }

    /** Fills missing steps from the longest proper suffix, breadth first. */
    void complete() {
      int[] fail = new int[steps.size()];
      ArrayDeque<Integer> queue = new ArrayDeque<>();
      queue.add(0);
      while (!queue.isEmpty()) {
        int s = queue.remove();
        for (int c = 0; c < width; c++) {
          int to = steps.get(s)[c];
          int back = s == 0 ? 0 : steps.get(fail[s])[c];
          if (to < 0) {
            steps.get(s)[c] = back;
          } else {
            fail[to] = back;
            out.get(to).or(out.get(back));
            queue.add(to);
          }
        }
      }
    }

    int step(int state, int c) {
      return steps.get(state)[c];
    }

    int size() {
      return steps.size();
    }
  }

  /** Number of 64-bit words a set of hits takes. */
  public int words() {
    return words;
  }

  /** The state in which a line begins. */
  int start() {
    return newline;
  }

  /** Whether a state that {@link Events} tells stands behind a line end. */
  boolean lineEnd(int state) {
    return state == newline;
  }

  /** Adds the hits of a state to the words. */
  void mark(int state, long[] hits) {
    for (int bit : outputs[state - firstSpecial]) {
      hits[bit >> 6] |= 1L << bit;
    }
  }

  /** Places where a text or a line ended, in their order. */
  static final class Events {
    private long[] events = new long[256];
    private int size;

    private void add(int place, int state) {
      if (size == events.length) {
        events = Arrays.copyOf(events, 2 * size);
      }
      events[size++] = (long) place << 32 | state;
    }

    void clear() {
      size = 0;
    }

    int size() {
      return size;
    }

    /** The place of the last byte. */
    int place(int i) {
      return (int) (events[i] >>> 32);
    }

    int state(int i) {
      return (int) events[i];
    }
  }

  /** Reads a piece of a buffer and adds what ended in it. @return the state behind it, with which its continuation begins */
  int run(byte[] buffer, int from, int to, int state, Events events) {
    int s = state;
    int special = firstSpecial;
    char[] table = next;
    for (int i = from; i < to; i++) {
      s = table[(s << ROW) + (buffer[i] & 0xFF)];
      if (s >= special) {
        events.add(i, s);
      }
    }
    return s;
  }

  /**
   * Reads four pieces of a buffer, each beginning with a line and ending with a line end.
   *
   * @param bounds five places, ascending: piece i goes from bounds[i] to bounds[i + 1]
   * @param events of each piece
   */
  void run(byte[] buffer, int[] bounds, Events[] events) {
    int shortest = Integer.MAX_VALUE;
    for (int i = 0; i < 4; i++) {
      shortest = Math.min(shortest, bounds[i + 1] - bounds[i]);
    }
    int b0 = bounds[0];
    int b1 = bounds[1];
    int b2 = bounds[2];
    int b3 = bounds[3];
    int s0 = newline;
    int s1 = newline;
    int s2 = newline;
    int s3 = newline;
    int special = firstSpecial;
    char[] table = next;
    for (int i = 0; i < shortest; i++) {
      s0 = table[(s0 << ROW) + (buffer[b0 + i] & 0xFF)];
      s1 = table[(s1 << ROW) + (buffer[b1 + i] & 0xFF)];
      s2 = table[(s2 << ROW) + (buffer[b2 + i] & 0xFF)];
      s3 = table[(s3 << ROW) + (buffer[b3 + i] & 0xFF)];
      if ((s0 | s1 | s2 | s3) >= special) {
        if (s0 >= special) {
          events[0].add(b0 + i, s0);
        }
        if (s1 >= special) {
          events[1].add(b1 + i, s1);
        }
        if (s2 >= special) {
          events[2].add(b2 + i, s2);
        }
        if (s3 >= special) {
          events[3].add(b3 + i, s3);
        }
      }
    }
    run(buffer, b0 + shortest, bounds[1], s0, events[0]);
    run(buffer, b1 + shortest, bounds[2], s1, events[1]);
    run(buffer, b2 + shortest, bounds[3], s2, events[2]);
    run(buffer, b3 + shortest, bounds[4], s3, events[3]);
  }

  /** Hits inside one piece of text. */
  public long[] scan(byte[] text, int from, int to) {
    long[] hits = new long[words];
    int s = newline;
    for (int i = from; i < to; i++) {
      s = next[(s << ROW) + (text[i] & 0xFF)];
      if (s >= firstSpecial && s != newline) {
        mark(s, hits);
      }
    }
    return hits;
  }
}
