package gdrproof.collect.launch;

import gdrproof.collect.Collector;
import java.util.List;

/** The collectors of this folder. */
public final class LaunchCollectors {
  private LaunchCollectors() {}

  public static List<Collector> all() {
    return List.of(new RunHeaders(), new Slurm());
  }
}
