package gdrproof.bundle;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.bundle.Bundle.Opener;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarFile;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * Opens archives by their first bytes, never by their name. Compressed ones are unpacked as a stream into a file that is
 * deleted while it is open: memory stays flat, and nothing unredacted stays on disk.
 */
final class Archives {
  private static final int HEAD = 512;
  /** `xz -9` needs 65 MiB to unpack; a header that asks for more is refused instead of filling memory. */
  private static final int XZ_MEMORY_KIB = 128 << 10;
  private static final Pattern OUTSIDE = Pattern.compile("^[/\\\\]|^[A-Za-z]:|(?:^|[/\\\\])\\.\\.(?:[/\\\\]|$)");

  private enum Form {
    TAR,
    ZIP,
    GZIP,
    BZIP2,
    XZ,
    ZSTD,
    OTHER_PACKED,
    PLAIN
  }

  private final Limits limits;
  private final boolean alone;
  private boolean cut;
  private final AtomicLong unpacked = new AtomicLong();

  /**
   * @param alone whether the archive is the whole bundle: then its paths are the bundle's; else they stand below its name
   */
  Archives(Limits limits, boolean alone) {
    this.limits = limits;
    this.alone = alone;
  }

  /** Adds an entry, or the entries inside it if it is an archive. */
  void add(String name, long bytes, Opener opener, List<Entry> entries) throws IOException {
    add(name, bytes, opener, 0, entries);
  }

