package gdrproof.policy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A map of a configuration file, which says where it stands: what it holds in place of what should stand there is told to the user, since a setting
 * that is passed over in silence is believed to count.
 *
 * @param where file and key, as messages name it
 */
record ConfigMap(String where, Map<String, Object> values) {
  /** @param value as the YAML reader gives it; null for nothing at all */
  static ConfigMap of(String where, Object value) throws IOException {
    Map<String, Object> values = new TreeMap<>();
    if (value instanceof Map<?, ?> map) {
      map.forEach((key, each) -> values.put(String.valueOf(key), each));
    } else if (value != null) {
      throw new IOException(where + " is a map of settings, not " + kind(value));
    }
    return new ConfigMap(where, values);
  }

  private static String kind(Object value) {
    return value instanceof List ? "a list" : "the value " + value;
  }

  void only(Set<String> known) throws IOException {
    for (String key : values.keySet()) {
      if (!known.contains(key)) {
        throw new IOException(where + ": unknown key " + key + " (known: " + String.join(", ", new TreeSet<>(known)) + ")");
      }
    }
  }

  ConfigMap map(String key) throws IOException {
    return of(where + ": " + key, values.get(key));
  }

  List<ConfigMap> maps(String key) throws IOException {
    List<ConfigMap> maps = new ArrayList<>();
    Object value = values.get(key);
    if (value != null && !(value instanceof List)) {
      throw new IOException(where + ": " + key + " is a list of entries, not " + (value instanceof Map ? "a map" : kind(value)));
    }
    for (Object each : value == null ? List.of() : (List<?>) value) {
      maps.add(of(where + ": " + key + "[" + maps.size() + "]", each));
    }
    return maps;
  }

  /** A scalar's text, "" where there is none. */
  String text(String key) throws IOException {
    Object value = values.get(key);
    if (value instanceof Map || value instanceof List) {
      throw new IOException(where + ": " + key + " is one value, not " + (value instanceof Map ? "a map" : "a list"));
    }
    return value == null ? "" : value instanceof Date date ? date.toInstant().toString().substring(0, 10) : String.valueOf(value).strip();
  }

  /** Texts of a list, or of one text with commas. */
  List<String> list(String key) throws IOException {
    List<String> texts = new ArrayList<>();
    Object value = values.get(key);
    for (Object each : value instanceof List<?> many ? many : List.of(text(key).split(","))) {
      if (each instanceof Map || each instanceof List) {
        throw new IOException(where + ": " + key + " is a list of names");
      }
      String text = each == null ? "" : String.valueOf(each).strip();
      if (!text.isEmpty()) {
        texts.add(text);
      }
    }
    return texts;
  }

  Map<String, String> texts() throws IOException {
    Map<String, String> texts = new TreeMap<>();
    for (String key : values.keySet()) {
      texts.put(key, text(key));
    }
    return texts;
  }
}
