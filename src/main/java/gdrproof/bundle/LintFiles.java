package gdrproof.bundle;

import gdrproof.bundle.Bundle.Entry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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
    Map<String, Entry> found = new LinkedHashMap<>();
    for (String each : paths) {
      if (each.equals("-")) {
        found.put("stdin", new Entry("stdin", -1, () -> System.in));
        continue;
      }
      Path path = Path.of(each);
      if (Files.isRegularFile(path)) {
        put(found, path);
      } else if (Files.isDirectory(path)) {
        walk(path).stream().filter(LintFiles::wanted).forEach(file -> put(found, file));
      } else if (each.matches(".*[*?\\[{].*")) {
        List<Path> matches = glob(each);
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

  private static void put(Map<String, Entry> found, Path file) {
    String name = file.normalize().toString().replace('\\', '/');
    long size;
    try {
      size = Files.isRegularFile(file) ? Files.size(file) : -1;
    } catch (IOException e) {
      size = -1;
    }
    found.putIfAbsent(name, new Entry(name, size, () -> Files.newInputStream(file)));
  }

  private static boolean wanted(Path file) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    return name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json") || name.endsWith("nccl.conf");
  }

  private static List<Path> glob(String pattern) throws IOException {
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
    PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
    return walk(root).stream().filter(f -> matcher.matches(f) || matcher.matches(f.normalize())).toList();
  }

  /** Files below a folder, sorted; links are not followed, hidden folders not entered. */
  private static List<Path> walk(Path root) throws IOException {
    List<Path> files = new ArrayList<>();
    try {
      Files.walkFileTree(root, new SimpleFileVisitor<>() {
        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
          boolean hidden = !folder.equals(root) && folder.getFileName().toString().startsWith(".") && folder.getFileName().toString().length() > 1;
          return hidden ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
          if (attributes.isRegularFile()) {
            files.add(file);
          }
          return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
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
