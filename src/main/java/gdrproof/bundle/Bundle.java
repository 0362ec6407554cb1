package gdrproof.bundle;

import gdrproof.facts.Fact;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Evidence files of a folder, an archive, a single file, or standard input. */
public final class Bundle {
  /**
   * @param name path inside the bundle, with `/`
   * @param bytes size in bytes, -1 for a stream
   * @param node node that the path names, or unknown
   */
  public record Entry(String name, long bytes, Opener opener, String node) {
    public Entry(String name, long bytes, Opener opener) {
      this(name, bytes, opener, Fact.UNKNOWN);
    }

    public InputStream open() throws IOException {
      return opener.open();
    }

    /** A part of the bundle that is not read; opening it tells why. */
    static Entry refused(String name, String reason) {
      return new Entry(name, 0, () -> {
        throw new IOException("refused, " + reason);
      });
    }
  }

  /** Opens an entry's content; may be called once for streams. */
  @FunctionalInterface
  public interface Opener {
    InputStream open() throws IOException;
  }

  private Bundle() {}

  /**
   * Entries in the order of their names, archives unpacked; links are not followed.
   *
   * @param path folder, file, archive (.tar, .tar.gz, .tar.bz2, .tar.xz, .tar.zst, .zip, .gz, .bz2, .xz, .zst), or `-`
   * @throws IOException if the path does not exist or cannot be read
   */
  public static List<Entry> open(Path path) throws IOException {
    return open(path, Limits.DEFAULT);
  }

  static List<Entry> open(Path path, Limits limits) throws IOException {
    List<Entry> entries = new ArrayList<>();
    if (path.toString().equals("-")) {
      new Archives(limits, true).add("stdin", -1, () -> System.in, entries);
    } else if (!Files.exists(path)) {
      throw new IOException(path + ": no such file or folder");
    } else if (!Files.isReadable(path)) {
      throw new IOException(path + ": not readable");
    } else if (!Files.isDirectory(path)) {
      new Archives(limits, true).add(path.getFileName().toString(), size(path), () -> new BufferedInputStream(Files.newInputStream(path)), entries);
    } else {
      folder(path, limits, entries);
    }
    entries.sort(Comparator.comparing(Entry::name));
    Map<String, String> nodes = NodeNames.of(entries.stream().map(Entry::name).toList());
    entries.replaceAll(e -> new Entry(e.name(), e.bytes(), e.opener(), nodes.getOrDefault(e.name(), Fact.UNKNOWN)));
    return entries;
  }

  private static void folder(Path path, Limits limits, List<Entry> entries) throws IOException {
    List<Path> files = new ArrayList<>();
    walk(path, 0, limits, files, entries, path);
    for (Path file : files) {
      String name = path.relativize(file).toString().replace('\\', '/');
      new Archives(limits, false).add(name, size(file), () -> new BufferedInputStream(Files.newInputStream(file)), entries);
    }
  }

  /** Not `Files.walk`: one folder that may not be read must not hide the others. */
  private static void walk(Path folder, int depth, Limits limits, List<Path> files, List<Entry> entries, Path root) {
    String name = root.relativize(folder).toString();
    if (depth > limits.folders()) {
      entries.add(Entry.refused(name, "more than " + limits.folders() + " folders deep"));
      return;
    }
    try (Stream<Path> children = Files.list(folder)) {
      for (Path child : children.sorted().toList()) {
        if (Files.isSymbolicLink(child)) {
          continue;
        }
        if (Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
          walk(child, depth + 1, limits, files, entries, root);
        } else if (Files.isRegularFile(child, LinkOption.NOFOLLOW_LINKS)) {
          files.add(child);
        }
      }
    } catch (IOException | UncheckedIOException e) {
      entries.add(new Entry(name.isEmpty() ? "." : name, 0, () -> {
        throw new IOException("folder not readable");
      }));
    }
  }

  private static long size(Path file) {
    try {
      return Files.isRegularFile(file) ? Files.size(file) : -1;
    } catch (IOException e) {
      return -1;
    }
  }
}
