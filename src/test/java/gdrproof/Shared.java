package gdrproof;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Folders of data that lie outside the repository. Tests over them skip visibly where they are absent. */
public final class Shared {
  private Shared() {}

  /** The folder named by a system property, or a folder of `../shared`; skips the test if it does not exist. */
  public static Path folder(String property, String name) {
    Path path = path(property, name);
    Assumptions.assumeTrue(Files.isDirectory(path), () -> "skipped: no folder " + path + " (set -D" + property + "=DIR)");
    return path;
  }

  public static Path path(String property, String name) {
    return Path.of(System.getProperty(property, "../shared/" + name));
  }
}
