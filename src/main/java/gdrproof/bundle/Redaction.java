package gdrproof.bundle;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes secrets out of text before anything is stored or printed: tokens, passwords, private keys, kubeconfigs, bearer headers,
 * registry credentials, Kubernetes Secrets. Line numbers, YAML and JSON structure stay as they were.
 */
public final class Redaction {
  public static final String MARK = "REDACTED";

  private static final String[] HINTS = {"token", "secret", "passw", "passphrase", "pwd", "key", "credential", "auth", "bearer", "basic", "cookie", "client-certificate-data", "://", "hf_", "gh",
      "glpat-", "sk-", "xox", "akia", "asia", "eyj", "nvapi-", "dckr_pat", "begin"};
  /** Names that hold a secret by themselves. */
  private static final String NAME = "(?:[\\w.-]*?(?:token|secret|passwd|password|passphrase|pwd|(?:api|access|private|signing|encryption|ssh|account|client|master|auth|license|storage|service)[_-]?key|"
      + "access[_-]?key[_-]?id|credentials?|client-key-data|client-certificate-data|dockerconfigjson|dockercfg|authkey|connection[_-]?string)(?:[_-](?:b64|base64|data|value))?|\\.?auth|identitytoken|registrytoken)";
  private static final Pattern PAIR = Pattern.compile("(?i)(?<name>(?<![\\w.-])" + NAME + ")(?<sep>\\\\?[\"']?\\s*[=:]\\s*(?:[bu]?\\\\?[\"'])?)(?<value>[^\\s\"',;}\\]\\\\&|]+)");
  private static final Pattern NAMED = Pattern.compile("(?i)(?:^|[\\s{,\"'-])[\"']?name[\"']?\\s*:\\s*[\"']?(?<name>" + NAME + ")[\"']?\\s*(?:,\\s*(?<same>[\"']?value[\"']?\\s*:\\s*)(?<value>\"[^\"]*\"|'[^']*'|[^\\s,}]+))?");
  private static final Pattern VALUE = Pattern.compile("^(?<head>\\s*[\"']?value[\"']?\\s*:\\s*)(?<quote>[\"']?)(?<value>[^\"']+?)(?<tail>[\"']?\\s*,?\\s*)$");
  private static final Pattern OPTION = Pattern.compile("(?i)(?<head>--(?:[\\w-]*-)?(?:token|password|passwd|secret|api-key|apikey|access-key|secret-key|private-key|auth)[= ])(?<value>[^\\s\"']+)");
  private static final Pattern HEADER = Pattern.compile("(?i)(?<head>\\b(?:bearer|basic)\\s+)(?<value>[A-Za-z0-9._~+/=-]{12,})");
  private static final Pattern COOKIE = Pattern.compile("(?i)(?<head>^\\s*(?:set-)?cookie:\\s*)(?<value>\\S.*)$");
  private static final Pattern URL = Pattern.compile("(?<head>\\b[a-z][a-z0-9+.-]*://[^/\\s:@]*:)(?<value>[^@/\\s]+)(?=@)");
  private static final Pattern SHAPED = Pattern.compile("\\bhf_[A-Za-z0-9]{12,}|\\bgh[opsur]_[A-Za-z0-9]{20,}|\\bgithub_pat_[A-Za-z0-9_]{20,}|\\bglpat-[A-Za-z0-9_-]{16,}|\\bsk-(?:[a-z]+-)?[A-Za-z0-9_-]{20,}"
      + "|\\bxox[abprs]-[A-Za-z0-9-]{10,}|\\b(?:AKIA|ASIA)[0-9A-Z]{16}\\b|\\bnvapi-[A-Za-z0-9_-]{20,}|\\bdckr_pat_[A-Za-z0-9_-]{16,}|\\beyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]*)?");
  private static final Pattern HARMLESS = Pattern.compile("(?i)true|false|yes|no|on|off|none|null|nil|\\d{1,9}|\\d+\\.\\d+|[|>][+-]?|\\{|\\[|\\$\\{?[\\w(].*|\\(.*|<.*|\\*+|x{3,}|unset|unknown|disabled|enabled|required|file|REDACTED.*|~?/(?:root|home|etc|var|usr|opt|run|mnt|tmp|data|sys|proc|dev|bin|lib|workspace|evidence|\\.)\\S*|/|invalid|expired|missing|not|is|was|for");
  private static final Pattern SECRET_KIND = Pattern.compile("^(?<indent>\\s*)[\"']?kind[\"']?\\s*:\\s*[\"']?Secret[\"']?\\s*,?\\s*$");
  private static final Pattern DATA = Pattern.compile("^(?<indent>\\s*)[\"']?(?:data|stringData|binaryData)[\"']?\\s*:\\s*\\{?\\s*$");
  private static final Pattern ENTRY = Pattern.compile("^(?<head>\\s+[\"']?[\\w./-]+[\"']?\\s*:\\s*)(?<quote>[\"']?)(?<value>.*?)(?<tail>[\"']?\\s*,?\\s*)$");
  private static final Pattern KEY_BEGIN = Pattern.compile("-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----");
  private static final Pattern KEY_END = Pattern.compile("-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----");

  private static final Words HINTED = new Words(HINTS);

  private Redaction() {}

