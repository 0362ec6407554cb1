package gdrproof.rules;

import gdrproof.bundle.Bundle;
import gdrproof.bundle.Bundle.Entry;
import gdrproof.policy.Policies;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.yaml.snakeyaml.Yaml;

/**
 * One fault put into the healthy bundle by editing raw evidence: the edits that the real fault would make, and a harmless oddity beside them.
 *
 * @param fault name that the program must give
 * @param edits as of {@link Overlay}, but that a block ends at the margin; `decisive: true` marks those without which the fault must not be claimed
 */
record Injection(String name, String fault, String distractor, List<Map<String, Object>> edits) {
  private static final Path HOME = Path.of("fixtures/_injections");

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

  /** Blocks of an injection end at the margin, where those of an overlay end at the next prompt. */
  private static List<Map<String, Object>> edits(Object list) {
    List<Map<String, Object>> edits = new ArrayList<>();
    for (Map<String, Object> edit : Overlay.edits(list)) {
      Map<String, Object> whole = new LinkedHashMap<>(edit);
      if (edit.containsKey("within")) {
        whole.putIfAbsent("to", "^\\S");
      }
      edits.add(whole);
    }
    return edits;
  }

  List<Map<String, Object>> withoutDecisive() {
    return edits.stream().filter(e -> !Boolean.TRUE.equals(e.get("decisive"))).toList();
  }

  /** Entries as a bundle in a folder would give them, without writing one. */
  static List<Entry> entries(Map<String, String> texts) {
    try {
      Path folder = Files.createTempDirectory("gdrproof-injection");
      try {
        for (Map.Entry<String, String> text : texts.entrySet()) {
          Path file = folder.resolve(text.getKey());
          Files.createDirectories(file.getParent());
          Files.writeString(file, text.getValue());
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
