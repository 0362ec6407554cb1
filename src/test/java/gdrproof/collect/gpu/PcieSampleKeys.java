package gdrproof.collect.gpu;

import gdrproof.collect.SampleKeys;
import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.GpuAffinity;
import gdrproof.facts.Gpu.Xid;
import gdrproof.facts.Host.NvidiaDriver;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Unread;
import gdrproof.facts.Pcie.AcsControl;
import gdrproof.facts.Pcie.AtsControl;
import gdrproof.facts.Pcie.Cpu;
import gdrproof.facts.Pcie.CpuCounts;
import gdrproof.facts.Pcie.DeviceAddress;
import gdrproof.facts.Pcie.IommuFault;
import gdrproof.facts.Pcie.IommuState;
import gdrproof.facts.Pcie.NumaBinding;
import gdrproof.facts.Pcie.NumaDistance;
import gdrproof.facts.Pcie.NumaNode;
import gdrproof.facts.Pcie.PciBandwidth;
import gdrproof.facts.Pcie.PciBridge;
import gdrproof.facts.Pcie.PciDevice;
import gdrproof.facts.Pcie.PciLink;
import gdrproof.facts.Pcie.PciNuma;
import gdrproof.facts.Pcie.PciParent;
import gdrproof.facts.Pcie.PciUnreadable;
import gdrproof.facts.Tri;
import java.util.ArrayList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Keys of the samples of lspci, sysfs, numactl, lscpu and the kernel log. */
public final class PcieSampleKeys extends SampleKeys {
  @Override
  protected void translate(String tool, Ledger ledger) {
    switch (tool) {
      case "lspci" -> lspci(ledger);
      case "sysfs" -> sysfs(ledger);
      case "numactl", "lscpu" -> numa(ledger);
      default -> kernel(ledger);
    }
    if (!ledger.all(Unread.class).isEmpty()) {
      put("parse", "incomplete");
      if (ledger.all(Unread.class).stream().anyMatch(u -> u.reason().contains("without NUMA"))) {
        put("error", "no-numa");
      }
      if (ledger.all(Unread.class).stream().anyMatch(u -> u.reason().matches(".*(?:not permitted|insufficient permissions).*"))) {
        put("error", "not-permitted");
      }
    }
  }

  private static String shorten(String address) {
    return address.replaceFirst("^0000:", "");
  }

  private void lspci(Ledger ledger) {
    List<PciDevice> devices = ledger.all(PciDevice.class);
    put("gpus", devices.stream().filter(PciDevice::gpu).count());
    put("hcas", devices.stream().filter(PciDevice::hca).count());
    put("bridgeCount", Stream.concat(devices.stream().filter(PciDevice::bridge).map(PciDevice::address), ledger.all(PciBridge.class).stream().map(PciBridge::address)).distinct().count());
    tree(ledger, devices);
    devices.stream().filter(PciDevice::gpu).forEach(d -> {
      put("gpuPciId", d.ids());
      put("gpuModel", d.name().replaceFirst(".*\\[([A-Z]+\\d+\\w*).*", "$1"));
    });
    devices.stream().filter(PciDevice::hca).forEach(d -> put("nicPciId", d.ids()));
    links(ledger);
    // A device without the text of its link capability.
    List<String> linked = ledger.all(PciLink.class).stream().map(PciLink::address).toList();
    devices.stream().filter(d -> linked.isEmpty()).forEach(d -> {
      put(shorten(d.address()) + "/pcieGTs", Fact.UNKNOWN);
      put(shorten(d.address()) + "/pcieWidth", Fact.UNKNOWN);
    });
    List<AcsControl> acs = ledger.all(AcsControl.class);
    for (AcsControl a : acs) {
      String flags = word("SrcValid", a.srcValid()) + " " + word("ReqRedir", a.reqRedir()) + " " + word("CmpltRedir", a.cmpltRedir()) + " "
          + word("UpstreamFwd", a.upstreamFwd());
      // What no rule asks for stands in the cited line only.
      String blocking = ledger.of(a).stream().anyMatch(e -> e.excerpt().contains("TransBlk+")) ? "+" : "-";
      flags += " TransBlk" + blocking;
      put(shorten(a.address()) + "/acs", flags);
      put(a.address() + "/acs", flags);
      put("acs", flags.replaceFirst(" UpstreamFwd.*", ""));
      put("pci", a.address());
    }
    put("acsRedirect", acs.stream().anyMatch(AcsControl::redirects));
    put("acsBridgesOn", acs.stream().filter(AcsControl::redirects).count());
    // Lines without a device are one statement, seen several times.
    put("srcValidOnCount", acs.stream().filter(a -> a.srcValid() == Tri.YES).mapToInt(a -> ledger.of(a).size()).sum());
    put("lines", acs.stream().mapToInt(a -> ledger.of(a).size()).sum());
    put("atsEnabledCount", ledger.all(AtsControl.class).stream().filter(a -> a.enabled() == Tri.YES).count());
    if (!ledger.all(PciUnreadable.class).isEmpty()) {
      put("acs", "unknown");
      put("pcieGTs", "unknown");
      put("pcieWidth", "unknown");
    }
  }