  /** One line, without what its neighbours say. */
  public static String line(String line) {
    if (!hint(line)) {
      return line;
    }
    String text = SecretSigns.pair(line) ? values(PAIR, line) : line;
    text = SecretSigns.scheme(text) ? replace(HEADER, text) : text;
    text = text.contains("--") ? replace(OPTION, text) : text;
    text = replace(COOKIE, text);
    text = text.contains("://") ? replace(URL, text) : text;
    text = SecretSigns.shape(text) ? SHAPED.matcher(text).replaceAll(MARK) : text;
    Matcher named = NAMED.matcher(text);
    if (SecretSigns.named(text) && named.find() && named.group("value") != null && !harmless(named.group("value"))) {
      text = text.substring(0, named.start("value")) + quoted(named.group("value")) + text.substring(named.end("value"));
    }
    return text;
  }

  /** All lines of a file; as many lines as before. */
  public static List<String> lines(List<String> lines) {
    List<String> out = new ArrayList<>(lines.size());
    boolean key = false;
    boolean valueNext = false;
    Secrets secrets = new Secrets(lines);
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (key) {
        key = !KEY_END.matcher(line).find();
        out.add(key ? indent(line) + MARK : line);
        continue;
      }
      String text = secrets.in(i) ? entry(line) : line(line);
      if (valueNext) {
        Matcher value = VALUE.matcher(text);
        if (value.matches() && !harmless(value.group("value"))) {
          text = value.group("head") + value.group("quote") + MARK + value.group("tail");
        }
      }
      boolean hinted = hint(line);
      key = hinted && line.contains("-----BEGIN") && KEY_BEGIN.matcher(line).find() && !KEY_END.matcher(line).find();
      Matcher named = NAMED.matcher(line);
      valueNext = hinted && SecretSigns.named(line) && named.find() && named.group("value") == null;
      out.add(text);
    }
    return out;
  }

  /** Which lines are entries of a Kubernetes Secret's data. */
  private static final class Secrets {
    private final java.util.BitSet inside = new java.util.BitSet();

    Secrets(List<String> lines) {
      for (int i = 0; i < lines.size(); i++) {
        if (lines.get(i).contains("Secret")) {
          Matcher kind = SECRET_KIND.matcher(lines.get(i));
          if (kind.matches()) {
            mark(lines, i, kind.group("indent").length());
          }
        }
      }
    }

    /** Data may stand before or after the kind; both lie between the same separators and at the same indentation. */
    private void mark(List<String> lines, int kind, int indent) {
      int from = kind;
      while (from > 0 && !lines.get(from).startsWith("---") && width(lines.get(from - 1)) >= indent) {
        from--;
      }
      int to = kind;
      while (to + 1 < lines.size() && !lines.get(to + 1).startsWith("---") && (lines.get(to + 1).isBlank() || width(lines.get(to + 1)) >= indent)) {
        to++;
      }
      for (int i = from; i <= to; i++) {
        Matcher data = DATA.matcher(lines.get(i).replaceFirst("^(\\s*)- ", "$1  "));
        if (data.matches() && data.group("indent").length() <= indent + 2) {
          int depth = data.group("indent").length();
          for (int j = i + 1; j <= to && (lines.get(j).isBlank() || width(lines.get(j)) > depth); j++) {
            inside.set(j);
          }
        }
      }
    }

    private static int width(String line) {
      int n = 0;
      while (n < line.length() && line.charAt(n) == ' ') {
        n++;
      }
      return line.isBlank() ? Integer.MAX_VALUE : n;
    }

    boolean in(int line) {
      return inside.get(line);
    }
  }

  private static String entry(String line) {
    Matcher entry = ENTRY.matcher(line);
    if (!entry.matches()) {
      return line.isBlank() || line.strip().matches("[}\\]],?") ? line : indent(line) + MARK;
    }
    return entry.group("value").isEmpty() || entry.group("value").matches("[|>][+-]?\\d?") ? line : entry.group("head") + entry.group("quote") + MARK + entry.group("tail");
  }

  private static String indent(String line) {
    return line.substring(0, line.length() - line.stripLeading().length());
  }

  private static boolean hint(String line) {
    return line.length() >= 6 && HINTED.in(line);
  }

  private static String values(Pattern pattern, String line) {
    Matcher matcher = pattern.matcher(line);
    StringBuilder text = new StringBuilder(line.length());
    int end = 0;
    while (matcher.find()) {
      if (!harmless(matcher.group("value")) && !header(matcher)) {
        text.append(line, end, matcher.start("value")).append(MARK);
        end = matcher.end("value");
      }
    }
    return end == 0 ? line : text.append(line, end, line.length()).toString();
  }

  /** `Authorization: Bearer x` is a pair whose value is the scheme; the header's own pattern takes it. */
  private static boolean header(Matcher pair) {
    String value = pair.group("value");
    return value.equalsIgnoreCase("bearer") || value.equalsIgnoreCase("basic");
  }

  private static boolean harmless(String value) {
    String bare = value.replaceAll("^[\"']|[\"']$", "");
    return bare.isEmpty() || HARMLESS.matcher(bare).matches();
  }

  private static String quoted(String value) {
    char first = value.charAt(0);
    return first == '"' || first == '\'' ? first + MARK + first : MARK;
  }

  private static String replace(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    StringBuilder out = new StringBuilder(text.length());
    int end = 0;
    while (matcher.find()) {
      out.append(text, end, matcher.start("value")).append(MARK);
      end = matcher.end("value");
    }
    return end == 0 ? text : out.append(text, end, text.length()).toString();
  }
}
