package gdrproof.collect.rdma;

import gdrproof.collect.Collector;
import java.util.List;

/** The collectors of this folder. */
public final class RdmaCollectors {
  private RdmaCollectors() {}

  public static List<Collector> all() {
    return List.of(new Ibstat(), new Ibstatus(), new IbvDevinfo(), new ShowGids(), new IpAddr());
  }
}
