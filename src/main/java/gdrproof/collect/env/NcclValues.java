package gdrproof.collect.env;

import gdrproof.collect.env.NcclNames.Name;
import gdrproof.facts.Texts;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** How NCCL's parsers misread values (behaviour of 2.18 to 2.30, src/misc/param.cc, src/graph/paths.cc, src/misc/utils.cc). */
final class NcclValues {
  /**
   * @param flaw name of the misreading, "" if none
   * @param readAs what the library reads instead
   */
  record Reading(String flaw, String readAs) {
    static final Reading RIGHT = new Reading("", "");
  }

  private static final List<String> LEGACY_LEVELS = List.of("LOC", "PIX", "PXB", "PHB", "SYS");

  private NcclValues() {}

  static Reading read(Name name, String value) {
    if (value.indexOf('$') >= 0 || value.indexOf('{') >= 0 || value.indexOf('<') >= 0) {
      return Reading.RIGHT;
    }
    if (value.isEmpty()) {
      return name.form().equals("interfaces") ? new Reading("empty", "unset") : Reading.RIGHT;
    }
    if (value.length() > 1 && (quoted(value, '"') || quoted(value, '\''))) {
      return new Reading("blank-or-quote", "the quotes are part of the value");
    }
    return switch (name.form()) {
      case "int" -> integer(name, value);
      case "levels" -> level(name, value);
      case "words" -> words(name, value);
      case "interfaces" -> interfaces(value);
      default -> Reading.RIGHT;
    };
  }

  private static boolean quoted(String value, char quote) {
    return value.charAt(0) == quote && value.charAt(value.length() - 1) == quote;
  }

  private static Reading integer(Name name, String raw) {
    String value = raw.strip();
    int at = value.startsWith("-") || value.startsWith("+") ? 1 : 0;
    boolean hex = value.startsWith("0x", at) || value.startsWith("0X", at);
    int end = at + (hex ? 2 : 0);
    int from = end;
    while (end < value.length() && Character.digit(value.charAt(end), hex ? 16 : 10) >= 0) {
      end++;
    }
    if (end == from) {
      return new Reading("word-for-number", "0");
    }
    if (end < value.length()) {
      return new Reading("trailing-text", Texts.parsed(value).toString());
    }
    if (!hex && value.charAt(from) == '0' && end - from > 1) {
      return new Reading("octal", Texts.parsed(value).toString());
    }
    int dash = name.accepted().indexOf('-', 1);
    if (dash > 0) {
      double number = Texts.parsed(value).value();
      if (number > Double.parseDouble(name.accepted().substring(dash + 1)) && !name.accepted().equals("0-1")) {
        return new Reading("out-of-range", value);
      }
    }
    return Reading.RIGHT;
  }

  private static Reading level(Name name, String value) {
    List<String> levels = List.of(name.accepted().split(","));
    if (levels.contains(value)) {
      return Reading.RIGHT;
    }
    if (Character.isDigit(value.charAt(0)) && !name.name().equals("NCCL_NET_MERGE_LEVEL")) {
      int digit = (int) Math.min(LEGACY_LEVELS.size() - 1, Texts.parsed(value).value());
      return new Reading("legacy-number", LEGACY_LEVELS.get(digit));
    }
    return new Reading(levels.contains(value.strip().toUpperCase(Locale.ROOT)) ? "lower-case" : "unknown-word", "the default, without a message");
  }

  private static Reading words(Name name, String value) {
    List<String> known = List.of(name.accepted().toUpperCase(Locale.ROOT).split(","));
    boolean list = name.name().equals("NCCL_DEBUG_SUBSYS") || name.name().equals("NCCL_ALGO") || name.name().equals("NCCL_PROTO");
    String text = list && name.name().equals("NCCL_DEBUG_SUBSYS") && value.startsWith("^") ? value.substring(1) : value;
    for (String token : list ? text.split("[,;]") : text.split("[|]")) {
      String word = token.substring(token.indexOf(':') + 1).replace("^", "").strip().toUpperCase(Locale.ROOT);
      if (name.name().equals("NCCL_NETDEVS_POLICY") && token.toUpperCase(Locale.ROOT).startsWith("MAX:")) {
        continue;
      }
      if (!known.contains(word)) {
        return new Reading("unknown-word", name.name().equals("NCCL_ALGO") || name.name().equals("NCCL_PROTO") ? "an error at init (ignored before 2.24)"
            : "the default, without a message");
      }
    }
    boolean exact = name.name().endsWith("_FAMILY") || name.name().equals("NCCL_LAUNCH_MODE");
    return exact && !value.equals(value.toUpperCase(Locale.ROOT)) ? new Reading("lower-case", "the default, without a message") : Reading.RIGHT;
  }

  private static Reading interfaces(String value) {
    if (value.chars().anyMatch(c -> Character.isWhitespace(c) || c == '"' || c == '\'')) {
      return new Reading("blank-or-quote", "names with blanks or quotes in them, which fit no device");
    }
    if (value.startsWith("=^")) {
      return new Reading("operator-inside", "one exact device named ^...; the order is ^=");
    }
    String rest = value.startsWith("^") ? value.substring(1) : value;
    rest = rest.startsWith("=") ? rest.substring(1) : rest;
    Set<String> seen = new HashSet<>();
    for (String token : rest.split(",", -1)) {
      if (token.startsWith("^") || token.startsWith("=") || token.startsWith("!")) {
        return new Reading("operator-inside", "a device whose name begins with " + token.charAt(0) + "; operators stand once, at the very start");
      }
      if (!token.isEmpty() && !seen.add(token)) {
        return new Reading("duplicate-token", token + " once");
      }
    }
    return Reading.RIGHT;
  }
}
