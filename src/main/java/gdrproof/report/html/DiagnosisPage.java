package gdrproof.report.html;

import gdrproof.finding.Diagnosis;
import gdrproof.finding.Diagnosis.Answer;
import gdrproof.finding.Diagnosis.Ask;
import gdrproof.finding.Diagnosis.Cited;
import gdrproof.finding.Diagnosis.LayerState;
import gdrproof.finding.reading.Reading;
import gdrproof.finding.view.View;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The answer of `diagnose` as one self-contained HTML file. */
public final class DiagnosisPage {
  private final Diagnosis diagnosis;
  private final View view;
  private final List<Reading> readings;
  private final Page page;

  private DiagnosisPage(Diagnosis diagnosis, View view, List<Reading> readings, PrintWriter out) {
    this.diagnosis = diagnosis;
    this.view = view;
    this.readings = readings;
    this.page = new Page(out);
  }

  public static void write(Diagnosis diagnosis, View view, List<Reading> readings, String version, PrintWriter out) {
    new DiagnosisPage(diagnosis, view, readings, out).write(version);
  }

  private void write(String version) {
    Map<String, String> sections = new LinkedHashMap<>();
    sections.put("causes", diagnosis.causes().isEmpty() ? "Result" : "Causes");
    ViewSections.titles(view, sections);
    put(sections, "interpretation", "Interpretation", readings);
    put(sections, "open", "Open", diagnosis.open());
    put(sections, "asks", "Measure next", diagnosis.asks());
    sections.put("ladder", "Layers");
    put(sections, "ruledout", "Ruled out", diagnosis.ruledOut());
    put(sections, "observed", "Observed", diagnosis.observations());
    put(sections, "unread", "Not read", diagnosis.unread());
    String tone = switch (diagnosis.outcome()) {
      case FAULT_FOUND -> "bad";
      case NO_FAULT_FOUND -> "good";
      case INCONCLUSIVE -> "maybe";
    };
    page.write("diagnose", diagnosis.outcome().toString(), tone, saying(), sections, p -> content(), version);
  }

  private static void put(Map<String, String> sections, String id, String title, List<?> content) {
    if (!content.isEmpty()) {
      sections.put(id, title);
    }
  }

  private String saying() {
    return switch (diagnosis.outcome()) {
      case FAULT_FOUND -> diagnosis.causes().isEmpty() ? "Something is wrong, and no cause could be told." : diagnosis.causes().get(0).message();
      case NO_FAULT_FOUND -> "Nothing in the evidence speaks of a fault; the layers below say what was proven.";
      case INCONCLUSIVE -> "The evidence allows neither a cause nor health to be told.";
    };
  }

  private void content() {
    page.section("causes", diagnosis.causes().isEmpty() ? "Result" : "Causes", this::causes);
    new ViewSections(page, view).write();
    if (!readings.isEmpty()) {
      ReadingSection.write(page, readings);
    }
    if (!diagnosis.open().isEmpty()) {
      page.section("open", "Open", this::open);
    }
    if (!diagnosis.asks().isEmpty()) {
      page.section("asks", "Measure next", this::asks);
    }
    page.section("ladder", "Layers", this::ladder);
    if (!diagnosis.ruledOut().isEmpty()) {
      page.section("ruledout", "Ruled out", () -> told("Faults that a fact rules out", diagnosis.ruledOut()));
    }
    if (!diagnosis.observations().isEmpty()) {
      page.section("observed", "Observed", () -> {
        page.paragraph("Proven, but they explain no symptom of this run.");
        told("Observations", diagnosis.observations());
      });
    }
    if (!diagnosis.unread().isEmpty()) {
      page.section("unread", "Not read", () -> page.table("Parts of the evidence that could not be read", List.of("place", "why"),
          diagnosis.unread().stream().map(u -> List.of(u.file() + (u.line() > 0 ? ":" + u.line() : ""), u.reason())).toList()));
    }
    diagnosis.failures().forEach(f -> page.paragraph("internal: " + f));
  }

