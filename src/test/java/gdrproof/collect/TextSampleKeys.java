package gdrproof.collect;

import gdrproof.facts.Gpu.TopoLink;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Ended;
import gdrproof.facts.Meta.Layout;
import gdrproof.facts.Num;
import gdrproof.facts.Pcie.PciLink;
import gdrproof.facts.Rdma.CounterSupport;
import java.util.List;
import java.util.Map;

/** Keys of how a command ended and of the layout that it wrote in, which any tool may have. */
final class TextSampleKeys extends SampleKeys {
  private static final Map<String, String> FEATURES = Map.of("columns", "columns", "separator", "separator", "document-type", "dtd", "form", "form", "language", "locale");
  /** Words that legends of nvidia-smi explain. */
  private static final List<String> LEGEND = List.of("X", "SYS", "NODE", "PHB", "PXB", "PIX", "NV#", "NIC", "OK", "CNS", "GNS", "TNS", "NS", "DR", "U");

  @Override
  protected void translate(String tool, Ledger ledger) {
    ledger.all(Ended.class).stream().map(Ended::exit).filter(Num::known).forEach(e -> put("exit", e));
    for (Layout layout : ledger.all(Layout.class)) {
      List<String> words = List.of(layout.value().split(","));
      if (FEATURES.containsKey(layout.feature())) {
        put(FEATURES.get(layout.feature()), layout.value());
      } else if (layout.feature().equals("legend")) {
        LEGEND.forEach(w -> put("legend(" + w + ")", words.contains(w) ? "present" : "absent"));
      }
    }
    if (tool.startsWith("nvidia-smi-topo") && !ledger.all(TopoLink.class).isEmpty() && ledger.all(Layout.class).stream().noneMatch(l -> l.feature().equals("legend"))) {
      LEGEND.forEach(w -> put("legend(" + w + ")", "absent"));
    }
    if (tool.equals("lspci")) {
      put("okWord", ledger.all(Layout.class).stream().anyMatch(l -> List.of(l.value().split(",")).contains("ok")) ? "present" : "absent");
      for (PciLink link : ledger.all(PciLink.class)) {
        String word = ledger.of(link).stream().anyMatch(e -> e.excerpt().contains("(downgraded)")) ? "present" : "absent";
        put(link.address() + "/downgradedWord", word);
        put(link.address().replaceFirst("^0000:", "") + "/downgradedWord", word);
      }
    }
    ledger.all(CounterSupport.class).forEach(s -> known("capMask2", s.capMask2()));
  }
}
