package gdrproof.anonymize;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Groups of hexadecimal digits between colons: IPv6 addresses and GIDs, whole or shortened, and GUIDs of four groups. */
final class Ipv6 {
  private static final Pattern GUID = Pattern.compile("(?:[0-9a-fA-F]{4}:){3}[0-9a-fA-F]{4}");

  private Ipv6() {}

  /** Whether the text is a GUID in sysfs notation, `506b:4b03:00c0:ffee`. */
  static boolean guid(String text) {
    return GUID.matcher(text).matches();
  }

  /** The sixteen bytes, or null where the text is no address (a time, a PCI address). */
  static byte @Nullable [] bytes(String text) {
    int gap = text.indexOf("::");
    List<String> head = groups(gap < 0 ? text : text.substring(0, gap));
    List<String> tail = gap < 0 ? List.of() : groups(text.substring(gap + 2));
    int count = head.size() + tail.size();
    if (gap < 0 ? count != 8 : count > 7 || count == 0 || text.indexOf("::", gap + 1) >= 0) {
      return null;
    }
    byte[] bytes = new byte[16];
    for (int i = 0; i < 8; i++) {
      String group = i < head.size() ? head.get(i) : i >= 8 - tail.size() ? tail.get(i - 8 + tail.size()) : "0";
      if (group.isEmpty()) {
        return null;
      }
      int value = Integer.parseInt(group, 16);
      bytes[2 * i] = (byte) (value >> 8);
      bytes[2 * i + 1] = (byte) value;
    }
    return bytes;
  }

  private static List<String> groups(String text) {
    return text.isEmpty() ? List.of() : Arrays.asList(text.split(":", -1));
  }

  /** Other bytes in the notation of a text: as many digits a group, shortened where it was. */
  static String like(String text, byte[] bytes) {
    int gap = text.indexOf("::");
    int head = groups(gap < 0 ? text : text.substring(0, gap)).size();
    int tail = gap < 0 ? 0 : groups(text.substring(gap + 2)).size();
    List<String> old = new ArrayList<>(groups(gap < 0 ? text : text.substring(0, gap)));
    if (gap >= 0) {
      old.addAll(groups(text.substring(gap + 2)));
    }
    boolean upper = text.chars().anyMatch(c -> c >= 'A' && c <= 'F');
    StringBuilder made = new StringBuilder();
    for (int i = 0, at = 0; i < 8; i++) {
      int value = (bytes[2 * i] & 0xFF) << 8 | bytes[2 * i + 1] & 0xFF;
      boolean hidden = gap >= 0 && i >= head && i < 8 - tail;
      if (hidden) {
        if (value != 0) {
          return whole(bytes);
        }
        made.append(i == head ? i == 0 ? "::" : ":" : "");
      } else {
        String group = old.get(at++);
        String digits = String.format(Locale.ROOT, "%0" + (group.length() == 4 ? 4 : 1) + "x", value);
        made.append(upper ? digits.toUpperCase(Locale.ROOT) : digits).append(i < 7 ? ":" : "");
      }
    }
    return made.toString();
  }

  private static String whole(byte[] bytes) {
    StringBuilder made = new StringBuilder();
    for (int i = 0; i < 16; i += 2) {
      made.append(i == 0 ? "" : ":").append(Integer.toHexString((bytes[i] & 0xFF) << 8 | bytes[i + 1] & 0xFF));
    }
    return made.toString();
  }
}
