package gdrproof.cli;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorOutputStream;

/** A folder or archive that comes to be beside its place, and is put there only when it is whole and proved. */
final class AnonymizeOut implements AutoCloseable {
  private static final int MODE = 0644;

  private final Path target;
  private final Path staging;
  private final Path content;
  private OutputStream stream = OutputStream.nullOutputStream();

  /** @param target folder, or archive where it ends with .tar.gz or .tgz */
  AnonymizeOut(Path target) throws IOException {
    this.target = target.toAbsolutePath().normalize();
    if (this.target.getParent() == null) {
      throw new IOException(target + ": no place for a result");
    }
    Files.createDirectories(this.target.getParent());
    staging = Files.createTempDirectory(this.target.getParent(), ".gdrproof-anonymize");
    content = Files.createDirectory(staging.resolve("bundle"));
  }

  static boolean archive(Path path) {
    String name = path.toString().toLowerCase(Locale.ROOT);
    return name.endsWith(".tar.gz") || name.endsWith(".tgz");
  }

  void begin(String name) throws IOException {
    Path file = content.resolve(name).normalize();
    if (!file.startsWith(content) || file.equals(content)) {
      throw new IOException(name + ": leads out of the result");
    }
    Files.createDirectories(file.getParent());
    stream = new BufferedOutputStream(Files.newOutputStream(file));
  }

  void line(String line) {
    try {
      stream.write(line.getBytes(StandardCharsets.UTF_8));
      stream.write('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void end() throws IOException {
    stream.close();
  }

  /** The whole result, to be read and proved: the archive itself where one was asked for. */
  Path result() throws IOException {
    if (!archive(target)) {
      return content;
    }
    Path packed = staging.resolve("bundle.tar.gz");
    try (TarArchiveOutputStream tar = new TarArchiveOutputStream(new GzipCompressorOutputStream(new BufferedOutputStream(Files.newOutputStream(packed))), StandardCharsets.UTF_8.name());
        Stream<Path> files = Files.walk(content)) {
      tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
      tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
      List<Path> sorted = files.filter(Files::isRegularFile).sorted().toList();
      for (Path file : sorted) {
        // No owner, no time: both would tell something.
        TarArchiveEntry entry = new TarArchiveEntry(content.relativize(file).toString().replace('\\', '/'));
        entry.setSize(Files.size(file));
        entry.setMode(MODE);
        entry.setModTime(0L);
        tar.putArchiveEntry(entry);
        Files.copy(file, tar);
        tar.closeArchiveEntry();
      }
    }
    return packed;
  }

  /** Puts the proved result in its place. */
  void accept(boolean overwrite) throws IOException {
    if (overwrite && Files.isDirectory(target)) {
      delete(target);
    }
    Files.move(archive(target) ? staging.resolve("bundle.tar.gz") : content, target, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void close() throws IOException {
    stream.close();
    delete(staging);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
