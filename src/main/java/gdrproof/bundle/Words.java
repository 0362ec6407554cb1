package gdrproof.bundle;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/** Tells in one pass whether a text holds any of some lower-case words, whatever its case: an Aho-Corasick automaton over ASCII. */
public final class Words {
  private static final int LETTERS = 128;
  private final int[] next;
  private final boolean[] found;

  /** @param words in lower case */
  public Words(String... words) {
    int most = 1;
    for (String word : words) {
      most += word.length();
    }
    next = new int[most * LETTERS];
    found = new boolean[most];
    int states = 1;
    for (String word : words) {
      int state = 0;
      for (int i = 0; i < word.length(); i++) {
        int at = state * LETTERS + word.charAt(i);
        if (next[at] == 0) {
          next[at] = states++;
        }
        state = next[at];
      }
      found[state] = true;
    }
    complete(states);
  }

  private void complete(int states) {
    int[] fail = new int[states];
    Deque<Integer> queue = new ArrayDeque<>();
    for (int c = 0; c < LETTERS; c++) {
      if (next[c] != 0) {
        queue.add(next[c]);
      }
    }
    while (!queue.isEmpty()) {
      int state = queue.remove();
      found[state] |= found[fail[state]];
      for (int c = 0; c < LETTERS; c++) {
        int at = state * LETTERS + c;
        if (next[at] == 0) {
          next[at] = next[fail[state] * LETTERS + c];
        } else {
          fail[next[at]] = next[fail[state] * LETTERS + c];
          queue.add(next[at]);
        }
      }
    }
    for (int state = 0; state < states; state++) {
      int[] row = Arrays.copyOfRange(next, state * LETTERS + 'a', state * LETTERS + 'z' + 1);
      System.arraycopy(row, 0, next, state * LETTERS + 'A', row.length);
    }
  }

  /** Whether any of the words is in a text. */
  public boolean in(String text) {
    int state = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      state = c < LETTERS ? next[state * LETTERS + c] : 0;
      if (found[state]) {
        return true;
      }
    }
    return false;
  }
}
