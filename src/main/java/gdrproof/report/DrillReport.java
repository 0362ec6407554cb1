package gdrproof.report;

import static gdrproof.report.AcceptJson.map;

import gdrproof.finding.Acceptance;
import gdrproof.finding.Acceptance.Item;
import gdrproof.finding.Diagnosis.Cited;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a staged failure proved, for people and as JSON. */
public final class DrillReport {
  private static final int LINES_OF_PROOF = 3;

  private DrillReport() {}

  public static void text(Acceptance result, PrintWriter out) {
    out.println(result.accepted() ? "the drill is passed" : "the drill is not passed");
    out.println(AcceptReport.counts(result));
    String section = "";
    for (Item item : result.items()) {
      if (!item.section().equals(section)) {
        section = item.section();
        out.println();
        out.println(section.toUpperCase(Locale.ROOT));
      }
      out.println(String.format("  %-14s %s  [%s, %s%s]", item.verdictText(), item.title(), item.id(), item.owner(), item.rule().isEmpty() ? "" : ", " + item.rule()));
      out.println("      " + item.message());
      item.proof().stream().limit(LINES_OF_PROOF).forEach(c -> out.println("      " + place(c) + "  " + c.evidence().excerpt().lines().findFirst().orElse("")));
      item.asks().forEach(ask -> ask.command().lines().forEach(line -> out.println("      do: " + line)));
    }
    result.failures().forEach(f -> out.println("internal: " + f));
  }

  public static void json(Acceptance result, String version, PrintWriter out) {
    Map<String, Object> root = JsonReport.head("drill", version);
    root.put("outcome", result.accepted() ? "no-fault-found" : result.items().stream().anyMatch(i -> i.verdictText().equals("failed")) ? "fault-found" : "inconclusive");
    root.put("findings", List.of());
    root.put("passed", result.accepted());
    root.put("items", result.items().stream().map(i -> map("id", i.id(), "section", i.section(), "title", i.title(), "verdict", i.verdictText(), "owner", i.owner(), "rule", i.rule(), "message", i.message(), "proof",
        JsonReport.proof(i.proof()), "asks", i.asks().stream().map(a -> a.command()).toList())).toList());
    root.put("unread", JsonReport.unread(result.unread()));
    root.put("failures", result.failures());
    JsonReport.print(root, out);
  }

  private static String place(Cited cited) {
    return cited.evidence().file() + (cited.evidence().line() > 0 ? ":" + cited.evidence().line() : "");
  }
}