  /** Where GPU, HCA and the switch that both hang on stand in a drawing, which names no classes. */
  private void tree(Ledger ledger, List<PciDevice> devices) {
    Map<String, String> above = new HashMap<>();
    ledger.all(PciParent.class).forEach(p -> above.put(p.child(), p.parent()));
    List<String> gpus = devices.stream().filter(d -> above.containsKey(d.address()) && d.name().matches("NVIDIA Corporation (?!.*(?:Audio|USB|Serial|NVSwitch)).*")).map(PciDevice::address).toList();
    List<String> nics = devices.stream().filter(d -> above.containsKey(d.address()) && d.name().contains("Mellanox")).map(PciDevice::address).toList();
    gpus.forEach(g -> put("gpu/pci", g));
    nics.forEach(n -> put("nic/pci", n));
    for (String gpu : gpus) {
      for (String nic : nics) {
        List<String> way = new ArrayList<>();
        for (String at = above.get(gpu); at != null; at = above.get(at)) {
          way.add(at);
        }
        String at = above.get(nic);
        while (at != null && !way.contains(at)) {
          at = above.get(at);
        }
        known("commonSwitch/pci", at == null || at.startsWith("root:") ? Fact.UNKNOWN : at);
      }
    }
  }

  private static String word(String name, Tri state) {
    return name + (state == Tri.YES ? "+" : "-");
  }

  private void links(Ledger ledger) {
    for (PciLink l : ledger.all(PciLink.class)) {
      for (String subject : List.of(l.address(), shorten(l.address()))) {
        put(subject + "/pcieGTs", l.gts());
        // A width of 0 says that the device tells of no link; the cited line has it.
        boolean none = !l.width().known() && ledger.of(l).stream().anyMatch(e -> e.excerpt().matches("(?s).*LnkSta:[^\n]*Width x0\\b.*"));
        put(subject + "/pcieWidth", none ? "0" : l.width());
        put(subject + "/pcieGTsMax", l.gtsMax());
        put(subject + "/pcieWidthMax", l.widthMax());
      }
    }
    ledger.all(PciNuma.class).forEach(n -> {
      put(shorten(n.address()) + "/numa", n.numa());
      put(n.address() + "/numa", n.numa());
    });
  }

