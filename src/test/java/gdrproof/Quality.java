package gdrproof;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** `target/quality.json`: figures that tests measure, one section for each of them. */
public final class Quality {
  private static final Path FILE = Path.of("target/quality.json");
  private static final JsonMapper JSON = JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private Quality() {}

  /** Writes sections; those of other tests stay. */
  public static synchronized void put(Map<String, Object> sections) {
    try {
      Map<String, Object> root = new LinkedHashMap<>();
      if (Files.exists(FILE)) {
        JSON.readValue(Files.readString(FILE), Map.class).forEach((key, value) -> root.put(String.valueOf(key), value));
      }
      root.putAll(sections);
      Files.createDirectories(FILE.getParent());
      Files.writeString(FILE, JSON.writeValueAsString(root) + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
