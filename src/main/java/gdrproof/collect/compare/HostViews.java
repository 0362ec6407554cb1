package gdrproof.collect.compare;

import gdrproof.facts.Fact;
import gdrproof.facts.Host.Capability;
import gdrproof.facts.Host.DeviceNode;
import gdrproof.facts.Host.EnvValue;
import gdrproof.facts.Host.FileSystem;
import gdrproof.facts.Host.IommuRequest;
import gdrproof.facts.Host.KernelParameter;
import gdrproof.facts.Host.Limit;
import gdrproof.facts.Host.Machine;
import gdrproof.facts.Host.Module;
import gdrproof.facts.Host.ModuleAbsent;
import gdrproof.facts.Host.ModuleVersion;
import gdrproof.facts.Host.NvidiaDriver;
import gdrproof.facts.Host.PeerMemoryClient;
import gdrproof.facts.Host.SoftwareVersion;
import gdrproof.facts.Nccl.NcclVersion;

/** Operating system, limits, modules and environment as comparable values. */
final class HostViews {
  private HostViews() {}

  static void see(Fact fact, NodeView view, Views views) {
    if (!software(fact, view) && fact instanceof KernelParameter p && !views.identity(p.name())) {
      view.put("kernel-parameter", p.name(), p.value().isEmpty() ? "set" : p.value(), p);
    } else if (fact instanceof IommuRequest i) {
      view.put("iommu", "kernel parameters", i.mode(), i);
    } else if (fact instanceof Limit l) {
      view.put("limit", l.name() + views.scope(l.scope()), l.bytes(), l);
    } else if (fact instanceof FileSystem f && f.mount().equals("/dev/shm")) {
      view.put("limit", "/dev/shm" + views.scope(f.scope()), f.sizeBytes(), f);
    } else if (fact instanceof Capability c) {
      view.put("capability", c.name() + views.scope(c.scope()), c.held(), c);
    } else if (fact instanceof DeviceNode d && d.path().startsWith("/dev/infiniband/")) {
      view.put("device-node", d.path(), d.mode().equals(Fact.UNKNOWN) ? "present" : d.mode().substring(0, Math.min(10, d.mode().length())), d);
    } else if (fact instanceof EnvValue e && e.name().startsWith("NCCL_")) {
      view.put("environment", e.name(), e.value(), e);
    }
  }

  private static boolean software(Fact fact, NodeView view) {
    if (fact instanceof Module m) {
      view.put("module", m.name(), "loaded", m);
    } else if (fact instanceof ModuleAbsent m) {
      view.put("module", m.name(), NodeView.ABSENT, m);
    } else if (fact instanceof ModuleVersion m) {
      view.put("module-version", m.name(), m.version(), m);
    } else if (fact instanceof PeerMemoryClient p) {
      view.put("memory-peer", p.name(), "registered", p);
    } else if (fact instanceof NvidiaDriver d && d.source().equals("loaded")) {
      view.put("gpu-driver", "driver", d.version(), d);
      view.put("gpu-driver", "open kernel module", d.open(), d);
    } else if (fact instanceof SoftwareVersion s) {
      view.put(s.component().equals("kernel") ? "kernel" : "software", s.component(), s.version(), s);
    } else if (fact instanceof NcclVersion v) {
      view.put("software", "nccl", v.version(), v);
    } else if (fact instanceof Machine m) {
      view.put("machine", "virtual", m.virtual(), m);
    } else {
      return false;
    }
    return true;
  }
}
