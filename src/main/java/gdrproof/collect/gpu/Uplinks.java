package gdrproof.collect.gpu;

import gdrproof.facts.Evidence;
import gdrproof.facts.Ledger;
import gdrproof.facts.Num;
import gdrproof.facts.Pcie.PciDevice;
import gdrproof.facts.Pcie.PciLink;
import gdrproof.facts.Pcie.PciParent;
import gdrproof.facts.Pcie.SharedUplink;
import gdrproof.facts.Tri;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Links below a root port that several GPUs share, with what they carry against what the GPUs can send. */
public final class Uplinks {
  /** From 8 GT/s on 128 of 130 bits are data, before 8 of 10. */
  private static final double NEW_CODING_FROM = 8;

  private Uplinks() {}

  /** Adds the derived facts; needs the tree of {@link PciePaths}. */
  public static void derive(Ledger ledger) {
    Map<String, PciParent> parents = new HashMap<>();
    ledger.all(PciParent.class).stream().filter(p -> p.certain() == Tri.YES).forEach(p -> parents.put(p.node() + " " + p.child(), p));
    Map<String, PciLink> links = new HashMap<>();
    ledger.all(PciLink.class).stream().filter(l -> l.gts().known() && l.width().known()).forEach(l -> links.put(l.node() + " " + l.address(), l));
    Map<String, Set<PciDevice>> gpus = new TreeMap<>();
    Map<String, Integer> hcas = new HashMap<>();
    for (PciDevice device : ledger.all(PciDevice.class)) {
      String top = device.gpu() || device.hca() ? top(device, parents) : "";
      if (!top.isEmpty() && device.gpu()) {
        gpus.computeIfAbsent(device.node() + " " + top, t -> new TreeSet<>(java.util.Comparator.comparing(PciDevice::address))).add(device);
      } else if (!top.isEmpty()) {
        hcas.merge(device.node() + " " + top, 1, Integer::sum);
      }
    }
    gpus.forEach((key, below) -> {
      PciLink link = links.get(key);
      double sum = 0;
      for (PciDevice gpu : below) {
        PciLink own = links.get(gpu.node() + " " + gpu.address());
        sum += own == null ? Double.NaN : gbps(Num.of(Math.max(own.gts().value(), own.gtsMax().value())), own.width());
      }
      if (below.size() > 1 && link != null && !Double.isNaN(sum)) {
        Set<Evidence> sources = new TreeSet<>(ledger.of(link));
        ledger.add(new SharedUplink(link.node(), link.address(), Num.of(gbps(link.gts(), link.width())).rounded(), Num.of(below.size()), Num.of(sum).rounded(),
            Num.of(hcas.getOrDefault(key, 0))), sources);
      }
    });
  }

  private static double gbps(Num gts, Num width) {
    return gts.value() * width.value() * (gts.atLeast(NEW_CODING_FROM) ? 128.0 / 130 : 0.8);
  }

  /** The root port above a device, or "" where the way up is not known. */
  private static String top(PciDevice device, Map<String, PciParent> parents) {
    String at = device.address();
    Set<String> seen = new HashSet<>();
    while (seen.add(at)) {
      PciParent parent = parents.get(device.node() + " " + at);
      if (parent == null) {
        return "";
      }
      if (parent.parent().startsWith("root:")) {
        return at.equals(device.address()) ? "" : at;
      }
      at = parent.parent();
    }
    return "";
  }
}
