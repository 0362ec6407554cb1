package gdrproof.collect.log;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lines inside JSON objects, as Docker's json-file driver and structured shippers write them. */
final class Wrapped {
  private static final Pattern TEXT = Pattern.compile("\"(?<key>log|message|msg|textPayload|body|line)\"\\s*:\\s*\"(?<text>(?:[^\"\\\\]|\\\\.)*+)\"");

  private Wrapped() {}

  /** The wrapped text with escapes resolved; null if the line is no such object. Only a text that Docker's driver cut has no line end. */
  static String unwrap(String line) {
    if (!line.stripLeading().startsWith("{")) {
      return null;
    }
    Matcher matcher = TEXT.matcher(line);
    if (!matcher.find()) {
      return null;
    }
    String text = unescape(matcher.group("text"));
    return matcher.group("key").equals("log") || text.endsWith("\n") ? text : text + "\n";
  }

  static String unescape(String json) {
    if (json.indexOf('\\') < 0) {
      return json;
    }
    StringBuilder text = new StringBuilder(json.length());
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      if (c != '\\' || i + 1 == json.length()) {
        text.append(c);
        continue;
      }
      char escape = json.charAt(++i);
      switch (escape) {
        case 'n' -> text.append('\n');
        case 't' -> text.append('\t');
        case 'r' -> text.append('\r');
        case 'b' -> text.append('\b');
        case 'f' -> text.append('\f');
        case 'u' -> {
          if (i + 4 < json.length() && json.substring(i + 1, i + 5).chars().allMatch(h -> Character.digit(h, 16) >= 0)) {
            text.append((char) Integer.parseInt(json.substring(i + 1, i + 5), 16));
            i += 4;
          }
        }
        default -> text.append(escape);
      }
    }
    return text.toString();
  }
}
