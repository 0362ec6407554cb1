package gdrproof.bundle;

import io.airlift.compress.MalformedInputException;
import io.airlift.compress.zstd.ZstdInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Unpacks zstd (RFC 8878) as a stream. The decoder trusts the header's claim of memory, and gives nothing of a window whose end or sum is missing, so it gets
 * one frame at a time from a walk over blocks: skippable frames are passed over, what would need too much memory is refused, of a file that is cut every
 * whole block is used, and sums are checked here.
 */
final class Zstd extends InputStream {
  private final Frames frames;
  private @Nullable InputStream frame;
  private Xxh64 hash = new Xxh64();

  Zstd(InputStream packed) {
    frames = new Frames(packed);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    int n = read(one, 0, 1);
    return n < 0 ? -1 : one[0] & 0xFF;
  }

  /** @throws EOFException where the file is cut, after all that could be unpacked */
  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (true) {
      if (frame == null) {
        if (!frames.next()) {
          if (frames.cut) {
            throw new EOFException("ends early");
          }
          return -1;
        }
        frame = new ZstdInputStream(frames);
        hash = new Xxh64();
      }
      int n = unpack(frame, into, from, length);
      if (n >= 0) {
        hash.update(into, from, n);
        return n;
      }
      frame = null;
      if (frames.sum.length == 4 && Xxh64.number(frames.sum, 0, 4) != (hash.value() & 0xFFFFFFFFL)) {
        throw new IOException("its check sum differs");
      }
    }
  }

  private int unpack(InputStream decoder, byte[] into, int from, int length) throws IOException {
    try {
      return decoder.read(into, from, length);
    } catch (IOException | MalformedInputException e) {
      if (frames.refused != null) {
        throw frames.refused;
      }
      // A frame cut before the end of its first block.
      if (frames.cut) {
        return -1;
      }
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    frames.packed.close();
  }

  /** The packed bytes as the decoder may have them: a frame of whole blocks, without its check sum. */
  private static final class Frames extends InputStream {
    private static final int MAGIC = 0xFD2FB528;
    private static final int SKIPPABLE = 0x184D2A50;
    private static final int CHECKED = 4;
    private static final int BLOCK_MAXIMUM = 128 << 10;
    /** The largest window that the decoder takes; levels up to 19 use no larger one. */
    private static final long WINDOW_MAXIMUM = 8L << 20;
    /** Of a frame that is its own window, which the decoder holds whole. */
    private static final long SEGMENT_MAXIMUM = 64L << 20;

    private final InputStream packed;
    private byte[] ready = {};
    private int at;
    /** The last block, until the next one shows that the frame goes on. */
    private byte[] held = {};
    private boolean checked;
    private boolean inFrame;
    private byte[] sum = {};
    private boolean cut;
    private @Nullable IOException refused;

    Frames(InputStream packed) {
      this.packed = packed;
    }

    @Override
    public int read() throws IOException {
      return more() ? ready[at++] & 0xFF : -1;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      if (!more()) {
        return -1;
      }
      int n = Math.min(length, ready.length - at);
      System.arraycopy(ready, at, into, from, n);
      at += n;
      return n;
    }

    private boolean more() throws IOException {
      while (at >= ready.length && inFrame) {
        ready = block();
        at = 0;
      }
      return at < ready.length;
    }

    /** Begins the next frame; false at the end, and where no whole header follows. */
    boolean next() throws IOException {
      sum = new byte[0];
      while (!cut) {
        byte[] magic = packed.readNBytes(4);
        if (magic.length == 0) {
          return false;
        }
        if (magic.length == 4 && (int) Xxh64.number(magic, 0, 4) == MAGIC) {
          return header(magic);
        }
        if (magic.length == 4 && (Xxh64.number(magic, 0, 4) & 0xFFFFFFF0L) != SKIPPABLE) {
          throw new IOException("what follows a frame is no zstd");
        }
        byte[] size = packed.readNBytes(4);
        cut = size.length < 4;
        if (!cut) {
          packed.skipNBytes(Xxh64.number(size, 0, 4));
        }
      }
      return false;
    }

    private boolean header(byte[] magic) throws IOException {
      int descriptor = packed.read();
      boolean segment = (descriptor & 0x20) != 0;
      int window = segment ? 0 : 1;
      int dictionary = new int[] {0, 1, 2, 4}[descriptor & 3];
      int size = new int[] {segment ? 1 : 0, 2, 4, 8}[descriptor >> 6 & 3];
      byte[] fields = packed.readNBytes(window + dictionary + size);
      if (descriptor < 0 || fields.length < window + dictionary + size) {
        cut = true;
        return false;
      }
      if (Xxh64.number(fields, window, dictionary) != 0) {
        throw new Archives.Refused("packed with a dictionary; unpack it first with zstd -d -D");
      }
      long memory = segment ? Xxh64.number(fields, dictionary, size) + (size == 2 ? 256 : 0) : window(fields[0] & 0xFF);
      if (memory < 0 || memory > (segment ? SEGMENT_MAXIMUM : WINDOW_MAXIMUM)) {
        throw new Archives.Refused("packed with a window of " + (memory >>> 20) + " MiB (--long or --ultra), more than is held here; unpack it first with zstd -d --long=31");
      }
      checked = (descriptor & CHECKED) != 0;
      inFrame = true;
      held = new byte[0];
      ByteArrayOutputStream header = new ByteArrayOutputStream();
      header.writeBytes(magic);
      header.write(descriptor & ~CHECKED);
      header.writeBytes(fields);
      ready = header.toByteArray();
      at = 0;
      return true;
    }

    private byte[] block() throws IOException {
      byte[] before = held;
      byte[] head = packed.readNBytes(3);
      if (head.length < 3) {
        return cut();
      }
      int value = (int) Xxh64.number(head, 0, 3);
      int size = (value >> 1 & 3) == 1 ? 1 : value >> 3;
      if (size > BLOCK_MAXIMUM) {
        refused = new IOException("a block of " + size + " bytes");
        throw refused;
      }
      byte[] content = packed.readNBytes(size);
      if (content.length < size) {
        return cut();
      }
      held = joined(head, content);
      if ((value & 1) == 0) {
        return before;
      }
      inFrame = false;
      sum = packed.readNBytes(checked ? 4 : 0);
      cut = checked && sum.length < 4;
      return joined(before, held);
    }

    /** The last whole block is made the frame's last one. */
    private byte[] cut() {
      cut = true;
      inFrame = false;
      if (held.length > 0) {
        held[0] |= 1;
      }
      return held;
    }

    private static long window(int descriptor) {
      long base = 1L << 10 + (descriptor >> 3);
      return base + base / 8 * (descriptor & 7);
    }

    private static byte[] joined(byte[] first, byte[] second) {
      byte[] both = Arrays.copyOf(first, first.length + second.length);
      System.arraycopy(second, 0, both, first.length, second.length);
      return both;
    }
  }
}
