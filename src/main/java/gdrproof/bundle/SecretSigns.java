package gdrproof.bundle;

/**
 * Plain searches for what the patterns of {@link Redaction} need: on lines of logs ("tokens per second: 5") the patterns alone take most of the time
 * of reading.
 */
final class SecretSigns {
  private static final Words NAMES = new Words("token", "secret", "passw", "passphrase", "pwd", "key", "credential", "auth", "client-certificate-data", "dockerc", "connection");
  private static final Words SCHEMES = new Words("bearer", "basic");
  private static final Words SHAPES = new Words("hf_", "gho_", "ghp_", "ghs_", "ghu_", "ghr_", "github_pat_", "glpat-", "sk-", "xox", "akia", "asia", "nvapi-", "dckr_pat_", "eyj");

  private SecretSigns() {}

  /** Whether a scheme stands in the line behind which HTTP headers carry a secret. */
  static boolean scheme(String line) {
    return SCHEMES.in(line);
  }

  /** Whether the line could hold a token that its shape gives away. */
  static boolean shape(String line) {
    return SHAPES.in(line);
  }

  /** Whether a word that could name a secret stands before `=` or `:`, as a pair of name and value has it. */
  static boolean pair(String line) {
    for (int i = 1; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '=' || c == ':') {
        int end = before(line, i);
        int start = end;
        while (start > 0 && word(line.charAt(start - 1))) {
          start--;
        }
        if (start < end && NAMES.in(line.substring(start, end))) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether `name` stands before a colon, as an entry of a list of variables has it. */
  static boolean named(String line) {
    for (int i = line.indexOf(':'); i >= 0; i = line.indexOf(':', i + 1)) {
      int end = before(line, i);
      if (end >= 4 && line.regionMatches(true, end - 4, "name", 0, 4)) {
        return true;
      }
    }
    return false;
  }

  /** Where the word before a sign ends: blanks, one quote and one backslash may stand between. */
  private static int before(String line, int sign) {
    int end = sign;
    while (end > 0 && (line.charAt(end - 1) == ' ' || line.charAt(end - 1) >= '\t' && line.charAt(end - 1) <= '\r')) {
      end--;
    }
    if (end > 0 && (line.charAt(end - 1) == '"' || line.charAt(end - 1) == '\'')) {
      end--;
    }
    return end > 0 && line.charAt(end - 1) == '\\' ? end - 1 : end;
  }

  private static boolean word(char c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '-';
  }
}
