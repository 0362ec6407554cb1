package gdrproof.collect;

import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Setting;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Facts as JSON Lines, one fact a line: `{"v":1,"type":"RdmaPort","fact":{...},"evidence":[{"file":..,"line":..},..]}`. A number
 * is a number, "unknown" or "unlimited"; yes/no is "yes", "no" or "unknown". What is written reads back as the same facts.
 */
public final class FactLines {
  static final int VERSION = 1;
  private static final Map<String, Class<?>> TYPES = types();

  private FactLines() {}

  private static Map<String, Class<?>> types() {
    Map<String, Class<?>> types = new TreeMap<>();
    gather(Fact.class, types);
    return types;
  }

  private static void gather(Class<?> type, Map<String, Class<?>> types) {
    if (type.isRecord() && types.put(type.getSimpleName(), type) != null) {
      throw new IllegalStateException("two facts are called " + type.getSimpleName());
    }
    Class<?>[] below = type.getPermittedSubclasses();
    if (below != null) {
      for (Class<?> each : below) {
        gather(each, types);
      }
    }
  }

  /** Names of all types of facts. */
  public static Collection<String> typeNames() {
    return TYPES.keySet();
  }

  /** Every fact with its evidence, in the order of the ledger; the program's own settings are no evidence and left out. */
  public static void write(Ledger ledger, Consumer<String> out) {
    for (Fact fact : ledger.facts()) {
      if (!(fact instanceof Setting)) {
        out.accept(line(fact, ledger.of(fact)));
      }
    }
  }

  static String line(Fact fact, Collection<Evidence> evidence) {
    StringBuilder text = new StringBuilder(200).append("{\"v\":").append(VERSION).append(",\"type\":");
    quote(fact.getClass().getSimpleName(), text);
    text.append(",\"fact\":");
    value(fact, text);
    text.append(",\"evidence\":[");
    String comma = "";
    for (Evidence source : evidence) {
      text.append(comma);
      evidence(source, text);
      comma = ",";
    }
    return text.append("]}").toString();
  }

  private static void evidence(Evidence e, StringBuilder text) {
    text.append("{\"file\":");
    quote(e.file(), text);
    text.append(",\"line\":").append(e.line());
    if (e.endLine() != e.line()) {
      text.append(",\"endLine\":").append(e.endLine());
    }
    if (e.column() != 0) {
      text.append(",\"column\":").append(e.column());
    }
    optional("path", e.path(), "", text);
    optional("excerpt", e.excerpt(), "", text);
    optional("host", e.host(), Fact.UNKNOWN, text);
    optional("command", e.command(), Fact.UNKNOWN, text);
    optional("time", e.time(), Fact.UNKNOWN, text);
    text.append('}');
  }

  private static void optional(String name, String value, String none, StringBuilder text) {
    if (!value.equals(none)) {
      text.append(",\"").append(name).append("\":");
      quote(value, text);
    }
  }

