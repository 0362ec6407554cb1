package gdrproof.collect.rdma;

import gdrproof.bundle.Section;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** JSON inside a section: the tree, and the line a key stands in. */
final class Json {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final int MOST_CHARACTERS = 16 * 1024 * 1024;

  private Json() {}

  /** The JSON value that starts in the first line beginning with `[` or `{`; null if there is none or it is damaged. */
  static JsonNode read(Section section) {
    int from = 0;
    while (from < section.lines().size() && !section.lines().get(from).strip().matches("(?s)[\\[{].*")) {
      from++;
    }
    if (from == section.lines().size()) {
      return null;
    }
    String text = String.join("\n", section.lines().subList(from, section.lines().size()));
    try {
      return text.length() > MOST_CHARACTERS ? null : MAPPER.readTree(text);
    } catch (JacksonException e) {
      return null;
    }
  }

  /** The whole elements of an array that was cut. */
  static List<JsonNode> salvage(Section section) {
    int from = 0;
    while (from < section.lines().size() && !section.lines().get(from).strip().startsWith("[")) {
      from++;
    }
    String text = String.join("\n", section.lines().subList(from, section.lines().size()));
    List<JsonNode> whole = new ArrayList<>();
    if (text.length() > MOST_CHARACTERS || text.isBlank()) {
      return whole;
    }
    try (JsonParser parser = MAPPER.createParser(text)) {
      if (parser.nextToken() == JsonToken.START_ARRAY) {
        while (parser.nextToken() == JsonToken.START_OBJECT) {
          whole.add(parser.readValueAsTree());
        }
      }
    } catch (JacksonException e) {
      return whole;
    }
    return whole;
  }

  /** Index of the nth line that holds the text; the first line if none does. */
  static int line(Section section, String text, int nth) {
    int seen = 0;
    for (int i = 0; i < section.lines().size(); i++) {
      if (section.lines().get(i).contains(text) && seen++ == nth) {
        return i;
      }
    }
    return nth > 0 ? line(section, text, 0) : 0;
  }

  /** Indices of all lines that hold the text; the first line if none does. */
  static List<Integer> lines(Section section, String text) {
    List<Integer> lines = IntStream.range(0, section.lines().size()).filter(i -> section.lines().get(i).contains(text)).boxed().toList();
    return lines.isEmpty() ? List.of(0) : lines;
  }

  /** A member as text, or unknown. */
  static String text(JsonNode node, String name) {
    JsonNode value = node.get(name);
    return value == null || value.isNull() ? gdrproof.facts.Fact.UNKNOWN : value.isValueNode() ? value.asString() : value.toString();
  }
}
