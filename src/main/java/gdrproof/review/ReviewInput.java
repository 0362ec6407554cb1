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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One state of a configuration, read from a file, a folder, or texts of a revision.
 *
 * @param documents what it was read from, those that overlay others last
 * @param unread documents that could not be judged, as `file:line: reason`
 */
public record ReviewInput(OperatorSet set, List<Document> documents, List<String> unread) {
  private static final int LARGEST = 32 << 20;

  /**
   * Files are named as the user would open them: below the path that was given.
   *
   * @param release chart release that the user gives, or ""
   */
  public static ReviewInput of(Path path, String release) throws IOException {
    List<Document> documents = new ArrayList<>();
    List<String> unread = new ArrayList<>();
    String base = base(Files.isDirectory(path) ? path : path.getParent());
    List<Entry> entries = Bundle.open(path);
    for (Entry entry : entries) {
      if (entries.size() > 1 && !manifest(entry.name())) {
        continue;
      }
      try (InputStream stream = entry.open()) {
        byte[] bytes = stream.readNBytes(LARGEST + 1);
        List<String> lines = bytes.length > LARGEST ? null : Text.lines(bytes);
        if (lines == null) {
          unread.add(base + entry.name() + ": " + (bytes.length > LARGEST ? "larger than 32 MiB" : "not a text file"));
        } else {
          add(base + entry.name(), lines, documents, unread);
        }
      }
    }
    return new ReviewInput(OperatorSet.of(documents, release, base), documents, unread);
  }

  /** A folder as the beginning of its files' names. */
  static String base(Path folder) {
    String name = folder == null ? "" : folder.normalize().toString().replace('\\', '/');
    return name.isEmpty() || name.endsWith("/") ? name : name + "/";
  }

  /**
   * A state from texts by file name (a revision, a live cluster).
   *
   * @param base what stands before each name when it is shown, "" or a folder with a slash behind it
   */
  public static ReviewInput of(Map<String, String> files, String base, String release, List<String> unread) {
    List<Document> documents = new ArrayList<>();
    List<String> open = new ArrayList<>(unread);
    files.forEach((name, text) -> add(base + name, List.of(text.split("\n", -1)), documents, open));
    return new ReviewInput(OperatorSet.of(documents, release, base), documents, open);
  }

  /** This state with the objects of another laid over it: what applying those files would make of a cluster. */
  public ReviewInput with(ReviewInput files) {
    List<String> open = new ArrayList<>(unread);
    open.addAll(files.unread);
    List<Document> all = new ArrayList<>(documents);
    all.addAll(files.documents);
    return new ReviewInput(OperatorSet.overlay(set, files.set), all, open);
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
