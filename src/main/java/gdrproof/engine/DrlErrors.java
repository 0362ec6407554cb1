package gdrproof.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.kie.api.builder.Message;

/**
 * Turns messages of the DRL compiler into ones that name file, line and rule. The compiler gives line -1 for unknown
 * fields, so the rule's name in the text, or the file in the message's path, must do.
 */
final class DrlErrors {
  private DrlErrors() {}

  static String explain(Path rules, List<Path> files, List<Message> errors) {
    Set<String> lines = new LinkedHashSet<>();
    for (Message error : errors) {
      String text = error.getText().strip().replaceAll("\\s+", " ");
      // The whole generated source tells a rule's author nothing; the compiler's own sentence follows it as another message.
      if (!text.startsWith("Java source of ")) {
        lines.add(place(rules, files, error) + ": " + text);
      }
    }
    return String.join("\n", lines);
  }

  private static String place(Path rules, List<Path> files, Message error) {
    String path = error.getPath() == null ? "" : error.getPath();
    for (Path file : files) {
      String relative = rules.relativize(file).toString().replace('\\', '/');
      if (path.endsWith("/" + relative.replace('/', '_'))) {
        int line = error.getLine() > 0 ? error.getLine() : firstRule(file);
        return rules.resolve(relative) + ":" + line + " rule \"" + ruleAt(file, line) + "\"";
      }
    }
    for (Path file : files) {
      String name = ruleName(file);
      if (!name.isEmpty() && error.getText().contains(name)) {
        return file + ":" + firstRule(file) + " rule \"" + name + "\"";
      }
    }
    return files.size() == 1 ? files.get(0) + ":" + firstRule(files.get(0)) + " rule \"" + ruleName(files.get(0)) + "\"" : rules.toString();
  }

  private static int firstRule(Path file) {
    List<String> lines = read(file);
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith("rule ")) {
        return i + 1;
      }
    }
    return 1;
  }

  private static String ruleName(Path file) {
    return ruleAt(file, firstRule(file));
  }

  /** Name of the last rule that begins at or before a line. */
  private static String ruleAt(Path file, int at) {
    String name = "";
    List<String> lines = read(file);
    for (int i = 0; i < Math.min(at, lines.size()); i++) {
      if (lines.get(i).startsWith("rule ")) {
        name = lines.get(i).substring(5).strip().replace("\"", "");
      }
    }
    return name;
  }

  private static List<String> read(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
