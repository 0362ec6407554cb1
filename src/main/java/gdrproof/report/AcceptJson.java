package gdrproof.report;

import gdrproof.facts.Gate.MatrixRow;
import gdrproof.facts.Gate.RunPair;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import gdrproof.finding.Acceptance;
import gdrproof.finding.Acceptance.Item;
import gdrproof.finding.reading.Reading;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The JSON contract of design section 9 for `accept`: `accepted`, `items`, and the matrix. Unknown values are null. */
public final class AcceptJson {
  private AcceptJson() {}

  public static void write(Acceptance a, List<Reading> readings, String version, PrintWriter out) {
    Map<String, Object> root = tree(a, version);
    root.put("interpretation", ReadingReport.tree(readings));
    JsonReport.print(root, out);
  }

  /** The report as maps and lists, for other writers (records, HTML). */
  public static Map<String, Object> tree(Acceptance a, String version) {
    Map<String, Object> root = JsonReport.head("accept", version);
    root.put("outcome", a.accepted() ? "no-fault-found" : a.items().stream().anyMatch(i -> i.verdictText().equals("failed")) ? "fault-found" : "inconclusive");
    root.put("findings", List.of());
    root.put("accepted", a.accepted());
    root.put("asOf", a.asOf());
    root.put("items", a.items().stream().map(AcceptJson::item).toList());
    root.put("removed", a.removed().stream().map(r -> map("id", r.id(), "title", r.title(), "reason", r.reason())).toList());
    root.put("matrix", a.matrix().stream().map(AcceptJson::row).toList());
    root.put("missingRuns", a.missingRuns());
    root.put("pairs", a.pairs().stream().map(AcceptJson::pair).toList());
    root.put("topology", a.topology().stream()
        .map(t -> map("server", t.server(), "gpu", t.gpu(), "gpus", num(t.gpus()), "nics", num(t.nics()), "nicGbps", num(t.nicGbps()), "rails", num(t.rails()), "pcieGts", num(t.pcieGts()),
            "pcieLanes", num(t.pcieLanes()), "fabric", t.fabric(), "nodes", num(t.nodes())))
        .toList());
    root.put("baseline", a.baseline().stream().map(b -> map("file", b.file(), "sameClass", tri(b.sameClass()), "differences", b.differences(), "signed", tri(b.signed()), "signedBy", b.signedBy())).toList());
    root.put("checks", a.checks().stream().map(c -> map("metric", c.metric(), "subject", c.subject(), "bytes", num(c.bytes()), "unit", c.unit(), "measured", num(c.measured()), "baseline", num(c.baseline()),
        "limit", num(c.limit()), "verdict", c.verdict(), "why", c.why())).toList());
    root.put("unread", JsonReport.unread(a.unread()));
    root.put("failures", a.failures());
    return root;
  }

  private static Map<String, Object> item(Item i) {
    Map<String, Object> m = map("id", i.id(), "section", i.section(), "title", i.title(), "verdict", i.verdictText(), "owner", i.owner(), "required", i.required(), "rule", i.rule(), "message", i.message(), "why",
        i.why(), "proof", JsonReport.proof(i.proof()));
    m.put("age", map("oldest", i.age().oldest(), "days", num(i.age().days()), "maxDays", num(i.age().maxDays()), "undated", i.age().undated()));
    if (!i.asks().isEmpty()) {
      m.put("ask", i.asks().get(0).command());
      m.put("asks", i.asks().stream().map(a -> map("measurement", a.measurement(), "command", a.command(), "on", a.on(), "cost", a.cost(), "proves", a.proves())).toList());
    }
    return m;
  }

  private static Map<String, Object> row(MatrixRow r) {
    return map("run", r.run(), "role", r.role(), "nodes", num(r.nodes()), "gpusPerNode", num(r.perNode()), "hosts", r.hosts(), "rail", r.rail(), "transport", r.transport(), "gdr", tri(r.gdr()), "collective",
        r.collective(), "bytes", num(r.bytes()), "busbwGBps", num(r.busbwGBps()), "errors", r.errors(), "notes", r.notes());
  }

  private static Map<String, Object> pair(RunPair p) {
    return map("what", p.what(), "first", p.first(), "firstGBps", num(p.firstGBps()), "second", p.second(), "secondGBps", num(p.secondGBps()), "ratio", num(p.ratio()), "proves", p.proves());
  }

  static Object num(Num n) {
    return !n.known() || Double.isInfinite(n.value()) ? null : n.value() == Math.rint(n.value()) && Math.abs(n.value()) < 1e15 ? (Object) (long) n.value() : (Object) n.value();
  }

  private static String tri(Tri t) {
    return t.name().toLowerCase(Locale.ROOT);
  }

  static Map<String, Object> map(Object... pairs) {
    Map<String, Object> m = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      m.put((String) pairs[i], pairs[i + 1]);
    }
    return m;
  }
}
