package gdrproof.bundle;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Evidence files of a folder, a single file, or standard input. */
public final class Bundle {
  /**
   * @param name path inside the bundle, with `/`
   * @param bytes size in bytes, -1 for a stream
   */
  public record Entry(String name, long bytes, Opener opener) {
    public InputStream open() throws IOException {
      return opener.open();
    }
  }

  /** Opens an entry's content; may be called once for streams. */
  @FunctionalInterface
  public interface Opener {
    InputStream open() throws IOException;
  }

  private Bundle() {}

  /**
   * Entries in the order of their names; links are not followed.
   *
   * @throws IOException if the path does not exist or cannot be read
   */
  public static List<Entry> open(Path path) throws IOException {
    if (path.toString().equals("-")) {
      return List.of(new Entry("stdin", -1, () -> System.in));
    }
    if (!Files.exists(path)) {
      throw new IOException(path + ": no such file or folder");
    }
    if (Files.isRegularFile(path)) {
      return List.of(entry(path.getFileName().toString(), path));
    }
    List<Entry> entries = new ArrayList<>();
    try (Stream<Path> files = Files.walk(path)) {
      files.filter(f -> Files.isRegularFile(f, LinkOption.NOFOLLOW_LINKS))
          .sorted()
          .forEach(f -> entries.add(entry(path.relativize(f).toString().replace('\\', '/'), f)));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return entries;
  }

  private static Entry entry(String name, Path file) {
    try {
      return new Entry(name, Files.size(file), () -> Files.newInputStream(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
