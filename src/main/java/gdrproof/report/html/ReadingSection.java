package gdrproof.report.html;

import gdrproof.finding.reading.Reading;
import gdrproof.finding.reading.Reading.Step;
import gdrproof.report.ReadingReport;
import java.util.List;

/** What the figures amount to: parts, the limiting one, and the waterfall as a table with bars. */
final class ReadingSection {
  private static final int BAR = 160;

  private ReadingSection() {}

  static void write(Page page, List<Reading> readings) {
    page.section("interpretation", "Interpretation", () -> readings.forEach(r -> one(page, r)));
  }

  private static void one(Page page, Reading r) {
    page.html.open("article").element("h3", r.run()).element("p", ReadingReport.headline(r) + ".");
    page.facts("factor", r.factor(), "half of the plateau", r.halfBytes().known() ? "from " + ReadingReport.size(r.halfBytes()) : "");
    if (!r.parts().isEmpty()) {
      page.table("What each part allows", List.of("part", "GB/s", "how"), r.parts().stream().map(p -> List.of(p.name() + (p.name().equals(r.limiting()) ? " (limits)" : ""), p.gBps().toString(), p.how())).toList());
    }
    if (!r.steps().isEmpty()) {
      waterfall(page, r);
    }
    if (!r.notes().isEmpty()) {
      page.list(r.notes());
    }
    page.html.close("article");
  }

  private static void waterfall(Page page, Reading r) {
    double most = r.steps().stream().mapToDouble(s -> s.gBps().value() + s.lossGBps().value()).max().orElse(1);
    page.html.open("div", "class", "scroll", "tabindex", "0", "role", "group", "aria-label", "Waterfall of " + r.run()).open("table").element("caption", "From line rate to the measured figure");
    page.html.open("thead").open("tr");
    List.of("step", "GB/s", "loss", "bar", "tied to", "how").forEach(h -> page.html.element("th", h, "scope", "col"));
    page.html.close("tr").close("thead").open("tbody");
    for (Step s : r.steps()) {
      page.html.open("tr").element("th", s.name(), "scope", "row").element("td", s.gBps().toString(), "class", "number").element("td", s.lossGBps().above(0) ? "-" + s.lossGBps() : "", "class", "number").open("td");
      bar(page, s.gBps().value() / most, s.lossGBps().value() / most);
      page.html.close("td").element("td", s.tie(), "class", s.tie().equals("unexplained") ? "maybe" : s.tie().startsWith("cause") ? "bad" : "cell").element("td", s.how(), "class", "text").close("tr");
    }
    page.html.close("tbody").close("table").close("div");
  }

  /** What is left as a full bar, what was lost as an outline behind it. */
  private static void bar(Page page, double left, double loss) {
    long width = Math.round(BAR * Math.max(0, Math.min(1, left)));
    long lost = Math.round(BAR * Math.max(0, Math.min(1 - left, loss)));
    page.html.open("svg", "xmlns", "http://www.w3.org/2000/svg", "class", "bar", "viewBox", "0 0 " + BAR + " 14", "width", String.valueOf(BAR), "height", "14", "aria-hidden", "true", "focusable", "false");
    page.html.empty("rect", "x", "0", "y", "1", "width", String.valueOf(width), "height", "12");
    if (lost > 0) {
      page.html.empty("rect", "class", "lost", "x", String.valueOf(width), "y", "1.5", "width", String.valueOf(lost), "height", "11");
    }
    page.html.close("svg");
  }
}
