package gdrproof.anonymize;

import gdrproof.anonymize.Identifiers.Sort;
import gdrproof.anonymize.Shapes.Found;
import gdrproof.anonymize.Shapes.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The mapping of a bundle: the same identifier gets the same pseudonym in every file, notation and file name. */
public final class Pseudonyms {
  private static final int TRIES = 256;

  private final Keyed keyed;
  private final Address addresses;
  private final NameFinder names;
  private final Set<String> values;
  private final Map<String, String> shown = new TreeMap<>();

  public Pseudonyms(Identifiers identifiers) {
    keyed = new Keyed(identifiers.everything());
    values = identifiers.values();
    addresses = masks();
    Map<String, String> all = new TreeMap<>(new Names(identifiers.allNames(), keyed).all());
    identifiers.names(Sort.SERIAL).forEach(serial -> all.putIfAbsent(serial, keyed.serial(serial)));
    all.entrySet().removeIf(e -> e.getKey().equals(e.getValue()));
    names = new NameFinder(all);
    shown.putAll(all);
  }

  /** Masks whose results are no originals, so that a search for these is decisive. */
  private Address masks() {
    Address first = null;
    for (int i = 0; i < TRIES; i++) {
      int octet = 1 + keyed.number("octet" + i) % 127;
      Address masks = new Address(octet, 1 + keyed.number("high" + i) % 255, 1 + keyed.number("low" + i) % 255);
      first = first == null ? masks : first;
      if (values.stream().noneMatch(v -> clashes(v, masks))) {
        return masks;
      }
    }
    return first;
  }

  private boolean clashes(String value, Address masks) {
    String made = value;
    if (value.matches("\\d+\\.\\d+\\.\\d+\\.\\d+")) {
      made = Address.dotted(masks.ipv4(Address.dotted(value)));
    } else if (value.matches("[0-9a-f]{12}|[0-9a-f]{16}|[0-9a-f]{32}")) {
      made = Address.hex(masks.bytes(Address.hex(value)), false);
    }
    return !made.equals(value) && values.contains(made);
  }

  /** A line with pseudonyms; as many lines and, where blanks allow, the same columns. */
  public String apply(String line) {
    StringBuilder made = new StringBuilder(line.length() + 16);
    int end = 0;
    for (Found found : Shapes.in(line)) {
      if (Shapes.known(found, values)) {
        String pseudonym = pseudonym(found);
        if (!pseudonym.equals(found.text())) {
          made.append(names.apply(line.substring(end, found.from())));
          end = append(made, line, found, pseudonym);
        }
      }
    }
    return made.append(names.apply(line.substring(end))).toString();
  }

  /** Keeps what stands right of it in its column. @return where the line goes on */
  private static int append(StringBuilder made, String line, Found found, String pseudonym) {
    made.append(pseudonym);
    int blanks = found.to();
    while (blanks < line.length() && line.charAt(blanks) == ' ') {
      blanks++;
    }
    int room = blanks - found.to();
    if (room < 2 || blanks == line.length()) {
      return found.to();
    }
    made.append(" ".repeat(Math.max(2, room - (pseudonym.length() - found.text().length()))));
    return blanks;
  }

  private String pseudonym(Found found) {
    String text = found.text();
    boolean upper = text.chars().anyMatch(c -> c >= 'A' && c <= 'F');
    return switch (found.kind()) {
      case UUID -> keyed.likeness(text);
      case ID -> keyed.longId(text);
      case IPV4 -> network(text);
      case IP_NAME -> "ip-" + Address.dotted(addresses.ipv4(Address.dotted(found.value()))).replace('.', '-');
      case DECIMAL_GID -> decimal(text);
      case OCTETS, DOTTED_MAC -> spread(text, Address.hex(addresses.bytes(Address.hex(found.value())), upper));
      case NCCL_GID -> reversed(text);
      case COLONS -> Ipv6.guid(text) ? spread(text, Address.hex(addresses.bytes(Address.hex(found.value())), upper)) : Ipv6.like(text, addresses.bytes(Ipv6.bytes(text)));
      case GUID, BARE -> {
        boolean mac = found.kind() == Kind.BARE && text.length() == 12 && !values.contains(found.value());
        String full = mac ? text : "0".repeat(16 - text.length()) + text;
        yield Address.hex(addresses.bytes(Address.hex(full)), upper).substring(full.length() - text.length());
      }
    };
  }

