package gdrproof.collect;

import gdrproof.bundle.Redaction;
import java.nio.charset.StandardCharsets;

/** One line of a stream: bytes of a shared buffer, without line end. Valid only until the next one. */
public final class Line {
  private final long[] hits;
  private byte[] buffer = new byte[0];
  private int from;
  private int to;
  private int number;

  Line(int words) {
    hits = new long[words];
  }

  void set(byte[] bytes, int first, int end, int line) {
    buffer = bytes;
    from = first;
    to = end;
    number = line;
  }

  public byte[] buffer() {
    return buffer;
  }

  public int from() {
    return from;
  }

  public int to() {
    return to;
  }

  /** Number in the file, 1-based. */
  public int number() {
    return number;
  }

  /** Which texts of all collectors occur, a bit each; see {@link Automaton}. */
  public long[] hits() {
    return hits;
  }

  /** The line as text, secrets redacted. */
  public String text() {
    return Redaction.line(new String(buffer, from, to - from, StandardCharsets.UTF_8));
  }
}
