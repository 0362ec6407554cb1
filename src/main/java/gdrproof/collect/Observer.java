package gdrproof.collect;

import java.util.BitSet;
import java.util.List;

/** Told about each text file of a bundle once it is read: what of it some collector understood. */
@FunctionalInterface
public interface Observer {
  Observer NONE = (file, lines, understood) -> {};

  /**
   * @param lines lines of the file, secrets redacted
   * @param understood numbers (1-based) of the lines that gave a fact or were recognised
   */
  void file(String file, List<String> lines, BitSet understood);
}