  private String network(String text) {
    int slash = text.indexOf('/');
    int address = Address.dotted(slash < 0 ? text : text.substring(0, slash));
    int made = addresses.ipv4(address);
    if (slash < 0) {
      return Address.dotted(made);
    }
    int length = Integer.parseInt(text.substring(slash + 1));
    int rest = length >= 32 ? 0 : -1 >>> length;
    // A network's own address has no bits behind its prefix.
    return Address.dotted((address & rest) == 0 ? made & ~rest : made) + text.substring(slash);
  }

  /** Digits put into the places of another text's digits, separators kept. */
  private static String spread(String text, String digits) {
    StringBuilder made = new StringBuilder(text);
    for (int i = 0, at = 0; i < text.length(); i++) {
      if (Character.digit(text.charAt(i), 16) >= 0) {
        char digit = digits.charAt(at++);
        made.setCharAt(i, text.charAt(i) >= 'A' && text.charAt(i) <= 'F' ? Character.toUpperCase(digit) : digit);
      }
    }
    return made.toString();
  }

  /** A GID as perftest prints it: sixteen bytes in decimal digits. */
  private String decimal(String text) {
    String[] parts = text.split(":");
    byte[] bytes = new byte[16];
    for (int i = 0; i < 16; i++) {
      bytes[i] = (byte) Integer.parseInt(parts[i]);
    }
    byte[] made = addresses.bytes(bytes);
    List<String> out = new ArrayList<>();
    for (byte b : made) {
      out.add(String.format(Locale.ROOT, "%02d", b & 0xFF));
    }
    return String.join(":", out);
  }

  /** A GID as NCCL prints it: both halves as numbers of a little-endian machine, so their bytes stand the other way round. */
  private String reversed(String text) {
    String half = text.substring(text.indexOf('/') + 1);
    String prefix = text.substring(0, text.indexOf('/'));
    byte[] bytes = Address.hex("0".repeat(16 - prefix.length()) + prefix + "0".repeat(16 - half.length()) + half);
    byte[] turned = new byte[16];
    for (int i = 0; i < 8; i++) {
      turned[i] = bytes[7 - i];
      turned[8 + i] = bytes[15 - i];
    }
    byte[] made = addresses.bytes(turned);
    byte[] back = new byte[8];
    for (int i = 0; i < 8; i++) {
      back[i] = made[15 - i];
    }
    boolean upper = half.chars().noneMatch(c -> c >= 'a' && c <= 'f');
    String digits = Address.hex(back, upper);
    return prefix + "/" + digits.substring(16 - half.length());
  }

  /** Originals that a line of the result still holds. */
  public Set<String> left(String line) {
    Set<String> left = new TreeSet<>(names.in(line));
    for (Found found : Shapes.in(line)) {
      if (values.contains(found.value()) && !pseudonym(found).equals(found.text())) {
        left.add(found.text());
      }
    }
    return left;
  }

  /** Every name and address with its pseudonym, sorted, for the one who may know. */
  public Map<String, String> mapping() {
    Map<String, String> all = new TreeMap<>(shown);
    for (String value : values) {
      boolean dotted = value.contains(".") || value.contains("-") || value.length() == 64 || value.contains(":") || value.contains("/");
      String made = dotted ? apply(value) : Address.hex(addresses.bytes(Address.hex(value)), false);
      if (!made.equals(value)) {
        all.put(value, made);
      }
    }
    return all;
  }

  /** Names whose pseudonyms are the same: none, or the diagnosis could merge two nodes. */
  public Set<String> merged() {
    Set<String> seen = new HashSet<>();
    Set<String> twice = new TreeSet<>();
    shown.forEach((name, pseudonym) -> {
      if (!seen.add(pseudonym)) {
        twice.add(name);
      }
    });
    return twice;
  }
}
