package gdrproof.collect.rdma;

import gdrproof.collect.SampleKeys;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Unread;
import gdrproof.facts.Net.CableModule;
import gdrproof.facts.Net.DriverByCounters;
import gdrproof.facts.Net.EthernetLink;
import gdrproof.facts.Net.LanePower;
import gdrproof.facts.Net.NicDriver;
import gdrproof.facts.Net.PauseSetting;
import gdrproof.facts.Net.Qos;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.CounterReading;
import gdrproof.facts.Rdma.FabricCheck;
import gdrproof.facts.Rdma.FabricLink;
import gdrproof.facts.Rdma.FabricNode;
import gdrproof.facts.Rdma.FabricSize;
import gdrproof.facts.Rdma.HcaPcieLink;
import gdrproof.facts.Rdma.MlxLink;
import gdrproof.facts.Rdma.RdmaPort;
import gdrproof.facts.Rdma.RdmaToolError;
import gdrproof.facts.Tri;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Keys of the tools that speak about the fabric, its links and its counters, and of Ethernet interfaces. */
public final class FabricSampleKeys extends SampleKeys {
  private static final Map<String, String> STATES = Map.of("ACTIVE", "Active", "INIT", "Initialize", "ARMED", "Armed", "DOWN", "Down");
  private static final Map<String, String> PHYSICAL = Map.of("LINKUP", "LinkUp", "POLLING", "Polling", "DISABLED", "Disabled", "SLEEP", "Sleep",
      "PORTCONFIGURATIONTRAINING", "PortConfigurationTraining", "LINKERRORRECOVERY", "LinkErrorRecovery", "PHYTEST", "PhyTest", "TRAINING", "Training");
  private static final Map<Integer, String> SPEEDS = Map.of(200, "XDR", 100, "NDR", 50, "HDR", 25, "EDR");

  @Override
  protected void translate(String tool, Ledger ledger) {
    ledger.all(RdmaToolError.class).forEach(e -> put("error", e.error()));
    ledger.all(Unread.class).forEach(u -> put("parse", "incomplete"));
    links(ledger);
    checks(ledger);
    counters(tool, ledger);
    ethernet(ledger);
    for (MlxLink link : ledger.all(MlxLink.class)) {
      put("state", link.state());
      known("phys", link.physical());
      put("speedLabel", link.speed());
      known("speedEnabled", link.enabled());
      known("width", link.lanes());
      known("fec", link.fec());
      known("statusOpcode", link.statusOpcode());
      known("recommendation", link.recommendation());
      known("effectiveBer", link.effectiveBer());
      known("rawBer", link.rawBer());
      known("symbolErrorCount", link.symbolErrors());
      known("linkDownCount", link.linkDowns());
    }
    for (HcaPcieLink link : ledger.all(HcaPcieLink.class)) {
      put("pcieGTs", link.gts());
      put("pcieGTsMax", link.bestGts());
      put("pcieWidth", link.lanes());
      put("pcieWidthMax", link.bestLanes());
    }
    for (RdmaPort port : ledger.all(RdmaPort.class)) {
      known(port.hca() + "/state", port.state());
      known(port.hca() + "/rateGbps", port.rateGbps());
    }
  }

  private void links(Ledger ledger) {
    List<FabricLink> links = ledger.all(FabricLink.class);
    if (ledger.all(FabricNode.class).size() + links.size() > 0) {
      put("cas", ledger.all(FabricNode.class).stream().filter(n -> n.kind().equals("ca")).count());
      put("switches", ledger.all(FabricNode.class).stream().filter(n -> n.kind().equals("switch")).count());
    }
    put("lines", links.size());
    Num widest = links.stream().map(FabricLink::lanes).filter(Num::known).max(Num::compareTo).orElse(Num.UNKNOWN);
    for (FabricLink link : links) {
      // A node with one link needs no port to be named.
      boolean hca = links.stream().filter(l -> l.name().equals(link.name())).count() == 1;
      String at = (hca ? link.name() : link.name() + ":" + link.port()) + "/";
      known(at + "width", link.lanes());
      known(at + "laneGbps", link.laneGbps());
      known(at + "state", STATES.getOrDefault(link.state(), link.state()));
      known(at + "phys", PHYSICAL.getOrDefault(link.physical(), link.physical()));
      known("others/width", widest);
      if (link.laneGbps().known()) {
        known(at + "speedLabel", link.lanes() + "x" + SPEEDS.get((int) link.laneGbps().value()));
      }
    }
  }

