package gdrproof.anonymize;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds what is an identifier by its shape: UUIDs, long ids, IPv4 and IPv6 addresses, MACs, GUIDs and GIDs in every notation of the tools. */
final class Shapes {
  /** Sorts of shapes; the order is that of the alternatives below. */
  enum Kind {
    UUID,
    ID,
    DECIMAL_GID,
    OCTETS,
    DOTTED_MAC,
    NCCL_GID,
    COLONS,
    IPV4,
    IP_NAME,
    GUID,
    BARE
  }

  /**
   * A piece of a line.
   *
   * @param value the identifier as every notation of it is compared: lower case, digits of a hardware address without separators
   */
  record Found(Kind kind, int from, int to, String text, String value) {}

  private static final String HEX = "[0-9a-fA-F]";
  private static final Pattern SHAPE = Pattern.compile("(?<![0-9A-Za-z])(" + HEX + "{8}-" + HEX + "{4}-" + HEX + "{4}-" + HEX + "{4}-" + HEX + "{12})(?![0-9A-Za-z])"
      + "|(?<![0-9A-Za-z])([0-9a-f]{64})(?![0-9A-Za-z])"
      + "|(?<![0-9A-Za-z:.])((?:\\d{2,3}:){15}\\d{2,3})(?![0-9A-Za-z:])"
      + "|(?<![0-9A-Za-z:])(" + HEX + "{2}(?:(?::" + HEX + "{2}){19}|(?::" + HEX + "{2}){7}|(?::" + HEX + "{2}){5}|(?:-" + HEX + "{2}){7}|(?:-" + HEX + "{2}){5}))(?![0-9A-Za-z:]|-" + HEX + "{2}(?![0-9A-Za-z]))"
      + "|(?<![0-9A-Za-z.])(" + HEX + "{4}\\." + HEX + "{4}\\." + HEX + "{4})(?![0-9A-Za-z]|\\.\\d)"
      + "|(?<=\\()(" + HEX + "{1,16}/" + HEX + "{9,16})(?=\\))"
      + "|(?<![0-9A-Za-z_])((?:" + HEX + "{0,4}:){2,7}" + HEX + "{0,4})(?![0-9A-Za-z:_]|\\.\\d)"
      + "|(?<![0-9A-Za-z.])(\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}(?:/\\d{1,2})?)(?![0-9A-Za-z]|\\.\\d)"
      + "|(?<![0-9A-Za-z])(ip-\\d{1,3}-\\d{1,3}-\\d{1,3}-\\d{1,3})(?![0-9A-Za-z])"
      + "|(?<![0-9A-Za-z])0x(" + HEX + "{14,16})(?![0-9A-Za-z])"
      + "|(?<![0-9A-Za-z])[SHR]?(" + HEX + "{12,16})(?![0-9A-Za-z])");
  /** Lines whose four numbers with dots are releases, where they are no private address. */
  private static final Pattern RELEASES = Pattern.compile("(?i)version|release|ofed|doca|firmware|\\bfw|driver|\\bver\\b|cuda|library|build|package|bios|\\bv\\d|chart|image");

  private Shapes() {}

  /** All shapes of a line that may be identifiers. */
  static List<Found> in(String line) {
    if (!likely(line)) {
      return List.of();
    }
    List<Found> found = new ArrayList<>();
    Matcher matcher = SHAPE.matcher(line);
    int from = 0;
    while (matcher.find(from)) {
      int group = 1;
      while (matcher.group(group) == null) {
        group++;
      }
      Kind kind = Kind.values()[group - 1];
      String text = matcher.group(group);
      String value = value(kind, text, line, matcher.start(group));
      if (value != null) {
        found.add(new Found(kind, matcher.start(group), matcher.end(group), text, value));
      }
      from = Math.max(matcher.end(), matcher.start() + 1);
    }
    return found;
  }

  /** Most lines of a log hold none: a look at the characters is cheaper than the expression. */
  private static boolean likely(String line) {
    int colons = 0;
    int dots = 0;
    int run = 0;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == ':' || c == '-') {
        colons++;
      } else if (c == '.') {
        dots++;
      }
      boolean hex = c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F';
      run = hex ? run + 1 : 0;
      if (run >= 9 || colons >= 2 || dots >= 2) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable String value(Kind kind, String text, String line, int at) {
    String lower = text.toLowerCase(Locale.ROOT);
    return switch (kind) {
      case UUID, ID -> lower.chars().allMatch(c -> c == '0' || c == '-') ? null : lower;
      case DECIMAL_GID -> lower;
      case OCTETS -> lower.replaceAll("[:-]", "");
      case DOTTED_MAC -> lower.matches(".*[a-f].*") ? lower.replace(".", "") : null;
      case NCCL_GID -> line.contains("GID") || line.contains("gid") ? lower : null;
      case COLONS -> {
        byte[] bytes = Ipv6.bytes(text);
        yield Ipv6.guid(text) ? lower.replace(":", "") : bytes == null ? null : Address.hex(bytes, false);
      }
      case IPV4 -> ipv4(text, line, at);
      case IP_NAME -> Address.dotted(text.substring(3).replace('-', '.')) == -1 ? null : text.substring(3).replace('-', '.');
      case GUID -> guid(lower);
      case BARE -> "0".repeat(16 - lower.length()) + lower;
    };
  }

  private static @Nullable String guid(String digits) {
    String full = "0".repeat(16 - digits.length()) + digits;
    return full.startsWith("00000000") || full.startsWith("ffffffff") ? null : full;
  }

  private static @Nullable String ipv4(String text, String line, int at) {
    String address = text.replaceFirst("/.*", "");
    int number = Address.dotted(address);
    if (number == -1) {
      return null;
    }
    boolean inner = privately(number);
    boolean joined = at > 0 && "-_vV".indexOf(line.charAt(at - 1)) >= 0;
    if (!inner && (joined || RELEASES.matcher(line).find())) {
      return null;
    }
    // Releases such as 10.2.0.1 of a package stand behind its name.
    if (inner && joined && RELEASES.matcher(line).find()) {
      return null;
    }
    return address;
  }

  private static boolean privately(int address) {
    int first = address >>> 24;
    int second = address >>> 16 & 0xFF;
    return first == 10 || first == 172 && second >= 16 && second < 32 || first == 192 && second == 168 || first == 100 && second >= 64 && second < 128 || first == 169 && second == 254;
  }

  /** Values that a shape may stand for among those known: a bare row of digits is a GUID or a MAC only where another notation told so. */
  static boolean known(Found found, Set<String> values) {
    return found.kind() != Kind.BARE || values.contains(found.value()) || values.contains(found.value().substring(4)) && found.text().length() == 12;
  }
}
