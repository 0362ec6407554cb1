package gdrproof.collect.compare;

import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.FabricManager;
import gdrproof.facts.Gpu.GpuAffinity;
import gdrproof.facts.Gpu.GpuClocks;
import gdrproof.facts.Gpu.GpuCount;
import gdrproof.facts.Gpu.GpuDevice;
import gdrproof.facts.Gpu.GpuMemory;
import gdrproof.facts.Gpu.GpuMode;
import gdrproof.facts.Gpu.GpuPcie;
import gdrproof.facts.Gpu.NvLink;
import gdrproof.facts.Gpu.SmiDriver;
import gdrproof.facts.Gpu.TopoLink;
import gdrproof.facts.Pcie.AcsControl;
import gdrproof.facts.Pcie.AtsControl;
import gdrproof.facts.Pcie.CpuCounts;
import gdrproof.facts.Pcie.CpuPower;
import gdrproof.facts.Pcie.IommuState;
import gdrproof.facts.Pcie.NumaNode;
import gdrproof.facts.Pcie.PciLink;
import gdrproof.facts.Pcie.PciNuma;
import gdrproof.facts.Pcie.PciSettings;
import gdrproof.facts.Tri;

/** GPUs, the PCIe tree and the CPUs as comparable values. */
final class DeviceViews {
  private DeviceViews() {}

  static boolean gpu(Fact fact, NodeView view, Views views) {
    if (fact instanceof GpuCount c) {
      view.put("gpu-count", "GPUs", c.gpus(), c);
    } else if (fact instanceof GpuDevice d) {
      view.put("gpu-model", d.gpu(), d.model(), d);
    } else if (fact instanceof SmiDriver d) {
      view.put("gpu-driver", "driver", d.driver(), d);
    } else if (fact instanceof GpuPcie p) {
      view.put("gpu-link", p.gpu() + " width", p.width(), p);
      view.put("gpu-link", p.gpu() + " best generation", p.genMax(), p);
      if (p.active() == Tri.YES) {
        view.put("gpu-link", p.gpu() + " generation", p.gen(), p);
      }
    } else if (fact instanceof GpuMode m) {
      view.put("gpu-mode", m.gpu() + " " + m.name(), m.value(), m);
    } else if (fact instanceof GpuClocks c) {
      view.put("gpu-power", c.gpu() + " limit W", c.limitW(), c);
    } else if (fact instanceof GpuMemory m) {
      view.put("gpu-memory", m.gpu() + " BAR1 MiB", m.bar1TotalMib(), m);
    } else if (fact instanceof NvLink l) {
      view.put("nvlink", l.gpu() + " link " + l.link(), l.active() == Tri.YES ? "active" : l.active() == Tri.NO ? "inactive" : Fact.UNKNOWN, l);
    } else if (fact instanceof TopoLink t) {
      view.put("topology", views.name(t.node(), t.from()) + " to " + views.name(t.node(), t.to()), t.path(), t);
    } else if (fact instanceof GpuAffinity a) {
      view.put("numa", a.gpu(), a.numa(), a);
    } else if (fact instanceof FabricManager f) {
      view.put("service", "fabric manager", f.state(), f);
      view.put("software", "fabric manager", f.version(), f);
    } else {
      return false;
    }
    return true;
  }

  static boolean pci(Fact fact, NodeView view, Views views) {
    if (fact instanceof PciLink l) {
      String name = views.name(l.node(), l.address());
      view.put("pcie-link", name + " width", l.width(), l);
      // A GPU at rest lowers its speed; that of other devices is a setting or a fault.
      if (!name.startsWith("GPU")) {
        view.put("pcie-link", name + " GT/s", l.gts(), l);
      }
    } else if (fact instanceof AcsControl a) {
      view.put("acs", a.address(), a.redirects() ? "redirects" : "does not redirect", a);
    } else if (fact instanceof AtsControl a) {
      view.put("pci-setting", views.name(a.node(), a.address()) + " ATS", a.enabled(), a);
    } else if (fact instanceof PciSettings s) {
      String name = views.name(s.node(), s.address());
      view.put("pci-setting", name + " max payload", s.maxPayload(), s);
      view.put("pci-setting", name + " max read request", s.maxReadRequest(), s);
      view.put("pci-setting", name + " relaxed ordering", s.relaxedOrdering(), s);
    } else if (fact instanceof PciNuma n) {
      view.put("numa", views.name(n.node(), n.address()), n.numa(), n);
    } else if (fact instanceof IommuState i) {
      view.put("iommu", "kernel log", i.mode(), i);
    } else if (fact instanceof CpuCounts c) {
      view.put("cpu", "CPUs", c.cpus(), c);
      view.put("cpu", "CPUs offline", c.offline(), c);
      view.put("cpu", "NUMA nodes", c.numaNodes(), c);
    } else if (fact instanceof NumaNode n) {
      view.put("numa", "CPUs of NUMA node " + n.numa(), n.cpus(), n);
    } else if (fact instanceof CpuPower p && !p.name().startsWith("frequency-mhz")) {
      view.put("cpu-power", p.name(), p.value(), p);
    } else {
      return fact instanceof CpuPower;
    }
    return true;
  }
}
