package gdrproof.collect.rdma;

import gdrproof.collect.Collector;
import java.util.List;

/** The collectors of this folder. */
public final class RdmaCollectors {
  private RdmaCollectors() {}

  public static List<Collector> all() {
    return List.of(new Ibstat(), new Ibstatus(), new IbvDevinfo(), new ShowGids(), new IpAddr(), new SysfsRdma(), new RdmaTool(), new RdmaResources(), new RdmaJson(), new Ibdev2netdev(),
        new SubnetTools(), new Perfquery(), new FabricTools(), new Ibdiagnet(), new Mlxlink(), new Mlxfwmanager(), new Mlxconfig(), new Ethtool(), new EthtoolStats(), new MlnxQos(), new IpRoute(),
        new PingOutput(), new Bonding(), new Lldp(), new SwitchTables(), new SwitchText(), new SwitchStats(), new SwitchRates(), new Arping(), new AerCounters(), new CounterLists(), new Sockets(), new SecurityGroups(), new Ibtracert(), new Reach(), new RegisterDump());
  }
}
