package gdrproof.collect.host;

import gdrproof.collect.SampleKeys;
import gdrproof.facts.Fact;
import gdrproof.facts.Host;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Meta.Looked;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.TreeSet;

/** Keys of the folders limits, lsmod, modinfo, ofed_info, proc-cmdline and the module part of dmesg. */
public final class HostSampleKeys extends SampleKeys {
  @Override
  protected void translate(String tool, Ledger ledger) {
    int uverbs = 0;
    int umad = 0;
    for (Fact fact : ledger.facts()) {
      if (fact instanceof Host.Limit limit && limit.name().equals("memlock")) {
        put(at(limit) + "memlockBytes", limit.bytes());
      } else if (fact instanceof Host.FileSystem fs && fs.mount().equals("/dev/shm")) {
        put(at(fs) + "shmSize", short1024(fs.sizeBytes()));
        put("shmAvail", short1024(fs.availableBytes()));
        // As df does: of what users may fill, rounded up.
        double used = fs.usedBytes().value();
        known("shmUsedPct", Num.of(Math.ceil(used * 100 / (used + fs.availableBytes().value()))));
      } else if (fact instanceof Host.DeviceNode node) {
        String name = node.path().substring(node.path().lastIndexOf('/') + 1);
        uverbs += name.startsWith("uverbs") ? 1 : 0;
        umad += name.startsWith("umad") ? 1 : 0;
        known(name + "/mode", node.mode());
        if (name.equals("rdma_cm")) {
          put("rdmaCm", "present");
        }
      } else if (fact instanceof Host.Mount mount) {
        put("mount(" + mount.path() + ")", mount.source());
        put("mountMode(" + mount.path() + ")", mount.access());
        put("lines", mount.stacked());
      } else if (fact instanceof Host.Module module) {
        put("module(" + module.name() + ")", "loaded");
        put(at(module) + "module(" + module.name() + ")", "loaded");
      } else if (fact instanceof Host.ModuleAbsent module) {
        put("module(" + module.name() + ")", "absent");
        put(at(module) + "module(" + module.name() + ")", "absent");
      } else if (fact instanceof Host.PathState state && state.state().equals("missing")) {
        put("error", state.path().equals("/proc/modules") ? "no-proc-modules" : "no-such-path");
      } else if (fact instanceof Host.ModuleInfo info) {
        put("moduleName", info.name());
        known("moduleVersion", info.version());
        known("license", info.license());
      } else if (fact instanceof Host.ModuleFileMissing) {
        put("error", "module-not-found");
      } else if (fact instanceof Host.NvidiaDriver driver && driver.open() != Tri.UNKNOWN) {
        put("openModule", driver.open() == Tri.YES);
        put("driverVersion", driver.version());
      } else if (fact instanceof Host.ModuleRefused refused) {
        put("failedModule", refused.name());
        if (refused.reason().equals("symbol")) {
          put("error", "unknown-symbol");
        }
      } else if (fact instanceof Host.KernelParameter parameter) {
        put("param(" + parameter.name() + ")", parameter.value());
      } else if (fact instanceof Host.IommuRequest request) {
        put("iommuMode", request.mode());
        known("iommuVendor", request.vendor());
        if (tool.equals("proc-cmdline")) {
          for (String name : new String[] {"iommu", "intel_iommu", "amd_iommu"}) {
            if (ledger.all(Host.KernelParameter.class).stream().noneMatch(p -> p.name().equals(name))) {
              put("param(" + name + ")", "absent");
            }
          }
        }
      } else if (fact instanceof Host.SoftwareVersion version) {
        if (version.component().equals("ofed") && version.version().equals("inbox")) {
          put("stack", "inbox");
        } else if (version.component().equals("ofed")) {
          put("ofedVersion", version.version());
        } else if (version.component().equals("doca-ofed") || version.component().equals("mlnx-ofed")) {
          put("stack", version.component().equals("doca-ofed") ? "DOCA-OFED" : "MLNX_OFED");
        }
      }
    }
    if (ledger.all(Looked.class).stream().anyMatch(l -> l.kind().equals(Kind.RDMA_DEVICE_NODES))) {
      put("uverbsCount", uverbs);
      put("umadCount", umad);
      if (ledger.all(Host.DeviceNode.class).stream().noneMatch(n -> n.path().endsWith("/rdma_cm"))) {
        put("rdmaCm", "absent");
      }
    } else if (uverbs + umad > 0) {
      put("uverbsCount", uverbs);
      put("umadCount", umad);
    }
    TreeSet<String> masked = new TreeSet<>((a, b) -> b.compareTo(a));
    ledger.all(Host.Mount.class).stream().filter(m -> m.path().startsWith("/sys/") && m.type().equals("tmpfs")).forEach(m -> masked.add(m.path()));
    if (!masked.isEmpty()) {
      put("sysMasked", String.join(",", masked));
    }
  }

  private static String at(Fact fact) {
    return fact.node().equals(Fact.UNKNOWN) ? "" : fact.node() + "@";
  }

  private static String short1024(Num bytes) {
    double value = bytes.value();
    String unit = "";
    for (String next : new String[] {"K", "M", "G", "T"}) {
      if (value < 1024) {
        break;
      }
      value /= 1024;
      unit = next;
    }
    return (value < 10 && value != Math.rint(value) || unit.equals("G") && value < 10 ? String.format(java.util.Locale.ROOT, "%.1f", value) : String.valueOf(Math.round(value))) + unit;
  }
}
