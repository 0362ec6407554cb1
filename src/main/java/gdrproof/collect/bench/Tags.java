package gdrproof.collect.bench;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes off what launchers and log shippers put before a line. */
final class Tags {
  /** Open MPI tags, `srun -l`, Kubernetes pod prefixes, `host: `, and time stamps; never a bare number, which may begin a row. */
  private static final Pattern TAG = Pattern.compile("^(?:\\[\\d+,\\d+\\](?:\\[[^\\]]*\\])?<std(?:out|err|diag)>: ?|\\[\\d+\\] (?=[# ])|\\s{0,3}\\d{1,5}: |"
      + "\\[pod/[^\\]]+\\] |[a-z0-9][a-z0-9.-]{0,62}: (?=[# ])|\\[?\\d{4}-\\d{2}-\\d{2}[T ]\\d{2}:\\d{2}:\\d{2}(?:[.,]\\d+)?(?:Z|[+-]\\d{2}:?\\d{2})?\\]?:? )");

  private Tags() {}

  static String strip(String line) {
    if (line.isEmpty() || line.charAt(0) == '#') {
      return line;
    }
    String text = line;
    for (int i = 0; i < 3; i++) {
      Matcher tag = TAG.matcher(text);
      if (!tag.find()) {
        return text;
      }
      text = text.substring(tag.end());
    }
    return text;
  }
}
