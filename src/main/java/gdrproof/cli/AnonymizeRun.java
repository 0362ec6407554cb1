package gdrproof.cli;

import gdrproof.anonymize.Identifiers;
import gdrproof.anonymize.Pseudonyms;
import gdrproof.anonymize.Sightings;
import gdrproof.bundle.Bundle;
import gdrproof.bundle.Bundle.Entry;
import gdrproof.bundle.Redaction;
import gdrproof.bundle.Text;
import gdrproof.facts.Ledger;
import gdrproof.finding.Diagnosis;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** The way from a bundle to one without names, and the proof that the answer is the same and no name is left. */
final class AnonymizeRun {
  /** Larger files are read line by line, and a secret is told by its own line only, as when they are diagnosed. */
  private static final int WHOLE = 32 << 20;
  private static final int MOST_LEFT = 20;

  private final List<Entry> entries;
  private final Pseudonyms pseudonyms;
  private final Identifiers identifiers = new Identifiers();
  private final Ledger ledger;
  private final Diagnosis before;
  private final Map<String, String> leftOut = new TreeMap<>();

  /**
   * @throws Unreadable where the bundle holds no fact: nothing could be proved of it
   */
  AnonymizeRun(List<Entry> entries, String shown) throws IOException {
    this.entries = entries;
    ledger = Pipeline.facts(entries);
    if (Pipeline.empty(ledger)) {
      throw new Unreadable(shown + ": no evidence recognised, so nothing could be proved of a copy without names");
    }
    before = Pipeline.diagnose(ledger, List.of());
    Sightings.in(ledger, identifiers);
    for (Entry entry : entries) {
      Sightings.in("/" + entry.name(), identifiers);
      identifiers.shapes(entry.name());
      each(entry, line -> {
        Sightings.in(line, identifiers);
        identifiers.shapes(line);
      });
    }
    for (Entry entry : entries) {
      each(entry, identifiers::domains);
    }
    pseudonyms = new Pseudonyms(identifiers);
  }

  Identifiers identifiers() {
    return identifiers;
  }

  Pseudonyms pseudonyms() {
    return pseudonyms;
  }

  Diagnosis before() {
    return before;
  }

  /** Files that are not in the result, with the reason. */
  Map<String, String> leftOut() {
    return leftOut;
  }

  /** Writes every readable entry. @return number of files */
  int write(AnonymizeOut out) throws IOException {
    Set<String> names = new TreeSet<>();
    for (Entry entry : entries) {
      if (leftOut.containsKey(entry.name())) {
        continue;
      }
      String name = pseudonyms.apply(entry.name());
      while (!names.add(name)) {
        name += "-2";
      }
      out.begin(name);
      each(entry, line -> out.line(pseudonyms.apply(line)));
      out.end();
    }
    return names.size();
  }

  /** Originals that the result still holds, with the place; at most some. */
  List<String> left(Path result) throws IOException {
    List<String> left = new ArrayList<>();
    for (Entry entry : Bundle.open(result)) {
      pseudonyms.left(entry.name()).forEach(original -> left.add("the name of file " + entry.name() + ": " + original));
      int[] number = {0};
      each(entry, line -> {
        number[0]++;
        Set<String> found = new TreeSet<>(pseudonyms.left(line));
        String clean = Text.clean(line);
        if (!clean.equals(line)) {
          found.addAll(pseudonyms.left(clean));
        }
        if (left.size() < MOST_LEFT) {
          found.forEach(original -> left.add(entry.name() + ":" + number[0] + ": " + original));
        }
      });
    }
    return left;
  }

  /** What the diagnosis of the result says otherwise; empty where it says the same. */
  List<String> differences(Path result) throws IOException {
    Diagnosis after = Pipeline.diagnose(Pipeline.facts(result), List.of());
    return Conclusions.differences(Conclusions.of(before, pseudonyms::apply), Conclusions.of(after, text -> text));
  }

  private void each(Entry entry, Consumer<String> action) throws IOException {
    try (InputStream stream = entry.open()) {
      byte[] head = stream.readNBytes(WHOLE + 1);
      if (head.length > WHOLE) {
        for (int i = 0; i < 4096; i++) {
          if (head[i] == 0) {
            leftOut.put(entry.name(), "larger than " + (WHOLE >> 20) + " MiB and no text in UTF-8");
            return;
          }
        }
        BufferedReader reader = new BufferedReader(new InputStreamReader(new SequenceInputStream(new ByteArrayInputStream(head), stream), StandardCharsets.UTF_8));
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
          action.accept(Redaction.line(line));
        }
        return;
      }
      List<String> lines = Text.lines(head);
      if (lines == null) {
        leftOut.put(entry.name(), "not text, so names in it cannot be told");
      } else {
        Redaction.lines(lines).forEach(action);
      }
    } catch (IOException e) {
      leftOut.put(entry.name(), String.valueOf(e.getMessage()));
    }
  }
}
