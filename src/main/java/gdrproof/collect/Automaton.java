package gdrproof.collect;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Finds which of many texts occur in each line of a byte stream, in one pass: an Aho-Corasick automaton as a dense table over classes of
 * bytes. States are numbered so that one comparison a byte tells the rare states (a text ends here, or the line ends) from the others.
 */
public final class Automaton {
  private static final int BYTES = 256;

  private final byte[] classes = new byte[BYTES];
  private final int shift;
  private final char[] next;
  private final int firstSpecial;
  private final int newline;
  private final int[][] outputs;
  private final int words;

  /** @param texts each at least one byte, none with a line end; the index is the bit it sets */
  public Automaton(List<String> texts) {
    words = (texts.size() + 63) / 64;
    int count = 1;
    for (String text : texts) {
      for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
        if (classes[b & 0xFF] == 0) {
          classes[b & 0xFF] = (byte) count++;
        }
      }
    }
    int newlineClass = count++;
    classes['\n'] = (byte) newlineClass;
    shift = 32 - Integer.numberOfLeadingZeros(count - 1);
    Trie trie = new Trie(1 << shift);
    for (int bit = 0; bit < texts.size(); bit++) {
      trie.add(texts.get(bit).getBytes(StandardCharsets.UTF_8), bit, classes);
    }
    trie.complete();
    int states = trie.size();
    int[] number = new int[states];
    int plain = 0;
    for (int s = 0; s < states; s++) {
      if (trie.out.get(s).isEmpty()) {
        number[s] = plain++;
      }
    }
    firstSpecial = plain;
    int special = plain;
    outputs = new int[states - plain][];
    for (int s = 0; s < states; s++) {
      if (!trie.out.get(s).isEmpty()) {
        outputs[special - plain] = trie.out.get(s).stream().toArray();
        number[s] = special++;
      }
    }
    newline = special;
    if (newline > Character.MAX_VALUE) {
      throw new IllegalArgumentException("too many texts for one automaton: " + newline + " states");
    }
    next = new char[(newline + 1) << shift];
    for (int s = 0; s < states; s++) {
      for (int c = 0; c < 1 << shift; c++) {
        next[(number[s] << shift) + c] = (char) (c == newlineClass ? newline : number[trie.step(s, c)]);
      }
    }
    for (int c = 0; c < 1 << shift; c++) {
      next[(newline << shift) + c] = c == newlineClass ? (char) newline : (char) number[trie.step(0, c)];
    }
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

  /** Whether a state returned by {@link #run} stands behind a line end. */
  boolean lineEnd(int state) {
    return state == newline;
  }

  /** Adds the hits of a state to the words. */
  void mark(int state, long[] hits) {
    for (int bit : outputs[state - firstSpecial]) {
      hits[bit >> 6] |= 1L << bit;
    }
  }

  /**
   * Runs until a special state or the end. The place behind the last byte read is `from` plus the upper half of the result, the state its lower
   * half: packed, because this is the inner loop over gigabytes.
   */
  long run(byte[] buffer, int from, int to, int state) {
    int s = state;
    int special = firstSpecial;
    char[] table = next;
    byte[] kinds = classes;
    int bits = shift;
    for (int i = from; i < to; i++) {
      s = table[(s << bits) + kinds[buffer[i] & 0xFF]];
      if (s >= special) {
        return (long) (i + 1 - from) << 32 | s;
      }
    }
    return (long) (to - from) << 32 | s;
  }

  boolean special(int state) {
    return state >= firstSpecial;
  }

  /** Hits inside one piece of text. */
  public long[] scan(byte[] text, int from, int to) {
    long[] hits = new long[words];
    int state = newline;
    int at = from;
    while (at < to) {
      long step = run(text, at, to, state);
      at += (int) (step >>> 32);
      state = (int) step;
      if (state >= firstSpecial && state != newline) {
        mark(state, hits);
      }
    }
    return hits;
  }
}
