package gdrproof.collect.gpu;

import gdrproof.collect.Collector;
import java.util.List;

/** The collectors of this folder. */
public final class GpuCollectors {
  private GpuCollectors() {}

  public static List<Collector> all() {
    return List.of(new TopoMatrix(), new PeerMatrix(), new SmiErrors());
  }
}
