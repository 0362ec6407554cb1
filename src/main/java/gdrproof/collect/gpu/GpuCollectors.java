package gdrproof.collect.gpu;

import gdrproof.collect.Collector;
import java.util.List;

/** The collectors of this folder. */
public final class GpuCollectors {
  private GpuCollectors() {}

  public static List<Collector> all() {
    return List.of(new TopoMatrix(), new PeerMatrix(), new SmiErrors(), new SmiQuery(), new SmiXml(), new SmiCsv(), new SmiTable(),
        new NvLinks(), new DcgmTopo(), new DcgmDiag(), new Lspci(), new LspciMachine(), new Setpci(), new LspciTree(), new SysfsPci(), new NumaTools(),
        new KernelLog(), new Services(), new TopologyModel(), new PeerTests());
  }
}
