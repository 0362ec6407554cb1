package gdrproof.collect.launch;

import java.math.BigInteger;
import java.util.BitSet;

/** Sets of CPUs as tools print them: ranges (`0-7,16-23`), a mask (`0xff00`), or a mask in words of 32 bits (`ffff,00000000`). */
public final class CpuSets {
  private static final int MOST_CPUS = 1 << 16;

  private CpuSets() {}

  /** The set, empty for anything that is none of these forms. */
  public static BitSet parse(String text) {
    String plain = text.strip();
    if (plain.matches("\\d+(?:-\\d+)?(?:,\\d+(?:-\\d+)?)*") && !words(plain)) {
      return ranges(plain);
    }
    String digits = plain.replaceFirst("^0x", "").replace(",", "");
    if (!digits.matches("[0-9a-fA-F]{1,4096}") || !plain.startsWith("0x") && !words(plain)) {
      return new BitSet();
    }
    byte[] bytes = new BigInteger(digits, 16).toByteArray();
    for (int i = 0; i < bytes.length / 2; i++) {
      byte swap = bytes[i];
      bytes[i] = bytes[bytes.length - 1 - i];
      bytes[bytes.length - 1 - i] = swap;
    }
    return BitSet.valueOf(bytes);
  }

  /** Words of a mask have eight digits each, but for the first. */
  private static boolean words(String text) {
    return text.matches("[0-9a-fA-F]{1,8}(?:,[0-9a-fA-F]{8})+");
  }

  private static BitSet ranges(String text) {
    BitSet set = new BitSet();
    for (String part : text.split(",")) {
      String[] ends = part.split("-");
      int low = number(ends[0]);
      int high = number(ends[ends.length - 1]);
      if (low > high || high >= MOST_CPUS) {
        return new BitSet();
      }
      set.set(low, high + 1);
    }
    return set;
  }

  private static int number(String text) {
    return text.length() > 6 ? MOST_CPUS : Integer.parseInt(text);
  }

  /** The set as ranges. */
  public static String text(BitSet set) {
    StringBuilder text = new StringBuilder();
    for (int low = set.nextSetBit(0); low >= 0;) {
      int high = set.nextClearBit(low) - 1;
      text.append(text.isEmpty() ? "" : ",").append(low).append(high > low ? "-" + high : "");
      low = set.nextSetBit(high + 1);
    }
    return text.toString();
  }

  /** How the first set lies beside the second: `near`, `partly`, `far`; "" where either is empty. */
  public static String place(BitSet own, BitSet device) {
    if (own.isEmpty() || device.isEmpty()) {
      return "";
    }
    BitSet outside = (BitSet) own.clone();
    outside.andNot(device);
    return outside.isEmpty() ? "near" : own.intersects(device) ? "partly" : "far";
  }
}
