package gdrproof.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A site's own rules: DRL from a folder that the user names on the command line (never from a bundle or a cluster, it
 * is code). Compiled once; the cache key is the content of the files, the program's vocabulary and the Java release.
 */
public final class SiteRules {
  static final String TOPICS = "site-topics";
  private final ClassLoader loader;

  private SiteRules(ClassLoader loader) {
    this.loader = loader;
  }

  /**
   * Compiles or takes from the cache.
   *
   * @throws RuleCompiler.RuleError if the folder holds no rule or a file does not compile
   */
  public static SiteRules load(Path folder, Path cache) {
    if (!Files.isDirectory(folder)) {
      throw new RuleCompiler.RuleError(folder + ": not a folder; --rules takes a folder of .drl files");
    }
    try {
      List<Path> files = new ArrayList<>();
      RuleCompiler.topics(folder).values().forEach(files::addAll);
      if (files.isEmpty()) {
        throw new RuleCompiler.RuleError(folder + ": no .drl file found");
      }
      String key = Hashes.of(files) + "-" + Integer.toHexString(Vocabulary.imports().hashCode()) + "-" + Runtime.version().feature();
      Path compiled = cache.resolve("rules").resolve(key);
      if (!Files.exists(compiled.resolve(RuleCompiler.FOLDER).resolve(TOPICS))) {
        compileInto(folder, compiled);
      }
      return new SiteRules(new URLClassLoader(new URL[] {compiled.toUri().toURL()}, SiteRules.class.getClassLoader()));
    } catch (MalformedURLException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot compile rules of " + folder, e);
    }
  }

  private static void compileInto(Path folder, Path compiled) throws IOException {
    Files.createDirectories(compiled.getParent());
    Path work = Files.createTempDirectory(compiled.getParent(), "new");
    try {
      if (RuleCompiler.compile(folder, work) == 0) {
        throw new RuleCompiler.RuleError(folder + ": no rule found in its .drl files");
      }
      Path topics = work.resolve(RuleCompiler.FOLDER);
      Files.move(topics.resolve("topics"), topics.resolve(TOPICS));
      try {
        Files.move(work, compiled, StandardCopyOption.ATOMIC_MOVE);
      } catch (FileSystemException e) {
        // Another process was faster (Linux says "Directory not empty" and no more); its result is the same.
        if (!Files.isDirectory(compiled)) {
          throw e;
        }
      }
    } finally {
      delete(work);
    }
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  ClassLoader loader() {
    return loader;
  }
}
