package gdrproof.report;

import gdrproof.finding.Diagnosis;
import gdrproof.finding.Diagnosis.Answer;
import gdrproof.finding.Diagnosis.Cited;
import java.io.PrintWriter;
import java.util.List;

/** The answer for people: cause first, symptoms folded under it, then what is open, ruled out and not proven. */
public final class TextReport {
  private static final int LINES_OF_PROOF = 4;
  private static final int LINES_OF_AN_ASK = 4;
  private static final int NODES_OF_AN_ASK = 6;

  private TextReport() {}

  public static void write(Diagnosis d, PrintWriter out) {
    out.println("outcome: " + d.outcome());
    int rank = 0;
    for (Answer cause : d.causes()) {
      out.println();
      out.println("cause " + ++rank + " (" + cause.status() + "): " + cause.fault() + " [" + cause.layer() + ", " + cause.rule().code() + "]");
      out.println("  " + cause.message());
      out.println("  on: " + cause.subject());
      proof(cause.cited(), out);
      list("explains", cause.explains(), out);
      list("contradicted by", cause.contradictedBy(), out);
      out.println("  remedy: " + cause.rule().remedy());
    }
    if (!d.open().isEmpty()) {
      out.println();
      out.println("open (allowed by the evidence, not proven):");
      for (Answer open : d.open()) {
        out.println("  " + open.fault() + " [" + open.layer() + ", " + open.rule().code() + "] " + open.message());
        if (!open.missing().isEmpty()) {
          out.println("    missing: " + String.join(", ", open.missing()));
        }
      }
    }
    if (d.causes().isEmpty() && !d.symptoms().isEmpty()) {
      out.println();
      out.println("symptoms:");
      d.symptoms().forEach(s -> {
        out.println("  " + s.fault() + ": " + s.message());
        proof(s.cited(), out);
      });
    }
    if (!d.observations().isEmpty()) {
      out.println();
      out.println("observed, explains no symptom of this run:");
      d.observations().forEach(o -> out.println("  " + o.fault() + ": " + o.message() + place(o.cited())));
    }
    if (!d.ruledOut().isEmpty()) {
      out.println();
      out.println("ruled out:");
      d.ruledOut().forEach(r -> out.println("  " + r.fault() + ": " + r.message() + place(r.cited())));
    }
    out.println();
    out.println("layers, lowest first:");
    boolean marked = false;
    for (Diagnosis.LayerState layer : d.layers()) {
      boolean boundary = !marked && !layer.verdict().equals("proven");
      marked |= boundary;
      out.println((boundary ? "> " : "  ") + String.format("%-23s %-11s", layer.layer(), layer.verdict())
          + (layer.verdict().equals("not-proven") ? "needs: " + layer.requires() : place(layer.cited()).strip()));
    }
    if (!d.asks().isEmpty()) {
      out.println();
      out.println("measure next:");
      d.asks().forEach(ask -> ask(ask, out));
    }
    if (!d.rounds().isEmpty()) {
      out.println();
      out.println("steps:");
      d.rounds().forEach(round -> round(round, out));
    }
    if (!d.unread().isEmpty()) {
      out.println();
      out.println("not read:");
      d.unread().forEach(u -> out.println("  " + u.file() + (u.line() > 0 ? ":" + u.line() : "") + ": " + u.reason()));
    }
    d.failures().forEach(f -> out.println("internal: " + f));
  }

  private static void round(Diagnosis.Round round, PrintWriter out) {
    out.println("  " + round.number() + ": " + round.outcome() + (round.causes().isEmpty() ? "" : "; claimed " + String.join(", ", round.causes()))
        + (round.open().isEmpty() ? "" : "; open " + String.join(", ", round.open())) + (round.end().isEmpty() ? "" : "; end: " + round.end()));
    round.did().forEach(d -> out.println("     " + d.measurement() + (d.node().isEmpty() ? "" : " on " + d.node()) + ": " + d.status() + (d.file().isEmpty() ? "" : ", " + d.file())
        + (d.note().isEmpty() ? "" : ", " + d.note())));
  }

  private static void ask(Diagnosis.Ask ask, PrintWriter out) {
    List<String> lines = ask.command().lines().toList();
    // A command for each node says where it runs itself.
    boolean same = lines.size() == 1 && !lines.get(0).contains("   # on ");
    String on = ask.on().size() > NODES_OF_AN_ASK ? String.join(", ", ask.on().subList(0, NODES_OF_AN_ASK)) + " and " + (ask.on().size() - NODES_OF_AN_ASK) + " more" : String.join(", ", ask.on());
    lines.stream().limit(LINES_OF_AN_ASK).forEach(line -> out.println("  " + line + (same && !on.isEmpty() ? "   # on " + on : "")));
    if (lines.size() > LINES_OF_AN_ASK) {
      out.println("  and " + (lines.size() - LINES_OF_AN_ASK) + " more (--plan FILE writes all)");
    }
    ask.fill().forEach((slot, how) -> out.println("    {" + slot + "}: " + how));
    out.println("    " + ask.proves() + " (" + ask.cost() + ", about " + ask.seconds() + " s); separates " + String.join(", ", ask.separates()));
  }

  private static void proof(List<Cited> cited, PrintWriter out) {
    cited.stream().limit(LINES_OF_PROOF).forEach(c -> out.println("    " + c.evidence().file() + ":" + c.evidence().line() + "  " + oneLine(c.evidence().excerpt())));
    if (cited.size() > LINES_OF_PROOF) {
      out.println("    and " + (cited.size() - LINES_OF_PROOF) + " more");
    }
  }

  private static String oneLine(String excerpt) {
    int end = excerpt.indexOf('\n');
    return end < 0 ? excerpt : excerpt.substring(0, end) + " …";
  }

  private static String place(List<Cited> cited) {
    return cited.isEmpty() ? "" : "  (" + cited.get(0).evidence().file() + ":" + cited.get(0).evidence().line() + ")";
  }

  private static void list(String title, List<String> lines, PrintWriter out) {
    if (!lines.isEmpty()) {
      out.println("  " + title + ":");
      lines.stream().limit(6).forEach(l -> out.println("    " + l));
      if (lines.size() > 6) {
        out.println("    and " + (lines.size() - 6) + " more");
      }
    }
  }
}
