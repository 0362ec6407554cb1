package gdrproof.probe;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Moves a stream into another up to a limit and drops the rest, so that the writer never blocks on a full pipe. */
final class Limited {
  private final OutputStream out;
  private long left;
  private boolean cut;

  Limited(OutputStream out, long limit) {
    this.out = out;
    this.left = limit;
  }

  /** Returns at the end of the stream, or when it breaks. */
  void pump(InputStream in) {
    byte[] block = new byte[16 << 10];
    try {
      for (int n = in.read(block); n >= 0; n = in.read(block)) {
        write(block, n);
      }
    } catch (IOException e) {
      // The process or connection ended; what came before counts.
      return;
    }
  }

  synchronized void write(byte[] block, int length) throws IOException {
    int kept = (int) Math.min(left, length);
    if (kept > 0) {
      out.write(block, 0, kept);
      left -= kept;
    }
    cut |= kept < length;
  }

  synchronized boolean cut() {
    return cut;
  }
}
