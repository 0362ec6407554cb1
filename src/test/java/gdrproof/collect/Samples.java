package gdrproof.collect;

import gdrproof.Shared;
import gdrproof.bundle.Bundle;
import gdrproof.facts.Ledger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Compares the facts of the sample files (`INDEX.tsv` of the samples folder, another by `-Dgdrproof.samples=DIR`) with the
 * expected ones.
 */
public final class Samples {
  /** One expected fact of one file. */
  public record Row(String file, String key, String expected, Set<String> found, boolean right) {
    @Override
    public String toString() {
      return file + ": " + key + "=" + expected + " but found " + found;
    }
  }

  private Samples() {}

  /** Checks the files of the given tools (first folder of the path). */
  public static List<Row> check(Set<String> tools, SampleKeys keys) throws IOException {
    Path folder = Shared.folder("gdrproof.samples", "samples");
    List<Row> rows = new ArrayList<>();
    for (String line : Files.readAllLines(folder.resolve("INDEX.tsv"))) {
      String[] cells = line.split("\t", -1);
      if (cells.length < 5 || cells[0].equals("path")) {
        continue;
      }
      String tool = cells[0].substring(0, Math.max(0, cells[0].indexOf('/')));
      if (!tools.contains(tool)) {
        continue;
      }
      Ledger ledger = Collectors.read(Bundle.open(folder.resolve(cells[0])));
      Map<String, Set<String>> found = keys.keys(tool, ledger);
      for (String fact : cells[4].split(";")) {
        int equals = fact.indexOf('=');
        if (equals > 0) {
          String key = fact.substring(0, equals).strip();
          String expected = fact.substring(equals + 1).replace("%3B", ";").strip();
          Set<String> values = lookUp(found, key);
          rows.add(new Row(cells[0], key, expected, values, !values.isEmpty() && values.stream().allMatch(v -> same(expected, v))));
        }
      }
    }
    return rows;
  }

  /** A key without a subject holds for the key itself, else for every device in the file. */
  private static Set<String> lookUp(Map<String, Set<String>> found, String key) {
    Set<String> exact = found.get(key);
    if (exact != null) {
      return exact;
    }
    Set<String> all = new java.util.TreeSet<>();
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

  static boolean same(String expected, String found) {
    for (String alternative : expected.split("\\|")) {
      if (alternative.equals(found) || number(alternative) != null && number(alternative).equals(number(found)) || alternative.equals("present") && !found.isEmpty()
          || pci(alternative).equals(pci(found))) {
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

  private static String pci(String text) {
    return text.matches("(?:[0-9a-fA-F]{4,8}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}(?:\\.[0-7])?") ? text.toLowerCase(Locale.ROOT).replaceFirst("^0+(?=[0-9a-f]{4}:)", "").replaceFirst("^0000:", "")
        : text;
  }
}
