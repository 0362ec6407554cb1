package gdrproof.anonymize;

import java.util.Arrays;
import java.util.Locale;

/**
 * Addresses as numbers, changed by exclusive or with one mask for the whole bundle: two addresses that share a prefix share it afterwards,
 * whatever its length, neighbours stay neighbours, and a GID still holds the GUID, MAC or IPv4 address that it is made from.
 *
 * @param octet mask of the IPv4 octet that numbers a site's networks, and of IPv6 prefixes; never 0
 * @param high mask of the last but two byte of a hardware address; never 0
 * @param low mask of the last but one byte of a hardware address; never 0
 */
record Address(int octet, int high, int low) {
  private static final int MAC = 6;
  private static final int GUID = 8;
  private static final int IPOIB = 20;

  /** An IPv4 address as a number; loopback, multicast, broadcast, masks and "this network" mean the same everywhere and stay. */
  int ipv4(int address) {
    int first = address >>> 24;
    int second = address >>> 16 & 0xFF;
    if (first == 0 || first == 127 || first >= 224) {
      return address;
    }
    if (first == 10) {
      return address ^ octet << 16;
    }
    if (first == 172 && second >= 16 && second < 32) {
      return address ^ within(octet, 15) << 16;
    }
    if (first == 100 && second >= 64 && second < 128) {
      return address ^ within(octet, 63) << 16;
    }
    if (first == 192 && second == 168 || first == 169 && second == 254) {
      return address ^ octet << 8;
    }
    return address ^ octet << 16 ^ high << 8;
  }

  private static int within(int mask, int bits) {
    return (mask & bits) == 0 ? 1 : mask & bits;
  }

  /** Bytes of a MAC (6), a GUID or EUI-64 (8), an IPv6 address or GID (16), or the hardware address of IPoIB (20). */
  byte[] bytes(byte[] address) {
    byte[] made = address.clone();
    switch (address.length) {
      case MAC, GUID, IPOIB -> hardware(made, address.length);
      case 16 -> ipv6(made);
      default -> throw new IllegalArgumentException(address.length + " bytes are no address");
    }
    return made;
  }

  private void hardware(byte[] bytes, int end) {
    boolean group = end == IPOIB ? bytes[4] == -1 : end == MAC && (bytes[0] & 1) == 1;
    if (!uniform(bytes) && !group) {
      bytes[end - 3] ^= (byte) high;
      bytes[end - 2] ^= (byte) low;
    }
  }

  private void ipv6(byte[] bytes) {
    if (uniform(Arrays.copyOf(bytes, 10)) && bytes[0] == 0 && bytes[10] == -1 && bytes[11] == -1) {
      int address = (bytes[12] & 0xFF) << 24 | (bytes[13] & 0xFF) << 16 | (bytes[14] & 0xFF) << 8 | bytes[15] & 0xFF;
      int made = ipv4(address);
      for (int i = 0; i < 4; i++) {
        bytes[12 + i] = (byte) (made >>> 24 - 8 * i);
      }
      return;
    }
    int first = bytes[0] & 0xFF;
    boolean solicited = first == 0xFF && bytes[11] == 1 && (bytes[12] & 0xFF) == 0xFF;
    if (first == 0xFF && !solicited) {
      return;
    }
    if ((first & 0xE0) == 0x20 || (first & 0xFE) == 0xFC) {
      bytes[3] ^= (byte) octet;
      bytes[4] ^= (byte) high;
    }
    boolean numbered = true;
    for (int i = 8; i < 13; i++) {
      numbered &= bytes[i] == 0;
    }
    // An interface numbered by hand (::1) tells nothing by itself.
    if (!numbered || solicited) {
      hardware(bytes, 16);
    }
  }

  private static boolean uniform(byte[] bytes) {
    for (byte b : bytes) {
      if (b != bytes[0]) {
        return false;
      }
    }
    return bytes[0] == 0 || bytes[0] == -1;
  }

  static byte[] hex(String digits) {
    byte[] bytes = new byte[digits.length() / 2];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) Integer.parseInt(digits.substring(2 * i, 2 * i + 2), 16);
    }
    return bytes;
  }

  static String hex(byte[] bytes, boolean upper) {
    StringBuilder text = new StringBuilder(2 * bytes.length);
    for (byte b : bytes) {
      text.append(String.format(Locale.ROOT, "%02x", b));
    }
    return upper ? text.toString().toUpperCase(Locale.ROOT) : text.toString();
  }

  /** The number of a dotted address, or -1 where an octet is too large (then all ones, which stays as well). */
  static int dotted(String text) {
    int address = 0;
    for (String part : text.split("\\.")) {
      int octet = Integer.parseInt(part);
      if (octet > 255 || part.length() > 1 && part.charAt(0) == '0') {
        return -1;
      }
      address = address << 8 | octet;
    }
    return address;
  }

  static String dotted(int address) {
    return (address >>> 24) + "." + (address >>> 16 & 0xFF) + "." + (address >>> 8 & 0xFF) + "." + (address & 0xFF);
  }
}
