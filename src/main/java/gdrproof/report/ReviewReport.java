package gdrproof.report;

import gdrproof.finding.Consequence;
import gdrproof.finding.ReviewResult;
import gdrproof.finding.ReviewResult.Entry;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A review as text, as JSON (design section 9) and as Markdown fit for a pull-request comment. */
public final class ReviewReport {
  private ReviewReport() {}

  public static void json(ReviewResult result, String version, PrintWriter out) {
    Map<String, Object> root = new LinkedHashMap<>();
    root.put("schema", JsonReport.SCHEMA);
    root.put("tool", "gdrproof " + version);
    root.put("command", "review");
    root.put("outcome", outcome(result));
    root.put("verdict", result.verdict().toString());
    root.put("releases", Map.of("before", result.before(), "after", result.after()));
    root.put("findings", List.of());
    root.put("changes", result.entries().stream().map(ReviewReport::entry).toList());
    root.put("unread", result.unread());
    root.put("failures", result.failures());
    JsonReport.print(root, out);
  }

  private static String outcome(ReviewResult result) {
    Consequence verdict = result.verdict();
    return verdict == Consequence.UNKNOWN ? "inconclusive" : verdict == Consequence.BENIGN ? "no-fault-found" : "fault-found";
  }

  private static Map<String, Object> entry(Entry e) {
    Map<String, Object> m = new LinkedHashMap<>();
    m.put("object", e.object());
    m.put("path", e.path());
    m.put("before", e.before());
    m.put("after", e.after());
    m.put("consequence", e.consequence().toString());
    m.put("rule", e.rule().code());
    m.put("message", e.message());
    m.put("remedy", e.rule().remedy());
    m.put("blastRadius", e.blastRadius());
    m.put("notRestored", e.notRestored());
    m.put("file", e.file());
    m.put("line", e.line());
    m.put("column", e.column());
    return m;
  }

  public static void text(ReviewResult result, PrintWriter out) {
    if (result.entries().isEmpty()) {
      out.println("no change of meaning");
    } else {
      out.println("verdict: " + result.verdict() + " (" + result.entries().size() + " consequences)");
    }
    Consequence last = null;
    for (Entry e : result.entries()) {
      if (e.consequence() != last) {
        out.println();
        out.println(e.consequence().toString().toUpperCase(java.util.Locale.ROOT));
        last = e.consequence();
      }
      out.println("  " + e.file() + ":" + e.line() + " " + e.message() + " [" + e.rule().code() + "]");
      if (e.consequence().reaches(Consequence.SILENT)) {
        out.println("      hits: " + e.blastRadius());
        out.println("      do:   " + e.rule().remedy());
      }
      if (!e.notRestored().isEmpty()) {
        out.println("      going back does not restore: " + String.join("; ", e.notRestored()));
      }
    }
    result.unread().forEach(u -> out.println("not judged: " + u));
    result.failures().forEach(f -> out.println("rule failed: " + f));
  }

  public static void markdown(ReviewResult result, PrintWriter out) {
    if (result.entries().isEmpty()) {
      out.println("### Operator change: no change of meaning");
    } else {
      out.println("### Operator change: " + result.verdict());
      out.println();
      out.println("| consequence | where | what it does | hits |");
      out.println("| --- | --- | --- | --- |");
      for (Entry e : result.entries()) {
        out.println("| **" + e.consequence() + "** | `" + cell(e.file()) + ":" + e.line() + "` " + cell(e.object()) + " | " + cell(e.message()) + " (" + e.rule().code() + ") | "
            + cell(e.blastRadius()) + " |");
      }
      Set<String> lost = new LinkedHashSet<>();
      result.entries().forEach(e -> lost.addAll(e.notRestored()));
      if (!lost.isEmpty()) {
        out.println();
        out.println("**Going back does not restore:**");
        lost.forEach(l -> out.println("- " + l));
      }
    }
    List<String> open = new ArrayList<>(result.unread());
    open.addAll(result.failures());
    if (!open.isEmpty()) {
      out.println();
      out.println("**Not judged:**");
      open.forEach(o -> out.println("- " + o));
    }
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace("\n", " ");
  }
}
