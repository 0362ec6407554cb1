package gdrproof.review;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The state of a path in a git revision, read through `git` itself; the work tree is not touched. */
public final class GitRevision {
  private static final int LARGEST = 32 << 20;

  private GitRevision() {}

  public static ReviewInput read(String revision, Path path, String release) throws IOException {
    if (revision.startsWith("-")) {
      throw new IOException("not a revision: " + revision);
    }
    Path absolute = path.toAbsolutePath().normalize();
    Path folder = absolute;
    // The path may exist in one of the revisions only.
    while (folder != null && !Files.isDirectory(folder)) {
      folder = folder.getParent();
    }
    if (folder == null) {
      throw new IOException(path + ": no folder there");
    }
    String relative = folder.relativize(absolute).toString();
    Map<String, String> files = new TreeMap<>();
    String listing = git(folder, "ls-tree", "-r", "-z", "--name-only", revision, "--", relative.isEmpty() ? "." : relative);
    for (String name : listing.split("\0")) {
      if (ReviewInput.manifest(name) || !name.isEmpty() && name.equals(relative)) {
        files.put(name, git(folder, "show", revision + ":./" + name));
      }
    }
    Path here = Path.of("").toAbsolutePath();
    return ReviewInput.of(files, ReviewInput.base(folder.startsWith(here) ? here.relativize(folder) : folder), release, List.of());
  }

  private static String git(Path folder, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("git", "-C", folder.toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    process.getOutputStream().close();
    byte[] bytes;
    try (InputStream stream = process.getInputStream()) {
      bytes = stream.readNBytes(LARGEST);
    }
    try {
      if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IOException("git " + String.join(" ", arguments) + " failed in " + folder);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
