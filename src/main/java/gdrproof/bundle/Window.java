package gdrproof.bundle;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;

/** A stretch of a channel as a stream of its own; several may be read by several threads. */
final class Window extends InputStream {
  private final SeekableByteChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16).flip();
  private final long end;
  private long next;

  Window(SeekableByteChannel channel, long start, long length) {
    this.channel = channel;
    this.next = start;
    this.end = start + length;
  }

  private boolean fill() throws IOException {
    if (buffer.hasRemaining()) {
      return true;
    }
    if (next >= end) {
      return false;
    }
    buffer.clear().limit((int) Math.min(buffer.capacity(), end - next));
    int n;
    if (channel instanceof FileChannel file) {
      n = file.read(buffer, next);
    } else {
      synchronized (channel) {
        n = channel.position(next).read(buffer);
      }
    }
    buffer.flip();
    if (n < 0) {
      throw new java.io.EOFException("the archive ends within this file");
    }
    next += n;
    return n > 0;
  }

  @Override
  public int read() throws IOException {
    return fill() ? buffer.get() & 0xFF : -1;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int n = Math.min(length, buffer.remaining());
    buffer.get(into, from, n);
    return n;
  }
}
