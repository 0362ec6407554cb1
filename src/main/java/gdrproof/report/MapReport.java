package gdrproof.report;

import gdrproof.facts.Fact;
import gdrproof.finding.AffinityMap.NodeMap;
import gdrproof.finding.AffinityMap.Result;
import gdrproof.finding.AffinityMap.Row;
import gdrproof.finding.AffinityMap.Way;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The affinity map, as text (one table for nodes that are alike) and as JSON. */
public final class MapReport {
  private static final Map<String, String> WORDS = Map.of("PIX", "local PCIe switch", "PXB", "several PCIe switches", "PHB", "local root complex", "NODE",
      "another root complex of the NUMA node", "SYS", "across the sockets");

  private MapReport() {}

  public static void text(Result result, PrintWriter out) {
    for (List<String> group : result.alike()) {
      NodeMap map = result.nodes().stream().filter(m -> m.node().equals(group.get(0))).findFirst().orElseThrow();
      out.println((group.size() == 1 ? "node " : "nodes ") + names(group));
      out.println(String.format("  %-8s %-13s %-5s %-12s %-5s %-8s %-9s %-17s %s", "GPU", "address", "NUMA", "HCA:port", "path", "state", "Gb/s", "alternate", "CPUs"));
      for (Row row : map.rows()) {
        Way p = row.preferred();
        out.println(String.format("  %-8s %-13s %-5s %-12s %-5s %-8s %-9s %-17s %s", row.gpu(), dash(row.address()), dash(row.numa()), dash(p.port()), dash(p.path()), dash(p.state()),
            dash(p.rateGbps().toString()), row.alternate().port().equals(Fact.UNKNOWN) ? "-" : row.alternate().port() + " " + row.alternate().path(), dash(row.cpus())));
      }
      out.println("  NCCL_IB_HCA: " + (map.hcaList().equals(Fact.UNKNOWN) ? "unknown (not every GPU has an HCA with a known path)" : map.hcaList()));
      out.println("  rank order:  " + (map.rankOrder().isEmpty() ? "unknown" : String.join(" ", map.rankOrder())));
      map.notes().forEach(n -> out.println("  note: " + n));
      out.println();
    }
    if (!result.deviations().isEmpty()) {
      out.println("nodes that differ from " + names(result.alike().get(0)) + ":");
      result.deviations().forEach(d -> out.println("  " + d));
    } else if (result.nodes().size() > 1) {
      out.println("all " + result.nodes().size() + " nodes are alike");
    }
    out.println("PIX local PCIe switch, PXB several switches, PHB local root complex, NODE another one of the NUMA node, SYS across the sockets; ? not in the evidence");
  }

  private static String names(List<String> group) {
    String first = String.join(", ", group.subList(0, Math.min(4, group.size()))).replace(Fact.UNKNOWN, "(not named)");
    return group.size() > 4 ? first + " and " + (group.size() - 4) + " more" : first;
  }

  private static String dash(String text) {
    return text.equals(Fact.UNKNOWN) ? "?" : text;
  }

  public static void json(Result result, String version, PrintWriter out) {
    Map<String, Object> root = JsonReport.head("map", version);
    root.put("nodes", result.nodes().stream().map(MapReport::node).toList());
    root.put("alike", result.alike());
    root.put("deviations", result.deviations());
    JsonReport.print(root, out);
  }

  private static Map<String, Object> node(NodeMap map) {
    Map<String, Object> m = new LinkedHashMap<>();
    m.put("node", map.node());
    m.put("gpus", map.rows().stream().map(r -> {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("gpu", r.gpu());
      row.put("address", r.address());
      row.put("numa", r.numa());
      row.put("cpus", r.cpus());
      row.put("preferred", way(r.preferred()));
      row.put("alternate", way(r.alternate()));
      return row;
    }).toList());
    m.put("hcaList", map.hcaList());
    m.put("rankOrder", map.rankOrder());
    m.put("notes", map.notes());
    return m;
  }

  private static Map<String, Object> way(Way way) {
    Map<String, Object> m = new LinkedHashMap<>();
    m.put("hca", way.hca());
    m.put("port", way.port());
    m.put("path", way.path());
    m.put("pathInWords", WORDS.getOrDefault(way.path(), Fact.UNKNOWN));
    m.put("state", way.state());
    m.put("rateGbps", way.rateGbps().known() ? way.rateGbps().value() : null);
    m.put("linkLayer", way.linkLayer());
    m.put("source", way.source());
    return m;
  }
}
