package gdrproof.probe;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** A POSIX script that measures where no Java is, and stores what it measured in the layout of a bundle. */
public final class MeasureScript {
  private MeasureScript() {}

  /** The matrix on one machine: one GPU, two, all, controls, and two host names. */
  public static String progressive() {
    return part("prologue") + part("progressive") + part("epilogue");
  }

  private static String part(String name) {
    try (InputStream stream = MeasureScript.class.getResourceAsStream("/gdrproof/measure/" + name + ".sh")) {
      if (stream == null) {
        throw new IllegalStateException("gdrproof/measure/" + name + ".sh is missing from the program");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
