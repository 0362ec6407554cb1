package gdrproof.report;

import gdrproof.facts.Fact;
import gdrproof.facts.Gate.BaselineState;
import gdrproof.facts.Gate.MatrixRow;
import gdrproof.facts.Gate.RunPair;
import gdrproof.finding.Acceptance;
import gdrproof.finding.Acceptance.Item;
import gdrproof.finding.Diagnosis.Cited;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** An acceptance for people: sections and items, then removed items, the matrix and the baseline. */
public final class AcceptReport {
  private static final int LINES_OF_PROOF = 3;

  private AcceptReport() {}

  public static void text(Acceptance a, PrintWriter out) {
    out.println(a.accepted() ? "accepted" : "not accepted");
    out.println(counts(a) + ", ages as of " + a.asOf());
    String section = "";
    for (Item item : a.items()) {
      if (!item.section().equals(section)) {
        section = item.section();
        out.println();
        out.println(section.toUpperCase(Locale.ROOT));
      }
      out.println(String.format("  %-14s %s  [%s, %s%s%s]", item.verdictText(), item.title(), item.id(), item.owner(), item.required() ? "" : ", not required",
          item.rule().isEmpty() ? "" : ", " + item.rule()));
      out.println("      " + item.message());
      item.proof().stream().limit(LINES_OF_PROOF).forEach(c -> out.println("      " + place(c) + "  " + oneLine(c.evidence().excerpt())));
      if (item.proof().size() > LINES_OF_PROOF) {
        out.println("      and " + (item.proof().size() - LINES_OF_PROOF) + " more");
      }
      if (!item.proof().isEmpty()) {
        out.println("      " + age(item));
      }
      item.asks().forEach(ask -> ask.command().lines().forEach(line -> out.println("      do: " + line)));
    }
    if (!a.removed().isEmpty()) {
      out.println();
      out.println("removed by this site:");
      a.removed().forEach(r -> out.println("  " + r.id() + " (" + r.title() + "): " + r.reason()));
    }
    matrix(a, out);
    a.baseline().forEach(b -> {
      out.println();
      out.println(baseline(b));
    });
    a.checks().stream().filter(c -> !c.good()).forEach(c -> out.println("  " + c.verdict() + ": " + c.metric() + " " + c.subject() + ": " + c.why()));
    if (!a.unread().isEmpty()) {
      out.println();
      out.println("not read:");
      a.unread().forEach(u -> out.println("  " + u.file() + (u.line() > 0 ? ":" + u.line() : "") + ": " + u.reason()));
    }
    a.failures().forEach(f -> out.println("internal: " + f));
  }

  public static String counts(Acceptance a) {
    return count(a, "proven") + " proven, " + count(a, "failed") + " failed, " + count(a, "not-proven") + " not proven, " + count(a, "not-applicable") + " not applicable";
  }

  private static long count(Acceptance a, String verdict) {
    return a.items().stream().filter(i -> i.verdictText().equals(verdict)).count();
  }

  public static String age(Item item) {
    String limit = Double.isInfinite(item.age().maxDays().value()) ? "no limit" : "allowed " + item.age().maxDays().rounded() + " days";
    if (!item.age().days().known()) {
      return "age unknown: the evidence carries no time (" + limit + ")";
    }
    return "age " + item.age().days() + " days (" + limit + ")" + (item.age().undated() > 0 ? ", " + item.age().undated() + " pieces without a time" : "");
  }

  public static String baseline(BaselineState b) {
    String same = switch (b.sameClass()) {
      case YES -> "of the same topology class";
      case NO -> "not comparable: " + String.join("; ", b.differences());
      case UNKNOWN -> "not comparable: the bundle does not tell " + String.join("; ", b.differences());
    };
    return "baseline " + b.file() + ": " + same + ", " + (b.signedBy().equals(Fact.UNKNOWN) ? "not signed off" : "signed off by " + b.signedBy());
  }

  private static void matrix(Acceptance a, PrintWriter out) {
    if (a.matrix().isEmpty()) {
      return;
    }
    out.println();
    out.println("comparison matrix:");
    out.println(String.format("  %-18s %-17s %5s %5s %-8s %-8s %-4s %9s  %s", "run", "role", "nodes", "GPUs", "rail", "transport", "GDR", "busbw", "errors, notes"));
    for (MatrixRow row : a.matrix()) {
      out.println(String.format("  %-18s %-17s %5s %5s %-8s %-8s %-4s %9s  %s", row.run(), row.role(), row.nodes(), row.perNode(), row.rail(), row.transport(), yes(row.gdr()),
          row.busbwGBps().rounded(), errors(row)));
    }
    if (!a.missingRuns().isEmpty()) {
      out.println("  missing: " + String.join(", ", a.missingRuns()));
    }
    for (RunPair pair : a.pairs()) {
      out.println("  " + pair.first() + " against " + pair.second() + ": " + pair.proves());
    }
  }

