package gdrproof.collect.gpu;

import gdrproof.collect.SampleKeys;
import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.ClockReason;
import gdrproof.facts.Gpu.GpuAffinity;
import gdrproof.facts.Gpu.GpuClocks;
import gdrproof.facts.Gpu.GpuCount;
import gdrproof.facts.Gpu.GpuDevice;
import gdrproof.facts.Gpu.GpuFabric;
import gdrproof.facts.Gpu.GpuMemoryErrors;
import gdrproof.facts.Gpu.GpuMode;
import gdrproof.facts.Gpu.GpuPcie;
import gdrproof.facts.Gpu.NvLink;
import gdrproof.facts.Gpu.PeerMatrixRead;
import gdrproof.facts.Gpu.PeerStatus;
import gdrproof.facts.Gpu.SmiDriver;
import gdrproof.facts.Gpu.SmiError;
import gdrproof.facts.Gpu.TopoLink;
import gdrproof.facts.Gpu.TopoNic;
import gdrproof.facts.Host.NvidiaDriver;
import gdrproof.facts.Host.SoftwareVersion;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Looked;
import gdrproof.facts.Meta.Unread;
import gdrproof.facts.Tri;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Keys of the samples of nvidia-smi's matrices. */
public final class GpuSampleKeys extends SampleKeys {
  @Override
  protected void translate(String tool, Ledger ledger) {
    if (tool.equals("nvidia-smi-topo")) {
      topo(ledger);
    } else if (tool.equals("nvidia-smi-topo-p2p")) {
      peers(ledger);
    } else {
      devices(tool, ledger);
    }
    ledger.all(SmiError.class).forEach(e -> put("error", e.kind()));
  }

  private void topo(Ledger ledger) {
    List<TopoLink> links = ledger.all(TopoLink.class);
    Set<String> hosts = links.stream().map(TopoLink::node).collect(Collectors.toCollection(TreeSet::new));
    put("hosts", hosts.size());
    Set<String> gpus = new TreeSet<>();
    Set<String> nics = new TreeSet<>();
    ledger.all(GpuAffinity.class).forEach(a -> gpus.add(a.gpu()));
    for (TopoLink link : links) {
      (link.from().startsWith("GPU") ? gpus : nics).add(link.from());
      (link.to().startsWith("GPU") ? gpus : nics).add(link.to());
      String host = link.node().equals(Fact.UNKNOWN) ? "" : link.node() + "@";
      put(host + "link(" + link.from() + "," + link.to() + ")", link.path());
      put("link(" + link.from() + "," + link.to() + ")", link.path());
      if (link.gpuToNic()) {
        put("link(GPU*,NIC*)", link.path());
      }
      if (link.gpuPair()) {
        put("nvlink", link.nvlink() ? link.path() : "none");
      }
    }
    if (gpus.isEmpty()) {
      ledger.all(GpuCount.class).forEach(c -> put("gpus", c.gpus()));
    } else {
      put("gpus", gpus.size());
    }
    put("nics", nics.size());
    for (GpuAffinity a : ledger.all(GpuAffinity.class)) {
      // Cells that are empty, and not N/A; one empty cell stands before the last of every row.
      boolean empty = a.cpus().equals(Fact.UNKNOWN) && ledger.of(a).stream().anyMatch(e -> e.excerpt().matches("(?s).*\t *\t *\t.*"));
      put(a.gpu() + "/cpus", empty ? "none" : na(a.cpus()));
      put(a.gpu() + "/numa", na(a.numa()));
      put(a.gpu() + "/gpuNumaId", na(a.gpuNuma()));
    }
    put("distinctNuma", ledger.all(GpuAffinity.class).stream().map(GpuAffinity::numa).distinct().count());
    Set<Integer> best = new TreeSet<>();
    for (String gpu : gpus) {
      links.stream().filter(l -> l.gpuToNic() && l.from().equals(gpu)).min((a, b) -> a.distance() - b.distance()).ifPresent(l -> {
        put(gpu + "/bestNic", l.path());
        best.add(l.distance());
      });
    }
    put("asymmetric", best.size() > 1);
    List<TopoNic> named = new ArrayList<>(ledger.all(TopoNic.class));
    if (named.isEmpty() && !nics.isEmpty()) {
      put("NIC*/device", Fact.UNKNOWN);
    }
    for (int i = 0; i < named.size(); i++) {
      put((named.get(i).nic().startsWith("NIC") ? named.get(i).nic() : "NIC" + i) + "/device", named.get(i).hca());
    }
    Set<String> near = new TreeSet<>();
    for (String gpu : gpus) {
      int nearest = links.stream().filter(l -> l.gpuToNic() && l.from().equals(gpu)).mapToInt(TopoLink::distance).min().orElse(0);
      links.stream().filter(l -> l.gpuToNic() && l.from().equals(gpu) && l.distance() == nearest).forEach(l -> near.add(l.to()));
    }
    put("storageNics", nics.stream().filter(n -> !near.contains(n)).collect(Collectors.joining(",")));
    boolean whole = ledger.all(Looked.class).stream().anyMatch(l -> l.kind().equals("topology"));
    if (!whole && !ledger.all(Unread.class).isEmpty() && (!links.isEmpty() || !ledger.all(GpuCount.class).isEmpty())) {
      put("parse", "incomplete");
      put("affinity", ledger.all(GpuAffinity.class).isEmpty() ? "unread" : "read");
      put("rowsComplete", links.stream().filter(l -> l.from().startsWith("GPU")).map(TopoLink::from).distinct().count());
    } else {
      put("parse", "rejoin");
    }
  }

