package gdrproof.collect.bench;

import gdrproof.collect.Collector;
import java.util.List;

/** The collectors of this folder. */
public final class BenchCollectors {
  private BenchCollectors() {}

  public static List<Collector> all() {
    return List.of(new NcclTests(), new NcclTestJson(), new Perftest(), new PerftestJson(), new ResultTables(), new StateTables(), new HcaTables(), new PairLoads(), new GpuMatrix(), new GpuSets(), new NvBandwidthJson(), new BandwidthTest(), new TcpTests(),
        new Statements(), new Placements());
  }
}
