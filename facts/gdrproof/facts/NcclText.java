package gdrproof.facts;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How NCCL reads texts: numbers of its environment and lists of interfaces or HCAs. Source: NCCL param.cc and utils.cc, 2.10 to 2.30. */
public final class NcclText {
  private static final Pattern NUMBER = Pattern.compile("^\\s*([+-]?)(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)");

  private NcclText() {}

  /** strtoll with base 0: hexadecimal with 0x, octal with a leading 0, else decimal; trailing text is ignored, no number is 0. */
  public static Num integer(String text) {
    Matcher number = NUMBER.matcher(text);
    if (!number.find()) {
      return Num.of(0);
    }
    String digits = number.group(2);
    double value = digits.startsWith("0x") || digits.startsWith("0X") ? Long.parseUnsignedLong(digits.substring(2), 16)
        : digits.length() > 1 && digits.startsWith("0") ? Long.parseLong(digits, 8)
        : Double.parseDouble(digits);
    return Num.of(number.group(1).equals("-") ? -value : value);
  }

  /**
   * Whether a list in the form of NCCL_IB_HCA or NCCL_SOCKET_IFNAME selects a device.
   *
   * @param list comma-separated name prefixes; a leading `^` excludes, `=` wants exact names; a part may end in `:port`
   * @param port port number, unknown for interfaces
   */
  public static boolean selects(String list, String name, Num port) {
    String rest = list.strip();
    boolean exclude = rest.startsWith("^");
    rest = exclude ? rest.substring(1) : rest;
    boolean exact = rest.startsWith("=");
    rest = exact ? rest.substring(1) : rest;
    boolean found = rest.isEmpty() && !exclude;
    for (String part : rest.split(",")) {
      String[] nameAndPort = part.strip().split(":", 2);
      if (nameAndPort[0].isEmpty()) {
        continue;
      }
      boolean nameFits = exact ? name.equals(nameAndPort[0]) : name.startsWith(nameAndPort[0]);
      boolean portFits = nameAndPort.length < 2 || !port.known() || port.is(integer(nameAndPort[1].split(":")[0]).value());
      found |= nameFits && portFits;
    }
    return found != exclude;
  }
}
