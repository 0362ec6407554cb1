package gdrproof.collect;

import gdrproof.collect.Automaton.Events;
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
    Pass pass = new Pass(source, sink);
    byte[] buffer = new byte[BUFFER];
    int end = 0;
    for (int got = stream.readNBytes(buffer, 0, BUFFER); got > 0; got = stream.readNBytes(buffer, end, BUFFER - end)) {
      end += got;
      int done = pass.block(buffer, end);
      System.arraycopy(buffer, done, buffer, 0, end - done);
      end -= done;
    }
    return pass.end(buffer, end);
  }

  /** The same for a text in memory. */
  public int read(byte[] text, Source source, Sink sink) {
    Pass pass = new Pass(source, sink);
    int done = pass.block(text, text.length);
    return pass.end(Arrays.copyOfRange(text, done, text.length), text.length - done);
  }

  private final class Pass {
    private final LineReader[] readers = new LineReader[collectors.size()];
    private final Line line = new Line(automaton.words());
    private final Events[] events = {new Events(), new Events(), new Events(), new Events()};
    private final int[] bounds = new int[events.length + 1];
    private int state = automaton.start();
    private boolean hit;
    private boolean wanted;
    private boolean open;
    private int number = 1;

    Pass(Source source, Sink sink) {
      for (int i = 0; i < readers.length; i++) {
        readers[i] = collectors.get(i).open(new Source(source.file(), source.node(), offsets[i]), sink);
      }
    }

    /** Reads the whole lines of a buffer, or a piece of a line that is too long. @return how many bytes it needs no more */
    int block(byte[] buffer, int end) {
      int from = 0;
      if (open) {
        from = rest(buffer, end);
      }
      int to = end;
      while (to > from && buffer[to - 1] != '\n') {
        to--;
      }
      lines(buffer, from, to);
      return end - to < LONGEST_LINE ? to : piece(buffer, to, end);
    }

    int end(byte[] buffer, int end) {
      if (end > 0) {
        piece(buffer, 0, end);
      }
      for (LineReader reader : readers) {
        reader.end();
      }
      return open ? number : number - 1;
    }

    /** The rest of a line whose beginning was handed over. @return where the next one begins */
    private int rest(byte[] buffer, int end) {
      int to = 0;
      while (to < end && buffer[to] != '\n') {
        to++;
      }
      if (to == end) {
        return 0;
      }
      piece(buffer, 0, to);
      newLine();
      return to + 1;
    }

    private void newLine() {
      open = false;
      state = automaton.start();
      number++;
    }

    private void flush() {
      for (LineReader reader : readers) {
        reader.flush();
      }
    }

    /** A line or a part of one whose end is not in the buffer. */
    private int piece(byte[] buffer, int from, int to) {
      events[0].clear();
      state = automaton.run(buffer, from, to, state, events[0]);
      for (int i = 0; i < events[0].size(); i++) {
        mark(events[0].state(i));
      }
      hand(buffer, from, to);
      flush();
      open = true;
      return to;
    }

    private void lines(byte[] buffer, int from, int to) {
      if (from == to) {
        return;
      }
      bounds[0] = from;
      for (int i = 1; i < events.length; i++) {
        int at = Math.max(bounds[i - 1], from + (int) ((long) (to - from) * i / events.length));
        while (at > bounds[i - 1] && buffer[at - 1] != '\n') {
          at--;
        }
        bounds[i] = at;
      }
      bounds[events.length] = to;
      for (Events each : events) {
        each.clear();
      }
      automaton.run(buffer, bounds, events);
      int start = from;
      for (Events each : events) {
        for (int i = 0; i < each.size(); i++) {
          if (automaton.lineEnd(each.state(i))) {
            hand(buffer, start, each.place(i));
            number++;
            start = each.place(i) + 1;
          } else {
            mark(each.state(i));
          }
        }
      }
      flush();
    }

    private void mark(int found) {
      automaton.mark(found, line.hits());
      hit = true;
    }

    private void hand(byte[] buffer, int from, int to) {
      if (!hit && !wanted) {
        return;
      }
      int end = to > from && buffer[to - 1] == '\r' ? to - 1 : to;
      int start = from;
      do {
        int cut = Math.min(end, start + LONGEST_LINE);
        line.set(buffer, start, cut, number);
        wanted = false;
        for (int i = 0; i < readers.length; i++) {
          if (readers[i].wantsNext() || any(line.hits(), offsets[i], offsets[i + 1])) {
            readers[i].line(line);
            wanted |= readers[i].wantsNext();
          }
        }
        start = cut;
      } while (start < end);
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
