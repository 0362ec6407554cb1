package gdrproof.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;

/** Names of files in the headers of a unified diff, as patch and git find them again. */
final class DiffNames {
  private DiffNames() {}

  /** Whether one of the files lies outside the working folder: patch and git follow neither `..` nor a name that begins at the root. */
  static boolean beyond(Collection<Path> files) throws IOException {
    for (Path file : files) {
      if (!real(file).startsWith(Path.of("").toRealPath())) {
        return true;
      }
    }
    return false;
  }

  /**
   * @param rooted whether the name is one below the root and not below the working folder
   */
  static String name(Path file, boolean rooted) throws IOException {
    Path real = real(file);
    return (rooted ? real.getRoot() : Path.of("").toRealPath()).relativize(real).toString().replace('\\', '/');
  }

  /** The file in its folder without links and dots; the file itself may be a link, which its name must stay. */
  private static Path real(Path file) throws IOException {
    Path absolute = file.toAbsolutePath();
    return absolute.getParent().toRealPath().resolve(absolute.getFileName());
  }

  /** A tab ends a name that has a blank in it; one with control characters, quotes or backslashes is quoted as in C. */
  static String header(String name) {
    StringBuilder quoted = new StringBuilder("\"");
    boolean plain = true;
    for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
      if (b == '"' || b == '\\') {
        quoted.append('\\').append((char) b);
        plain = false;
      } else if (b >= 0 && b < ' ' || b == 0x7f) {
        quoted.append(String.format("\\%03o", b));
        plain = false;
      } else {
        quoted.append(b < 0 ? String.format("\\%03o", b & 0xff) : String.valueOf((char) b));
      }
    }
    return !plain ? quoted.append('"').toString() : name.indexOf(' ') >= 0 ? name + "\t" : name;
  }
}