  private static void value(Object value, StringBuilder text) {
    if (value instanceof Num num) {
      String shown = num.toString();
      text.append(num.known() && !Double.isInfinite(num.value()) ? shown : "\"" + (num.known() && num.value() < 0 ? "-" : "") + shown + "\"");
    } else if (value instanceof Tri tri) {
      quote(tri.name().toLowerCase(Locale.ROOT), text);
    } else if (value instanceof Boolean || value instanceof Integer || value instanceof Long || value instanceof Double) {
      text.append(value);
    } else if (value instanceof Enum<?> constant) {
      quote(constant.name(), text);
    } else if (value instanceof Map<?, ?> map) {
      String comma = "{";
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        text.append(comma);
        quote(String.valueOf(entry.getKey()), text);
        text.append(':');
        value(entry.getValue(), text);
        comma = ",";
      }
      text.append(map.isEmpty() ? "{}" : "}");
    } else if (value instanceof Collection<?> many) {
      String comma = "[";
      for (Object each : many) {
        text.append(comma);
        value(each, text);
        comma = ",";
      }
      text.append(many.isEmpty() ? "[]" : "]");
    } else if (value instanceof Record record) {
      String comma = "{";
      for (RecordComponent component : record.getClass().getRecordComponents()) {
        text.append(comma);
        quote(component.getName(), text);
        text.append(':');
        value(get(record, component), text);
        comma = ",";
      }
      text.append(record.getClass().getRecordComponents().length == 0 ? "{}" : "}");
    } else {
      quote(String.valueOf(value), text);
    }
  }

  private static Object get(Record record, RecordComponent component) {
    try {
      return component.getAccessor().invoke(record);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    } catch (InvocationTargetException e) {
      throw new IllegalStateException(component + " of " + record.getClass(), e.getCause());
    }
  }

  private static void quote(String value, StringBuilder text) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"' -> text.append("\\\"");
        case '\\' -> text.append("\\\\");
        case '\n' -> text.append("\\n");
        case '\r' -> text.append("\\r");
        case '\t' -> text.append("\\t");
        default -> {
          if (c < ' ' || c == '\u2028' || c == '\u2029') {
            text.append(String.format("\\u%04x", (int) c));
          } else {
            text.append(c);
          }
        }
      }
    }
    text.append('"');
  }

  // --- reading back ---

  /** Whether a line looks like one of ours; the first line of a file decides what the file is. */
  public static boolean is(String line) {
    return line.startsWith("{\"v\":") && line.contains("\"type\":") && line.contains("\"fact\":");
  }

  /** One line's fact and its evidence. @throws IOException with the reason if it cannot be understood */
  static void read(String line, Ledger into) throws IOException {
    JsonNode node;
    try {
      node = Holder.MAPPER.readTree(line);
    } catch (JacksonException e) {
      throw new IOException("no JSON: " + e.getOriginalMessage());
    }
    int version = node.path("v").asInt(0);
    if (version != VERSION) {
      throw new IOException("facts of version " + version + ", this program reads version " + VERSION);
    }
    String name = node.path("type").asString("");
    Class<?> type = TYPES.get(name);
    if (type == null) {
      throw new IOException("unknown type of fact " + name);
    }
    Fact fact = (Fact) record(type, node.path("fact"));
    List<Evidence> sources = new ArrayList<>();
    for (JsonNode e : node.path("evidence")) {
      int from = e.path("line").asInt(0);
      sources.add(new Evidence(e.path("file").asString(""), from, e.path("endLine").asInt(from), e.path("column").asInt(0), e.path("path").asString(""),
          e.path("excerpt").asString(""), e.path("host").asString(Fact.UNKNOWN), e.path("command").asString(Fact.UNKNOWN), e.path("time").asString(Fact.UNKNOWN)));
    }
    if (sources.isEmpty()) {
      throw new IOException("a fact without evidence");
    }
    into.add(fact, sources);
  }

  private static Object record(Class<?> type, JsonNode node) throws IOException {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      JsonNode value = node.get(components[i].getName());
      if (value == null || value.isNull()) {
        throw new IOException(type.getSimpleName() + " lacks " + components[i].getName());
      }
      values[i] = component(types[i], components[i].getGenericType(), value, components[i].getName());
    }
    try {
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IOException(type.getSimpleName() + " cannot be made: " + e.getMessage(), e);
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Object component(Class<?> type, Type generic, JsonNode value, String name) throws IOException {
    if (type == String.class) {
      return value.asString("");
    }
    if (type == Num.class) {
      return value.isNumber() ? Num.of(value.asDouble()) : Num.UNLIMITED.equals(value.asString("")) ? Num.of(Double.POSITIVE_INFINITY) : Num.UNKNOWN;
    }
    if (type == Tri.class) {
      return Tri.valueOf(value.asString("unknown").toUpperCase(Locale.ROOT));
    }
    if (type == boolean.class) {
      return value.asBoolean(false);
    }
    if (type == int.class) {
      return value.asInt(0);
    }
    if (type == long.class) {
      return value.asLong(0);
    }
    if (type == double.class) {
      return value.asDouble(0);
    }
    if (type.isEnum()) {
      return Enum.valueOf((Class<Enum>) type, value.asString(""));
    }
    if (type.isRecord()) {
      return record(type, value);
    }
    if (Map.class.isAssignableFrom(type)) {
      Map<String, Object> map = new TreeMap<>();
      for (Map.Entry<String, JsonNode> entry : value.properties()) {
        map.put(entry.getKey(), component(argument(generic, 1), argument(generic, 1), entry.getValue(), name));
      }
      return map;
    }
    if (Collection.class.isAssignableFrom(type)) {
      Collection<Object> many = java.util.Set.class.isAssignableFrom(type) ? new java.util.LinkedHashSet<>() : new ArrayList<>();
      for (JsonNode each : value) {
        many.add(component(argument(generic, 0), argument(generic, 0), each, name));
      }
      return many;
    }
    throw new IOException("component " + name + " of type " + type.getSimpleName() + " is not understood");
  }

  private static Class<?> argument(Type generic, int index) {
    Type argument = generic instanceof ParameterizedType p ? p.getActualTypeArguments()[index] : String.class;
    return argument instanceof Class<?> c ? c : (Class<?>) ((ParameterizedType) argument).getRawType();
  }

  /** Loaded only when facts are read back. */
  private static final class Holder {
    static final JsonMapper MAPPER = new JsonMapper();
  }
}
