package gdrproof.facts;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Text forms of GIDs and IP addresses, and what they say. Never throws: text that is no address gives unknown. */
public final class Gids {
  private static final Pattern IPV4 = Pattern.compile("\\d{1,3}(?:\\.\\d{1,3}){3}");

  private Gids() {}

  /** Eight groups of four lower-case digits, or unknown. Takes every IPv6 form, also with an IPv4 tail or a bare IPv4 address (mapped). */
  public static String canonical(String text) {
    String address = text.strip().toLowerCase(Locale.ROOT);
    if (IPV4.matcher(address).matches()) {
      return canonical("::ffff:" + address);
    }
    int zone = address.indexOf('%');
    address = zone >= 0 ? address.substring(0, zone) : address;
    int colon = address.lastIndexOf(':');
    if (colon < 0) {
      return Fact.UNKNOWN;
    }
    if (IPV4.matcher(address.substring(colon + 1)).matches()) {
      String[] bytes = address.substring(colon + 1).split("\\.");
      for (String each : bytes) {
        if (Integer.parseInt(each) > 255) {
          return Fact.UNKNOWN;
        }
      }
      address = address.substring(0, colon + 1)
          + String.format("%02x%02x:%02x%02x", Integer.parseInt(bytes[0]), Integer.parseInt(bytes[1]), Integer.parseInt(bytes[2]), Integer.parseInt(bytes[3]));
    }
    int gap = address.indexOf("::");
    List<String> groups = new ArrayList<>();
    if (gap >= 0) {
      List<String> head = groups(address.substring(0, gap));
      List<String> tail = groups(address.substring(gap + 2));
      groups.addAll(head);
      for (int i = head.size() + tail.size(); i < 8; i++) {
        groups.add("0");
      }
      groups.addAll(tail);
    } else {
      groups.addAll(groups(address));
    }
    if (groups.size() != 8 || groups.stream().anyMatch(g -> !g.matches("[0-9a-f]{1,4}"))) {
      return Fact.UNKNOWN;
    }
    return String.join(":", groups.stream().map(g -> "0".repeat(4 - g.length()) + g).toList());
  }

  private static List<String> groups(String text) {
    return text.isEmpty() ? List.of() : List.of(text.split(":", -1));
  }

  /** link-local, ipv4, ipv6, zero, or unknown, for a canonical GID. */
  public static String kind(String gid) {
    if (gid.length() != 39) {
      return Fact.UNKNOWN;
    }
    if (gid.startsWith("0000:0000:0000:0000:0000:ffff:")) {
      return "ipv4";
    }
    // InfiniBand's default prefix is fe80 too; the caller knows the link layer.
    return gid.startsWith("fe8") ? "link-local" : gid.replace(":", "").chars().allMatch(c -> c == '0') ? "zero" : "ipv6";
  }

  /** The IPv4 address of a mapped GID, or unknown. */
  public static String ipv4(String gid) {
    if (!kind(gid).equals("ipv4")) {
      return Fact.UNKNOWN;
    }
    String hex = gid.substring(30, 34) + gid.substring(35);
    return Integer.parseInt(hex.substring(0, 2), 16) + "." + Integer.parseInt(hex.substring(2, 4), 16) + "." + Integer.parseInt(hex.substring(4, 6), 16) + "."
        + Integer.parseInt(hex.substring(6), 16);
  }

  /** The IPv4 address of any text form of a mapped GID, else the GID itself. */
  public static String plain(String text) {
    String gid = canonical(text);
    String address = ipv4(gid);
    return address.equals(Fact.UNKNOWN) ? gid : address;
  }

  /** {@link #kind} of any text form. */
  public static String kindOf(String text) {
    return kind(canonical(text));
  }

  /** The GID that NCCL prints as two little-endian 64-bit numbers (`GID 0 (80FE/92AC23FEFF000000)`). */
  public static String fromNccl(String high, String low) {
    String hex = reversed(high) + reversed(low);
    if (hex.length() != 32) {
      return Fact.UNKNOWN;
    }
    List<String> groups = new ArrayList<>();
    for (int i = 0; i < 32; i += 4) {
      groups.add(hex.substring(i, i + 4));
    }
    return String.join(":", groups);
  }

  private static String reversed(String number) {
    if (!number.matches("[0-9A-Fa-f]{1,16}")) {
      return "";
    }
    String padded = "0".repeat(16 - number.length()) + number.toLowerCase(Locale.ROOT);
    StringBuilder bytes = new StringBuilder();
    for (int i = 14; i >= 0; i -= 2) {
      bytes.append(padded, i, i + 2);
    }
    return bytes.toString();
  }

  /** Whether two IPv4 addresses lie in one network of that prefix length; false for anything else. */
  public static boolean sameNetwork(String a, String b, Num prefixLength) {
    if (!IPV4.matcher(a).matches() || !IPV4.matcher(b).matches() || !prefixLength.known()) {
      return false;
    }
    int bits = (int) prefixLength.value();
    long mask = bits <= 0 ? 0 : 0xFFFFFFFFL << (32 - Math.min(32, bits)) & 0xFFFFFFFFL;
    return (number(a) & mask) == (number(b) & mask);
  }

  private static long number(String address) {
    long number = 0;
    for (String each : address.split("\\.")) {
      number = number << 8 | Integer.parseInt(each) & 0xFF;
    }
    return number;
  }
}
