package gdrproof.policy;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.regex.PatternSyntaxException;

/** How a configuration names files: by name (or its last parts), by folder with a slash behind it, by glob pattern. */
public final class FilePatterns {
  private static final String GLOB = ".*[*?\\[{].*";

  private FilePatterns() {}

  /** @throws IOException with a message for the user, if a pattern cannot be one */
  static void check(String where, String pattern) throws IOException {
    try {
      fits(pattern, "a");
    } catch (PatternSyntaxException e) {
      throw new IOException(where + ": " + pattern + " is no glob pattern: " + e.getDescription(), e);
    }
  }

  /** @param file name as the report shows it, with slashes */
  public static boolean fits(String pattern, String file) {
    if (file.equals(pattern) || file.endsWith("/" + pattern)) {
      return true;
    }
    if (pattern.endsWith("/")) {
      return file.startsWith(pattern) || file.contains("/" + pattern);
    }
    if (!pattern.matches(GLOB)) {
      return false;
    }
    Path path = Path.of(file);
    return FileSystems.getDefault().getPathMatcher("glob:" + pattern).matches(path) || FileSystems.getDefault().getPathMatcher("glob:**/" + pattern).matches(path);
  }
}
