package gdrproof.report;

import gdrproof.finding.CauseCheck.Result;
import gdrproof.finding.CauseCheck.Step;
import gdrproof.finding.CauseCheck.Verdict;
import gdrproof.finding.Diagnosis.Cited;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What has become of a cause, as text and as JSON. */
public final class CauseCheckReport {
  private CauseCheckReport() {}

  public static void text(Result result, PrintWriter out) {
    out.println(result.fault() + ": " + switch (result.verdict()) {
      case ENDED -> "ended";
      case STANDS -> "still stands";
      case NOT_PROVABLE -> "not provable any more (that is not \"fixed\")";
    });
    out.println("  " + result.message());
    for (Step step : result.steps()) {
      out.println("  " + step.state() + ": " + place("before", step.before()));
      if (!step.after().isEmpty() && step.state().equals("changed")) {
        out.println("    now: " + place("after", step.after()));
      }
    }
    result.excluded().forEach(e -> out.println("  ruled out by: " + e.message()));
    if (!result.missing().isEmpty()) {
      out.println("  missing in the later bundle: " + String.join(", ", result.missing()));
    }
    if (!result.worse().isEmpty()) {
      out.println("got worse:");
      result.worse().forEach(w -> out.println("  " + w));
    }
  }

  private static String place(String side, List<Cited> cited) {
    return cited.isEmpty() ? side + ": derived" : side + "/" + cited.get(0).evidence().file() + ":" + cited.get(0).evidence().line() + "  " + cited.get(0).evidence().excerpt().lines().findFirst().orElse("").strip();
  }

  public static void json(Result result, String version, PrintWriter out) {
    Map<String, Object> root = JsonReport.head("verify", version);
    root.put("fault", result.fault());
    root.put("verdict", result.verdict().toString());
    root.put("message", result.message());
    root.put("steps", result.steps().stream().map(s -> {
      Map<String, Object> m = new LinkedHashMap<>();
      m.put("state", s.state());
      m.put("fact", s.fact());
      m.put("before", JsonReport.proof(s.before()));
      m.put("now", s.now());
      m.put("after", JsonReport.proof(s.after()));
      return m;
    }).toList());
    root.put("ruledOutBy", result.verdict() == Verdict.ENDED ? result.excluded().stream().map(e -> e.message()).toList() : List.of());
    root.put("missing", result.missing());
    root.put("worse", result.worse());
    JsonReport.print(root, out);
  }
}
