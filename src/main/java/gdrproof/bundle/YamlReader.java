package gdrproof.bundle;

import gdrproof.bundle.Yaml.Document;
import gdrproof.bundle.Yaml.Flaw;
import gdrproof.bundle.Yaml.FlawKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.DumperOptions.ScalarStyle;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.DocumentStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.parser.Parser;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;

/**
 * Builds values of one document from parser events. The library's own composer recurses without a limit and hides
 * duplicate keys, so this class keeps depth, copies and keys itself.
 */
final class YamlReader {
  private static final LoaderOptions OPTIONS = options();

  private final Parser parser;
  private final int offset;
  private final Map<String, Value> anchors = new HashMap<>();
  private final List<Duplicate> duplicates = new ArrayList<>();
  private final int[] budget = {Yaml.MOST_COPIES};

  /** Two values of one key; reported when the document is whole, because only then they know their path. */
  private record Duplicate(Value first, Value second) {
    Flaw flaw() {
      return new Flaw(FlawKind.DUPLICATE_KEY, second.keyLine(), second.keyColumn(), second.path(),
          "key \"" + second.key() + "\" stands twice in one map (first on line " + first.keyLine() + ")", first.keyLine());
    }
  }

  private YamlReader(Parser parser, int offset) {
    this.parser = parser;
    this.offset = offset;
  }

  private static LoaderOptions options() {
    LoaderOptions options = new LoaderOptions();
    options.setCodePointLimit(Yaml.LONGEST_DOCUMENT + 1);
    options.setProcessComments(false);
    return options;
  }

  /** Why a document is refused. */
  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient Flaw flaw;

