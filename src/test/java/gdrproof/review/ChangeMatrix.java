package gdrproof.review;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * What each pair `fixtures/_changes/NAME/{before,after}/` expects, from its `expect.yaml`: verdict and the codes of all rules that speak, for the way
 * there and the way back, a consequence that must not be said (`never`), and rules that the pair just misses (`near`).
 */
public final class ChangeMatrix {
  private static final Path FOLDER = Path.of("fixtures/_changes");

  /**
   * @param never "" if any consequence may be said
   * @param near rules that would speak if one line were otherwise; none of them speaks on the way there
   */
  record Pair(Path folder, String verdict, Set<String> speaks, Set<String> near, String never, String back, Set<String> backSpeaks) {}

  private ChangeMatrix() {}

  static List<Pair> pairs() throws IOException {
    List<Pair> pairs = new ArrayList<>();
    try (Stream<Path> folders = Files.list(FOLDER)) {
      for (Path folder : folders.filter(Files::isDirectory).sorted().toList()) {
        pairs.add(read(folder));
      }
    }
    return pairs;
  }

  private static Pair read(Path folder) throws IOException {
    try (InputStream stream = Files.newInputStream(folder.resolve("expect.yaml"))) {
      Map<String, Object> expect = new Yaml(new SafeConstructor(new LoaderOptions())).load(stream);
      assertEquals(Set.of(), difference(expect.keySet(), Set.of("verdict", "speaks", "near", "never", "back", "back-speaks")), () -> folder + ": keys of expect.yaml");
      return new Pair(folder, String.valueOf(expect.get("verdict")), codes(expect, "speaks"), codes(expect, "near"), String.valueOf(expect.getOrDefault("never", "")),
          String.valueOf(expect.get("back")), codes(expect, "back-speaks"));
    }
  }

  private static Set<String> codes(Map<String, Object> expect, String key) {
    return new TreeSet<>(expect.get(key) instanceof List<?> list ? list.stream().map(String::valueOf).toList() : List.of());
  }

  /**
   * What the matrix has for each rule: "fires" for one that some pair expects; "silent" for one with a near miss, that is a pair that names it as
   * near, or the other way of a pair in which it speaks one way only.
   */
  public static Map<String, Set<String>> kinds() throws IOException {
    Map<String, Set<String>> kinds = new HashMap<>();
    for (Pair pair : pairs()) {
      add("fires", pair.speaks(), kinds);
      add("fires", pair.backSpeaks(), kinds);
      add("silent", pair.near(), kinds);
      add("silent", difference(pair.speaks(), pair.backSpeaks()), kinds);
      add("silent", difference(pair.backSpeaks(), pair.speaks()), kinds);
    }
    return kinds;
  }

  private static void add(String kind, Set<String> codes, Map<String, Set<String>> kinds) {
    codes.forEach(c -> kinds.computeIfAbsent(c, k -> new TreeSet<>()).add(kind));
  }

  private static Set<String> difference(Set<String> of, Set<String> without) {
    Set<String> left = new TreeSet<>(of);
    left.removeAll(without);
    return left;
  }
}
