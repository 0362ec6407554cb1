package gdrproof.collect.operator;

import gdrproof.bundle.Yaml.Document;
import gdrproof.collect.operator.Part.Kind;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;

/**
 * JSON written inside a YAML text, as the device plugins and CNI read it (strict JSON). Lines are exact for literal
 * blocks; elsewhere every part stands at the line of the text.
 */
final class JsonText {
  private static final JsonFactory FACTORY = new JsonFactory();
  private static final int DEEPEST = 60;

  private final Part holder;
  private final JsonParser parser;

  private JsonText(Part holder, JsonParser parser) {
    this.holder = holder;
    this.parser = parser;
  }

  /** The tree, or MISSING if the text is no JSON. A comma list of objects without brackets (`metaPlugins`) is read as a list. */
  static Part read(Part holder) {
    String text = holder.text().strip();
    if (text.isEmpty() || text.charAt(0) != '{' && text.charAt(0) != '[') {
      return Part.MISSING;
    }
    Part whole = parse(holder, holder.text());
    if (!whole.exists() && text.charAt(0) == '{') {
      return parse(holder, "[" + holder.text() + "]");
    }
    return whole;
  }

  private static Part parse(Part holder, String text) {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
      JsonText reader = new JsonText(holder, parser);
      parser.nextToken();
      Part part = reader.value(holder.path(), null, 0);
      return parser.nextToken() == null ? part : Part.MISSING;
    } catch (JacksonException | IllegalStateException e) {
      return Part.MISSING;
    }
  }

  private Part value(String path, TokenStreamLocation key, int depth) {
    if (depth > DEEPEST) {
      throw new IllegalStateException("too deep");
    }
    TokenStreamLocation at = parser.currentTokenLocation();
    TokenStreamLocation keyAt = key == null ? at : key;
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_OBJECT) {
      Part map = part(Kind.MAP, "", path, at, keyAt);
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String name = parser.currentName();
        TokenStreamLocation nameAt = parser.currentTokenLocation();
        parser.nextToken();
        map.put(name, value(Part.join(path, name), nameAt, depth + 1));
      }
      return map;
    }
    if (token == JsonToken.START_ARRAY) {
      Part list = part(Kind.LIST, "", path, at, keyAt);
      for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
        list.add(value(path + "[" + i + "]", null, depth + 1));
      }
      return list;
    }
    if (token == null) {
      throw new IllegalStateException("no value");
    }
    Kind kind = switch (token) {
      case VALUE_STRING -> Kind.TEXT;
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Kind.NUMBER;
      case VALUE_TRUE, VALUE_FALSE -> Kind.BOOL;
      default -> Kind.NULL;
    };
    return part(kind, kind == Kind.NULL ? "" : parser.getString(), path, at, keyAt);
  }

  private Part part(Kind kind, String text, String path, TokenStreamLocation at, TokenStreamLocation key) {
    return new Part(kind, holder.document(), text, path, line(at), column(at), line(key), column(key), false);
  }

  private int line(TokenStreamLocation at) {
    return holder.literal() ? holder.line() + Math.max(1, at.getLineNr()) : holder.line();
  }

  /** Column in the file: the block's indentation is what its text line lost. */
  private int column(TokenStreamLocation at) {
    if (!holder.literal()) {
      return holder.column();
    }
    Document document = holder.document();
    int index = holder.line() - document.offset();
    int indent = 0;
    // The first text line that is not blank gives the block's indentation.
    while (index < document.lines().size() && document.lines().get(index).isBlank()) {
      index++;
    }
    if (index < document.lines().size()) {
      String line = document.lines().get(index);
      int spaces = line.length() - line.stripLeading().length();
      String first = holder.text().lines().filter(l -> !l.isBlank()).findFirst().orElse("");
      indent = spaces - (first.length() - first.stripLeading().length());
    }
    return Math.max(1, at.getColumnNr()) + Math.max(0, indent);
  }
}
