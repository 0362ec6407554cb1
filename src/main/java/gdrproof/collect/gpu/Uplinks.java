package gdrproof.collect.gpu;

import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Num;
import gdrproof.facts.Pcie.PciDevice;
import gdrproof.facts.Pcie.PciLink;
import gdrproof.facts.Pcie.PciParent;
import gdrproof.facts.Pcie.SharedUplink;
import gdrproof.facts.Tri;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
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
    Map<String, Set<String>> hcas = new HashMap<>();
    List<PciDevice> devices = ledger.all(PciDevice.class);
    Set<String> cards = new HashSet<>();
    Set<String> adapters = new HashSet<>();
    devices.forEach(d -> (d.gpu() ? cards : d.hca() ? adapters : new HashSet<String>()).add(d.node() + " " + d.name()));
    for (PciDevice device : devices) {
      // The drawing of the tree says no class: a device is what another one of its name is.
      String named = device.node() + " " + device.name();
      boolean gpu = device.gpu() || device.pciClass().equals(Fact.UNKNOWN) && cards.contains(named);
      boolean hca = device.hca() || device.pciClass().equals(Fact.UNKNOWN) && adapters.contains(named);
      String top = gpu || hca ? top(device, parents) : "";
      if (!top.isEmpty() && gpu) {
        gpus.computeIfAbsent(device.node() + " " + top, t -> new TreeSet<>(java.util.Comparator.comparing(PciDevice::address))).add(device);
      } else if (!top.isEmpty()) {
        hcas.computeIfAbsent(device.node() + " " + top, t -> new HashSet<>()).add(device.address());
      }
    }
    Map<String, PciLink> models = new HashMap<>();
    for (PciDevice device : ledger.all(PciDevice.class)) {
      PciLink own = links.get(device.node() + " " + device.address());
      if (device.gpu() && own != null) {
        models.merge(device.node() + " " + device.name(), own, (a, b) -> a.gts().value() * a.width().value() >= b.gts().value() * b.width().value() ? a : b);
      }
    }
    gpus.forEach((key, below) -> {
      PciLink link = links.get(key);
      double sum = 0;
      for (PciDevice gpu : below) {
        // A tree without capabilities of every GPU: cards of one model have one link.
        PciLink own = links.getOrDefault(gpu.node() + " " + gpu.address(), models.get(gpu.node() + " " + gpu.name()));
        sum += own == null ? Double.NaN : gbps(Num.of(own.gtsMax().known() ? Math.max(own.gts().value(), own.gtsMax().value()) : own.gts().value()), own.width());
      }
      if (below.size() > 1 && link != null && !Double.isNaN(sum)) {
        Set<Evidence> sources = new TreeSet<>(ledger.of(link));
        ledger.add(new SharedUplink(link.node(), link.address(), Num.of(gbps(link.gts(), link.width())).rounded(), Num.of(below.size()), Num.of(sum).rounded(),
            Num.of(hcas.getOrDefault(key, Set.of()).size())), sources);
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
