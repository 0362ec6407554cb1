package gdrproof.collect.log;

import gdrproof.collect.Collector;
import java.util.List;

/** The collectors of this folder. */
public final class LogCollectors {
  private LogCollectors() {}

  public static List<Collector> all() {
    return List.of(new NcclLog());
  }
}
