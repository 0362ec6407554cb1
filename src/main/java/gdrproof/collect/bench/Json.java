package gdrproof.collect.bench;

import gdrproof.bundle.Section;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads JSON documents of benchmarks, which are not always quite JSON (unquoted keys, NaN). */
final class Json {
  private static final JsonMapper MAPPER = JsonMapper.builder()
      .enable(JsonReadFeature.ALLOW_UNQUOTED_PROPERTY_NAMES, JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS, JsonReadFeature.ALLOW_TRAILING_COMMA)
      .build();

  private Json() {}

  /** The document that begins at a line; null if the text there is no whole document. */
  static JsonNode read(Section section, int from) {
    try {
      JsonNode node = MAPPER.readTree(String.join("\n", section.lines().subList(from, section.lines().size())));
      return node != null && node.isObject() ? node : null;
    } catch (JacksonException e) {
      return null;
    }
  }

  /** First line that opens an object, or -1. */
  static int begin(List<String> lines) {
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).stripLeading().startsWith("{")) {
        return i;
      }
    }
    return -1;
  }

  static Num number(JsonNode at, String name) {
    JsonNode value = at.path(name);
    return value.isNumber() ? Num.of(value.asDouble()) : value.isString() ? Num.parse(value.asString()) : Num.UNKNOWN;
  }

  static String text(JsonNode at, String name, String otherwise) {
    JsonNode value = at.path(name);
    return value.isString() && !value.asString().isBlank() ? value.asString().strip() : otherwise;
  }

  static Tri tri(JsonNode at, String name) {
    Num value = number(at, name);
    String text = text(at, name, "");
    return value.known() ? Tri.of(value.value() != 0) : text.equals("true") ? Tri.YES : text.equals("false") ? Tri.NO : Tri.UNKNOWN;
  }
}
