package gdrproof.report;

import gdrproof.facts.Fact;
import gdrproof.finding.Diagnosis;
import gdrproof.finding.Diagnosis.Answer;
import gdrproof.finding.Diagnosis.Cited;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The answer for people, on one screen: cause first, symptoms folded under it, then what is open, ruled out and not proven. What does not fit is
 * counted; JSON and `--explain` show all of it.
 */
public final class TextReport {
  /** Columns of a usual terminal window; longer lines are cut, the message and the remedy of a cause broken. */
  private static final int WIDTH = 120;
  private static final int CAUSES_IN_FULL = 1;
  private static final int CAUSES = 5;
  private static final int OPEN = 5;
  private static final int OTHERS = 4;
  private static final int ASKS = 3;
  private static final int LINES_OF_AN_ASK = 2;
  private static final int NODES_OF_AN_ASK = 6;

  private TextReport() {}

  public static void write(Diagnosis d, PrintWriter out) {
    out.println("outcome: " + d.outcome());
    causes(d.causes(), out);
    open(d.open(), out);
    if (d.causes().isEmpty() && !d.symptoms().isEmpty()) {
      title("symptoms:", out);
      some(d.symptoms(), OTHERS, "  ", out, s -> {
        line("  " + s.fault() + ": " + s.message(), out);
        proof(s.cited(), 2, out);
      });
    }
    first(d.context().first(), out);
    differences(d.context().differences(), out);
    if (!d.observations().isEmpty()) {
      title("observed, explains no symptom of this run:", out);
      some(d.observations(), OTHERS, "  ", out, o -> line("  " + o.fault() + ": " + o.message(), place(o.cited()), out));
    }
    ruledOut(d.ruledOut(), out);
    layers(d.layers(), out);
    asks(d.asks(), out);
    if (!d.rounds().isEmpty()) {
      out.println();
      out.println("steps:");
      d.rounds().forEach(round -> round(round, out));
    }
    if (!d.unread().isEmpty()) {
      title("not read:", out);
      some(d.unread(), OTHERS, "  ", out, u -> line("  " + u.file() + (u.line() > 0 ? ":" + u.line() : "") + ": " + u.reason(), out));
    }
    d.failures().forEach(f -> out.println("internal: " + f));
  }

  private static void round(Diagnosis.Round round, PrintWriter out) {
    out.println("  " + round.number() + ": " + round.outcome() + (round.causes().isEmpty() ? "" : "; claimed " + String.join(", ", round.causes()))
        + (round.open().isEmpty() ? "" : "; open " + String.join(", ", round.open())) + (round.end().isEmpty() ? "" : "; end: " + round.end()));
    round.did().forEach(d -> out.println("     " + d.measurement() + (d.node().isEmpty() ? "" : " on " + d.node()) + ": " + d.status() + (d.file().isEmpty() ? "" : ", " + d.file())
        + (d.note().isEmpty() ? "" : ", " + d.note())));
  }

  private static void causes(List<Answer> causes, PrintWriter out) {
    int rank = 0;
    for (Answer cause : causes.subList(0, Math.min(CAUSES, causes.size()))) {
      boolean full = ++rank <= CAUSES_IN_FULL;
      title("cause " + rank + " (" + cause.status() + "): " + cause.fault() + " [" + cause.layer() + ", " + cause.rule().code() + "]", out);
      wrapped("  ", cause.message(), out);
      line("  on: " + cause.subject(), out);
      proof(cause.cited(), full ? 4 : 2, out);
      list("explains", cause.explains(), full ? 4 : 1, out);
      list("contradicted by", cause.contradictedBy(), 2, out);
      wrapped("  remedy: ", cause.rule().remedy(), out);
    }
    more(causes.size() - CAUSES, "  ", "causes", out);
  }

  private static void open(List<Answer> open, PrintWriter out) {
    if (!open.isEmpty()) {
      title("open (allowed by the evidence, not proven):", out);
      some(open, OPEN, "  ", out, o -> {
        line("  " + o.fault() + " [" + o.layer() + ", " + o.rule().code() + "] " + o.message(), out);
        if (!o.missing().isEmpty()) {
          line("    missing: " + String.join(", ", o.missing()), out);
        }
      });
    }
  }

  private static void first(List<Diagnosis.First> first, PrintWriter out) {
    if (!first.isEmpty()) {
      boolean run = first.get(0).ofRun();
      title(run ? "failed first:" : "failed first on each node (clocks of different nodes are not compared):", out);
      some(first, 3, "  ", out, f -> line("  " + f.process() + (f.rank().equals(Fact.UNKNOWN) ? "" : " rank " + f.rank()) + (f.time().equals(Fact.UNKNOWN) ? "" : " at " + f.time())
          + ": " + f.text() + (f.peer().equals(Fact.UNKNOWN) ? "" : " [peer " + f.peer() + "]"), place(f.cited()), out));
    }
  }

  private static void differences(List<Diagnosis.Differs> differences, PrintWriter out) {
    if (!differences.isEmpty()) {
      title("differs from its reference (what bears on an answer first):", out);
      some(differences, 8, "  ", out, d -> line("  " + (d.explains().isEmpty() ? "  " : "* ") + d.node() + " " + d.aspect() + " " + d.part() + ": " + d.value() + ", " + d.reference() + ": " + d.other()
          + (d.explains().isEmpty() ? "" : "  -> " + String.join(", ", d.explains())), out));
    }
  }