  private void add(String name, long bytes, Opener opener, int depth, List<Entry> entries) throws IOException {
    // A file of a folder that may not be read must not stop the others.
    byte[] head;
    InputStream once = null;
    try {
      InputStream stream = opener.open();
      head = stream.readNBytes(HEAD);
      if (bytes < 0) {
        once = new SequenceInputStream(new ByteArrayInputStream(head), stream);
      } else {
        stream.close();
      }
    } catch (IOException e) {
      entries.add(new Entry(name, bytes, opener));
      return;
    }
    Form form = form(head);
    if (form == Form.PLAIN) {
      InputStream stream = once;
      entries.add(stream == null ? new Entry(name, bytes, opener) : new Entry(name, bytes, () -> stream));
      return;
    }
    if (form == Form.OTHER_PACKED) {
      entries.add(new Entry(name, bytes, () -> {
        throw new IOException("compressed in a form that is not read here (7z or rar); unpack it first");
      }));
      return;
    }
    if (depth >= limits.depth()) {
      entries.add(Entry.refused(name, "archives nested more than " + limits.depth() + " deep"));
      return;
    }
    try {
      InputStream stream = once == null ? opener.open() : once;
      switch (form) {
        case GZIP -> packed(name, bytes, new GzipCompressorInputStream(stream, true), depth, entries);
        case BZIP2 -> packed(name, bytes, new BZip2CompressorInputStream(stream, true), depth, entries);
        case XZ -> packed(name, bytes, new XZInputStream(stream, XZ_MEMORY_KIB), depth, entries);
        case ZSTD -> packed(name, bytes, new Zstd(stream), depth, entries);
        case TAR -> tar(name, spool(name, stream, Long.MAX_VALUE, entries), depth, entries);
        case ZIP -> zip(name, spool(name, stream, Long.MAX_VALUE, entries), depth, entries);
        case OTHER_PACKED, PLAIN -> throw new IllegalStateException(form.name());
      }
    } catch (IOException | RuntimeException e) {
      // Libraries throw all sorts of unchecked exceptions on damaged archives.
      entries.add(new Entry(name, bytes, () -> {
        throw new IOException(e instanceof Refused ? e.getMessage() : "damaged archive: " + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage()));
      }));
    }
  }

  /** An archive beyond the limits. */
  static final class Refused extends IOException {
    private static final long serialVersionUID = 1L;

    Refused(String message) {
      super("refused, " + message);
    }
  }

  private void packed(String name, long bytes, InputStream stream, int depth, List<Entry> entries) throws IOException {
    SeekableByteChannel spool = spool(name, stream, bytes, entries);
    String inner = name.replaceFirst("(?i)\\.(?:gz|bz2|xz|zst|zstd)$", "").replaceFirst("(?i)\\.(?:tgz|tbz2?|txz|tzst)$", ".tar");
    add(inner, spool.size(), () -> new Window(spool, 0, spool.size()), depth + 1, entries);
  }

  private void tar(String name, SeekableByteChannel channel, int depth, List<Entry> entries) throws IOException {
    int count = 0;
    Map<TarArchiveEntry, Long> offsets = new LinkedHashMap<>();
    if (cut) {
      upToTheCut(channel, offsets);
    } else {
      new TarFile(channel).getEntries().forEach(e -> offsets.put(e, e.getDataOffset()));
    }
    for (TarArchiveEntry entry : offsets.keySet()) {
      if (entry.isDirectory()) {
        continue;
      }
      if (++count > limits.entries()) {
        throw new Refused("more than " + limits.entries() + " files in one archive");
      }
      String path = inside(name, entry.getName(), depth);
      String problem = entry.isSymbolicLink() || entry.isLink() ? "a link" : !entry.isFile() ? "no regular file" : outside(entry.getName());
      if (problem != null) {
        entries.add(Entry.refused(path, problem));
      } else if (entry.isSparse()) {
        entries.add(Entry.refused(path, "a sparse file"));
      } else {
        long start = offsets.get(entry);
        long size = Math.min(entry.getSize(), channel.size() - start);
        add(path, size, () -> new Window(channel, start, size), depth + 1, entries);
      }
    }
  }

  /** `TarFile` refuses an archive that is cut as a whole; read in order, the files before the cut are there. */
  private static void upToTheCut(SeekableByteChannel channel, Map<TarArchiveEntry, Long> offsets) throws IOException {
    TarArchiveInputStream tar = new TarArchiveInputStream(new Window(channel, 0, channel.size()));
    try {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        offsets.put(entry, tar.getBytesRead());
      }
    } catch (IOException e) {
      if (offsets.isEmpty()) {
        throw e;
      }
    }
  }

  private void zip(String name, SeekableByteChannel channel, int depth, List<Entry> entries) throws IOException {
    ZipFile zip = ZipFile.builder().setSeekableByteChannel(channel).get();
    int count = 0;
    for (Enumeration<ZipArchiveEntry> all = zip.getEntries(); all.hasMoreElements();) {
      ZipArchiveEntry entry = all.nextElement();
      if (entry.isDirectory()) {
        continue;
      }
      if (++count > limits.entries()) {
        throw new Refused("more than " + limits.entries() + " files in one archive");
      }
      String path = inside(name, entry.getName(), depth);
      String problem = entry.isUnixSymlink() ? "a link" : outside(entry.getName());
      if (problem != null) {
        entries.add(Entry.refused(path, problem));
      } else if (!zip.canReadEntryData(entry)) {
        entries.add(Entry.refused(path, "encrypted or packed in an unknown way"));
      } else {
        add(path, Math.max(0, entry.getSize()), () -> bounded(zip.getInputStream(entry), entry.getCompressedSize()), depth + 1, entries);
      }
    }
  }

  private String outside(String path) {
    if (OUTSIDE.matcher(path).find()) {
      return "a path out of the archive";
    }
    return path.chars().filter(c -> c == '/').count() > limits.folders() ? "more than " + limits.folders() + " folders deep" : null;
  }

  private String inside(String archive, String entry, int depth) {
    String path = entry.replace('\\', '/').replaceFirst("^(?:\\./)+", "");
    boolean outermost = alone && !archive.contains("/") && depth <= 1;
    return outermost ? path : archive.replaceFirst("(?i)\\.(?:tar|zip)$", "") + "/" + path;
  }

  private SeekableByteChannel spool(String name, InputStream from, long packedBytes, List<Entry> entries) throws IOException {
    Path file = Files.createTempFile("gdrproof", ".spool");
    SeekableByteChannel channel = Files.newByteChannel(file, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE));
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // A system that keeps open files' names deletes it when the channel closes.
    }
    // A stream that is cut loses what its last call had read: short calls lose little.
    byte[] buffer = new byte[4096];
    long written = 0;
    try (InputStream stream = from) {
      for (int n = stream.read(buffer); n >= 0; n = stream.read(buffer)) {
        written += n;
        count(n, written, packedBytes);
        channel.write(java.nio.ByteBuffer.wrap(buffer, 0, n));
      }
    } catch (EOFException e) {
      // A cut download: what came is used, and that there was more is said.
      if (written == 0) {
        throw e;
      }
      cut = true;
      entries.add(new Entry(name, packedBytes, () -> {
        throw new IOException("ends early, what came before the cut is used");
      }));
    }
    return channel.position(0);
  }

  private void count(int n, long written, long packedBytes) throws Refused {
    if (unpacked.addAndGet(n) > limits.bytes()) {
      throw new Refused("unpacks to more than " + limits.bytes() + " bytes");
    }
    if (packedBytes > 0 && written > Limits.FREE && written / limits.ratio() > packedBytes) {
      throw new Refused("unpacks to more than " + limits.ratio() + " times its size");
    }
  }

  /** A zip entry's stream that stops at the limits: the size in its header is only a claim. */
  private InputStream bounded(InputStream stream, long packedBytes) {
    return new java.io.FilterInputStream(stream) {
      private long read;

      @Override
      public int read() throws IOException {
        int b = super.read();
        if (b >= 0) {
          count(1, ++read, packedBytes);
        }
        return b;
      }

      @Override
      public int read(byte[] into, int from, int length) throws IOException {
        int n = super.read(into, from, length);
        if (n > 0) {
          read += n;
          count(n, read, packedBytes);
        }
        return n;
      }
    };
  }

  private static Form form(byte[] head) {
    if (starts(head, 0x1F, 0x8B)) {
      return Form.GZIP;
    }
    if (starts(head, 'P', 'K', 3, 4) || starts(head, 'P', 'K', 5, 6)) {
      return Form.ZIP;
    }
    if (starts(head, 'B', 'Z', 'h') && head.length > 9 && head[4] == 0x31 && head[5] == 0x41) {
      return Form.BZIP2;
    }
    if (starts(head, 0xFD, '7', 'z', 'X', 'Z', 0)) {
      return Form.XZ;
    }
    // A skippable frame may come first (pzstd writes one).
    if (starts(head, 0x28, 0xB5, 0x2F, 0xFD) || head.length > 4 && (head[0] & 0xF0) == 0x50 && starts(Arrays.copyOfRange(head, 1, 4), 0x2A, 0x4D, 0x18)) {
      return Form.ZSTD;
    }
    if (starts(head, '7', 'z', 0xBC, 0xAF) || starts(head, 'R', 'a', 'r', '!')) {
      return Form.OTHER_PACKED;
    }
    return head.length == HEAD && tarHeader(head) ? Form.TAR : Form.PLAIN;
  }

  private static boolean starts(byte[] head, int... magic) {
    if (head.length < magic.length) {
      return false;
    }
    for (int i = 0; i < magic.length; i++) {
      if ((head[i] & 0xFF) != magic[i]) {
        return false;
      }
    }
    return true;
  }

  /** The header's own checksum: the sum of its bytes with the checksum field read as blanks; old tars have no magic. */
  private static boolean tarHeader(byte[] head) {
    String field = new String(Arrays.copyOfRange(head, 148, 156), java.nio.charset.StandardCharsets.ISO_8859_1).replace('\0', ' ').strip();
    if (field.isEmpty() || !field.chars().allMatch(c -> c >= '0' && c <= '7')) {
      return false;
    }
    long sum = 0;
    for (int i = 0; i < HEAD; i++) {
      sum += i >= 148 && i < 156 ? ' ' : head[i] & 0xFF;
    }
    return sum == Long.parseLong(field, 8);
  }
}
