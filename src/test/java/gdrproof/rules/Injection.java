package gdrproof.rules;

import gdrproof.bundle.Bundle;
import gdrproof.bundle.Bundle.Entry;
import gdrproof.policy.Policies;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.yaml.snakeyaml.Yaml;

/**
 * One fault put into the healthy bundle by editing raw evidence: the edits that the real fault would make, and a harmless oddity beside them.
 *
 * @param fault name that the program must give
 * @param edits maps with `file` (glob) and what to do: `find` and `replace` (regex, `$1`), `delete` (lines that match), `append`, `content` (whole file),
 *     `cut` (from the first line that matches to the end), `slow` (factor on the figures of benchmark rows); `within` limits an edit to the
 *     block that begins at a matching line and ends before the next line that begins at the margin, or matches `to`. `decisive: true` marks the edits
 *     without which the fault must not be claimed
 */
record Injection(String name, String fault, String distractor, List<Map<String, Object>> edits) {
  static final Path HOME = Path.of("fixtures/_injections");
  private static final Pattern ROW = Pattern.compile("^\\s*\\d+\\s+\\d+\\s+\\w+\\s+\\w+\\s+-?\\d+\\s+\\S.*\\s*");
  private static final Pattern PERFTEST_ROW = Pattern.compile("^ \\d+ +\\d+ +\\d+\\.\\d+ +\\d+\\.\\d+\\s+\\d+\\.\\d+\\s*$");

