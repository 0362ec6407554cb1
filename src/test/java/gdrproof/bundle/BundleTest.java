package gdrproof.bundle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.bundle.Bundle.Entry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BundleTest {
  @TempDir
  Path folder;

  @Test
  void archivesReadLikeTheFolderTheyHold() throws IOException {
    byte[] tar = tar("n1/a.txt", "one", "n1/b.txt", "two");
    assertEquals("n1/a.txt=one n1/b.txt=two", read(write("x.tar", tar)));
    assertEquals("n1/a.txt=one n1/b.txt=two", read(write("wrong-name.txt", gzip(tar))));
    assertEquals("a.txt=one sub/b.txt=two", read(write("x.zip", zip("a.txt", "one", "sub/b.txt", "two"))));
    assertEquals("nccl.log=one", read(write("nccl.log.gz", gzip("one".getBytes(StandardCharsets.UTF_8)))));
  }

  @Test
  void archivesWithinAFolderKeepApart() throws IOException {
    write("n1.tar.gz", gzip(tar("ibstat.txt", "one")));
    write("n2.tar.gz", gzip(tar("ibstat.txt", "two")));
    assertEquals("n1/ibstat.txt=one n2/ibstat.txt=two", read(folder));
  }

  @Test
  void linksAndPathsOutOfTheArchiveAreRefused() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TarArchiveOutputStream out = new TarArchiveOutputStream(bytes)) {
      TarArchiveEntry link = new TarArchiveEntry("link", TarConstants.LF_SYMLINK);
      link.setLinkName("/etc/passwd");
      out.putArchiveEntry(link);
      out.closeArchiveEntry();
      put(out, "../evil.txt", "x");
      put(out, "good.txt", "fine");
    }
    String read = read(write("x.tar", bytes.toByteArray()));
    assertTrue(read.contains("good.txt=fine"), read);
    assertTrue(read.contains("refused, a link"), read);
    assertTrue(read.contains("refused, a path out of the archive"), read);
  }

  @Test
  void bombsAreRefusedBeforeTheyUnpack() throws IOException {
    byte[] zeros = new byte[64 << 20];
    assertTrue(read(write("bomb.gz", gzip(zeros))).contains("refused, unpacks to more than 250 times"));
    Path many = write("many.tar", tar("a", "1", "b", "2", "c", "3"));
    assertTrue(told(Bundle.open(many, new Limits(1L << 30, 250, 2, 3, 64))).contains("more than 2 files"));
    Path nested = write("nested.tar", tarOf("in.tar", tarOf("in.tar", tar("a", "1"))));
    assertTrue(told(Bundle.open(nested, new Limits(1L << 30, 250, 100, 2, 64))).contains("nested more than 2 deep"));
    assertTrue(told(Bundle.open(many, new Limits(100, 250, 100, 3, 64))).contains("unpacks to more than 100 bytes"));
  }

  @Test
  void damagedArchivesSayWhatTheyHave() throws IOException {
    StringBuilder text = new StringBuilder();
    new java.util.Random(1).ints(50_000).forEach(text::append);
    byte[] whole = gzip(tar("n1/a.txt", "one", "n1/b.txt", text.toString()));
    String read = read(write("cut.tar.gz", java.util.Arrays.copyOf(whole, whole.length / 2)));
    assertTrue(read.contains("ends early") && read.contains("n1/a.txt=one"), read.substring(0, Math.min(200, read.length())));
    assertTrue(read(write("x.tar.xz", new byte[] {(byte) 0xFD, '7', 'z', 'X', 'Z', 0, 1, 2})).contains("damaged archive"));
    assertTrue(read(write("x.tar.zst", new byte[] {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD, 1, 2})).contains("damaged archive"));
    assertTrue(read(write("x.7z", new byte[] {'7', 'z', (byte) 0xBC, (byte) 0xAF, 1, 2})).contains("unpack it first"));
    assertTrue(read(write("broken.zip", new byte[] {'P', 'K', 3, 4, 9, 9, 9, 9, 9})).contains("damaged archive"));
  }

  @Test
  void whatXzPackedIsReadWithinTheSameLimits() throws IOException {
    assertTrue(read(write("sos.tar.xz", xz(tar("n1/a.txt", "one", "n1/b.txt", "two")))).contains("n1/a.txt=one"));
    assertTrue(read(write("dmesg.xz", xz("line".getBytes(StandardCharsets.UTF_8)))).contains("dmesg=line"));
    byte[] whole = xz(tar("n1/a.txt", "one", "n1/b.txt", random()));
    String cut = read(write("cut.tar.xz", java.util.Arrays.copyOf(whole, whole.length / 2)));
    assertTrue(cut.contains("ends early") && cut.contains("n1/a.txt=one"), cut.substring(0, Math.min(200, cut.length())));
    Path bomb = write("bomb.xz", xz(new byte[64 << 20]));
    assertTrue(told(Bundle.open(bomb, new Limits(1L << 30, 250, 100, 3, 64))).contains("250 times its size"));
  }

  @Test
  void whatZstdPackedIsReadWithinTheSameLimits() throws IOException {
    assertTrue(read(write("sos.tar.zst", zstd(tar("n1/a.txt", "one", "n1/b.txt", "two")))).contains("n1/a.txt=one"));
    byte[] line = zstd("line\n".getBytes(StandardCharsets.UTF_8));
    assertTrue(read(write("dmesg.zst", line)).contains("dmesg=line"));
    byte[] skippable = {0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 'a', 'b', 'c'};
    assertTrue(read(write("frames.zst", joined(skippable, line, skippable, line))).contains("frames=line\nline"));
    byte[] whole = zstd(tar("n1/a.txt", "one", "n1/b.txt", random()));
    for (int length : new int[] {whole.length / 2, whole.length - 2}) {
      String cut = read(write("cut.tar.zst", java.util.Arrays.copyOf(whole, length)));
      assertTrue(cut.contains("ends early") && cut.contains("n1/a.txt=one"), cut.substring(0, Math.min(200, cut.length())));
    }
    byte[] wrong = line.clone();
    wrong[wrong.length - 1] ^= 1;
    assertTrue(read(write("wrong.zst", wrong)).contains("check sum differs"));
    assertTrue(read(write("tail.zst", joined(line, "more".getBytes(StandardCharsets.UTF_8)))).contains("damaged archive"));
    Path bomb = write("bomb.zst", zstd(new byte[64 << 20]));
    assertTrue(told(Bundle.open(bomb, new Limits(1L << 30, 250, 100, 3, 64))).contains("250 times its size"));
  }

  /** A header may claim any memory; frames of one raw block `abcd`. */
  @Test
  void whatZstdWouldNeedTooMuchMemoryForIsRefused() throws IOException {
    byte[] block = {0x21, 0, 0, 'a', 'b', 'c', 'd'};
    byte[] magic = {0x28, (byte) 0xB5, 0x2F, (byte) 0xFD};
    assertTrue(read(write("small.zst", joined(magic, new byte[] {0, 0x68}, block))).contains("small=abcd"));
    assertTrue(read(write("long.zst", joined(magic, new byte[] {0, (byte) 0x88}, block))).contains("window of 128 MiB"));
    assertTrue(read(write("one.zst", joined(magic, new byte[] {(byte) 0xA0, 0, 0, 0, 0x40}, block))).contains("window of 1024 MiB"));
    assertTrue(read(write("dictionary.zst", joined(magic, new byte[] {1, 0x68, 7}, block))).contains("zstd -d -D"));
    assertTrue(read(write("block.zst", joined(magic, new byte[] {0, 0x68}, new byte[] {1, 0, 0x40}))).contains("damaged archive"));
  }

  private static byte[] joined(byte[]... parts) {
    java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  private static byte[] zstd(byte[] bytes) throws IOException {
    java.io.ByteArrayOutputStream packed = new java.io.ByteArrayOutputStream();
    try (java.io.OutputStream out = new io.airlift.compress.zstd.ZstdOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  private static String random() {
    StringBuilder text = new StringBuilder();
    new java.util.Random(2).ints(50_000).forEach(text::append);
    return text.toString();
  }

  private static byte[] xz(byte[] bytes) throws IOException {
    java.io.ByteArrayOutputStream packed = new java.io.ByteArrayOutputStream();
    try (org.tukaani.xz.XZOutputStream out = new org.tukaani.xz.XZOutputStream(packed, new org.tukaani.xz.LZMA2Options(1))) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  @Test
  void aMissingPathIsSaid() {
    assertThrows(IOException.class, () -> Bundle.open(folder.resolve("nothing")));
  }

  @Test
  void linksInFoldersAreNotFollowed() throws IOException {
    write("a.txt", "one".getBytes(StandardCharsets.UTF_8));
    Files.createSymbolicLink(folder.resolve("link"), Path.of("/etc/hostname"));
    assertEquals("a.txt=one", read(folder));
  }

  @Test
  void encodingsAreTold() {
    assertEquals(List.of("äb", "c"), Text.lines("äb\nc".getBytes(StandardCharsets.UTF_8)));
    assertEquals(List.of("CA 'mlx5_0'", "x"), Text.lines("CA 'mlx5_0'\nx".getBytes(StandardCharsets.UTF_16LE)));
    assertEquals(List.of("CA 'mlx5_0'", "x"), Text.lines("CA 'mlx5_0'\nx".getBytes(StandardCharsets.UTF_16BE)));
    assertEquals(null, Text.lines(new byte[] {'a', 0, 'b'}));
    assertEquals("100%", Text.clean("10%\r50%\r100%\r"));
    assertEquals("ls", Text.clean("lz\bs\u0007"));
  }

  private Path write(String name, byte[] bytes) throws IOException {
    return Files.write(folder.resolve(name), bytes);
  }

  private static String read(Path path) throws IOException {
    return told(Bundle.open(path));
  }

  private static String told(List<Entry> entries) {
    return entries.stream().map(e -> {
      try (InputStream stream = e.open()) {
        return e.name() + "=" + new String(stream.readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException x) {
        return e.name() + "!" + x.getMessage();
      }
    }).collect(Collectors.joining(" "));
  }

  private static byte[] tar(String... namesAndTexts) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TarArchiveOutputStream out = new TarArchiveOutputStream(bytes)) {
      for (int i = 0; i < namesAndTexts.length; i += 2) {
        put(out, namesAndTexts[i], namesAndTexts[i + 1]);
      }
    }
    return bytes.toByteArray();
  }

  private static byte[] tarOf(String name, byte[] content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (TarArchiveOutputStream out = new TarArchiveOutputStream(bytes)) {
      put(out, name, content);
    }
    return bytes.toByteArray();
  }

  private static void put(TarArchiveOutputStream out, String name, String text) throws IOException {
    put(out, name, text.getBytes(StandardCharsets.UTF_8));
  }

  private static void put(TarArchiveOutputStream out, String name, byte[] content) throws IOException {
    TarArchiveEntry entry = new TarArchiveEntry(name, true);
    entry.setSize(content.length);
    out.putArchiveEntry(entry);
    out.write(content);
    out.closeArchiveEntry();
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }

  private static byte[] zip(String... namesAndTexts) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      for (int i = 0; i < namesAndTexts.length; i += 2) {
        zip.putNextEntry(new ZipEntry(namesAndTexts[i]));
        zip.write(namesAndTexts[i + 1].getBytes(StandardCharsets.UTF_8));
      }
    }
    return out.toByteArray();
  }
}
