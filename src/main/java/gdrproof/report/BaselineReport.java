package gdrproof.report;

import gdrproof.facts.Fact;
import gdrproof.facts.Gate.BaselineCheck;
import gdrproof.facts.Gate.BaselineState;
import gdrproof.facts.Gate.Distribution;
import gdrproof.facts.Gate.TopologyClass;
import gdrproof.facts.Gate.VersionCheck;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A baseline, and a bundle beside it. */
public final class BaselineReport {
  private BaselineReport() {}

  public static void show(String file, TopologyClass t, Map<String, Map<String, String>> conditions, String signed, Map<String, List<String>> versions, List<Distribution> series, PrintWriter out) {
    out.println("baseline " + file);
    out.println("  class: " + t.server() + ", " + t.gpus() + " x " + t.gpu() + ", " + t.nics() + " x " + t.nicGbps() + " Gb/s " + t.fabric() + ", PCIe " + t.pcieGts() + " GT/s x" + t.pcieLanes() + ", " + t.nodes() + " nodes");
    out.println("  signed off: " + (signed.equals(Fact.UNKNOWN) ? "by nobody" : "by " + signed));
    conditions.forEach((name, values) -> values.forEach((key, value) -> out.println("  " + name + " " + key + ": " + value)));
    versions.forEach((name, values) -> out.println("  " + name + ": " + String.join(", ", values)));
    out.println();
    out.println(String.format("  %-26s %-32s %-5s %11s %9s %9s %9s %9s %8s %s", "metric", "subject", "", "bytes", "p50", "p95", "p99", "spread %", "samples", "unit"));
    series.forEach(d -> out.println(String.format("  %-26s %-32s %-5s %11s %9s %9s %9s %9s %8s %s", d.metric(), d.subject(), d.condition(), d.bytes().known() ? d.bytes().toString() : "", d.p50().rounded(), d.p95().rounded(), d.p99().rounded(),
        d.spreadPercent().rounded(), d.samples(), d.unit())));
  }

  public static void compare(BaselineState state, List<BaselineCheck> checks, List<VersionCheck> versions, PrintWriter out) {
    out.println(AcceptReport.baseline(state));
    versions.stream().filter(v -> v.same() == Tri.NO).forEach(v -> out.println("  " + v.component() + " is " + v.version() + ", the baseline's is " + v.baseline()));
    checks.forEach(c -> out.println(String.format("  %-14s %-26s %-40s %11s  %s", c.verdict(), c.metric(), (c.node().equals(Fact.UNKNOWN) ? "" : c.node() + " ") + c.subject(), c.bytes().known() ? c.bytes().toString() : "", c.why())));
  }

  public static void json(BaselineState state, List<BaselineCheck> checks, List<VersionCheck> versions, String version, PrintWriter out) {
    Map<String, Object> root = JsonReport.head("baseline compare", version);
    root.put("baseline", state.file());
    root.put("sameClass", state.sameClass().name().toLowerCase(java.util.Locale.ROOT));
    root.put("differences", state.differences());
    root.put("signedBy", state.signedBy());
    root.put("checks", checks.stream().map(c -> {
      Map<String, Object> m = new LinkedHashMap<>();
      m.put("verdict", c.verdict());
      m.put("metric", c.metric());
      m.put("node", c.node());
      m.put("subject", c.subject());
      m.put("bytes", number(c.bytes()));
      m.put("unit", c.unit());
      m.put("measured", number(c.measured()));
      m.put("baseline", number(c.baseline()));
      m.put("limit", number(c.limit()));
      m.put("why", c.why());
      return m;
    }).toList());
    root.put("versions", versions.stream().map(v -> {
      Map<String, Object> m = new LinkedHashMap<>();
      m.put("component", v.component());
      m.put("version", v.version());
      m.put("baseline", v.baseline());
      m.put("same", v.same().name().toLowerCase(java.util.Locale.ROOT));
      return m;
    }).toList());
    JsonReport.print(root, out);
  }

  private static Object number(Num n) {
    return n.known() ? n.value() : null;
  }
}
