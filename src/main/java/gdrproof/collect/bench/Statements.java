package gdrproof.collect.bench;

import gdrproof.bundle.Section;
import gdrproof.collect.Collector;
import gdrproof.collect.Sink;
import gdrproof.facts.Bench.StatedFigures;
import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a person wrote about a figure: measured so much, expected so much. Both must be there, each with its unit. */
final class Statements implements Collector {
  private static final String FIGURE = "\\D{0,40}?(?<value>\\d+(?:\\.\\d+)?)\\s*(?<unit>" + Units.UNIT + ")(?<after>[^\\d;\\n]{0,24})";
  private static final Pattern MEASURED = Pattern.compile("(?i:\\b(?:measured|observed|actual|achieved|we (?:get|see|got)|result|only (?:get|reach)\\w*)\\b)" + FIGURE);
  private static final Pattern EXPECTED = Pattern.compile("(?i:\\b(?:vendor figure|expected|expect|spec(?:ification)?|data ?sheet|theoretical|nominal|advertised|target|should (?:be|reach|get)|"
      + "line rate|reference)\\b)" + FIGURE);
  private static final int NEAR = 3;

  @Override
  public String tool() {
    return "statement of expected and measured figures";
  }

  @Override
  public void collect(Section section, Sink sink) {
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher measured = line.length() > 2000 ? MEASURED.matcher("") : MEASURED.matcher(line);
      if (!measured.find()) {
        continue;
      }
      for (int j = Math.max(0, i - NEAR); j <= Math.min(section.lines().size() - 1, i + NEAR); j++) {
        String other = section.lines().get(j);
        Matcher expected = other.length() > 2000 ? EXPECTED.matcher("") : EXPECTED.matcher(other);
        if (expected.find()) {
          String around = measured.group().toLowerCase(Locale.ROOT);
          String metric = around.contains("algbw") ? "algbw" : around.contains("busbw") ? "busbw" : Fact.UNKNOWN;
          sink.fact(new StatedFigures(section.node(), gigabytes(measured), metric, gigabytes(expected), line.strip()), section.at(Math.min(i, j), Math.max(i, j)));
          return;
        }
      }
    }
  }

  private static Num gigabytes(Matcher figure) {
    return Units.gigabytes(Num.parse(figure.group("value")), Units.normal(figure.group("unit")));
  }
}
