package gdrproof.bundle;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Decodes evidence files: UTF-8, UTF-16 with or without a byte order mark; tells binary from text; takes terminal codes out. */
public final class Text {
  /** Longest line kept, in characters; what follows is cut, so that a line without end fills no memory. */
  static final int LONGEST_LINE = 8 << 20;
  private static final int PROBE = 4096;
  private static final Pattern CODES = Pattern.compile(
      "\\u001B\\[[0-9;?<=>]*[ -/]*[@-~]|\\u001B\\][^\\u0007\\u001B]*(?:\\u0007|\\u001B\\\\)?|\\u001B[()*+][A-Z0-9]|\\u001B[=>78cDEHMNOZ]");

  private Text() {}

  /** Lines of a text, or null if the bytes are no text. */
  public static @Nullable List<String> lines(byte[] bytes) {
    Charset charset = StandardCharsets.UTF_8;
    int start = 0;
    if (marked(bytes, 0xFF, 0xFE)) {
      charset = StandardCharsets.UTF_16LE;
      start = 2;
    } else if (marked(bytes, 0xFE, 0xFF)) {
      charset = StandardCharsets.UTF_16BE;
      start = 2;
    } else if (marked(bytes, 0xEF, 0xBB, 0xBF)) {
      start = 3;
    } else {
      charset = unmarked(bytes);
    }
    if (charset.equals(StandardCharsets.UTF_8)) {
      for (byte b : bytes) {
        if (b == 0) {
          return null;
        }
      }
    }
    String text = new String(bytes, start, bytes.length - start, charset);
    List<String> lines = new ArrayList<>();
    int from = 0;
    for (int to = text.indexOf('\n'); to >= 0; to = text.indexOf('\n', from)) {
      lines.add(text.substring(from, Math.min(to, from + LONGEST_LINE)));
      from = to + 1;
    }
    if (from < text.length()) {
      lines.add(text.substring(from, Math.min(text.length(), from + LONGEST_LINE)));
    }
    return lines;
  }

  private static boolean marked(byte[] bytes, int... mark) {
    if (bytes.length < mark.length) {
      return false;
    }
    for (int i = 0; i < mark.length; i++) {
      if ((bytes[i] & 0xFF) != mark[i]) {
        return false;
      }
    }
    return true;
  }

  /** UTF-16 without a mark shows as a zero in nearly every second byte. */
  private static Charset unmarked(byte[] bytes) {
    int length = Math.min(bytes.length, PROBE) & ~1;
    int even = 0;
    int odd = 0;
    for (int i = 0; i < length; i += 2) {
      even += bytes[i] == 0 ? 1 : 0;
      odd += bytes[i + 1] == 0 ? 1 : 0;
    }
    int pairs = length / 2;
    if (pairs >= 8 && odd > pairs * 9 / 10 && even == 0) {
      return StandardCharsets.UTF_16LE;
    }
    return pairs >= 8 && even > pairs * 9 / 10 && odd == 0 ? StandardCharsets.UTF_16BE : StandardCharsets.UTF_8;
  }

  /** A line as a reader sees it: no colours, no carriage returns, no characters that were erased again. */
  public static String clean(String line) {
    boolean plain = true;
    for (int i = 0; i < line.length() && plain; i++) {
      char c = line.charAt(i);
      plain = c >= ' ' || c == '\t';
    }
    if (plain) {
      return line;
    }
    String text = line.indexOf('\u001B') < 0 ? line : CODES.matcher(line).replaceAll("");
    text = erased(text);
    while (text.endsWith("\r")) {
      text = text.substring(0, text.length() - 1);
    }
    int back = text.lastIndexOf('\r');
    return back < 0 ? text : text.substring(back + 1);
  }

  private static String erased(String line) {
    if (line.indexOf('\b') < 0 && line.indexOf('\u0007') < 0) {
      return line;
    }
    StringBuilder text = new StringBuilder(line.length());
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '\b') {
        text.setLength(Math.max(0, text.length() - 1));
      } else if (c != '\u0007') {
        text.append(c);
      }
    }
    return text.toString();
  }
}
