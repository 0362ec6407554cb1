package gdrproof.collect.operator;

import gdrproof.bundle.Value;
import gdrproof.bundle.Yaml.Document;
import gdrproof.facts.Evidence;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A part of an operator's configuration: YAML, or JSON written inside a YAML text, as one tree in which every part keeps
 * its place in the file. Walking never fails: what is not there is {@link #MISSING}.
 */
public final class Part {
  /** What a part is; a quoted number is a text. */
  public enum Kind {
    MAP,
    LIST,
    TEXT,
    NUMBER,
    BOOL,
    NULL,
    MISSING
  }

  public static final Part MISSING = new Part(Kind.MISSING, null, "", "", 0, 0, 0, 0, false);

  private final Kind kind;
  private final Document document;
  private final String text;
  private final String path;
  private final int line;
  private final int column;
  private final int keyLine;
  private final int keyColumn;
  /** Whether the lines of a text stand one by one in the file (literal block). */
  private final boolean literal;
  private final Map<String, Part> fields;
  private final List<Part> items;
  /** Value whose children are not taken yet: of most objects of a set nobody looks below the names. MISSING when there are none left to take. */
  private Value untaken;

  Part(Kind kind, Document document, String text, String path, int line, int column, int keyLine, int keyColumn, boolean literal) {
    this.kind = kind;
    this.document = document;
    this.text = text;
    this.path = path;
    this.line = line;
    this.column = column;
    this.keyLine = keyLine;
    this.keyColumn = keyColumn;
    this.literal = literal;
    this.fields = kind == Kind.MAP ? new LinkedHashMap<>() : Map.of();
    this.items = kind == Kind.LIST ? new ArrayList<>() : List.of();
    this.untaken = Value.MISSING;
  }

  /** The tree of a document's value. */
  public static Part of(Document document, Value value) {
    return of(document, value, value.path());
  }

  private static Part of(Document document, Value value, String path) {
    if (!value.exists()) {
      return MISSING;
    }
    if (value instanceof Value.Scalar scalar) {
      Kind kind = switch (scalar.type()) {
        case TEXT -> Kind.TEXT;
        case INTEGER, FLOAT -> Kind.NUMBER;
        case BOOL -> Kind.BOOL;
        case NULL -> Kind.NULL;
      };
      String text = kind == Kind.BOOL ? Boolean.toString(scalar.isTrue()) : scalar.text();
      return new Part(kind, document, text, path, value.line(), value.column(), value.keyLine(), value.keyColumn(), scalar.style() == Value.Style.LITERAL);
    }
    Part part = new Part(value.isMap() ? Kind.MAP : Kind.LIST, document, "", path, value.line(), value.column(), value.keyLine(), value.keyColumn(), false);
    part.untaken = value;
    return part;
  }

  private void take() {
    if (!untaken.exists()) {
      return;
    }
    Value value = untaken;
    untaken = Value.MISSING;
    value.entries().forEach((key, each) -> fields.put(key, of(document, each, join(path, key))));
    int index = 0;
    for (Value item : value.items()) {
      items.add(of(document, item, path + "[" + index++ + "]"));
    }
  }

  static String join(String path, String key) {
    String name = plain(key) ? key : "[\"" + key + "\"]";
    return path.isEmpty() || name.startsWith("[") ? path + name : path + "." + name;
  }

  /** Whether a key can stand in a path as it is: letters, digits, `_` and `-`. */
  private static boolean plain(String key) {
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      if (!(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-')) {
        return false;
      }
    }
    return !key.isEmpty();
  }

  /** An empty part of the same kind at the same place. */
  Part shell() {
    return new Part(kind, document, text, path, line, column, keyLine, keyColumn, literal);
  }

  void put(String key, Part part) {
    take();
    fields.put(key, part);
  }

  void add(Part part) {
    take();
    items.add(part);
  }

  /** This part's JSON or YAML text read as a tree, with the lines of this file; MISSING if it is none. */
  public Part json() {
    return kind == Kind.TEXT ? JsonText.read(this) : kind == Kind.MAP || kind == Kind.LIST ? this : MISSING;
  }

  public Part get(String... keys) {
    Part at = this;
    for (String key : keys) {
      at.take();
      at = at.fields.getOrDefault(key, MISSING);
    }
    return at;
  }

  public boolean exists() {
    return kind != Kind.MISSING;
  }

  /** Present with a value: neither missing nor null nor an empty text, map or list. */
  public boolean isSet() {
    take();
    return switch (kind) {
      case MISSING, NULL -> false;
      case TEXT -> !text.isBlank();
      case MAP -> !fields.isEmpty();
      case LIST -> !items.isEmpty();
      case NUMBER, BOOL -> true;
    };
  }

  public Kind kind() {
    return kind;
  }

  public boolean isMap() {
    return kind == Kind.MAP;
  }

  public boolean isList() {
    return kind == Kind.LIST;
  }

  public boolean isScalar() {
    return kind == Kind.TEXT || kind == Kind.NUMBER || kind == Kind.BOOL || kind == Kind.NULL;
  }

  /** A scalar's text, "" for anything else and for null. */
  public String text() {
    return kind == Kind.NULL ? "" : text;
  }

  public String text(String otherwise) {
    return isScalar() && kind != Kind.NULL ? text : otherwise;
  }

  public boolean isTrue() {
    return isScalar() && text.equals("true");
  }

  public boolean isFalse() {
    return isScalar() && text.equals("false");
  }

  public Map<String, Part> fields() {
    take();
    return Collections.unmodifiableMap(fields);
  }

  public List<Part> items() {
    take();
    return Collections.unmodifiableList(items);
  }

  /** Texts of a list of scalars; a single scalar counts as a list of one. */
  public List<String> texts() {
    if (isScalar()) {
      return text().isEmpty() ? List.of() : List.of(text());
    }
    take();
    return items.stream().filter(Part::isScalar).map(Part::text).filter(t -> !t.isEmpty()).toList();
  }

  public String path() {
    return path;
  }

  public int line() {
    return line;
  }

  public int column() {
    return column;
  }

  int keyLine() {
    return keyLine;
  }

  boolean literal() {
    return literal;
  }

  Document document() {
    return document;
  }

  /** Place of a scalar, or of the key (list item) that holds a map or list. */
  public Evidence evidence() {
    if (document == null) {
      return Evidence.of("", 0, "");
    }
    return isScalar() && kind != Kind.NULL && !literal ? document.at(line, column, path) : document.at(keyLine, keyColumn, path);
  }

  public Evidence keyEvidence() {
    return document == null ? Evidence.of("", 0, "") : document.at(keyLine, keyColumn, path);
  }

  /** Short text for reports: scalars as they are, maps and lists as compact flow text. */
  public String show() {
    StringBuilder out = new StringBuilder();
    show(out);
    return out.length() > 160 ? out.substring(0, 157) + "..." : out.toString();
  }

  private void show(StringBuilder out) {
    if (out.length() > 170) {
      return;
    }
    take();
    switch (kind) {
      case MAP -> {
        out.append('{');
        String comma = "";
        for (Map.Entry<String, Part> field : fields.entrySet()) {
          out.append(comma).append(field.getKey()).append(": ");
          field.getValue().show(out);
          comma = ", ";
        }
        out.append('}');
      }
      case LIST -> {
        out.append('[');
        String comma = "";
        for (Part item : items) {
          out.append(comma);
          item.show(out);
          comma = ", ";
        }
        out.append(']');
      }
      case NULL -> out.append("null");
      case MISSING -> out.append("absent");
      case TEXT, NUMBER, BOOL -> out.append(text.strip().replace('\n', ' '));
    }
  }
}
