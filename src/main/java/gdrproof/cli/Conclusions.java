package gdrproof.cli;

import gdrproof.finding.Diagnosis;
import gdrproof.finding.Diagnosis.Answer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * What a diagnosis says, as lines that can be compared when names were replaced: words in the order of the alphabet, since lists of names are
 * sorted by them.
 */
final class Conclusions {
  private Conclusions() {}

  static List<String> of(Diagnosis diagnosis, UnaryOperator<String> names) {
    List<String> lines = new ArrayList<>();
    lines.add("outcome " + diagnosis.outcome());
    diagnosis.causes().forEach(a -> lines.add("cause " + answer(a, names)));
    diagnosis.open().forEach(a -> lines.add("open " + answer(a, names)));
    diagnosis.observations().forEach(a -> lines.add("observation " + answer(a, names)));
    diagnosis.symptoms().forEach(a -> lines.add("symptom " + answer(a, names)));
    diagnosis.ruledOut().forEach(a -> lines.add("ruled out " + answer(a, names)));
    diagnosis.layers().forEach(l -> lines.add("layer " + l.layer() + " " + l.verdict() + " missing " + l.missing()));
    diagnosis.asks().forEach(a -> lines.add("ask " + a.measurement() + " on " + words(names.apply(String.join(", ", a.on()))) + " separates " + a.separates()));
    lines.sort(null);
    return lines;
  }

  private static String answer(Answer a, UnaryOperator<String> names) {
    String subjects = a.subjects().stream().map(s -> words(names.apply(s.toString()))).sorted().collect(Collectors.joining("; "));
    String explains = a.explains().stream().map(m -> words(names.apply(m))).sorted().collect(Collectors.joining("; "));
    return a.rule().code() + " " + a.fault() + " " + a.status() + " [" + subjects + "] " + words(names.apply(a.message())) + " explains [" + explains + "] contradicted by " + a.contradictedBy().size()
        + " missing " + a.missing() + " decisive " + a.decisive();
  }

  private static String words(String text) {
    String[] words = text.split("[\\s,]+");
    Arrays.sort(words);
    return String.join(" ", words);
  }

  /** What a line is about: sort, rule, fault and status. */
  private static String head(String line) {
    String[] words = line.split(" ", 5);
    return String.join(" ", Arrays.copyOf(words, Math.min(words.length, 4)));
  }

  /** Lines that only one side has, marked `before:` or `after:`; of two that speak of the same fault only what differs. */
  static List<String> differences(List<String> before, List<String> after) {
    List<String> gone = new ArrayList<>(before);
    after.forEach(gone::remove);
    List<String> come = new ArrayList<>(after);
    before.forEach(come::remove);
    List<String> all = new ArrayList<>();
    for (String line : List.copyOf(gone)) {
      String twin = come.stream().filter(c -> head(c).equals(head(line))).findFirst().orElse(null);
      if (twin != null) {
        gone.remove(line);
        come.remove(twin);
        List<String> were = new ArrayList<>(List.of(line.split(" ")));
        List<String> are = new ArrayList<>(List.of(twin.split(" ")));
        List.of(twin.split(" ")).forEach(were::remove);
        List.of(line.split(" ")).forEach(are::remove);
        all.add(head(line) + ": before with " + String.join(" ", were) + " | after with " + String.join(" ", are));
      }
    }
    gone.forEach(line -> all.add("before: " + line));
    come.forEach(line -> all.add("after:  " + line));
    return all;
  }
}
