package gdrproof.bundle;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A value of a YAML document with its place. Walking never fails: what is not there is {@link #MISSING}, whose own
 * parts are missing too.
 */
public abstract sealed class Value {
  public static final Value MISSING = new Missing();

  private final int line;
  private final int column;
  Value parent;
  /** Key in the parent map, or "" in a list. */
  String key = "";
  int index = -1;
  int keyLine;
  int keyColumn;

  Value(int line, int column) {
    this.line = line;
    this.column = column;
    this.keyLine = line;
    this.keyColumn = column;
  }

  /** Line of the value's first character in the file, 1-based (of the anchored text where an alias stands); 0 if missing. */
  public int line() {
    return line;
  }

  /** Column of the value's first character, 1-based. */
  public int column() {
    return column;
  }

  /** Line of the key that holds this value; of the value itself in a list. */
  public int keyLine() {
    return keyLine;
  }

  public int keyColumn() {
    return keyColumn;
  }

  /** The key that holds this value, "" in lists and for the root. */
  public String key() {
    return key;
  }

  /** The map or list this value stands in; {@link #MISSING} for the root. */
  public Value parent() {
    return parent == null ? MISSING : parent;
  }

  /** As in `spec.containers[0].env[2]`; keys with dots or slashes stand in `["..."]`; "" for the root. */
  public String path() {
    if (parent == null) {
      return "";
    }
    String above = parent.path();
    if (index >= 0) {
      return above + "[" + index + "]";
    }
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      if (!Character.isLetterOrDigit(c) && c != '-' && c != '_') {
        return above + "[\"" + key + "\"]";
      }
    }
    return above.isEmpty() ? key : above + "." + key;
  }

  public boolean exists() {
    return this != MISSING;
  }

  /** The value below a chain of keys. */
  public Value at(String... keys) {
    Value value = this;
    for (String each : keys) {
      value = value.get(each);
    }
    return value;
  }

  Value get(String name) {
    return MISSING;
  }

  /** Items of a list; empty for anything else. */
  public List<Value> items() {
    return List.of();
  }

  /** Entries of a map in the order of the file; empty for anything else. */
  public Map<String, Value> entries() {
    return Map.of();
  }

  /** A scalar's text (not null's); "" for anything else. */
  public String text() {
    return "";
  }

  public String text(String otherwise) {
    return otherwise;
  }

  /** Whether this is the boolean true. */
  public boolean isTrue() {
    return false;
  }

  public boolean isMap() {
    return this instanceof Mapping;
  }

  public boolean isList() {
    return this instanceof Listing;
  }

  public boolean isScalar() {
    return this instanceof Scalar;
  }

  abstract Value copy(int[] budget);

  private static final class Missing extends Value {
    Missing() {
      super(0, 0);
    }

    @Override
    Value copy(int[] budget) {
      return this;
    }
  }

  /** A map. */
  public static final class Mapping extends Value {
    private final Map<String, Value> entries = new LinkedHashMap<>();

    Mapping(int line, int column) {
      super(line, column);
    }

    Value put(String name, int atLine, int atColumn, Value value) {
      value.parent = this;
      value.key = name;
      value.keyLine = atLine;
      value.keyColumn = atColumn;
      return entries.put(name, value);
    }

    boolean has(String name) {
      return entries.containsKey(name);
    }

    @Override
    Value get(String name) {
      return entries.getOrDefault(name, MISSING);
    }

    @Override
    public Map<String, Value> entries() {
      return Collections.unmodifiableMap(entries);
    }

    public Collection<Value> values() {
      return Collections.unmodifiableCollection(entries.values());
    }

    @Override
    Value copy(int[] budget) {
      YamlReader.spend(budget);
      Mapping copy = new Mapping(line(), column());
      entries.forEach((name, value) -> copy.put(name, value.keyLine(), value.keyColumn(), value.copy(budget)));
      return copy;
    }
  }

  /** A list. */
  public static final class Listing extends Value {
    private final List<Value> items = new java.util.ArrayList<>();

    Listing(int line, int column) {
      super(line, column);
    }

    void add(Value value) {
      value.parent = this;
      value.index = items.size();
      items.add(value);
    }

    @Override
    public List<Value> items() {
      return Collections.unmodifiableList(items);
    }

    @Override
    Value copy(int[] budget) {
      YamlReader.spend(budget);
      Listing copy = new Listing(line(), column());
      items.forEach(item -> copy.add(item.copy(budget)));
      return copy;
    }
  }

  /** What a scalar is to a YAML 1.1 reader. */
  public enum Type {
    TEXT,
    INTEGER,
    FLOAT,
    BOOL,
    NULL
  }

  /** How a scalar is written. */
  public enum Style {
    PLAIN,
    QUOTED,
    LITERAL,
    FOLDED
  }

  /** A text, number, boolean or null. */
  public static final class Scalar extends Value {
    private final String text;
    private final Style style;
    private final String tag;

    Scalar(int line, int column, String text, Style style, String tag) {
      super(line, column);
      this.text = text;
      this.style = style;
      this.tag = tag;
    }

    public Style style() {
      return style;
    }

    public Type type() {
      if (!tag.isEmpty() && !tag.equals("!")) {
        return YamlScalars.tagged(tag);
      }
      return style == Style.PLAIN && tag.isEmpty() ? YamlScalars.type(text) : Type.TEXT;
    }

    /** Whether a YAML 1.2 reader sees another type or number than Kubernetes' 1.1 reader (`no`, `0777`). */
    public boolean readersDiffer() {
      return style == Style.PLAIN && tag.isEmpty() && YamlScalars.differs(text);
    }

    /** Text as written, without quotes; "" for null. */
    @Override
    public String text() {
      return type() == Type.NULL ? "" : text;
    }

    @Override
    public String text(String otherwise) {
      return type() == Type.NULL ? otherwise : text;
    }

    @Override
    public boolean isTrue() {
      return type() == Type.BOOL && YamlScalars.isTrue(text);
    }

    /** Line in the file of a line of the text (counted from 0); exact for literal blocks, else the closest known. */
    public int lineOf(int textLine) {
      return style == Style.LITERAL || style == Style.FOLDED ? line() + 1 + textLine : line();
    }

    @Override
    Value copy(int[] budget) {
      YamlReader.spend(budget);
      return new Scalar(line(), column(), text, style, tag);
    }
  }
}
