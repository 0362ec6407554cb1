package gdrproof.report;

import gdrproof.facts.Evidence;
import gdrproof.facts.Tri;
import gdrproof.finding.Verdict;
import gdrproof.finding.Verification;
import gdrproof.finding.Verification.Criterion;
import gdrproof.finding.Verification.Point;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The verification of a change as text, JSON and Markdown. */
public final class VerifyReport {
  private static final int SHOWN = 6;

  private VerifyReport() {}

  public static void json(Verification result, String version, PrintWriter out) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("schema", JsonReport.SCHEMA);
    root.put("tool", "gdrproof " + version);
    root.put("command", "review");
    root.put("outcome", result.outcome().toString());
    root.put("why", result.why());
    root.put("rolledBack", result.rolledBack().rolledBack().toString().toLowerCase(java.util.Locale.ROOT));
    root.put("findings", List.of());
    root.put("criteria", result.criteria().stream().map(VerifyReport::criterion).toList());
    root.put("moved", result.moved());
    root.put("unread", List.of());
    root.put("failures", result.failures());
    out.println(JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build().writeValueAsString(root));
  }

  private static Map<String, Object> criterion(Criterion c) {
    Map<String, Object> m = new LinkedHashMap<>();
    m.put("criterion", c.id());
    m.put("title", c.title());
    m.put("verdict", c.verdict().toString());
    m.put("action", c.action().toString());
    m.put("required", c.required());
    m.put("proof", c.points().stream().map(VerifyReport::point).toList());
    if (c.verdict() == Verdict.INCONCLUSIVE) {
      m.put("ask", c.ask());
    }
    return m;
  }

  private static Map<String, Object> point(Point p) {
    Map<String, Object> m = new LinkedHashMap<>();
    m.put("rule", p.rule().code());
    m.put("verdict", p.verdict().toString());
    m.put("message", p.message());
    m.put("remedy", p.rule().remedy());
    m.put("places", p.places().stream().map(VerifyReport::place).toList());
    return m;
  }

  private static Map<String, Object> place(Evidence e) {
    Map<String, Object> m = new LinkedHashMap<>();
    m.put("file", e.file());
    m.put("line", e.line());
    m.put("excerpt", e.excerpt());
    return m;
  }

  public static void text(Verification result, PrintWriter out) {
    out.println("outcome: " + result.outcome() + " (" + result.why() + ")");
    if (result.rolledBack().rolledBack() == Tri.YES) {
      out.println("rolled back: " + result.rolledBack().how());
    }
    for (Criterion c : result.criteria()) {
      out.println();
      out.println(word(c.verdict()) + "  " + c.title() + (c.required() ? "" : " (not required)"));
      c.points().stream().limit(SHOWN).forEach(p -> {
        out.println("    " + p.message() + " [" + p.rule().code() + "]");
        p.places().forEach(e -> out.println("      " + e.file() + (e.line() > 0 ? ":" + e.line() : "") + "  " + e.excerpt().lines().findFirst().orElse("")));
      });
      if (c.points().size() > SHOWN) {
        out.println("    and " + (c.points().size() - SHOWN) + " more");
      }
      if (c.verdict() == Verdict.VIOLATED) {
        out.println("    do: " + c.points().get(0).rule().remedy());
      } else if (c.verdict() == Verdict.INCONCLUSIVE) {
        out.println("    would show it: " + c.ask());
      }
    }
    if (!result.moved().isEmpty() && result.rolledBack().rolledBack() != Tri.YES) {
      out.println();
      out.println("moved with the change (a rollback of objects will not bring these back):");
      result.moved().forEach(m -> out.println("  " + m));
    }
    result.failures().forEach(f -> out.println("rule failed: " + f));
  }

  private static String word(Verdict verdict) {
    return verdict == Verdict.VIOLATED ? "VIOLATED  " : verdict == Verdict.SATISFIED ? "met       " : "not proven";
  }

  public static void markdown(Verification result, PrintWriter out) {
    out.println("### After the change: " + result.outcome());
    out.println();
    out.println(result.why());
    out.println();
    out.println("| criterion | verdict | proof |");
    out.println("| --- | --- | --- |");
    for (Criterion c : result.criteria()) {
      String proof = c.points().isEmpty() ? "would show it: `" + cell(c.ask()) + "`" : String.join("<br>", c.points().stream().limit(SHOWN).map(p -> cell(p.message()) + places(p)).toList());
      out.println("| " + cell(c.title()) + " | **" + word(c.verdict()).strip() + "** | " + proof + " |");
    }
    if (!result.moved().isEmpty()) {
      out.println();
      out.println("**Parts of the data plane that differ from before:**");
      result.moved().forEach(m -> out.println("- " + cell(m)));
    }
  }

  private static String places(Point point) {
    return point.places().isEmpty() ? "" : " (`" + cell(point.places().get(0).file()) + ":" + point.places().get(0).line() + "`)";
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace('\n', ' ');
  }
}
