package gdrproof.report;

import static gdrproof.report.AcceptJson.map;

import gdrproof.finding.Acceptance.Item;
import gdrproof.finding.Diagnosis.Cited;
import gdrproof.finding.record.Handover;
import gdrproof.finding.record.Handover.Condition;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;

/** An engineering record as Markdown for people and as JSON (`gdrproof/record/v1`) for the next record. */
public final class HandoverReport {
  public static final String SCHEMA = "gdrproof/record/v1";

  private HandoverReport() {}

  public static void json(Handover h, String version, PrintWriter out) {
    Map<String, Object> root = map("schema", SCHEMA, "tool", map("name", "gdrproof", "version", version), "date", h.date(), "accepted", h.acceptance().accepted(), "comparedWith", h.previous(),
        "changes", h.changes().stream().map(c -> map("what", c.what(), "before", c.before(), "after", c.after())).toList(), "health", h.acceptance().items().stream().map(HandoverReport::item).toList(),
        "rollback", conditions(h.rollback()), "escalate", conditions(h.escalate()), "inventory", h.inventory(), "cables", h.cables(), "versions", h.versions(), "commands", h.commands());
    root.put("interpretation", ReadingReport.tree(h.readings()));
    root.put("state", h.state());
    JsonReport.print(root, out);
  }

  private static Map<String, Object> item(Item i) {
    return map("id", i.id(), "owner", i.owner(), "verdict", i.verdictText(), "message", i.message(), "proof", JsonReport.proof(i.proof()));
  }

  private static List<Object> conditions(List<Condition> conditions) {
    return conditions.stream().map(c -> (Object) map("when", c.when(), "reading", c.reading())).toList();
  }

  public static void markdown(Handover h, PrintWriter out) {
    out.println("# Engineering record of " + h.date());
    out.println();
    out.println((h.acceptance().accepted() ? "Accepted" : "**Not accepted**") + ": " + AcceptReport.counts(h.acceptance()) + ".");
    heading("What changed since the last record", out);
    if (h.previous().isEmpty()) {
      out.println("This is the first record here; there is nothing to compare it with.");
    } else if (h.changes().isEmpty()) {
      out.println("Nothing, compared with `" + code(h.previous()) + "`.");
    } else {
      out.println("Compared with `" + code(h.previous()) + "`:");
      out.println();
      table(List.of("what", "before", "after"), h.changes().stream().map(c -> List.of(c.what(), c.before(), c.after())).toList(), out);
    }
    heading("What proves health", out);
    table(List.of("item", "evidence", "what was found"), h.acceptance().items().stream().filter(i -> i.verdictText().equals("proven"))
        .map(i -> List.of(i.title(), i.proof().isEmpty() ? "" : place(i.proof().get(0)), i.message())).toList(), out);
    heading("What does not hold", out);
    List<Item> open = h.acceptance().items().stream().filter(i -> !i.holds()).toList();
    if (open.isEmpty()) {
      out.println("Every item is proven or not applicable.");
    } else {
      table(List.of("item", "verdict", "why", "next command"), open.stream().map(i -> List.of(i.title(), i.verdictText(), i.message(), i.asks().isEmpty() ? "" : i.asks().get(0).command())).toList(), out);
    }
    heading("What requires rollback", out);
    listed(h.rollback(), out);
    heading("What requires escalation", out);
    listed(h.escalate(), out);
    heading("Inventory", out);
    table(List.of("node", "thing", "what"), h.inventory(), out);
    heading("Cable and port map", out);
    if (h.cables().isEmpty()) {
      out.println("Not given: no output of the subnet manager or of LLDP is in the evidence.");
    } else {
      table(List.of("from", "port", "to", "port"), h.cables(), out);
    }
    heading("Versions", out);
    table(List.of("component", "version", "nodes"), h.versions(), out);
    heading("Figures", out);
    h.readings().forEach(r -> out.println("- " + cell(r.run()) + ": " + cell(ReadingReport.headline(r))));
    heading("Commands", out);
    table(List.of("command", "host", "output in"), h.commands(), out);
    heading("Representative outputs", out);
    h.acceptance().items().stream().filter(i -> !i.proof().isEmpty()).forEach(i -> {
      out.println("- " + cell(i.title()) + ", " + cell(place(i.proof().get(0))) + ":");
      out.println();
      i.proof().get(0).evidence().excerpt().lines().forEach(line -> out.println("      " + line));
      out.println();
    });
    heading("Owners", out);
    table(List.of("owner", "items"), h.owners().entrySet().stream().map(e -> List.of(e.getKey(), String.join(", ", e.getValue().stream().map(i -> i.id() + (i.holds() ? "" : " (" + i.verdictText() + ")")).toList()))).toList(), out);
  }

  private static void heading(String title, PrintWriter out) {
    out.println();
    out.println("## " + title);
    out.println();
  }

  private static void listed(List<Condition> conditions, PrintWriter out) {
    conditions.forEach(c -> out.println("- " + cell(c.when()) + " (" + cell(c.reading()) + ")"));
  }

  private static void table(List<String> heads, List<List<String>> rows, PrintWriter out) {
    if (rows.isEmpty()) {
      out.println("None in the evidence.");
      return;
    }
    out.println("| " + String.join(" | ", heads) + " |");
    out.println("|" + " --- |".repeat(heads.size()));
    rows.forEach(row -> out.println("| " + String.join(" | ", row.stream().map(HandoverReport::cell).toList()) + " |"));
  }

  private static String place(Cited cited) {
    return cited.evidence().file() + (cited.evidence().line() > 0 ? ":" + cited.evidence().line() : "");
  }

  private static String code(String text) {
    return text.replace("`", "'");
  }

  private static String cell(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|").replaceAll("\\s*\\R\\s*", " ");
  }
}
