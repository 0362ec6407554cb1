package gdrproof.bundle;

import gdrproof.bundle.Bundle.Entry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.PatternSyntaxException;

/** The files that a call of lint names: files, folders, glob patterns, standard input. */
public final class LintFiles {
  private LintFiles() {}

  /**
   * Entries named as the user would write them, in the order of the arguments, each once.
   *
   * @param paths files (of any name), folders (their .yaml, .yml, .json and .conf files), globs, `-`
   * @throws IOException if a path does not exist or a pattern finds nothing
   */
  public static List<Entry> of(List<String> paths) throws IOException {
    Map<Path, Entry> found = new LinkedHashMap<>();
    for (String each : paths) {
      if (each.equals("-")) {
        found.put(Path.of("-"), new Entry("stdin", -1, () -> System.in));
        continue;
      }
      if (each.isBlank()) {
        throw new IOException("an empty path was named; a dot is the working folder");
      }
      Path path = path(each);
      if (Files.isRegularFile(path)) {
        put(found, path);
      } else if (Files.isDirectory(path)) {
        walk(path, found).stream().filter(LintFiles::wanted).forEach(file -> put(found, file));
      } else if (each.matches(".*[*?\\[{].*")) {
        List<Path> matches = glob(each, found);
        if (matches.isEmpty()) {
          throw new IOException(each + ": no file fits this pattern");
        }
        matches.forEach(file -> put(found, file));
      } else if (Files.exists(path)) {
        put(found, path);
      } else {
        throw new IOException(each + ": no such file or folder");
      }
    }
    return new ArrayList<>(found.values());
  }

  private static Path path(String text) throws IOException {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new IOException(text + ": no such file or folder: " + e.getReason(), e);
    }
  }

  /** @param found by the real path, since one file may be named in several ways */
  private static void put(Map<Path, Entry> found, Path file) {
    String name = file.normalize().toString().replace('\\', '/');
    long size;
    try {
      size = Files.isRegularFile(file) ? Files.size(file) : -1;
    } catch (IOException e) {
      size = -1;
    }
    found.putIfAbsent(real(file), new Entry(name, size, () -> Files.newInputStream(file)));
  }

  private static Path real(Path file) {
    try {
      return file.toRealPath();
    } catch (IOException e) {
      return file.toAbsolutePath().normalize();
    }
  }

  private static boolean wanted(Path file) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    return name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json") || name.endsWith("nccl.conf");
  }

  private static List<Path> glob(String pattern, Map<Path, Entry> found) throws IOException {
    String[] parts = pattern.replace('\\', '/').split("/", -1);
    StringBuilder fixed = new StringBuilder();
    for (String part : parts) {
      if (part.matches(".*[*?\\[{].*")) {
        break;
      }
      fixed.append(part).append('/');
    }
    Path root = Path.of(fixed.length() == 0 ? "." : fixed.toString());
    if (!Files.isDirectory(root)) {
      return List.of();
    }
    PathMatcher matcher;
    try {
      matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
    } catch (PatternSyntaxException e) {
      throw new IOException(pattern + ": no such file or folder, and no glob pattern: " + e.getDescription(), e);
    }
    return walk(root, found).stream().filter(f -> matcher.matches(f) || matcher.matches(f.normalize())).toList();
  }

  /**
   * Files below a folder, sorted. Links to files count as those (a mounted ConfigMap holds nothing else), links to folders are followed where the user names
   * them only, hidden folders are not entered.
   *
   * @param found takes folders that could not be read, so that the report names them
   */
  private static List<Path> walk(Path root, Map<Path, Entry> found) throws IOException {
    List<Path> files = new ArrayList<>();
    try {
      Files.walkFileTree(root, EnumSet.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, new SimpleFileVisitor<>() {
        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
          boolean below = !folder.equals(root) && folder.getFileName().toString().length() > 1;
          return below && (folder.getFileName().toString().startsWith(".") || Files.isSymbolicLink(folder)) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
          // A link to nothing under a hidden name is an editor's lock.
          boolean dead = attributes.isSymbolicLink() && !file.getFileName().toString().startsWith(".");
          if (attributes.isRegularFile() || dead) {
            files.add(file);
          }
          return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
          if (!(e instanceof FileSystemLoopException)) {
            String name = file.normalize().toString().replace('\\', '/');
            found.putIfAbsent(real(file), new Entry(name, -1, () -> {
              throw e;
            }));
          }
          return FileVisitResult.CONTINUE;
        }
      });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    files.sort(null);
    return files;
  }
}