  /** Faults that one fact rules out together share a line. */
  private static void ruledOut(List<Answer> ruledOut, PrintWriter out) {
    if (ruledOut.isEmpty()) {
      return;
    }
    title("ruled out:", out);
    Map<String, String> groups = new LinkedHashMap<>();
    Map<String, String> places = new LinkedHashMap<>();
    for (Answer r : ruledOut) {
      groups.merge(r.message(), r.fault(), (a, b) -> a + ", " + b);
      places.putIfAbsent(r.message(), place(r.cited()));
    }
    some(List.copyOf(groups.entrySet()), OTHERS, "  ", out, g -> {
      if (g.getValue().contains(", ")) {
        wrapped("  ", g.getValue() + ":", out);
        line("    " + g.getKey(), places.get(g.getKey()), out);
      } else {
        line("  " + g.getValue() + ": " + g.getKey(), places.get(g.getKey()), out);
      }
    });
  }

  /** The first boundary that is not proven tells what it needs; those above it are named alone. */
  private static void layers(List<Diagnosis.LayerState> layers, PrintWriter out) {
    title("layers, lowest first:", out);
    boolean marked = false;
    StringBuilder rest = new StringBuilder();
    for (Diagnosis.LayerState layer : layers) {
      boolean unproven = layer.verdict().equals("not-proven");
      if (unproven && marked) {
        rest.append(rest.isEmpty() ? "" : ", ").append(layer.layer());
        continue;
      }
      boolean boundary = !marked && !layer.verdict().equals("proven");
      marked |= boundary;
      line((boundary ? "> " : "  ") + String.format("%-23s %-11s", layer.layer(), layer.verdict()) + (unproven ? "needs: " + layer.requires() : place(layer.cited()).strip()), out);
    }
    if (!rest.isEmpty()) {
      wrapped("  not proven either: ", rest.toString(), out);
    }
  }

  private static void asks(List<Diagnosis.Ask> asks, PrintWriter out) {
    if (!asks.isEmpty()) {
      title("measure next:", out);
      some(asks, ASKS, "  ", out, ask -> ask(ask, out));
    }
  }

  private static void ask(Diagnosis.Ask ask, PrintWriter out) {
    List<String> lines = ask.command().lines().toList();
    // A command for each node says where it runs itself.
    boolean same = lines.size() == 1 && !lines.get(0).contains("   # on ");
    String on = ask.on().size() > NODES_OF_AN_ASK ? String.join(", ", ask.on().subList(0, NODES_OF_AN_ASK)) + " and " + (ask.on().size() - NODES_OF_AN_ASK) + " more" : String.join(", ", ask.on());
    // Commands are copied: they are never cut.
    lines.stream().limit(LINES_OF_AN_ASK).forEach(line -> out.println("  " + line + (same && !on.isEmpty() ? "   # on " + on : "")));
    if (lines.size() > LINES_OF_AN_ASK) {
      out.println("  and " + (lines.size() - LINES_OF_AN_ASK) + " more (--plan FILE writes all)");
    }
    ask.fill().forEach((slot, how) -> line("    {" + slot + "}: " + how, out));
    line("    " + ask.proves() + " (" + ask.cost() + ", about " + ask.seconds() + " s); separates " + String.join(", ", ask.separates()), out);
  }

  private static void title(String text, PrintWriter out) {
    out.println();
    out.println(text);
  }

  private static <T> void some(List<T> all, int most, String indent, PrintWriter out, Consumer<T> print) {
    all.stream().limit(most).forEach(print);
    more(all.size() - most, indent, "", out);
  }

  private static void more(int left, String indent, String what, PrintWriter out) {
    if (left > 0) {
      out.println(indent + "and " + left + " more" + (what.isEmpty() ? "" : " " + what) + " (-o json shows all)");
    }
  }

  /** One line, cut where the window ends. */
  private static void line(String text, PrintWriter out) {
    line(text, "", out);
  }

  private static void line(String text, String tail, PrintWriter out) {
    String plain = text.replace('\t', ' ').replace('\n', ' ');
    int room = WIDTH - tail.length();
    out.println((plain.length() > room ? plain.substring(0, Math.max(0, room - 1)) + "…" : plain) + tail);
  }

  /** As many lines as it takes, broken at blanks. */
  private static void wrapped(String indent, String text, PrintWriter out) {
    String pad = " ".repeat(indent.length() - indent.stripLeading().length() + (indent.isBlank() ? 0 : 2));
    StringBuilder line = new StringBuilder(indent);
    boolean empty = true;
    for (String word : text.replace('\n', ' ').split(" ")) {
      if (!empty && line.length() + word.length() + 1 > WIDTH) {
        out.println(line);
        line.setLength(0);
        line.append(pad);
        empty = true;
      }
      line.append(empty ? "" : " ").append(word);
      empty = false;
    }
    out.println(line);
  }

  private static void proof(List<Cited> cited, int most, PrintWriter out) {
    cited.stream().limit(most).forEach(c -> line("    " + c.evidence().file() + ":" + c.evidence().line() + "  " + oneLine(c.evidence().excerpt()), out));
    if (cited.size() > most) {
      out.println("    and " + (cited.size() - most) + " more");
    }
  }

  private static String oneLine(String excerpt) {
    int end = excerpt.indexOf('\n');
    return end < 0 ? excerpt : excerpt.substring(0, end) + " …";
  }

  private static String place(List<Cited> cited) {
    return cited.isEmpty() ? "" : "  (" + cited.get(0).evidence().file() + ":" + cited.get(0).evidence().line() + ")";
  }

  private static void list(String title, List<String> lines, int most, PrintWriter out) {
    if (!lines.isEmpty()) {
      out.println("  " + title + ":");
      lines.stream().limit(most).forEach(l -> line("    " + l, out));
      if (lines.size() > most) {
        out.println("    and " + (lines.size() - most) + " more");
      }
    }
  }
}
