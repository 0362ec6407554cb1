package gdrproof.policy;

import gdrproof.facts.Num;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * What a project sets: severities and thresholds, the platform, what is ignored and why. Layers, the higher one wins value by value: flags, environment
 * (`GDRPROOF_*`), `gdrproof.yaml`, defaults.
 *
 * @param severity by rule code, check or slug: error, warning, info or off
 * @param thresholds by key of `policies/thresholds.yaml`
 * @param ignore entries with rule, file, reason, until
 * @param origins where each value that is set comes from, by `fail-on`, `platform`, `severity.POD230`, `thresholds.shm.minimum`
 */
public record LintConfig(String source, Map<String, String> severity, Map<String, String> thresholds, String platform, String failOn, List<Ignored> ignore,
    Map<String, String> origins) {
  /** The name that is looked for in the working folder. */
  public static final String NAME = "gdrproof.yaml";

  private static final Set<String> KEYS = Set.of("severity", "thresholds", "platform", "fail-on", "ignore");
  private static final Set<String> LEVELS = Set.of("error", "warning", "info", "off");
  private static final Set<String> LIMITS = Set.of("error", "warning", "info", "never", "none");
  private static final LintConfig EMPTY = new LintConfig("", Map.of(), Map.of(), "", "", List.of(), Map.of());
  private static final String FAIL_ON = "fail-on";
  private static final String PLATFORM = "platform";

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
    if (Files.isDirectory(file)) {
      throw new IOException(file + ": is a folder, not a configuration file");
    }
    ConfigMap root;
    try (Reader reader = Files.newBufferedReader(file)) {
      root = ConfigMap.of(file.toString(), new Yaml(new SafeConstructor(new LoaderOptions())).load(reader));
    } catch (NoSuchFileException e) {
      throw new IOException(file + ": no such configuration file", e);
    } catch (CharacterCodingException e) {
      throw new IOException(file + ": is not UTF-8 text", e);
    } catch (YAMLException e) {
      throw new IOException(file + ": " + String.valueOf(e.getMessage()).replaceAll("\\s+", " "), e);
    }
    root.only(KEYS);
    String source = file.toString();
    LintConfig read = EMPTY.with(source, root.map("severity").texts(), root.map("thresholds").texts(), root.text(PLATFORM), root.text(FAIL_ON));
    List<Ignored> ignored = new ArrayList<>();
    for (ConfigMap entry : root.maps("ignore")) {
      ignored.add(Ignored.of(entry));
    }
    return new LintConfig(source, read.severity, read.thresholds, read.platform, read.failOn, ignored, read.origins);
  }

  /**
   * Findings that a project lives with.
   *
   * @param rules rule codes, checks or slugs, or `all`; at least one
   * @param files names, folders with a slash behind them, or glob patterns; none for every file
   * @param until last day, YYYY-MM-DD, or ""
   */
  public record Ignored(List<String> rules, List<String> files, String reason, String until) {
    private static final Set<String> OWN = Set.of("rule", "file", "reason", "until");

    static Ignored of(ConfigMap entry) throws IOException {
      entry.only(OWN);
      List<String> rules = entry.list("rule");
      if (rules.isEmpty()) {
        throw new IOException(entry.where() + " names no rule (rule: CODE, a list of codes, or all)");
      }
      List<String> files = entry.list("file");
      for (String file : files) {
        FilePatterns.check(entry.where() + ".file", file);
      }
      return new Ignored(rules, files, entry.text("reason"), entry.text("until"));
    }
  }

  /** Rules that the configuration names, each with the place that does: the caller knows which rules there are. */
  public Map<String, String> named() {
    Map<String, String> named = new TreeMap<>();
    for (Ignored each : ignore) {
      each.rules().forEach(rule -> named.put(rule, source + ": ignore"));
    }
    severity.keySet().forEach(rule -> named.put(rule, origin("severity." + rule) + ": severity"));
    named.remove("all");
    return named;
  }

  /**
   * The file (that of `GDRPROOF_CONFIG` when the user names none) with the environment's values over it.
   *
   * @param environment `GDRPROOF_FAIL_ON`, `GDRPROOF_PLATFORM`, `GDRPROOF_SEVERITY` and `GDRPROOF_THRESHOLDS` (`POD230=info,J57=off`)
   * @throws IOException with a message for the user
   */
  public static LintConfig layered(String named, Map<String, String> environment) throws IOException {
    LintConfig file = read(named.isEmpty() ? environment.getOrDefault("GDRPROOF_CONFIG", "") : named);
    return file.with("environment GDRPROOF_SEVERITY", pairs(environment, "GDRPROOF_SEVERITY"), Map.of(), "", "")
        .with("environment GDRPROOF_THRESHOLDS", Map.of(), pairs(environment, "GDRPROOF_THRESHOLDS"), "", "")
        .with("environment GDRPROOF_PLATFORM", Map.of(), Map.of(), environment.getOrDefault("GDRPROOF_PLATFORM", ""), "")
        .with("environment GDRPROOF_FAIL_ON", Map.of(), Map.of(), "", environment.getOrDefault("GDRPROOF_FAIL_ON", ""));
  }

  /** This configuration under a higher layer; empty values of the layer leave what is there. */
  public LintConfig with(String origin, Map<String, String> severities, Map<String, String> numbers, String profile, String failing) throws IOException {
    Map<String, String> severity2 = new TreeMap<>(severity);
    Map<String, String> thresholds2 = new TreeMap<>(thresholds);
    Map<String, String> origins2 = new TreeMap<>(origins);
    for (Map.Entry<String, String> each : severities.entrySet()) {
      // YAML reads a plain off as false.
      String level = each.getValue().equals("false") ? "off" : each.getValue();
      if (!LEVELS.contains(level)) {
        throw new IOException(origin + ": severity of " + each.getKey() + " is error, warning, info or off, not " + each.getValue());
      }
      severity2.put(each.getKey(), level);
      origins2.put("severity." + each.getKey(), origin);
    }
    Map<String, Object> known = numbers.isEmpty() ? Map.of() : Policies.read("thresholds.yaml");
    for (Map.Entry<String, String> each : numbers.entrySet()) {
      if (!known.containsKey(each.getKey())) {
        throw new IOException(origin + ": no threshold " + each.getKey() + "; gdrproof config show --all lists them");
      }
      if (!Num.parse(each.getValue()).known()) {
        throw new IOException(origin + ": threshold " + each.getKey() + " is a number in the unit that policies/thresholds.yaml states, not " + each.getValue());
      }
      thresholds2.put(each.getKey(), each.getValue());
      origins2.put("thresholds." + each.getKey(), origin);
    }
    if (!profile.isEmpty()) {
      if (!Platforms.exists(profile)) {
        throw new IOException(origin + ": no platform profile " + profile);
      }
      origins2.put(PLATFORM, origin);
    }
    if (!failing.isEmpty()) {
      if (!LIMITS.contains(failing)) {
        throw new IOException(origin + ": fail-on is info, warning, error or never, not " + failing);
      }
      origins2.put(FAIL_ON, origin);
    }
    return new LintConfig(source, severity2, thresholds2, profile.isEmpty() ? platform : profile, failing.isEmpty() ? failOn : failing, ignore, origins2);
  }

  /** Where a value comes from. */
  public String origin(String key) {
    return origins.getOrDefault(key, "default");
  }

  private static Map<String, String> pairs(Map<String, String> environment, String name) throws IOException {
    Map<String, String> pairs = new TreeMap<>();
    for (String pair : environment.getOrDefault(name, "").split("\\s*,\\s*")) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        pairs.put(pair.substring(0, equals).strip(), pair.substring(equals + 1).strip());
      } else if (!pair.isBlank()) {
        throw new IOException("environment " + name + ": " + pair + " is not KEY=VALUE");
      }
    }
    return pairs;
  }
}
