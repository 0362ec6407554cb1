package gdrproof.report.html;

import gdrproof.finding.Diagnosis.Cited;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** The frame of every HTML report: one file, its own style, no script, and a policy that forbids any request. */
final class Page {
  private static final int LINES_OF_PROOF = 8;
  /** Columns that a phone has room for; the rows of wider tables are stacked there. */
  private static final int WIDE = 2;
  private static final int BAR = 120;
  /** Letters of a cell that is kept on one line, and of one that needs room for a sentence. */
  private static final int SHORT = 24;
  private static final int SENTENCE = 40;
  private static final Pattern COLOUR = Pattern.compile("\\u001b\\[[0-9;]*[A-Za-z]");
  private static final String POLICY = "default-src 'none'; style-src 'unsafe-inline'";

  final Html html;

  Page(PrintWriter out) {
    html = new Html(out);
  }

  /**
   * Writes a whole page.
   *
   * @param word outcome in one word, tone `bad`, `good` or `maybe`, saying what it means
   * @param sections titles by the id of their section, in order
   */
  void write(String command, String word, String tone, String saying, Map<String, String> sections, Consumer<Page> content, String version) {
    html.doctype();
    html.open("html", "lang", "en", "xmlns", "http://www.w3.org/1999/xhtml").open("head");
    html.empty("meta", "charset", "utf-8");
    html.element("title", "gdrproof " + command + ": " + word);
    html.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    html.empty("meta", "name", "color-scheme", "content", "light dark");
    html.empty("meta", "http-equiv", "Content-Security-Policy", "content", POLICY);
    html.style(css());
    html.close("head").open("body");
    html.element("a", "Skip to the answer", "class", "skip", "href", "#answer");
    html.open("header").element("h1", "gdrproof " + command);
    html.open("p", "class", "outcome").element("span", word, "class", "word " + tone).text(" " + saying).close("p");
    html.close("header");
    html.open("nav", "aria-label", "Sections").open("ul");
    sections.forEach((id, title) -> html.open("li").element("a", title, "href", "#" + id).close("li"));
    html.close("ul").close("nav");
    html.open("main", "id", "answer");
    content.accept(this);
    html.close("main");
    html.open("footer").element("p", "Written by gdrproof " + version + " from the evidence it was given; nothing in this file is loaded from elsewhere. Print leaves out what is folded up.").close("footer");
    html.close("body").close("html");
    html.done();
  }

  void section(String id, String title, Runnable content) {
    html.open("section", "aria-labelledby", id).element("h2", title, "id", id);
    content.run();
    html.close("section");
  }

  void paragraph(String text) {
    html.element("p", text);
  }

  void list(List<String> lines) {
    html.open("ul");
    lines.forEach(line -> html.element("li", line));
    html.close("ul");
  }

  /** A table that scrolls by itself where the page is narrow; its first column names the row. */
  void table(String caption, List<String> heads, List<List<String>> rows) {
    html.open("div", "class", "scroll", "tabindex", "0", "role", "group", "aria-label", caption).open("table", "class", heads.size() > WIDE ? "wide" : "plain").element("caption", caption);
    html.open("thead").open("tr");
    for (int i = 0; i < heads.size(); i++) {
      html.element("th", heads.get(i), "scope", "col", "class", i > 0 && numbers(rows, i) ? "number" : "head");
    }
    html.close("tr").close("thead").open("tbody");
    for (List<String> row : rows) {
      html.open("tr").element("th", row.get(0), "scope", "row");
      for (int i = 1; i < row.size(); i++) {
        html.element("td", row.get(i), "class", numbers(rows, i) ? "number" : kind(row.get(i)), "data-label", heads.get(i));
      }
      html.close("tr");
    }
    html.close("tbody").close("table").close("div");
  }

  /** Whether a column holds numbers only, which are then set flush right. */
  private static boolean numbers(List<List<String>> rows, int column) {
    return rows.stream().map(r -> r.get(column)).allMatch(c -> c.matches("[-+]?\\d[\\d.]*( ?%)?|unknown|"));
  }

  private static String kind(String cell) {
    return cell.length() > SENTENCE ? "text" : cell.length() > SHORT ? "cell" : "short";
  }

  /** A bar of a width of `BAR` that is filled to a share of 0 to 1; the number it stands for must be beside it in words. */
  void bar(double share) {
    long width = Math.round(BAR * Math.max(0, Math.min(1, share)));
    html.open("svg", "xmlns", "http://www.w3.org/2000/svg", "class", "bar", "viewBox", "0 0 " + BAR + " 14", "width", String.valueOf(BAR), "height", "14", "aria-hidden", "true", "focusable", "false");
    html.empty("rect", "x", "0", "y", "1", "width", String.valueOf(width), "height", "12");
    html.empty("rect", "class", "frame", "x", "0.5", "y", "1.5", "width", String.valueOf(BAR - 1), "height", "11");
    html.close("svg");
  }

  /** Pairs of a word and what it is. */
  void facts(String... pairs) {
    html.open("dl", "class", "facts");
    for (int i = 0; i + 1 < pairs.length; i += 2) {
      if (!pairs[i + 1].isEmpty()) {
        html.open("div").element("dt", pairs[i]).element("dd", pairs[i + 1]).close("div");
      }
    }
    html.close("dl");
  }

  /** Lines of evidence with their places. */
  void proof(List<Cited> cited) {
    if (cited.isEmpty()) {
      return;
    }
    html.open("ul", "class", "proof");
    cited.stream().limit(LINES_OF_PROOF).forEach(c -> {
      html.open("li").element("span", place(c), "class", "place");
      if (!shown(c).isBlank()) {
        html.open("pre").element("code", shown(c)).close("pre");
      }
      html.close("li");
    });
    if (cited.size() > LINES_OF_PROOF) {
      html.element("li", "and " + (cited.size() - LINES_OF_PROOF) + " more lines");
    }
    html.close("ul");
  }

  /** Colours of a terminal say nothing here. */
  private static String shown(Cited cited) {
    return COLOUR.matcher(cited.evidence().excerpt()).replaceAll("");
  }

  static String place(Cited cited) {
    int line = cited.evidence().line();
    int end = cited.evidence().endLine();
    return cited.evidence().file() + (line > 0 ? ":" + line : "") + (end > line ? "-" + end : "");
  }

  private static String css() {
    try (InputStream stream = Page.class.getResourceAsStream("/report/page.css")) {
      if (stream == null) {
        throw new IllegalStateException("report/page.css is missing from the program");
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