    Refused(Flaw flaw) {
      super(flaw.message(), null, false, false);
      this.flaw = flaw;
    }
  }

  /** Reads lines [from, to), mostly one document, more only after a `...` line. */
  static void read(String file, List<String> lines, int from, int to, int before, List<Document> documents) {
    int offset = before + from;
    List<Flaw> flaws = new ArrayList<>();
    int count = documents.size();
    String text = text(lines, from, to);
    int line = offset + 1;
    if (text == null) {
      flaws.add(new Flaw(FlawKind.REFUSED, line, 1, "", "document is larger than " + (Yaml.LONGEST_DOCUMENT >> 20) + " MiB", 0));
    } else {
      try {
        Parser parser = new ParserImpl(new StreamReader(text), OPTIONS);
        for (Event event = parser.getEvent(); !event.is(Event.ID.StreamEnd); event = parser.getEvent()) {
          if (event instanceof DocumentStartEvent) {
            YamlReader reader = new YamlReader(parser, offset);
            Value root = reader.value(parser.getEvent(), 1);
            documents.add(new Document(file, documents.size(), root.line(), root, reader.duplicates.stream().map(Duplicate::flaw).toList(), lines, before));
          }
        }
        return;
      } catch (Refused e) {
        flaws.add(e.flaw.line() > 0 ? e.flaw : new Flaw(e.flaw.kind(), line, 1, "", e.flaw.message(), 0));
      } catch (MarkedYAMLException e) {
        flaws.add(broken(e, offset, lines, from, to));
      } catch (YAMLException e) {
        flaws.add(new Flaw(kind(lines, from, to), line, 1, "", oneLine(e.getMessage()), 0));
      }
      // Text after a document's end is that document's flaw, not a document of its own.
      if (documents.size() > count) {
        documents.remove(documents.size() - 1);
      }
    }
    documents.add(new Document(file, documents.size(), line, Value.MISSING, List.copyOf(flaws), lines, before));
  }

  private static String text(List<String> lines, int from, int to) {
    int size = 0;
    for (int i = from; i < to; i++) {
      size += lines.get(i).length() + 1;
      if (size > Yaml.LONGEST_DOCUMENT) {
        return null;
      }
    }
    StringBuilder text = new StringBuilder(size);
    for (int i = from; i < to; i++) {
      String line = lines.get(i);
      int end = line.endsWith("\r") ? line.length() - 1 : line.length();
      int start = i == 0 && line.startsWith("\uFEFF") ? 1 : 0;
      text.append(line, Math.min(start, end), end).append('\n');
    }
    return text.toString();
  }

  private Value value(Event event, int depth) {
    Mark mark = event.getStartMark();
    int line = offset + mark.getLine() + 1;
    int column = mark.getColumn() + 1;
    if (event instanceof AliasEvent alias) {
      Value anchored = anchors.get(alias.getAnchor());
      if (anchored == null) {
        throw new Refused(new Flaw(FlawKind.BROKEN, line, column, "", "alias *" + alias.getAnchor() + " names no anchor before it, or itself", 0));
      }
      return anchored.copy(budget(line, column));
    }
    if (depth > Yaml.DEEPEST) {
      throw new Refused(new Flaw(FlawKind.REFUSED, line, column, "", "nested deeper than " + Yaml.DEEPEST + " levels", 0));
    }
    Value value;
    if (event instanceof ScalarEvent scalar) {
      value = scalar(scalar, line, column);
    } else if (event instanceof MappingStartEvent) {
      value = mapping(line, column, depth);
    } else {
      value = listing(line, column, depth);
    }
    String anchor = event instanceof NodeEvent node ? node.getAnchor() : null;
    if (anchor != null) {
      anchors.put(anchor, value);
    }
    return value;
  }

  private int[] budget(int line, int column) {
    if (budget[0] < 0) {
      throw new Refused(new Flaw(FlawKind.REFUSED, line, column, "", "aliases add more than " + Yaml.MOST_COPIES + " values", 0));
    }
    return budget;
  }

  /** Counts a copied value; refuses a document whose aliases multiply. */
  static void spend(int[] budget) {
    if (--budget[0] < 0) {
      throw new Refused(new Flaw(FlawKind.REFUSED, 0, 0, "", "aliases add more than " + Yaml.MOST_COPIES + " values", 0));
    }
  }

  private static Value scalar(ScalarEvent event, int line, int column) {
    if (event.getValue().length() > Yaml.LONGEST_SCALAR) {
      throw new Refused(new Flaw(FlawKind.REFUSED, line, column, "", "a value is longer than " + (Yaml.LONGEST_SCALAR >> 20) + " MiB", 0));
    }
    ScalarStyle written = event.getScalarStyle();
    Value.Style style = written == ScalarStyle.PLAIN ? Value.Style.PLAIN
        : written == ScalarStyle.LITERAL ? Value.Style.LITERAL : written == ScalarStyle.FOLDED ? Value.Style.FOLDED : Value.Style.QUOTED;
    return new Value.Scalar(line, column, event.getValue(), style, event.getTag() == null ? "" : event.getTag());
  }

  private Value listing(int line, int column, int depth) {
    Value.Listing list = new Value.Listing(line, column);
    for (Event event = parser.getEvent(); !event.is(Event.ID.SequenceEnd); event = parser.getEvent()) {
      list.add(value(event, depth + 1));
    }
    return list;
  }

  private Value mapping(int line, int column, int depth) {
    Value.Mapping map = new Value.Mapping(line, column);
    List<Value> merged = new ArrayList<>();
    for (Event event = parser.getEvent(); !event.is(Event.ID.MappingEnd); event = parser.getEvent()) {
      int keyLine = offset + event.getStartMark().getLine() + 1;
      int keyColumn = event.getStartMark().getColumn() + 1;
      String key = key(event, keyLine, keyColumn);
      Event next = parser.getEvent();
      Value value = value(next, depth + 1);
      if (key.equals("<<") && event instanceof ScalarEvent scalar && scalar.isPlain()) {
        merged.add(value);
        continue;
      }
      Value earlier = map.put(key, keyLine, keyColumn, value);
      if (earlier != null) {
        duplicates.add(new Duplicate(earlier, value));
      }
    }
    merged.forEach(value -> merge(map, value));
    return map;
  }

  private String key(Event event, int line, int column) {
    if (event instanceof ScalarEvent scalar) {
      return scalar.getValue();
    }
    if (event instanceof AliasEvent alias && anchors.get(alias.getAnchor()) instanceof Value.Scalar anchored) {
      return anchored.text();
    }
    boolean braces = event instanceof MappingStartEvent && ((CollectionStartEvent) event).isFlow();
    throw new Refused(braces ? new Flaw(FlawKind.TEMPLATE, line, column, "", "template is not rendered: {{ ... }} where a value should stand", 0)
        : new Flaw(FlawKind.BROKEN, line, column, "", "a key that is no text", 0));
  }

  private void merge(Value.Mapping map, Value from) {
    for (Value item : from.isList() ? from.items() : List.of(from)) {
      item.entries().forEach((name, value) -> {
        if (!map.has(name)) {
          map.put(name, value.keyLine(), value.keyColumn(), value.copy(budget));
        }
      });
    }
  }

  private static Flaw broken(MarkedYAMLException e, int offset, List<String> lines, int from, int to) {
    Mark mark = e.getProblemMark() == null ? e.getContextMark() : e.getProblemMark();
    // What is missing at the end (a quote, a bracket) is marked behind the last line, where no text stands.
    boolean behind = mark != null && mark.getLine() >= to - from;
    int line = mark == null ? offset + 1 : behind ? offset + to - from : offset + mark.getLine() + 1;
    int column = mark == null || behind ? 1 : mark.getColumn() + 1;
    String problem = oneLine(String.valueOf(e.getProblem()));
    int filled = filledIn(lines, from, to, e.getProblemMark(), e.getContextMark());
    if (filled >= 0) {
      return new Flaw(FlawKind.TEMPLATE, offset + filled - from + 1, 1, "", "template is not rendered (" + problem + ")", 0);
    }
    FlawKind kind = kind(lines, from, to);
    return new Flaw(kind, line, column, "", kind == FlawKind.TEMPLATE ? "template is not rendered (" + problem + ")" : problem, 0);
  }

  /**
   * The line on which reading failed, where that is one that envsubst or sed fills in; -1 for others. A shell script in a block text has such lines too, so only the places that
   * the parser names count.
   */
  private static int filledIn(List<String> lines, int from, int to, Mark... marks) {
    for (Mark mark : marks) {
      int at = mark == null ? to : from + mark.getLine();
      if (at < to && (Placeholders.alone(lines.get(at)) || Placeholders.unreadable(lines.get(at), mark.getColumn()))) {
        return at;
      }
    }
    return -1;
  }

  /** A document that does not parse and holds template marks is a template, not a mistake. */
  private static FlawKind kind(List<String> lines, int from, int to) {
    for (int i = from; i < to; i++) {
      String line = lines.get(i);
      if (line.contains("{{") || line.contains("{%") || line.contains("<%") || Yaml.terraform(line)) {
        return FlawKind.TEMPLATE;
      }
    }
    return FlawKind.BROKEN;
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\s+", " ").strip();
  }
}
