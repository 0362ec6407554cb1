package gdrproof.report;

import static gdrproof.report.AcceptJson.map;
import static gdrproof.report.AcceptJson.num;

import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import gdrproof.finding.reading.Reading;
import java.io.PrintWriter;
import java.util.List;

/** What the figures of a bundle amount to, for people and as the `interpretation` of JSON reports. */
public final class ReadingReport {
  private ReadingReport() {}

  public static void text(List<Reading> readings, PrintWriter out) {
    if (readings.isEmpty()) {
      return;
    }
    out.println();
    out.println("interpretation:");
    for (Reading r : readings) {
      out.println("  " + r.run() + ": " + headline(r));
      out.println("    " + r.factor() + (r.halfBytes().known() ? "; half of the plateau from " + size(r.halfBytes()) : ""));
      r.parts().forEach(p -> out.println("    allows " + p.name() + ": " + p.gBps() + " GB/s (" + p.how() + ")" + (p.name().equals(r.limiting()) ? "  <- limits" : "")));
      for (Reading.Step s : r.steps()) {
        out.println(String.format("    %-12s %9s GB/s %9s  %s", s.name(), s.gBps(), s.lossGBps().above(0) ? "-" + s.lossGBps() : "", s.how() + (s.tie().isEmpty() ? "" : " [" + s.tie() + "]")).stripTrailing());
      }
      r.notes().forEach(n -> out.println("    note: " + n));
    }
  }

  /** The figure and what it is of its expectation. */
  public static String headline(Reading r) {
    String who = r.collective() + (r.ranks().known() ? ", " + r.ranks() + " ranks" : "") + (r.nodes().known() ? " on " + r.nodes() + (r.nodes().is(1) ? " node" : " nodes") : "");
    String share = r.share().known() ? ", " + Math.round(r.share().value() * 100) + " % of the " + r.expectedGBps() + " GB/s to expect" : "";
    String limit = r.limiting().equals(Fact.UNKNOWN) ? "" : (r.reached() ? "; limited by " : "; something takes more than ") + r.limiting() + (r.reached() ? "" : " would");
    return who + ": plateau " + r.plateauGBps() + " GB/s busbw (algbw " + r.algbwGBps() + ")" + share + limit;
  }

  public static List<Object> tree(List<Reading> readings) {
    return readings.stream().map(r -> (Object) map("run", r.run(), "collective", r.collective(), "ranks", num(r.ranks()), "nodes", num(r.nodes()), "busbwGBps", num(r.plateauGBps()), "algbwGBps", num(r.algbwGBps()),
        "plateauBytes", num(r.plateauBytes()), "factor", r.factor(), "halfBytes", num(r.halfBytes()), "limiting", r.limiting(), "expectedGBps", num(r.expectedGBps()), "share", num(r.share()), "reached", r.reached(),
        "parts", r.parts().stream().map(p -> map("part", p.name(), "GBps", num(p.gBps()), "how", p.how())).toList(),
        "waterfall", r.steps().stream().map(s -> map("step", s.name(), "GBps", num(s.gBps()), "lossGBps", num(s.lossGBps()), "tie", s.tie(), "how", s.how())).toList(), "notes", r.notes(),
        "proof", JsonReport.proof(r.cited()))).toList();
  }

  public static String size(Num bytes) {
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
    double value = bytes.value();
    int unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return Num.of(value).rounded() + " " + units[unit];
  }
}
