package gdrproof.cli;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The program's cache folder: compiled rules are code, so nobody else may write there. */
final class Cache {
  private Cache() {}

  /** `$XDG_CACHE_HOME/gdrproof` or `~/.cache/gdrproof`, else a private temporary folder of this process. */
  static Path folder() throws IOException {
    String xdg = System.getenv("XDG_CACHE_HOME");
    String home = System.getenv("HOME");
    Path base = xdg != null && xdg.startsWith("/") ? Path.of(xdg) : home != null && home.startsWith("/") ? Path.of(home, ".cache") : null;
    if (base != null) {
      Path folder = base.resolve("gdrproof");
      try {
        Files.createDirectories(folder);
        if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
          Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        }
        if (Files.isWritable(folder)) {
          return folder;
        }
      } catch (IOException e) {
        // Read-only: compile for this run only.
      }
    }
    return Files.createTempDirectory("gdrproof-cache");
  }
}
