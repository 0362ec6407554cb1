package gdrproof.collect;

import gdrproof.bundle.Bundle;
import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.bundle.Text;
import gdrproof.facts.Gids;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/** Holds expected facts of the sample lists against those found, as `KEYS.md` says: numbers, alternatives, lists, addresses, and keys without a subject. */
public final class Samples {
  /** One expected fact of one file. */
  public record Row(String file, String key, String expected, Set<String> found, boolean right) {
    @Override
    public String toString() {
      return file + ": " + key + "=" + expected + " but found " + found;
    }
  }

  private Samples() {}

  /** The tool of a sample: its folder, or what stands beside it for those that are filed under something else. */
  static String family(String path, String tool, Set<String> known) {
    String folder = path.substring(0, Math.max(0, path.indexOf('/')));
    String first = tool.split(" ")[0];
    return known.contains(folder) || !known.contains(first) ? folder : first;
  }

  /** Whether a file is packed by gzip, zip or zstd. */
  static boolean packed(Path file) {
    try (InputStream stream = Files.newInputStream(file)) {
      byte[] head = stream.readNBytes(4);
      return head.length == 4 && (head[0] == 0x1F && (head[1] & 0xFF) == 0x8B || head[0] == 'P' && head[1] == 'K' || head[0] == 0x28 && (head[1] & 0xFF) == 0xB5);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Nodes whose answers a file holds. */
  static Set<String> nodes(Path file) throws IOException {
    Set<String> nodes = new TreeSet<>();
    for (Bundle.Entry entry : Bundle.open(file)) {
      try (InputStream stream = entry.open()) {
        List<String> lines = Text.lines(stream.readAllBytes());
        (lines == null ? List.<Section>of() : Sections.split(entry, lines)).forEach(s -> nodes.add(s.node()));
      }
    }
    return nodes;
  }

  /**
   * Holds the expected facts of one file against the keys that its facts give.
   *
   * @param found keys of the text alone, then keys that need more than the text; each is asked only for what those before do not tell
   */
  static List<Row> compare(String file, String facts, List<Supplier<Map<String, Set<String>>>> found) {
    List<Row> rows = new ArrayList<>();
    for (String fact : facts.split(";")) {
      int equals = fact.indexOf('=');
      if (equals > 0) {
        String key = fact.substring(0, equals).strip();
        String expected = fact.substring(equals + 1).replace("%3B", ";").strip();
        Set<String> values = found.stream().map(f -> lookUp(f.get(), key)).filter(v -> !v.isEmpty()).findFirst().orElse(Set.of());
        rows.add(new Row(file, key, expected, values, right(key, expected, values) || unread(expected, values, found.get(0).get())));
      }
    }
    return rows;
  }

  /** Of what is cut nothing may be said: no fact, and word of a text that is not whole. */
  private static boolean unread(String expected, Set<String> values, Map<String, Set<String>> found) {
    return List.of(expected.split("\\|")).contains("unread") && values.isEmpty() && found.getOrDefault("parse", Set.of()).contains("incomplete");
  }

  private static boolean right(String key, String expected, Set<String> values) {
    if (key.equals("counterName")) {
      // One name among many that needs care.
      return values.contains(expected);
    }
    if (key.endsWith("acs")) {
      // Only some of the flags are listed.
      return !values.isEmpty() && values.stream().allMatch(v -> List.of(v.split(" ")).containsAll(List.of(expected.split(" "))));
    }
    return !values.isEmpty() && values.stream().allMatch(v -> same(expected, v));
  }

  /** A key without a subject holds for the key itself, else for every device in the file. */
  private static Set<String> lookUp(Map<String, Set<String>> found, String key) {
    Set<String> exact = found.get(key);
    if (exact != null) {
      return exact;
    }
    Set<String> all = new TreeSet<>();
    String name = key.contains("(") ? key.substring(0, key.indexOf('(')) : key;
    if (!name.contains("/")) {
      String host = key.contains("@") ? key.substring(0, key.indexOf('@') + 1) : "";
      String rest = key.substring(host.length());
      found.forEach((k, v) -> {
        if (k.startsWith(host) && k.substring(host.length()).endsWith("/" + rest)) {
          all.addAll(v);
        }
      });
    }
    return all;
  }

  /** Numbers of a list of ranges, or none if it is something else. */
  private static Set<Integer> numbers(String list) {
    Set<Integer> numbers = new TreeSet<>();
    if (list.matches("\\d{1,4}(?:-\\d{1,4})?(?:,\\d{1,4}(?:-\\d{1,4})?){0,200}")) {
      for (String part : list.split(",")) {
        String[] ends = part.split("-");
        for (int n = Integer.parseInt(ends[0]); n <= Integer.parseInt(ends[ends.length - 1]); n++) {
          numbers.add(n);
        }
      }
    }
    return numbers;
  }

  static boolean same(String expected, String found) {
    for (String alternative : expected.split("\\|")) {
      if (alternative.equals(found) || number(alternative) != null && number(alternative).equals(number(found)) || alternative.equals("present") && !found.isEmpty()
          || pci(alternative).equals(pci(found)) || address(alternative).equals(address(found)) || alternative.contains(",") && new TreeSet<>(List.of(alternative.split(","))).equals(new TreeSet<>(List.of(found.split(","))))
          || !numbers(alternative).isEmpty() && numbers(alternative).equals(numbers(found))) {
        return true;
      }
    }
    return false;
  }

  private static Double number(String text) {
    try {
      return Double.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** One IPv6 address has many spellings. */
  private static String address(String text) {
    return text.matches("[0-9a-fA-F]{0,4}(?::[0-9a-fA-F]{0,4}){2,7}") ? Gids.canonical(text) : text;
  }

  private static String pci(String text) {
    return text.matches("(?:[0-9a-fA-F]{4,8}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}(?:\\.[0-7])?") ? text.toLowerCase(Locale.ROOT).replaceFirst("^0+(?=[0-9a-f]{4}:)", "").replaceFirst("^0000:", "")
        : text;
  }
}
