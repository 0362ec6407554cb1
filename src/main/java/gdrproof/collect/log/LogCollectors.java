package gdrproof.collect.log;

import gdrproof.collect.Collector;
import gdrproof.collect.StreamCollector;
import gdrproof.collect.launch.LauncherLog;
import java.util.List;

/** The collectors of this folder. */
public final class LogCollectors {
  private LogCollectors() {}

  /** Readers of logs of any length. */
  public static List<StreamCollector> streams() {
    return List.of(new NcclLog(), new LauncherLog());
  }

  public static List<Collector> all() {
    return List.of(new Ras(), new RasJson());
  }
}