  private void sysfs(Ledger ledger) {
    links(ledger);
    Map<String, String> above = new HashMap<>();
    ledger.all(PciParent.class).forEach(p -> above.put(p.child(), p.parent()));
    List<String> leaves = above.keySet().stream().filter(c -> !above.containsValue(c)).sorted().toList();
    for (int i = 0; i < leaves.size(); i++) {
      List<String> way = new ArrayList<>();
      String at = above.get(leaves.get(i));
      for (; at != null && !at.startsWith("root:"); at = above.get(at)) {
        way.add(0, at.replaceFirst("^[0-9a-f]{4,8}:(?=[0-9a-f]{2}:)", ""));
      }
      String leaf = leaves.get(i);
      String name = ledger.all(DeviceAddress.class).stream().filter(d -> d.address().equals(leaf)).map(DeviceAddress::name).findFirst().orElse("mlx5_" + i);
      put(name + "/pci", leaf);
      put(name + "/rootBus", at == null ? Fact.UNKNOWN : at.substring(5));
      put(name + "/bridgePath", String.join(",", way));
    }
    ledger.all(PciDevice.class).stream().filter(d -> d.ids().startsWith("10de:")).forEach(d -> put("gpu/pci", d.address()));
  }

  private void numa(Ledger ledger) {
    List<NumaNode> nodes = ledger.all(NumaNode.class);
    List<CpuCounts> counts = ledger.all(CpuCounts.class);
    put("numaNodes", nodes.isEmpty() && !counts.isEmpty() ? counts.get(0).numaNodes() : nodes.size());
    StringBuilder filled = new StringBuilder();
    for (NumaNode n : nodes) {
      put("numa" + n.numa() + "/cpus", n.cpus());
      put("numa" + n.numa() + "/firstCpu", n.cpus().replaceFirst("[-,].*", ""));
      put("numa" + n.numa() + "/sizeMB", n.sizeMb());
      filled.append(n.sizeMb().above(0) ? " " + n.numa() : "");
    }
    put("numaNodesWithMemory", NumaTools.fold(filled.toString()));
    ledger.all(NumaDistance.class).forEach(d -> put("distance(" + d.from() + "," + d.to() + ")", d.distance()));
    ledger.all(NumaBinding.class).forEach(b -> {
      put("cpuBind", b.cpuNodes());
      put("memBind", b.memoryNodes());
    });
    if (!counts.isEmpty()) {
      CpuCounts c = counts.get(0);
      put("cpus", c.cpus().value() + (c.offline().known() ? c.offline().value() : 0));
      put("cpusOnline", c.cpus());
      put("cpusOffline", c.offline());
      put("sockets", c.sockets());
    }
    ledger.all(Cpu.class).forEach(c -> put("cpu" + c.cpu() + "/core", c.core()));
  }

  private void kernel(Ledger ledger) {
    for (IommuState s : ledger.all(IommuState.class)) {
      put("iommuState", s.enabled() == Tri.YES ? "enabled" : s.enabled() == Tri.NO ? "disabled" : "absent");
      known("iommuVendor", s.vendor());
      if (s.vendor().equals("intel") && s.enabled() != Tri.UNKNOWN) {
        // A table that is there, switched on or not.
        put("dmarTable", "present");
      }
      if (!s.mode().equals(Fact.UNKNOWN)) {
        put("defaultDomain", Character.toUpperCase(s.mode().charAt(0)) + s.mode().substring(1));
      }
    }
    List<IommuFault> faults = ledger.all(IommuFault.class);
    if (!faults.isEmpty()) {
      put("faultCount", faults.stream().mapToDouble(f -> f.count().value()).sum());
      put("faultReason", faults.get(0).reason());
      put("pci", faults.get(0).address());
      known("iommuVendor", faults.get(0).vendor());
    }
    ledger.all(Xid.class).forEach(x -> {
      put("xid", x.xid());
      put("pci", x.address().replaceFirst("\\.0$", ""));
    });
    ledger.all(PciBandwidth.class).forEach(b -> {
      put("availableGbps", b.availableGbps());
      put("capableGbps", b.capableGbps());
      put("limitedBy", b.limitedBy());
      known("pci", b.address());
    });
    ledger.all(NvidiaDriver.class).forEach(d -> {
      put("driverVersion", d.version());
      put("openModule", d.open() == Tri.YES);
    });
    ledger.all(GpuAffinity.class).forEach(a -> put(a.gpu() + "/cpus", a.cpus()));
  }
}
