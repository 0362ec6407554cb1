package gdrproof.collect.rdma;

import gdrproof.collect.SampleKeys;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Meta.Layout;
import gdrproof.facts.Meta.Looked;
import gdrproof.facts.Meta.Unread;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.CounterReading;
import gdrproof.facts.Rdma.Gid;
import gdrproof.facts.Rdma.HcaPart;
import gdrproof.facts.Rdma.PortLink;
import gdrproof.facts.Rdma.PortMtu;
import gdrproof.facts.Rdma.PortNetdev;
import gdrproof.facts.Rdma.RdmaDevice;
import gdrproof.facts.Rdma.RdmaPort;
import gdrproof.facts.Rdma.RdmaToolError;
import gdrproof.facts.Rdma.SubnetManager;
import java.util.List;
import java.util.Map;

/** Keys of the tools that speak about HCAs and their ports. */
public final class RdmaSampleKeys extends SampleKeys {
  private static final Map<String, Map<String, String>> STATES = Map.of("ibstat", Map.of("ACTIVE", "Active", "INIT", "Initializing", "ARMED", "Armed", "DOWN", "Down"),
      "ibv_devinfo", Map.of("ACTIVE", "PORT_ACTIVE", "INIT", "PORT_INIT", "ARMED", "PORT_ARMED", "DOWN", "PORT_DOWN"), "smpquery",
      Map.of("ACTIVE", "Active", "INIT", "Initialize", "ARMED", "Armed", "DOWN", "Down"));
  private static final Map<String, String> PHYSICAL = Map.of("LINKUP", "LinkUp", "POLLING", "Polling", "DISABLED", "Disabled", "SLEEP", "Sleep",
      "PORTCONFIGURATIONTRAINING", "PortConfigurationTraining", "LINKERRORRECOVERY", "LinkErrorRecovery", "PHYTEST", "PhyTest", "TRAINING", "Training");