  private void causes() {
    if (diagnosis.causes().isEmpty()) {
      page.paragraph("No cause was found.");
      diagnosis.symptoms().forEach(s -> {
        page.html.open("article").element("h3", "Symptom: " + s.fault()).element("p", s.message());
        page.proof(s.cited());
        page.html.close("article");
      });
    }
    int number = 0;
    for (Answer cause : diagnosis.causes()) {
      page.html.open("article", "class", "cause").element("h3", ++number + ". " + cause.fault() + " (" + cause.status() + ")").element("p", cause.message());
      page.facts("on", cause.subject(), "layer", cause.layer().toString(), "rule", cause.rule().code() + " " + cause.rule().slug());
      page.html.open("p", "class", "remedy").element("strong", "Remedy: ").text(cause.rule().remedy()).close("p");
      page.html.element("h4", "Proof");
      page.proof(cause.cited());
      listed("Explains", cause.explains());
      listed("Contradicted by", cause.contradictedBy());
      page.html.close("article");
    }
  }

  private void listed(String title, List<String> lines) {
    if (!lines.isEmpty()) {
      page.html.element("h4", title);
      page.list(lines);
    }
  }

  private void open() {
    page.paragraph("The evidence allows these and does not prove them; most probable first.");
    for (Answer open : diagnosis.open()) {
      page.html.open("article").element("h3", open.fault()).element("p", open.message());
      page.facts("on", open.subject(), "layer", open.layer().toString(), "rule", open.rule().code(), "missing", String.join(", ", open.missing()));
      page.proof(open.cited().stream().limit(3).toList());
      listed("Contradicted by", open.contradictedBy());
      page.html.close("article");
    }
  }

  private void asks() {
    page.html.open("ol");
    for (Ask ask : diagnosis.asks()) {
      page.html.open("li").open("pre").element("code", ask.command()).close("pre");
      page.html.element("p", ask.proves() + " (" + ask.cost() + (ask.on().isEmpty() ? "" : "; on " + String.join(", ", ask.on())) + "). Separates " + String.join(", ", ask.separates()) + ".");
      page.html.close("li");
    }
    page.html.close("ol");
  }

  private void ladder() {
    page.paragraph("Lowest layer first. A higher layer is worth judging only once the ones below are proven.");
    page.html.open("div", "class", "scroll", "tabindex", "0", "role", "group", "aria-label", "Layers").open("table", "class", "ladder").element("caption", "The ladder of proofs");
    page.html.open("thead").open("tr");
    List.of("layer", "verdict", "proof or what is needed").forEach(h -> page.html.element("th", h, "scope", "col"));
    page.html.close("tr").close("thead").open("tbody");
    boolean marked = false;
    for (LayerState layer : diagnosis.layers()) {
      boolean boundary = !marked && !layer.verdict().equals("proven");
      marked |= boundary;
      page.html.open("tr", "class", boundary ? "boundary" : "layer").element("th", layer.layer() + (boundary ? " (first boundary)" : ""), "scope", "row");
      String sign = layer.verdict().equals("proven") ? "✓ " : layer.verdict().equals("failed") ? "✗ " : "? ";
      String tone = layer.verdict().equals("proven") ? "good" : layer.verdict().equals("failed") ? "bad" : "maybe";
      page.html.element("td", sign + layer.verdict(), "class", tone);
      page.html.element("td", layer.verdict().equals("not-proven") ? "needs: " + layer.requires() : layer.requires() + places(layer.cited()), "class", "text");
      page.html.close("tr");
    }
    page.html.close("tbody").close("table").close("div");
  }

  private static String places(List<Cited> cited) {
    return cited.isEmpty() ? "" : " (" + cited.stream().map(Page::place).distinct().limit(2).reduce((a, b) -> a + ", " + b).orElse("") + ")";
  }

  private void told(String caption, List<Answer> answers) {
    page.table(caption, List.of("fault", "why", "evidence"),
        answers.stream().map(a -> List.of(a.fault(), a.message(), a.cited().isEmpty() ? "" : Page.place(a.cited().get(0)))).toList());
  }
}
