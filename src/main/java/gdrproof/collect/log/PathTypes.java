package gdrproof.collect.log;

import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import java.util.List;

/** Names of the distance numbers, which index the list of path types of each release (nccl src/graph/topo.h). */
final class PathTypes {
  private static final List<String> UP_TO_225 = List.of("LOC", "NVL", "NVB", "PIX", "PXB", "PXN", "PHB", "SYS", "NET", "DIS");
  private static final List<String> IN_226 = List.of("LOC", "NVL", "NVB", "C2C", "PIX", "PXB", "PXN", "PHB", "SYS", "NET", "DIS");
  private static final List<String> SINCE_227 = List.of("LOC", "NVL", "NVB", "C2C", "PIX", "PXB", "P2C", "PXN", "PHB", "SYS", "NET", "DIS");

  private PathTypes() {}

  /** Name of a distance in a release such as `2.28.9`; unknown if either is. */
  static String name(String version, Num distance) {
    String[] parts = version.split("\\.");
    if (!distance.known() || parts.length < 2 || !parts[0].equals("2") || !parts[1].matches("\\d{1,4}")) {
      return Fact.UNKNOWN;
    }
    int minor = Integer.parseInt(parts[1]);
    List<String> types = minor <= 25 ? UP_TO_225 : minor == 26 ? IN_226 : SINCE_227;
    int at = (int) distance.value();
    return at >= 0 && at < types.size() ? types.get(at) : Fact.UNKNOWN;
  }
}
