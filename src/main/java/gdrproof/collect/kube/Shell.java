package gdrproof.collect.kube;

import gdrproof.bundle.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * Words of a container's command: an argument list as it stands, and shell text cut into commands. Nothing is evaluated;
 * quotes and continuations are resolved, comments dropped, variables stay as text.
 */
final class Shell {
  /**
   * @param text without outer quotes
   * @param value the scalar it stands in
   * @param line line in the file
   */
  record Word(String text, Value value, int line) {}

  private static final int LONGEST = 1 << 18;

  private Shell() {}

  /** Commands of a container: each a list of words. */
  static List<List<Word>> commands(List<Value> arguments) {
    List<List<Word>> commands = new ArrayList<>();
    List<Word> plain = new ArrayList<>();
    for (Value each : arguments) {
      if (!(each instanceof Value.Scalar scalar)) {
        continue;
      }
      String text = scalar.text();
      if (text.indexOf('\n') >= 0 || text.indexOf(' ') >= 0 && afterShell(plain)) {
        script(scalar, commands);
      } else {
        plain.add(new Word(text, scalar, scalar.line()));
      }
    }
    if (!plain.isEmpty()) {
      commands.add(0, plain);
    }
    return commands;
  }

  private static boolean afterShell(List<Word> words) {
    for (Word word : words) {
      String text = word.text();
      if (text.startsWith("-") && text.endsWith("c") && !text.startsWith("--")) {
        return true;
      }
    }
    return words.isEmpty();
  }

  /** Cuts shell text into commands. */
  static void script(Value.Scalar scalar, List<List<Word>> commands) {
    String text = scalar.text();
    List<Word> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean inWord = false;
    char quote = 0;
    int line = 0;
    int started = 0;
    int end = Math.min(text.length(), LONGEST);
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < end && quote != '\'') {
        char next = text.charAt(++i);
        if (next == '\n') {
          line++;
        } else {
          started = inWord ? started : line;
          inWord = true;
          word.append(next);
        }
        continue;
      }
      if (quote != 0) {
        if (c == quote) {
          quote = 0;
        } else {
          word.append(c);
          line += c == '\n' ? 1 : 0;
        }
        continue;
      }
      boolean ends = c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ';' || c == '|' || c == '&' && !redirect(text, i) || c == '(' && !inWord || c == ')' && !inWord;
      if (ends) {
        if (inWord) {
          words.add(new Word(word.toString(), scalar, scalar.lineOf(started)));
          word.setLength(0);
          inWord = false;
        }
        if (c != ' ' && c != '\t' && c != '\r' && !words.isEmpty()) {
          commands.add(words);
          words = new ArrayList<>();
        }
        line += c == '\n' ? 1 : 0;
      } else if (c == '#' && !inWord) {
        while (i + 1 < end && text.charAt(i + 1) != '\n') {
          i++;
        }
      } else {
        started = inWord ? started : line;
        inWord = true;
        if (c == '"' || c == '\'') {
          quote = c;
        } else {
          word.append(c);
        }
      }
    }
    if (inWord) {
      words.add(new Word(word.toString(), scalar, scalar.lineOf(started)));
    }
    if (!words.isEmpty()) {
      commands.add(words);
    }
  }

  private static boolean redirect(String text, int at) {
    return at > 0 && (text.charAt(at - 1) == '>' || text.charAt(at - 1) == '<') || at + 1 < text.length() && text.charAt(at + 1) == '>';
  }

  /** Whether a word is `NAME=value` with a variable's name. */
  static boolean assignment(String text) {
    int equals = text.indexOf('=');
    if (equals <= 0) {
      return false;
    }
    for (int i = 0; i < equals; i++) {
      char c = text.charAt(i);
      if (!(c == '_' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || i > 0 && c >= '0' && c <= '9')) {
        return false;
      }
    }
    return true;
  }

  /** Name of a program without its folders. */
  static String program(String word) {
    return word.substring(word.lastIndexOf('/') + 1);
  }
}
