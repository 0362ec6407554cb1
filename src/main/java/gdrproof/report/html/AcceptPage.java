package gdrproof.report.html;

import gdrproof.facts.Fact;
import gdrproof.facts.Gate.BaselineCheck;
import gdrproof.finding.Acceptance;
import gdrproof.finding.Acceptance.Item;
import gdrproof.finding.Conclusion.ItemVerdict;
import gdrproof.finding.reading.Reading;
import gdrproof.finding.view.View;
import gdrproof.report.AcceptReport;
import gdrproof.report.ReadingReport;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The answer of `accept` as one self-contained HTML file. */
public final class AcceptPage {
  private final Acceptance acceptance;
  private final View view;
  private final List<Reading> readings;
  private final Page page;

  private AcceptPage(Acceptance acceptance, View view, List<Reading> readings, PrintWriter out) {
    this.acceptance = acceptance;
    this.view = view;
    this.readings = readings;
    this.page = new Page(out);
  }

  public static void write(Acceptance acceptance, View view, List<Reading> readings, String version, PrintWriter out) {
    new AcceptPage(acceptance, view, readings, out).write(version);
  }

  private void write(String version) {
    Map<String, String> sections = new LinkedHashMap<>();
    if (!open().isEmpty()) {
      sections.put("standing", "In the way");
    }
    names().forEach(name -> sections.put(id(name), title(name)));
    if (!acceptance.removed().isEmpty()) {
      sections.put("removed", "Removed");
    }
    if (!acceptance.matrix().isEmpty()) {
      sections.put("matrix", "Comparison matrix");
    }
    if (!acceptance.baseline().isEmpty()) {
      sections.put("baseline", "Baseline");
    }
    ViewSections.titles(view, sections);
    if (!readings.isEmpty()) {
      sections.put("interpretation", "Interpretation");
    }
    if (!acceptance.unread().isEmpty()) {
      sections.put("unread", "Not read");
    }
    page.write("accept", acceptance.accepted() ? "accepted" : "not accepted", acceptance.accepted() ? "good" : "bad", AcceptReport.counts(acceptance) + "; ages as of " + acceptance.asOf() + ".", sections, p -> content(),
        version);
  }

  private Set<String> names() {
    Set<String> names = new LinkedHashSet<>();
    acceptance.items().forEach(i -> names.add(i.section()));
    return names;
  }

  private static String id(String section) {
    return "items-" + section.replaceAll("[^A-Za-z0-9]+", "-");
  }

  private static String title(String section) {
    return "Checklist: " + (section.isEmpty() ? "other" : section.equals("nccl") ? "NCCL" : section);
  }

  /** Required items that do not hold, failed ones first: what a reader must know before all else. */
  private List<Item> open() {
    return acceptance.items().stream().filter(i -> i.required() && !i.holds()).sorted(Comparator.comparing((Item i) -> i.verdict() != ItemVerdict.FAILED)).toList();
  }

  private void content() {
    if (!open().isEmpty()) {
      page.section("standing", "What stands in the way", this::standing);
    }
    names().forEach(name -> page.section(id(name), title(name), () -> acceptance.section(name).forEach(this::item)));
    if (!acceptance.removed().isEmpty()) {
      page.section("removed", "Removed", () -> page.table("Items that this site does without", List.of("item", "title", "reason"), acceptance.removed().stream().map(r -> List.of(r.id(), r.title(), r.reason())).toList()));
    }
    if (!acceptance.matrix().isEmpty()) {
      page.section("matrix", "Comparison matrix", this::matrix);
    }
    if (!acceptance.baseline().isEmpty()) {
      page.section("baseline", "Baseline", this::baseline);
    }
    new ViewSections(page, view).write();
    if (!readings.isEmpty()) {
      ReadingSection.write(page, readings);
    }
    if (!acceptance.unread().isEmpty()) {
      page.section("unread", "Not read", () -> page.table("Parts of the evidence that could not be read", List.of("place", "why"),
          acceptance.unread().stream().map(u -> List.of(u.file() + (u.line() > 0 ? ":" + u.line() : ""), u.reason())).toList()));
    }
    acceptance.failures().forEach(f -> page.paragraph("internal: " + f));
  }

