package gdrproof.collect.gate;

import gdrproof.collect.Collector;
import java.util.List;

/** The collectors of this folder: what only acceptance asks for. */
public final class GateCollectors {
  private GateCollectors() {}

  public static List<Collector> all() {
    return List.of(new LifecycleForm(), new ServerModels(), new SiteFile());
  }
}
