package gdrproof.collect;

import gdrproof.collect.StreamCollector.LineReader;
import gdrproof.collect.StreamCollector.Source;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Feeds a stream of bytes to stream collectors: one buffer, one automaton for all their texts, lines capped. */
public final class Streams {
  /** Files above this many bytes are read by stream collectors only. */
  public static final int BLOCK_LIMIT = 4 << 20;
  private static final int BUFFER = 1 << 20;
  /** A longer line is handed over in pieces with the same number, so that memory stays flat on a file without line ends. */
  private static final int LONGEST_LINE = 64 << 10;

  private final List<StreamCollector> collectors;
  private final Automaton automaton;
  private final int[] offsets;

  public Streams(List<StreamCollector> collectors) {
    this.collectors = List.copyOf(collectors);
    List<String> texts = new ArrayList<>();
    offsets = new int[collectors.size() + 1];
    for (int i = 0; i < offsets.length - 1; i++) {
      // Each collector's bits begin at a whole word, so that a line tells in a few instructions whom it concerns.
      while (texts.size() % 64 != 0) {
        texts.add(texts.get(texts.size() - 1));
      }
      offsets[i] = texts.size() / 64;
      texts.addAll(collectors.get(i).literals());
    }
    offsets[offsets.length - 1] = (texts.size() + 63) / 64;
    automaton = new Automaton(texts);
  }

  /** Reads to the end. @return number of lines */
  public int read(InputStream stream, Source source, Sink sink) throws IOException {
    List<LineReader> readers = new ArrayList<>();
    for (int i = 0; i < collectors.size(); i++) {
      readers.add(collectors.get(i).open(new Source(source.file(), source.node(), offsets[i]), sink));
    }
    int lines = new Pass(readers).read(stream);
    readers.forEach(LineReader::end);
    return lines;
  }

  private final class Pass {
    private final LineReader[] readers;
    private final Line line = new Line(automaton.words());
    private final byte[] buffer = new byte[BUFFER];
    private boolean hit;
    private boolean wanted;
    private int number = 1;

    Pass(List<LineReader> readers) {
      this.readers = readers.toArray(LineReader[]::new);
    }

    int read(InputStream stream) throws IOException {
      int start = 0;
      int end = 0;
      int state = automaton.start();
      boolean content = false;
      for (int got = stream.read(buffer, end, BUFFER - end); got >= 0; got = stream.read(buffer, end, BUFFER - end)) {
        int at = end;
        end += got;
        content |= got > 0;
        while (at < end) {
          long step = automaton.run(buffer, at, end, state);
          at += (int) (step >>> 32);
          state = (int) step;
          if (automaton.lineEnd(state)) {
            hand(start, at - 1);
            number++;
            start = at;
          } else if (automaton.special(state)) {
            automaton.mark(state, line.hits());
            hit = true;
          }
        }
        if (end - start >= LONGEST_LINE) {
          hand(start, end);
          start = end;
        }
        if (start > 0) {
          System.arraycopy(buffer, start, buffer, 0, end - start);
          end -= start;
          start = 0;
        }
      }
      if (end > start) {
        hand(start, end);
        number++;
      }
      return content ? number - 1 : 0;
    }

    private void hand(int from, int to) {
      if (!hit && !wanted) {
        return;
      }
      int end = to > from && buffer[to - 1] == '\r' ? to - 1 : to;
      line.set(buffer, from, end, number);
      wanted = false;
      for (int i = 0; i < readers.length; i++) {
        if (readers[i].wantsNext() || any(line.hits(), offsets[i], offsets[i + 1])) {
          readers[i].line(line);
          wanted |= readers[i].wantsNext();
        }
      }
      hit = false;
      Arrays.fill(line.hits(), 0);
    }

    private boolean any(long[] words, int from, int to) {
      for (int i = from; i < to; i++) {
        if (words[i] != 0) {
          return true;
        }
      }
      return false;
    }
  }
}
