package gdrproof.engine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which faults stay open without which measurement: read at build time from the hypotheses of the rules, which name what would decide them. */
public final class Needs {
  private static final String FILE = "needs";
  private static final Pattern HYPOTHESIS = Pattern.compile("Hypothesis\\.of\\(\\s*\"(?<fault>[a-z0-9-]+)\"(?<rest>[^;]*);");
  private static final Pattern NAME = Pattern.compile("\"(?<name>[a-z0-9-]+)\"");

  private Needs() {}

  static void write(Path folder, Collection<List<Path>> files) throws IOException {
    Set<String> lines = new TreeSet<>();
    for (List<Path> topic : files) {
      for (Path file : topic) {
        Matcher hypothesis = HYPOTHESIS.matcher(Files.readString(file));
        while (hypothesis.find()) {
          Matcher name = NAME.matcher(hypothesis.group("rest"));
          while (name.find()) {
            lines.add(name.group("name") + "\t" + hypothesis.group("fault"));
          }
        }
      }
    }
    Files.write(folder.resolve(FILE), lines);
  }

  /** Faults by measurement, of the shipped rules. */
  public static Map<String, Set<String>> load() {
    Map<String, Set<String>> needs = new TreeMap<>();
    try (InputStream stream = Needs.class.getClassLoader().getResourceAsStream(RuleCompiler.FOLDER + "/" + FILE)) {
      if (stream == null) {
        return needs;
      }
      BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        String[] parts = line.split("\t");
        needs.computeIfAbsent(parts[0], m -> new TreeSet<>()).add(parts[1]);
      }
      return needs;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