  /** All injections, in the order of their files. */
  static List<Injection> all() throws IOException {
    List<Injection> all = new ArrayList<>();
    try (Stream<Path> files = Files.list(HOME)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".yaml") && !f.endsWith("distractors.yaml")).sorted().toList()) {
        for (Object one : (List<?>) new Yaml().load(Files.readString(file))) {
          Map<String, Object> map = Policies.map(one);
          all.add(new Injection((String) map.get("name"), (String) map.get("fault"), (String) map.getOrDefault("distractor", ""), edits(map.get("edits"))));
        }
      }
    }
    return all;
  }

  /** Harmless oddities by name. */
  static Map<String, List<Map<String, Object>>> distractors() throws IOException {
    Map<String, List<Map<String, Object>>> all = new TreeMap<>();
    Policies.map(new Yaml().load(Files.readString(HOME.resolve("distractors.yaml")))).forEach((name, edits) -> all.put(name, edits(edits)));
    return all;
  }

  private static List<Map<String, Object>> edits(Object list) {
    return ((List<?>) list).stream().map(Policies::map).toList();
  }

  List<Map<String, Object>> withoutDecisive() {
    return edits.stream().filter(e -> !Boolean.TRUE.equals(e.get("decisive"))).toList();
  }

  static Map<String, String> texts(Path bundle) throws IOException {
    Map<String, String> texts = new TreeMap<>();
    for (Entry entry : Bundle.open(bundle)) {
      texts.put(entry.name(), new String(entry.open().readAllBytes(), StandardCharsets.UTF_8));
    }
    return texts;
  }

  /** The bundle's entries with edits applied; an edit that changes nothing is a mistake of the injection. */
  static Map<String, String> apply(Map<String, String> base, List<Map<String, Object>> edits) {
    Map<String, String> texts = new TreeMap<>(base);
    for (Map<String, Object> edit : edits) {
      String glob = (String) edit.get("file");
      PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + glob);
      List<String> files = texts.keySet().stream().filter(f -> matcher.matches(Path.of(f))).toList();
      if (files.isEmpty() && glob.indexOf('*') < 0) {
        files = List.of(glob);
      }
      boolean changed = false;
      for (String file : files) {
        String before = texts.getOrDefault(file, "");
        String after = edit(before, edit);
        changed |= !after.equals(before);
        if (Boolean.TRUE.equals(edit.get("remove"))) {
          texts.remove(file);
          changed = true;
        } else {
          texts.put(file, after);
        }
      }
      if (!changed) {
        throw new IllegalArgumentException("edit changes nothing: " + edit);
      }
    }
    return texts;
  }

  private static String edit(String text, Map<String, Object> edit) {
    if (edit.containsKey("within")) {
      return blocks(text, edit);
    }
    return lines(text, edit);
  }

  private static String blocks(String text, Map<String, Object> edit) {
    Pattern from = Pattern.compile((String) edit.get("within"));
    Pattern to = Pattern.compile((String) edit.getOrDefault("to", "^\\S"));
    StringBuilder out = new StringBuilder();
    StringBuilder block = null;
    for (String line : text.split("(?<=\n)")) {
      String bare = line.replaceAll("\\R$", "");
      if (block != null && to.matcher(bare).find()) {
        out.append(lines(block.toString(), edit));
        block = null;
      }
      if (block == null && from.matcher(bare).find()) {
        block = new StringBuilder();
      }
      (block == null ? out : block).append(line);
    }
    return block == null ? out.toString() : out.append(lines(block.toString(), edit)).toString();
  }

  private static String lines(String given, Map<String, Object> edit) {
    String text = given;
    if (edit.containsKey("content")) {
      text = (String) edit.get("content");
    }
    if (edit.containsKey("cut")) {
      Matcher cut = Pattern.compile((String) edit.get("cut"), Pattern.MULTILINE).matcher(text);
      text = cut.find() ? text.substring(0, cut.start()) : text;
    }
    if (edit.containsKey("delete")) {
      Pattern gone = Pattern.compile((String) edit.get("delete"));
      StringBuilder kept = new StringBuilder();
      for (String line : text.split("(?<=\n)")) {
        kept.append(gone.matcher(line.replaceAll("\\R$", "")).find() ? "" : line);
      }
      text = kept.toString();
    }
    if (edit.containsKey("find")) {
      Matcher find = Pattern.compile((String) edit.get("find"), Pattern.MULTILINE).matcher(text);
      String with = (String) edit.get("replace");
      text = Boolean.TRUE.equals(edit.get("once")) ? find.replaceFirst(with) : find.replaceAll(with);
    }
    if (edit.containsKey("slow")) {
      text = slow(text, ((Number) edit.get("slow")).doubleValue());
    }
    if (edit.containsKey("append")) {
      text = text + edit.get("append");
    }
    return text;
  }

  /** Rows of nccl-tests and perftest whose bandwidth is a factor of what it was. */
  private static String slow(String text, double factor) {
    StringBuilder out = new StringBuilder();
    for (String line : text.split("(?<=\n)")) {
      String bare = line.strip();
      String[] cells = bare.split("\\s+");
      if (ROW.matcher(line).matches() && cells.length == 13) {
        for (int i : new int[] {5, 9}) {
          cells[i] = number(Double.parseDouble(cells[i]) / factor);
          cells[i + 1] = number(Double.parseDouble(cells[i + 1]) * factor);
          cells[i + 2] = number(Double.parseDouble(cells[i + 2]) * factor);
        }
        out.append("  ").append(String.join("  ", cells)).append('\n');
      } else if (PERFTEST_ROW.matcher(line.stripTrailing()).matches()) {
        out.append(String.format(Locale.ROOT, " %-10s %s             %.2f             %.2f \t\t   %.6f%n", cells[0], cells[1], Double.parseDouble(cells[2]) * factor,
            Double.parseDouble(cells[3]) * factor, Double.parseDouble(cells[4]) * factor));
      } else {
        out.append(line);
      }
    }
    return out.toString();
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }

  /** Entries as a bundle in a folder would give them, without writing one. */
  static List<Entry> entries(Map<String, String> texts) {
    try {
      Path folder = Files.createTempDirectory("gdrproof-injection");
      List<Path> made = new ArrayList<>();
      try {
        for (Map.Entry<String, String> text : texts.entrySet()) {
          Path file = folder.resolve(text.getKey());
          Files.createDirectories(file.getParent());
          Files.writeString(file, text.getValue());
          made.add(file);
        }
        return Bundle.open(folder).stream().map(e -> new Entry(e.name(), e.bytes(), () -> new ByteArrayInputStream(texts.get(e.name()).getBytes(StandardCharsets.UTF_8)), e.node())).toList();
      } finally {
        try (Stream<Path> all = Files.walk(folder)) {
          all.sorted(java.util.Comparator.reverseOrder()).forEach(p -> p.toFile().delete());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