  /** The open items in one list; the number of a failed one is its number in the picture of the topology. */
  private void standing() {
    page.html.open("ul", "class", "standing");
    for (Item item : open()) {
      int number = acceptance.failed().indexOf(item) + 1;
      page.html.open("li").element("span", item.verdict() == ItemVerdict.FAILED ? "✗ failed" : "? not proven", "class", "word " + (item.verdict() == ItemVerdict.FAILED ? "bad" : "maybe"));
      page.html.text(" ").element("a", item.title(), "href", "#item-" + item.id()).text((number > 0 ? " (item " + number + ")" : "") + ": " + item.message()).close("li");
    }
    page.html.close("ul");
  }

  private void item(Item item) {
    String sign = switch (item.verdict()) {
      case PROVEN -> "✓ ";
      case FAILED -> "✗ ";
      case NOT_PROVEN -> "? ";
      case NOT_APPLICABLE -> "– ";
    };
    String tone = switch (item.verdict()) {
      case PROVEN -> "good";
      case FAILED -> "bad";
      case NOT_PROVEN -> "maybe";
      case NOT_APPLICABLE -> "none";
    };
    page.html.open("article", "class", "item " + tone, "id", "item-" + item.id()).open("h3").element("span", sign + item.verdictText().replace('-', ' '), "class", "word " + tone).text(" " + item.title()).close("h3");
    page.paragraph(item.message());
    page.facts("item", item.id() + (item.required() ? "" : " (not required)"), "owner", item.owner(), "rule", item.rule(), "age", item.proof().isEmpty() ? "" : AcceptReport.age(item).replaceFirst("^age ", ""));
    if (!item.proof().isEmpty()) {
      page.html.open("details", item.holds() ? new String[0] : new String[] {"open", ""}).element("summary", "Evidence: " + item.proof().size() + (item.proof().size() == 1 ? " place" : " places"));
      page.proof(item.proof());
      page.html.close("details");
    }
    if (!item.asks().isEmpty()) {
      page.html.element("h4", item.verdict() == ItemVerdict.FAILED ? "Measure again after the repair" : "What would prove it");
    }
    item.asks().forEach(ask -> page.html.open("pre").element("code", ask.command() + (ask.on().isEmpty() ? "" : "   # on " + String.join(", ", ask.on()))).close("pre"));
    page.html.close("article");
  }

  private void matrix() {
    page.table("Runs side by side", List.of("run", "role", "nodes", "GPUs a node", "rail", "transport", "GDR", "busbw GB/s", "errors and notes"), acceptance.matrix().stream()
        .map(r -> List.of(r.run(), r.role(), r.nodes().toString(), r.perNode().toString(), r.rail(), r.transport(), AcceptReport.yes(r.gdr()), r.busbwGBps().rounded().toString(), AcceptReport.errors(r))).toList());
    if (!acceptance.pairs().isEmpty()) {
      page.table("What each pair of runs proves", List.of("first", "second", "what it proves"), acceptance.pairs().stream().map(p -> List.of(p.first(), p.second(), p.proves())).toList());
    }
  }

  private void baseline() {
    acceptance.baseline().forEach(b -> page.paragraph(AcceptReport.baseline(b)));
    if (!acceptance.checks().isEmpty()) {
      List<BaselineCheck> bad = acceptance.checks().stream().filter(c -> !c.good()).toList();
      List<BaselineCheck> good = acceptance.checks().stream().filter(BaselineCheck::good).toList();
      page.paragraph(good.size() + " of " + acceptance.checks().size() + " measurements are within the baseline's distributions or better" + (bad.isEmpty() ? "." : "; the others:"));
      if (!bad.isEmpty()) {
        checks("Measurements that miss the baseline", bad);
      }
      if (!good.isEmpty()) {
        page.html.open("details").element("summary", "Measurements within the baseline");
        checks("Measurements within the baseline", good);
        page.html.close("details");
      }
    }
  }

  private void checks(String caption, List<BaselineCheck> checks) {
    page.table(caption, List.of("measurement", "of", "size", "verdict", "measured", "baseline", "unit", "why"), checks.stream().map(c -> List.of(c.metric(),
        (c.node().equals(Fact.UNKNOWN) ? "" : c.node() + " ") + c.subject(), c.bytes().known() ? ReadingReport.size(c.bytes()) : "", (c.good() ? "✓ " : "✗ ") + c.verdict(), c.measured().rounded().toString(),
        c.baseline().rounded().toString(), c.unit(), c.why())).toList());
  }
}