  private void peers(Ledger ledger) {
    List<PeerStatus> peers = ledger.all(PeerStatus.class);
    for (PeerStatus peer : peers) {
      put("p2p(" + peer.from() + "," + peer.to() + ")", peer.status());
    }
    ledger.all(PeerMatrixRead.class).forEach(m -> {
      put("gpus", m.gpus());
      put("capability", m.capability().substring(0, 1));
    });
    put("allOk", peers.stream().allMatch(p -> p.status().equals("OK")));
  }

  private void devices(String tool, Ledger ledger) {
    Map<String, String> names = new TreeMap<>();
    for (GpuDevice d : ledger.all(GpuDevice.class)) {
      names.put(d.gpu(), d.address());
      known(d.gpu() + "/pci", d.address());
      known("pci", d.address());
    }
    // A block that only its address names is counted by its place.
    List<GpuDevice> places = new ArrayList<>(ledger.all(GpuDevice.class));
    places.sort(Comparator.comparing(d -> ledger.of(d).iterator().next().line()));
    for (int i = 0; i < places.size(); i++) {
      if (!places.get(i).gpu().startsWith("GPU")) {
        put("GPU" + i + "/pci", places.get(i).address());
      }
    }
    put("gpus", names.size());
    Set<String> rows = new TreeSet<>(names.keySet());
    ledger.all(GpuPcie.class).forEach(p -> rows.add(p.gpu()));
    put("rows", rows.size());
    for (GpuPcie p : ledger.all(GpuPcie.class)) {
      String gpu = p.gpu() + "/";
      put(gpu + "pcieGen", p.gen());
      put(gpu + "pcieGenMax", p.genMax());
      put(gpu + "pcieGenHostMax", p.genHostMax().known() ? p.genHostMax() : "N/A");
      put(gpu + "pcieWidth", p.width().known() ? p.width() : "unread");
      put(gpu + "pcieWidthMax", p.widthMax());
      put(gpu + "pcieReplays", p.replays());
      put("verdict", p.active() == Tri.NO ? "ignore-when-idle" : "judge");
    }
    ledger.all(GpuClocks.class).forEach(c -> put(c.gpu() + "/pstate", c.pstate()));
    long mask = 0;
    for (ClockReason r : ledger.all(ClockReason.class)) {
      put("clocksReason(" + words(r.reason()) + ")", r.active() == Tri.YES ? "Active" : "Not Active");
      mask |= r.active() == Tri.YES ? 1L << List.of("idle", "applications-clocks-setting", "sw-power-cap", "hw-slowdown", "sync-boost", "sw-thermal-slowdown",
          "hw-thermal-slowdown", "hw-power-brake-slowdown", "display-clock-setting").indexOf(r.reason()) : 0;
    }
    put("clocksReasonMask", "0x" + Long.toHexString(mask));
    Map<String, String> modes = Map.of("addressing", "addressingMode", "c2c", "c2cMode", "virtualization", "virtualization", "ecc", "eccMode");
    ledger.all(GpuMode.class).stream().filter(m -> modes.containsKey(m.name())).forEach(m -> put(modes.get(m.name()), m.value()));
    for (GpuFabric f : ledger.all(GpuFabric.class)) {
      put("fabricState", na(f.state()));
      put("fabricStatus", na(f.status()));
      put("cliqueId", na(f.cliqueId()));
    }
    for (GpuMemoryErrors e : ledger.all(GpuMemoryErrors.class)) {
      put(e.gpu() + "/eccVolatileDramUncorrectable", e.volatileUncorrectable());
      put(e.gpu() + "/remapPending", e.remapPending() == Tri.YES ? "Yes" : "No");
    }
    ledger.all(SmiDriver.class).forEach(d -> {
      put("driverVersion", d.driver());
      known("cudaVersion", d.cuda());
    });
    // V13.0.88 of nvcc is release 13.0.
    ledger.all(SoftwareVersion.class).stream().filter(v -> v.component().equals("cuda")).forEach(v -> put("cudaVersion", v.version().replaceFirst("^(\\d+\\.\\d+).*", "$1")));
    ledger.all(NvidiaDriver.class).forEach(d -> {
      put("driverVersion", d.version());
      put("openModule", d.open() == Tri.YES);
    });
    Map<String, Integer> up = new TreeMap<>();
    Map<String, String> down = new TreeMap<>();
    for (NvLink l : ledger.all(NvLink.class)) {
      if (l.active() == Tri.YES) {
        up.merge(l.gpu(), 1, Integer::sum);
        put(l.gpu() + "/nvlinkGBps", l.speedGBps());
      } else if (l.link().known()) {
        down.merge(l.gpu(), l.link().toString(), (a, b) -> a + "," + b);
      }
    }
    ledger.all(NvLink.class).stream().filter(l -> l.active() == Tri.NO && !up.containsKey(l.gpu())).forEach(l -> put(l.gpu() + "/nvlinksUp", 0));
    up.forEach((gpu, count) -> put(gpu + "/nvlinksUp", count));
    down.forEach((gpu, links) -> put(gpu + "/nvlinksInactive", links));
    ledger.all(GpuMode.class).stream().filter(m -> m.name().equals("nvlink")).forEach(m -> put(m.gpu() + "/nvlinksUp", m.value()));
    // What a GPU in MIG mode is not asked, it does not tell.
    ledger.all(Unread.class).stream().filter(u -> u.reason().contains("MIG mode")).forEach(u -> ledger.all(GpuMode.class).stream().filter(m -> m.name().equals("mig"))
        .forEach(m -> put(m.gpu() + "/nvlinksUp", Fact.UNKNOWN)));
    if (up.isEmpty() && tool.equals("nvidia-smi-misc")) {
      put("nvlinksUp", "none");
    }
    ledger.all(TopoLink.class).forEach(l -> put("link(" + l.from() + "," + l.to() + ")", l.path()));
    ledger.all(GpuAffinity.class).forEach(a -> put(a.gpu() + "/cpus", a.cpus()));
    if (!ledger.all(Unread.class).isEmpty()) {
      put("parse", "incomplete");
    }
  }

  private static String words(String reason) {
    StringBuilder text = new StringBuilder();
    for (String word : reason.split("-")) {
      String shown = word.equals("hw") || word.equals("sw") ? word.toUpperCase(java.util.Locale.ROOT)
          : Character.toUpperCase(word.charAt(0)) + word.substring(1);
      text.append(text.length() == 0 ? "" : " ").append(shown);
    }
    return text.toString();
  }

  private static String na(String value) {
    return value.equals(Fact.UNKNOWN) ? "N/A" : value;
  }
}
