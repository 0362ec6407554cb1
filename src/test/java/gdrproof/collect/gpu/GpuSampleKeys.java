package gdrproof.collect.gpu;

import gdrproof.collect.SampleKeys;
import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.GpuAffinity;
import gdrproof.facts.Gpu.PeerMatrixRead;
import gdrproof.facts.Gpu.PeerStatus;
import gdrproof.facts.Gpu.SmiError;
import gdrproof.facts.Gpu.TopoLink;
import gdrproof.facts.Gpu.TopoNic;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Looked;
import gdrproof.facts.Meta.Unread;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Keys of the samples of nvidia-smi's matrices. */
final class GpuSampleKeys extends SampleKeys {
  @Override
  protected void translate(String tool, Ledger ledger) {
    if (tool.equals("nvidia-smi-topo")) {
      topo(ledger);
    } else if (tool.equals("nvidia-smi-topo-p2p")) {
      peers(ledger);
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
    put("gpus", gpus.size());
    put("nics", nics.size());
    for (GpuAffinity a : ledger.all(GpuAffinity.class)) {
      put(a.gpu() + "/cpus", na(a.cpus()));
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
    for (int i = 0; i < named.size(); i++) {
      put((named.get(i).nic().startsWith("NIC") ? named.get(i).nic() : "NIC" + i) + "/device", named.get(i).hca());
    }
    boolean whole = ledger.all(Looked.class).stream().anyMatch(l -> l.kind().equals("topology"));
    if (!whole && !ledger.all(Unread.class).isEmpty() && !links.isEmpty()) {
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

  private static String na(String value) {
    return value.equals(Fact.UNKNOWN) ? "N/A" : value;
  }
}
