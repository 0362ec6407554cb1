package gdrproof.policy;

import gdrproof.facts.Meta.Setting;
import gdrproof.facts.Num;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.ref.SoftReference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Reads the data files of `policies/`, which travel in the jar. */
public final class Policies {
  private Policies() {}

  /** What was read, for readers that ask for one file with each object or line they judge; given up when memory is short. */
  private static final Map<String, SoftReference<Object>> READ = new ConcurrentHashMap<>();

  /** A policy file as plain maps, lists and scalars, which nobody can change. */
  @SuppressWarnings("unchecked")
  public static Map<String, Object> read(String name) {
    return (Map<String, Object>) list(name);
  }

  /** A policy file that is a list. */
  public static Object list(String name) {
    SoftReference<Object> held = READ.get(name);
    Object known = held == null ? null : held.get();
    if (known != null) {
      return known;
    }
    Object root = load(name);
    READ.put(name, new SoftReference<>(root));
    return root;
  }

  private static Object load(String name) {
    try (InputStream packed = Policies.class.getResourceAsStream("/policies/" + name + PackedYaml.SUFFIX)) {
      if (packed != null) {
        return PackedYaml.read(packed);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try (InputStream stream = open(name)) {
      return PolicyYaml.parser().load(new InputStreamReader(stream, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Lines of a policy table, without comments and empty lines. */
  public static List<String> lines(String name) {
    try (InputStream stream = open(name)) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8).lines().filter(line -> !line.isEmpty() && line.charAt(0) != '#').toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A policy file as it is written, comments and all: forms that a user fills in. */
  public static String text(String name) {
    try (InputStream stream = open(name)) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InputStream open(String name) {
    InputStream stream = Policies.class.getResourceAsStream("/policies/" + name);
    if (stream == null) {
      throw new IllegalStateException("policies/" + name + " is missing from the program");
    }
    return stream;
  }

  /** File that a setting stands in. */
  public static String source(Setting setting) {
    return setting.key().startsWith("resource.") ? "policies/resources.yaml" : "policies/thresholds.yaml";
  }

  /**
   * What rules see of the policies as facts: the values of `thresholds.yaml`, which have unit, source and reason, and the names of
   * `resources.yaml` that stand for the fabric.
   */
  public static List<Setting> settings() {
    List<Setting> settings = new ArrayList<>();
    new TreeMap<>(read("thresholds.yaml")).forEach((key, entry) -> {
      String text = String.valueOf(map(entry).get("value"));
      settings.add(new Setting(key, Num.parse(text), text));
    });
    settings.add(new Setting("resource.fabric", Num.UNKNOWN, ResourceNames.fabric()));
    return settings;
  }

  @SuppressWarnings("unchecked")
  public static Map<String, Object> map(Object value) {
    return value == null ? Map.of() : (Map<String, Object>) value;
  }

  /** A list of texts; a single text counts as a list of one. */
  public static List<String> texts(Object value) {
    if (value == null) {
      return List.of();
    }
    if (value instanceof List<?> many) {
      return many.stream().map(String::valueOf).toList();
    }
    return List.of(String.valueOf(value));
  }

  @SuppressWarnings("unchecked")
  public static List<Map<String, Object>> maps(Object value) {
    return value == null ? List.of() : (List<Map<String, Object>>) value;
  }
}