  private void checks(Ledger ledger) {
    List<FabricCheck> checks = ledger.all(FabricCheck.class);
    checks.stream().filter(c -> c.stage().equals("ibqueryerrors")).forEach(c -> put("badNodes", c.errors()));
    if (!checks.isEmpty()) {
      put("errorCount", (long) checks.stream().mapToDouble(c -> c.errors().value()).sum());
      put("warningCount", (long) checks.stream().mapToDouble(c -> c.warnings().value()).sum());
      put("stagesWithErrors", checks.stream().filter(c -> c.errors().above(0)).map(FabricCheck::stage).collect(Collectors.joining(",")));
      put("stagesSkipped", checks.stream().filter(c -> !c.errors().known()).map(FabricCheck::stage).collect(Collectors.joining(",")));
    }
    ledger.all(FabricSize.class).forEach(s -> {
      put("fabricNodes", s.nodes());
      put("generation", s.generation());
    });
  }

  private void counters(String tool, Ledger ledger) {
    List<CounterReading> readings = ledger.all(CounterReading.class);
    for (CounterReading c : readings) {
      String port = c.source().endsWith("-sum") ? ":ALL" : c.port().known() ? ":" + c.port() : "";
      if (c.name().equals("lifespan")) {
        put("lifespanMs", c.value());
      }
      String key = "counter(" + c.name() + ")";
      put(c.device() + port + "/" + key, c.value());
      if (c.device().startsWith("lid ")) {
        put("lid", c.device().substring(4));
        put("port", c.port());
      }
      if (CounterNames.saturated(c.name(), c.source(), c.value())) {
        put("saturated", "true");
      }
      put("counterName", c.name());
    }
    if (tool.equals("perfquery") && readings.stream().noneMatch(c -> c.name().equals("SymbolErrorCounter"))) {
      put("counter(SymbolErrorCounter)", "absent");
    }
    boolean pfc = readings.stream().anyMatch(c -> c.name().matches("[rt]x_prio\\d_pause|[rt]x_pfc_ena_frames_pri\\d|[rt]x_pfc_frames|.*[rt]x_priority_\\d_xoff.*|[rt]x_pause_prio_\\d|[rt]x_ppp\\d") && c.value().above(0));
    boolean global = readings.stream().anyMatch(c -> c.name().matches("[rt]x_global_pause|[rt]x_pause(?:_frames)?|.*link_xoff_[rt]x.*") && c.value().above(0));
    put("pauseMode", pfc ? "pfc" : global ? "global" : "none");
    put("mlx5Counters", readings.stream().anyMatch(c -> c.name().endsWith("_phy") || c.name().contains("vport_rdma")) ? "present" : "absent");
  }

  private void ethernet(Ledger ledger) {
    for (EthernetLink link : ledger.all(EthernetLink.class)) {
      put("speedMbps", link.speedMbps());
      put("speedTrusted", link.real() == Tri.YES);
      known("lanes", link.lanes());
      known("linkDetected", link.linkDetected() == Tri.YES ? "yes" : link.linkDetected() == Tri.NO ? "no" : Fact.UNKNOWN);
    }
    for (NicDriver driver : ledger.all(NicDriver.class)) {
      put("kernelDriver", driver.driver());
      put("kernelDriverVersion", driver.version());
      put("firmware", driver.firmware());
      known("psid", driver.psid());
      put("pci", driver.pci());
    }
    ledger.all(DriverByCounters.class).forEach(d -> put("kernelDriver", d.driver()));
    for (PauseSetting pause : ledger.all(PauseSetting.class)) {
      put("pause(rx)", pause.rx() == Tri.YES ? "on" : "off");
      put("pause(tx)", pause.tx() == Tri.YES ? "on" : "off");
    }
    for (CableModule module : ledger.all(CableModule.class)) {
      put("moduleIdentifier", module.identifier());
      known("moduleVendor", module.vendor());
      known("moduleTempC", module.celsius());
      known("cableType", module.cable());
      known("cableLengthM", module.lengthMetres());
    }
    for (LanePower lane : ledger.all(LanePower.class)) {
      put("lane" + lane.lane() + "/rxPowerDbm", lane.rxDbm());
      put("lane" + lane.lane() + "/rxPowerLowAlarm", lane.lowAlarm() == Tri.YES ? "On" : "Off");
    }
    for (Qos qos : ledger.all(Qos.class)) {
      put("trust", qos.trust());
      put("pfc", qos.pfc());
    }
  }
}
