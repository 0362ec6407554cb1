package gdrproof.collect.host;

import gdrproof.collect.Collector;
import java.util.List;

/** The collectors of this folder. */
public final class HostCollectors {
  private HostCollectors() {}

  public static List<Collector> all() {
    return List.of(new Limits(), new FileSystems(), new Mounts(), new Listings(), new Modules(), new ModuleFiles(), new PeerMemoryCounters(), new HostMessages(), new KernelParameters(),
        new SoftwareVersions(), new Machines(), new Environment(), new Containers(), new Capabilities(), new LoadedLibraries(), new LibraryCache(), new ProcessStates(), new UcxInfo(), new GdrCopyTests(), new FiInfo(),
        new ComposeFiles(), new CommandEnds(), new PingPongHangs());
  }
}