  public static String errors(MatrixRow row) {
    return row.errors() + (row.notes().isEmpty() ? "" : ", " + String.join(", ", row.notes()));
  }

  public static String yes(gdrproof.facts.Tri value) {
    return switch (value) {
      case YES -> "on";
      case NO -> "off";
      case UNKNOWN -> "?";
    };
  }

  private static String place(Cited cited) {
    return cited.evidence().file() + (cited.evidence().line() > 0 ? ":" + cited.evidence().line() : "");
  }

  private static String oneLine(String excerpt) {
    int end = excerpt.indexOf('\n');
    return end < 0 ? excerpt : excerpt.substring(0, end) + " …";
  }

  public static void markdown(Acceptance a, PrintWriter out) {
    out.println("## Acceptance: " + (a.accepted() ? "accepted" : "not accepted"));
    out.println();
    out.println(counts(a) + ", ages as of " + a.asOf() + ".");
    String section = "";
    for (Item item : a.items()) {
      if (!item.section().equals(section)) {
        section = item.section();
        out.println();
        out.println("### " + section);
        out.println();
        out.println("| verdict | item | owner | what was found | evidence | age |");
        out.println("| --- | --- | --- | --- | --- | --- |");
      }
      String proof = item.proof().isEmpty() ? "" : "`" + place(item.proof().get(0)).replace("`", "'").replace("|", "\\|") + "`" + (item.proof().size() > 1 ? " and " + (item.proof().size() - 1) + " more" : "");
      out.println("| " + (item.holds() ? item.verdictText() : "**" + item.verdictText() + "**") + " | " + cell(item.title()) + " (" + item.id() + ") | " + item.owner() + " | " + cell(item.message()) + " | " + proof
          + " | " + (item.proof().isEmpty() ? "" : age(item)) + " |");
    }
    List<Item> open = a.items().stream().filter(i -> !i.asks().isEmpty()).toList();
    if (!open.isEmpty()) {
      out.println();
      out.println("### What would prove the rest");
      out.println();
      open.forEach(i -> i.asks().forEach(ask -> ask.command().lines().forEach(line -> out.println("- " + i.id() + ": `" + line.replace("`", "'") + "`"))));
    }
    if (!a.removed().isEmpty()) {
      out.println();
      out.println("### Removed by this site");
      out.println();
      a.removed().forEach(r -> out.println("- " + r.id() + " (" + cell(r.title()) + "): " + cell(r.reason())));
    }
    if (!a.matrix().isEmpty()) {
      out.println();
      out.println("### Comparison matrix");
      out.println();
      out.println("| run | role | nodes | GPUs per node | rail | transport | GDR | busbw GB/s | errors | notes |");
      out.println("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
      a.matrix().forEach(r -> out.println("| " + cell(r.run()) + " | " + r.role() + " | " + r.nodes() + " | " + r.perNode() + " | " + cell(r.rail()) + " | " + cell(r.transport()) + " | " + yes(r.gdr())
          + " | " + r.busbwGBps().rounded() + " | " + cell(r.errors()) + " | " + cell(String.join(", ", r.notes())) + " |"));
      out.println();
      if (!a.missingRuns().isEmpty()) {
        out.println("- missing runs: " + String.join(", ", a.missingRuns()));
      }
      a.pairs().forEach(p -> out.println("- " + cell(p.first()) + " against " + cell(p.second()) + ": " + cell(p.proves())));
    }
    a.baseline().forEach(b -> {
      out.println();
      out.println(cell(baseline(b)) + ".");
    });
    if (!a.checks().isEmpty()) {
      out.println();
      out.println("| metric | subject | bytes | measured | baseline | limit | verdict |");
      out.println("| --- | --- | --- | --- | --- | --- | --- |");
      a.checks().forEach(c -> out.println("| " + c.metric() + " | " + cell(c.subject()) + " | " + c.bytes() + " | " + c.measured().rounded() + " | " + c.baseline().rounded() + " | " + c.limit().rounded() + " "
          + cell(c.unit()) + " | " + c.verdict() + " |"));
    }
  }

  private static String cell(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|").replaceAll("\\s*\\R\\s*", " ");
  }
}
