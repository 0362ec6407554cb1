package gdrproof.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Standard output that remembers why a write failed: print streams and print writers keep that to themselves, and a report that a full disk cut would pass for a whole one. */
final class StandardOutput extends OutputStream {
  private final OutputStream out;
  private final boolean piped;
  private IOException failure;

  /**
   * @param piped whether a program reads it: all that can go wrong then is that the reader went away (`| head`), which is its right
   */
  StandardOutput(OutputStream out, boolean piped) {
    this.out = out;
    this.piped = piped;
  }

  static StandardOutput ofProcess() {
    return new StandardOutput(new FileOutputStream(FileDescriptor.out), pipe());
  }

  private static boolean pipe() {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString();
      return target.startsWith("pipe:") || target.startsWith("socket:");
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    try {
      out.write(bytes, from, length);
    } catch (IOException e) {
      throw remember(e);
    }
  }

  @Override
  public void flush() throws IOException {
    try {
      out.flush();
    } catch (IOException e) {
      throw remember(e);
    }
  }

  /** Network file systems tell only now that a quota is used up. */
  @Override
  public void close() throws IOException {
    try {
      out.close();
    } catch (IOException e) {
      throw remember(e);
    }
  }

  private IOException remember(IOException e) {
    failure = failure == null ? e : failure;
    return e;
  }

  /** Why not all of the output was written, for the user; "" when it was, or when nobody reads it any more. */
  String failure() {
    if (failure == null || piped || String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT).contains("broken pipe")) {
      return "";
    }
    return "standard output: not written to its end (" + failure.getMessage() + ")";
  }
}
