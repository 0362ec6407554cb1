package gdrproof.policy;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * A project's `gdrproof.yaml`: severities and thresholds, the platform, what is ignored and why.
 *
 * @param severity by rule code, check or slug: error, warning, info or off
 * @param thresholds by key of `policies/thresholds.yaml`
 * @param ignore entries with rule, file, reason, until
 */
public record LintConfig(String source, Map<String, String> severity, Map<String, String> thresholds, String platform, String failOn, List<Map<String, Object>> ignore) {
  /** The name that is looked for in the working folder. */
  public static final String NAME = "gdrproof.yaml";

  private static final Set<String> KEYS = Set.of("severity", "thresholds", "platform", "fail-on", "ignore");
  private static final Set<String> LEVELS = Set.of("error", "warning", "info", "off", "false");
  private static final LintConfig EMPTY = new LintConfig("", Map.of(), Map.of(), "", "", List.of());

  /**
   * Reads a file; without one, the working folder's own if there is any.
   *
   * @throws IOException with a message for the user, if the file is missing or says something unknown
   */
  public static LintConfig read(String named) throws IOException {
    Path file = Path.of(named.isEmpty() ? NAME : named);
    if (named.isEmpty() && !Files.isRegularFile(file)) {
      return EMPTY;
    }
    Map<String, Object> root;
    try (Reader reader = Files.newBufferedReader(file)) {
      root = Policies.map(new Yaml(new SafeConstructor(new LoaderOptions())).load(reader));
    } catch (YAMLException | ClassCastException e) {
      throw new IOException(file + ": " + String.valueOf(e.getMessage()).replaceAll("\\s+", " "), e);
    }
    for (String key : root.keySet()) {
      if (!KEYS.contains(key)) {
        throw new IOException(file + ": unknown key " + key + " (known: fail-on, ignore, platform, severity, thresholds)");
      }
    }
    Map<String, String> severity = texts(root.get("severity"));
    for (Map.Entry<String, String> each : severity.entrySet()) {
      if (!LEVELS.contains(each.getValue())) {
        throw new IOException(file + ": severity of " + each.getKey() + " is error, warning, info or off, not " + each.getValue());
      }
    }
    String platform = String.valueOf(root.getOrDefault("platform", ""));
    if (!platform.isEmpty() && !Platforms.exists(platform)) {
      throw new IOException(file + ": no platform profile " + platform);
    }
    return new LintConfig(file.toString(), severity, texts(root.get("thresholds")), platform, String.valueOf(root.getOrDefault("fail-on", "")), Policies.maps(root.get("ignore")));
  }

  private static Map<String, String> texts(Object map) {
    Map<String, String> texts = new TreeMap<>();
    Policies.map(map).forEach((key, value) -> texts.put(key, String.valueOf(value)));
    return texts;
  }
}