  @Override
  protected void translate(String tool, Ledger ledger) {
    List<RdmaPort> ports = ledger.all(RdmaPort.class);
    boolean several = ports.stream().anyMatch(p -> p.port().above(1));
    for (RdmaPort port : ports) {
      String at = (several ? port.hca() + ":" + port.port() : port.hca()) + "/";
      if (!port.node().equals(Fact.UNKNOWN)) {
        known(port.node() + "@" + at + "state", STATES.getOrDefault(tool, Map.of()).getOrDefault(port.state(), port.state()));
        known(port.node() + "@" + at + "phys", PHYSICAL.getOrDefault(port.physical(), port.physical()));
        known(port.node() + "@" + at + "rateGbps", port.rateGbps());
      }
      known(at + "state", STATES.getOrDefault(tool, Map.of()).getOrDefault(port.state(), port.state()));
      known(at + "phys", tool.equals("rdma") ? port.physical().replace("LINKUP", "LINK_UP") : PHYSICAL.getOrDefault(port.physical(), port.physical()));
      put(at + "rateGbps", port.rateGbps().known() ? port.rateGbps() : "unread");
      known(at + "lid", port.lid());
      known(at + "smLid", port.smLid());
      known(at + "linkLayer", ledger.all(Layout.class).stream().filter(l -> l.feature().equals("link-layer")).map(Layout::value).findFirst().orElse(port.linkLayer()));
      if (port.linkLayer().equals("InfiniBand") && port.state().equals("INIT") && port.smLid().is(0)) {
        put("subnetManager", "absent");
      }
    }
    // The first port is named without its number as well.
    ports.stream().filter(p -> several && p.port().is(1)).forEach(p -> known(p.hca() + "/rateGbps", p.rateGbps()));
    ledger.all(Unread.class).forEach(u -> put("parse", "incomplete"));
    if (tool.equals("rdma") && ledger.all(Unread.class).isEmpty()) {
      // Every record is whole, on one line or on several.
      put("parse", "rejoin");
    }
    put("ports", ports.size());
    put("hosts", ports.stream().map(Fact::node).distinct().count());
    long cas = ledger.all(RdmaDevice.class).stream().map(d -> d.node() + d.hca()).distinct().count();
    if (cas > 0 || ledger.all(Looked.class).stream().anyMatch(l -> l.kind().equals(Kind.RDMA_DEVICES)) || !ports.isEmpty() || !ledger.all(RdmaToolError.class).isEmpty()) {
      put("cas", cas);
    }
    put("devices", ports.isEmpty() ? ledger.all(CounterReading.class).stream().map(CounterReading::device).distinct().count() : ports.size());
    ledger.all(RdmaDevice.class).forEach(d -> {
      put("device", d.hca());
      known(d.hca() + "/firmware", d.firmware());
    });
    for (PortLink link : ledger.all(PortLink.class)) {
      String at = (several ? link.hca() + ":" + link.port() : link.hca()) + "/";
      known(at + "width", link.lanes());
      known(at + "speedLabel", link.speed());
      put(at + "laneGbps", link.laneGbps());
      known(at + "activeSpeedCode", link.speedCode());
      known("effectiveSpeedGbps", link.effectiveGbps());
    }
    for (PortMtu mtu : ledger.all(PortMtu.class)) {
      put("activeMtu", mtu.activeBytes());
      put("maxMtu", mtu.maxBytes());
    }
    gids(tool, ledger);
    for (PortNetdev netdev : ledger.all(PortNetdev.class)) {
      String port = netdev.hca() + (netdev.port().above(1) ? ":" + netdev.port() : "");
      put(port + "/netdev", netdev.netdev());
      if (tool.equals("ibdev2netdev")) {
        known(port + "/state", netdev.state().equals("UP") ? "Up" : "Down");
      }
    }
    if (tool.equals("rdma")) {
      List<String> named = ledger.all(PortNetdev.class).stream().map(n -> n.hca() + n.port()).toList();
      ports.stream().filter(p -> !named.contains(p.hca() + p.port())).forEach(p -> put(p.hca() + "/netdev", "none"));
    }
    for (HcaPart part : ledger.all(HcaPart.class)) {
      known(part.hca() + "/pci", part.pci());
      known(part.hca() + "/firmware", part.firmware());
    }
    for (SubnetManager sm : ledger.all(SubnetManager.class)) {
      known("smLid", sm.lid());
      known("smPriority", sm.priority());
      known("smState", sm.state());
      known("smStateCode", sm.stateCode());
    }
    ledger.all(RdmaToolError.class).forEach(e -> put("error", e.error()));
    ledger.all(CounterReading.class).forEach(c -> put(c.device() + (c.port().known() && !c.port().is(1) ? ":" + c.port() : "") + "/counter(" + c.name() + ")", c.value()));
  }

  private void gids(String tool, Ledger ledger) {
    List<Gid> gids = ledger.all(Gid.class);
    if (tool.equals("show_gids")) {
      put("rows", gids.size());
      List<Gid> good = gids.stream().filter(g -> g.version().equals("v2") && g.kind().equals("ipv4")).toList();
      put("roceV2Ipv4Index", good.isEmpty() ? "none" : good.get(0).index());
      good.forEach(g -> {
        put("roceV2Ipv4", g.ipv4());
        put("netdev", g.netdev());
      });
      (good.isEmpty() ? gids : List.<Gid>of()).forEach(g -> put("netdev", g.netdev()));
      gids.forEach(g -> put("gidVersion", g.version()));
    }
    for (Gid gid : gids) {
      String at = "gid" + gid.index() + "/";
      known(at + "type", gid.version().equals("v2") ? "RoCE v2" : gid.version().equals("v1") ? "RoCE v1" : Fact.UNKNOWN);
      known(at + "address", gid.kind().equals("ipv4") ? "::ffff:" + gid.ipv4() : gid.gid());
    }
    if (!gids.isEmpty() && gids.stream().noneMatch(g -> g.index().compareTo(Num.of(0)) < 0)) {
      put("gids", gids.size());
    }
  }
}
