package gdrproof.review;

import gdrproof.bundle.Bundle;
import gdrproof.bundle.Bundle.Entry;
import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.bundle.Text;
import gdrproof.bundle.Yaml;
import gdrproof.bundle.Yaml.Document;
import gdrproof.bundle.Yaml.Flaw;
import gdrproof.bundle.Yaml.FlawKind;
import gdrproof.collect.operator.OperatorSet;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One state of a configuration, read from a file, a folder, or texts of a revision.
 *
 * @param unread documents that could not be judged, as `file:line: reason`
 */
public record ReviewInput(OperatorSet set, List<String> unread) {
  private static final int LARGEST = 32 << 20;

  /**
   * @param release chart release that the user gives, or ""
   */
  public static ReviewInput of(Path path, String release) throws IOException {
    List<Document> documents = new ArrayList<>();
    List<String> unread = new ArrayList<>();
    List<Entry> entries = Bundle.open(path);
    for (Entry entry : entries) {
      if (entries.size() > 1 && !manifest(entry.name())) {
        continue;
      }
      try (InputStream stream = entry.open()) {
        byte[] bytes = stream.readNBytes(LARGEST + 1);
        List<String> lines = bytes.length > LARGEST ? null : Text.lines(bytes);
        if (lines == null) {
          unread.add(entry.name() + ": " + (bytes.length > LARGEST ? "larger than 32 MiB" : "not a text file"));
        } else {
          add(entry.name(), lines, documents, unread);
        }
      }
    }
    return new ReviewInput(OperatorSet.of(documents, release), unread);
  }

  /** A state from texts by file name (a revision, a live cluster). */
  public static ReviewInput of(Map<String, String> files, String release, List<String> unread) {
    List<Document> documents = new ArrayList<>();
    List<String> open = new ArrayList<>(unread);
    files.forEach((name, text) -> add(name, List.of(text.split("\n", -1)), documents, open));
    return new ReviewInput(OperatorSet.of(documents, release), open);
  }

  /** This state with the objects of another laid over it: what applying those files would make of a cluster. */
  public ReviewInput with(ReviewInput files) {
    List<String> open = new ArrayList<>(unread);
    open.addAll(files.unread);
    return new ReviewInput(OperatorSet.overlay(set, files.set), open);
  }

  private static void add(String name, List<String> lines, List<Document> documents, List<String> unread) {
    for (Section section : Sections.split(name, lines)) {
      for (Document document : Yaml.read(section)) {
        documents.add(document);
        for (Flaw flaw : document.flaws()) {
          String what = flaw.kind() == FlawKind.TEMPLATE ? "template, not judged (render it first: helm template, kubectl kustomize)" : flaw.message();
          unread.add(name + ":" + flaw.line() + ": " + what);
        }
      }
    }
  }

  static boolean manifest(String name) {
    return name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json");
  }
}
