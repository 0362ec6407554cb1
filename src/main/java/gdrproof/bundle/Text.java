package gdrproof.bundle;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Decodes evidence files: UTF-8, UTF-16 with a byte order mark; tells binary from text. */
public final class Text {
  private Text() {}

  /** Lines of a text, or null if the bytes are no text. */
  public static List<String> lines(byte[] bytes) {
    Charset charset = StandardCharsets.UTF_8;
    int start = 0;
    if (bytes.length >= 2 && (bytes[0] & 0xFF) == 0xFF && (bytes[1] & 0xFF) == 0xFE) {
      charset = StandardCharsets.UTF_16LE;
      start = 2;
    } else if (bytes.length >= 2 && (bytes[0] & 0xFF) == 0xFE && (bytes[1] & 0xFF) == 0xFF) {
      charset = StandardCharsets.UTF_16BE;
      start = 2;
    } else if (bytes.length >= 3 && (bytes[0] & 0xFF) == 0xEF && (bytes[1] & 0xFF) == 0xBB && (bytes[2] & 0xFF) == 0xBF) {
      start = 3;
    }
    if (charset == StandardCharsets.UTF_8) {
      for (byte b : bytes) {
        if (b == 0) {
          return null;
        }
      }
    }
    String text = new String(bytes, start, bytes.length - start, charset);
    List<String> lines = new ArrayList<>(text.split("\n", -1).length);
    int from = 0;
    for (int to = text.indexOf('\n'); to >= 0; to = text.indexOf('\n', from)) {
      lines.add(text.substring(from, to));
      from = to + 1;
    }
    if (from < text.length()) {
      lines.add(text.substring(from));
    }
    return lines;
  }
}
