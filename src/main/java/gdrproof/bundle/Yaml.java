package gdrproof.bundle;

import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Reads YAML (and so JSON) as values that keep line, column and path, the way Kubernetes' own reader understands it:
 * YAML 1.1 scalars, merge keys expanded. It never throws on content: what cannot be read is a {@link Flaw} of its
 * document, and the other documents of the file are read all the same.
 */
public final class Yaml {
  /** Levels of nesting; Kubernetes objects stay below 40. */
  static final int DEEPEST = 200;
  /** Characters of one scalar; a whole ConfigMap may hold 1 MiB. */
  static final int LONGEST_SCALAR = 2 << 20;
  /** Characters of one document. */
  static final int LONGEST_DOCUMENT = 32 << 20;
  /** Values that aliases and merge keys may add to one document. */
  static final int MOST_COPIES = 20_000;

  /** Documents of one text from which it pays to read them with several threads. */
  private static final int MANY_DOCUMENTS = 64;

  private static final Pattern TERRAFORM = Pattern.compile("%\\{~? *(?:if|for|else|endif|endfor)\\b|\\$\\{ *+\\w[\\w.]*+ +\\? |\\$\\{ *+\\w++\\(");

  private Yaml() {}

  /** What is wrong with a document. */
  public enum FlawKind {
    /** No YAML; the document has no values. */
    BROKEN,
    /** An unrendered template (Helm, Jinja, envsubst around keys); the document has no values. */
    TEMPLATE,
    /** One key twice in a map; the last one counts, as in lenient readers. */
    DUPLICATE_KEY,
    /** Too deep, too many aliases, too large: refused; the document has no values. */
    REFUSED
  }

  /**
   * @param path path of the value, "" for the document
   * @param earlier line of the first of two equal keys, else 0
   */
  public record Flaw(FlawKind kind, int line, int column, String path, String message, int earlier) {}

  /**
   * One document of a file.
   *
   * @param index number in the file from 0; empty documents count
   * @param line first line of the document in the file, 1-based
   * @param root {@link Value#MISSING} if the document is empty or could not be read
   * @param lines all lines of the file or section, for excerpts
   * @param offset number of the first of these lines in the file, minus 1
   */
  public record Document(String file, int index, int line, Value root, List<Flaw> flaws, List<String> lines, int offset) {
    /** Evidence for a value: a scalar's own place, else that of its key. */
    public Evidence at(Value value) {
      return value instanceof Value.Scalar ? at(value.line(), value.column(), value.path()) : atKey(value);
    }

    /** Evidence for the key that holds a value (a list's item: the item). */
    public Evidence atKey(Value value) {
      return at(value.keyLine(), value.keyColumn(), value.path());
    }

    public Evidence at(int line, int column, String path) {
      int index = line - offset - 1;
      String excerpt = index >= 0 && index < lines.size() ? lines.get(index).strip() : "";
      return new Evidence(file, line, line, column, path, excerpt, Fact.UNKNOWN, Fact.UNKNOWN, Fact.UNKNOWN);
    }
  }

  /** Documents of a text; one without any content gives none. */
  public static List<Document> read(String file, String text) {
    return read(file, List.of(text.split("\n", -1)), 1);
  }

  /** Documents of a section: a command's output or a whole file. */
  public static List<Document> read(Section section) {
    return read(section.file(), section.lines(), section.firstLine());
  }

  /**
   * Documents of lines (a carriage return at their ends does no harm).
   *
   * @param firstLine number of the first line in the file
   */
  public static List<Document> read(String file, List<String> lines, int firstLine) {
    List<int[]> parts = new ArrayList<>();
    int start = 0;
    for (int i = 0; i <= lines.size(); i++) {
      // A marker in the first column ends a document even inside quotes and block texts, so splitting needs no parser.
      if (i == lines.size() || isMarker(lines.get(i))) {
        if (hasContent(lines, start, i)) {
          parts.add(new int[] {start, i});
        }
        start = i;
      }
    }
    List<Document> documents = new ArrayList<>(parts.size());
    if (parts.size() < MANY_DOCUMENTS) {
      parts.forEach(part -> YamlReader.read(file, lines, part[0], part[1], firstLine - 1, documents));
      return documents;
    }
    List<List<Document>> each = parts.parallelStream().map(part -> {
      List<Document> own = new ArrayList<>(1);
      YamlReader.read(file, lines, part[0], part[1], firstLine - 1, own);
      return own;
    }).toList();
    each.forEach(own -> own.forEach(d -> documents.add(new Document(file, documents.size(), d.line(), d.root(), d.flaws(), lines, d.offset()))));
    return documents;
  }

  /** Whether a line holds a directive or an expression of Terraform's templates: `%{ if x ~}`, `${x ? "a" : "b"}`, `${jsonencode(x)}`. A plain `${x}` may be anyone's. */
  public static boolean terraform(String line) {
    return (line.contains("%{") || line.contains("${")) && TERRAFORM.matcher(line).find();
  }

  private static boolean isMarker(String line) {
    return line.startsWith("---") && (line.length() == 3 || Character.isWhitespace(line.charAt(3)));
  }

  private static boolean hasContent(List<String> lines, int from, int to) {
    for (int i = from; i < to; i++) {
      String line = lines.get(i);
      int at = i == from && isMarker(line) ? 3 : 0;
      while (at < line.length() && (Character.isWhitespace(line.charAt(at)) || line.charAt(at) == '\uFEFF')) {
        at++;
      }
      if (at < line.length() && line.charAt(at) != '#' && !(at == 0 && line.charAt(0) == '%') && !line.strip().equals("...")) {
        return true;
      }
    }
    return false;
  }
}
