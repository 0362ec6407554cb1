package gdrproof.engine;

import gdrproof.finding.RuleInfo;
import gdrproof.finding.Severity;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rules' own words, read from the DRL text at build time: in the executable model a rule does not know its file,
 * and its annotations come back with or without quotes depending on who compiled it.
 *
 * <p>Stored as one line a rule, fields separated by tabs (tabs and line ends in values become blanks).
 */
public final class Catalogue {
  private static final Pattern RULE = Pattern.compile("^rule\\s+\"([^\"]+)\"");
  private static final Pattern ANNOTATION = Pattern.compile("^\\s*@(\\w+)\\(\\s*\"((?:[^\"\\\\]|\\\\.)*)\"\\s*\\)\\s*$");
  private static final int FIELDS = 14;

  private Catalogue() {}

  static List<RuleInfo> read(Path rules, String topic, List<Path> files) throws IOException {
    List<RuleInfo> found = new ArrayList<>();
    for (Path file : files) {
      String relative = rules.relativize(file).toString().replace('\\', '/');
      found.addAll(read(topic, relative, Files.readAllLines(file)));
    }
    return found;
  }

  static List<RuleInfo> read(String topic, String file, List<String> lines) {
    List<RuleInfo> found = new ArrayList<>();
    String name = null;
    int line = 0;
    Map<String, String> annotations = new HashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      Matcher rule = RULE.matcher(lines.get(i));
      if (rule.find()) {
        name = rule.group(1);
        line = i + 1;
        annotations.clear();
        continue;
      }
      if (lines.get(i).startsWith("rule ")) {
        throw new RuleCompiler.RuleError(file + ":" + (i + 1) + ": a rule's name stands in quotes: rule \"CODE slug\"");
      }
      Matcher annotation = ANNOTATION.matcher(lines.get(i));
      if (name != null && annotation.find()) {
        annotations.put(annotation.group(1).toLowerCase(java.util.Locale.ROOT), annotation.group(2).replace("\\\"", "\""));
      }
      if (name != null && lines.get(i).strip().equals("when")) {
        found.add(info(topic, file, line, name, annotations));
        name = null;
      }
    }
    return found;
  }

  private static RuleInfo info(String topic, String file, int line, String name, Map<String, String> notes) {
    int blank = name.indexOf(' ');
    if (blank < 0) {
      throw new RuleCompiler.RuleError(file + ":" + line + ": rule \"" + name + "\": a name is a code, a blank and a slug");
    }
    Severity severity;
    try {
      severity = Severity.parse(notes.getOrDefault("severity", "info"));
    } catch (IllegalArgumentException e) {
      throw new RuleCompiler.RuleError(file + ":" + line + ": rule \"" + name + "\": severity is error, warning or info, not " + notes.get("severity"));
    }
    return new RuleInfo(name.substring(0, blank), name.substring(blank + 1), topic, severity, notes.getOrDefault("layer", ""),
        List.of(notes.getOrDefault("stages", "diagnose").split("\\s*,\\s*")), notes.getOrDefault("fault", ""), notes.getOrDefault("check", ""),
        notes.getOrDefault("message", ""), notes.getOrDefault("summary", ""), notes.getOrDefault("remedy", ""), notes.getOrDefault("source", ""), file,
        line);
  }

  static void checkUnique(List<RuleInfo> rules) {
    Map<String, RuleInfo> byCode = new HashMap<>();
    for (RuleInfo rule : rules) {
      RuleInfo other = byCode.put(rule.code(), rule);
      if (other != null) {
        throw new RuleCompiler.RuleError(rule.file() + ":" + rule.line() + ": code " + rule.code() + " is taken by " + other.file() + ":" + other.line());
      }
    }
  }

  static void write(Path file, List<RuleInfo> infos, Path rules) throws IOException {
    List<String> lines = new ArrayList<>();
    for (RuleInfo i : infos) {
      lines.add(String.join("\t", clean(i.code()), clean(i.slug()), i.topic(), i.severity().toString(), clean(i.layer()), String.join(",", i.stages()),
          clean(i.fault()), clean(i.check()), clean(i.message()), clean(i.summary()), clean(i.remedy()), clean(i.source()), i.file(),
          Integer.toString(i.line())));
      Path page = rules.resolve(i.file().replaceAll("\\.drl$", ".md"));
      if (Files.exists(page)) {
        Path copy = file.resolveSibling("pages").resolve(i.code() + ".md");
        Files.createDirectories(copy.getParent());
        Files.copy(page, copy, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
      }
    }
    Files.write(file, lines);
  }

  private static String clean(String text) {
    return text.replaceAll("[\\t\\r\\n]+", " ");
  }

  static List<RuleInfo> load(InputStream stream) {
    List<RuleInfo> found = new ArrayList<>();
    try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        String[] f = line.split("\t", -1);
        if (f.length != FIELDS) {
          throw new IllegalStateException("rule catalogue damaged: " + line);
        }
        found.add(new RuleInfo(f[0], f[1], f[2], Severity.parse(f[3]), f[4], List.of(f[5].split(",")), f[6], f[7], f[8], f[9], f[10], f[11], f[12],
            Integer.parseInt(f[13])));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }
}
