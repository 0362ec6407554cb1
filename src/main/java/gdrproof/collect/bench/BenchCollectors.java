package gdrproof.collect.bench;

import gdrproof.collect.Collector;
import java.util.List;

/** The collectors of this folder. */
public final class BenchCollectors {
  private BenchCollectors() {}

  public static List<Collector> all() {
    return List.of();
  }
}
