package gdrproof.bundle;

/**
 * Bounds on what an archive may make of itself; a bundle beyond them is refused with a message instead of filling memory or disk.
 *
 * @param bytes unpacked bytes of one archive, nested ones included
 * @param ratio unpacked bytes for one packed byte, above {@link #FREE} bytes
 * @param entries files in one archive
 * @param depth archives within archives
 * @param folders folders above a file
 */
public record Limits(long bytes, int ratio, int entries, int depth, int folders) {
  /** Unpacked size below which the ratio says nothing: short logs compress a hundredfold. */
  static final long FREE = 16L << 20;

  /** 32 GiB unpacked, 250-fold, 200,000 files, three archives deep. Logs of 8,192 ranks stay below. */
  public static final Limits DEFAULT = new Limits(32L << 30, 250, 200_000, 3, 64);
}
