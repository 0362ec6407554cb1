package gdrproof.collect;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;

/** Damages the bytes of a sample as transport, people and enemies do. The same seed gives the same bytes. */
final class Mutations {
  private static final int MOST_BYTES = 1 << 20;
  private static final Pattern NUMBER = Pattern.compile("\\d+(?:\\.\\d+)?");
  private static final List<String> NUMBERS = List.of("99999999999999999999999999", "-1", "0", "2147483648", "9223372036854775808", "1e999", "NaN", "0x", "0xffffffffffffffffffff", "00000000000000000001",
      "١٢٣", "1.2.3.4.5", "9".repeat(2000), "");
  private static final List<String> WORDS = List.of("\u0000", "\u0000\u0000\u0000\u0000", "\uFEFF", "\u2028", "\u001B[31m", "\r", "\t", "\"", "\\", "'", "{", "}", "[", "]", "<", ">", ":", "|", "%", "$(", "${", "&a", "*a", "!!", "---\n", "...\n",
      "<![CDATA[", "<!DOCTYPE a [<!ENTITY b \"c\">]>", "&b;", "\uD83D\uDE00", "é", "N/A", "unknown", "null", "(null)", "Killed\n", "== ibstat ==\n", "root@n1:~# ibstat\n", "\n\n", " ");
  private static final List<String> RUNS = List.of(" ", "\t", "(", "[", "{", "a", "0", "-", "=", ":", ",", ".", "/", "\"", "\\", "* ", "1 ", "a: ", "x=", "- ", "0 1 ", "[0] ", "|", "#", "1:", "a.", "a-", "ff:", ", ", "GPU0 ", "'", "\\n", "{\"a\":", "[[", "<a>", "<a b=\"");

  private Mutations() {}

  static byte[] mutate(byte[] sample, byte[] other, Random random) {
    byte[] bytes = sample;
    int rounds = 1 + random.nextInt(3);
    for (int i = 0; i < rounds; i++) {
      bytes = once(bytes, other, random);
    }
    return bytes.length <= MOST_BYTES ? bytes : java.util.Arrays.copyOf(bytes, MOST_BYTES);
  }

  private static byte[] once(byte[] bytes, byte[] other, Random random) {
    int kind = random.nextInt(16);
    if (bytes.length == 0) {
      return other;
    }
    if (kind == 0) {
      byte[] flipped = bytes.clone();
      int count = 1 + random.nextInt(1 + Math.min(200, bytes.length / 10));
      for (int i = 0; i < count; i++) {
        flipped[random.nextInt(flipped.length)] = (byte) (random.nextInt(4) == 0 ? random.nextInt(256) : 32 + random.nextInt(95));
      }
      return flipped;
    }
    if (kind == 1) {
      int from = random.nextInt(4) == 0 ? random.nextInt(bytes.length) : 0;
      return java.util.Arrays.copyOfRange(bytes, from, from + random.nextInt(bytes.length - from + 1));
    }
    String text = new String(bytes, StandardCharsets.UTF_8);
    if (kind == 2) {
      return bytes(NUMBER.matcher(text).replaceAll(m -> random.nextInt(6) == 0 ? NUMBERS.get(random.nextInt(NUMBERS.size())) : m.group()));
    }
    if (kind == 3 || kind == 4) {
      return bytes(insert(text, WORDS.get(random.nextInt(WORDS.size())), random));
    }
    if (kind == 5 || kind == 6) {
      String run = RUNS.get(random.nextInt(RUNS.size()));
      return bytes(insert(text, run.repeat((random.nextInt(8) == 0 ? 200_000 : 20_000) / run.length()), random));
    }
    if (kind == 7) {
      return bytes(text.replace(random.nextBoolean() ? "\n" : "  ", random.nextBoolean() ? " " : ""));
    }
    if (kind == 8) {
      return bytes(nested(text, random));
    }
    return bytes(String.join("\n", lines(new ArrayList<>(List.of(text.split("\n", -1))), List.of(new String(other, StandardCharsets.UTF_8).split("\n", -1)), kind, random)));
  }

  /** Puts a piece at a place that begins or ends a word. */
  private static String insert(String text, String piece, Random random) {
    int at = random.nextInt(text.length() + 1);
    while (at < text.length() && Character.isLetterOrDigit(text.charAt(at)) && random.nextInt(5) != 0) {
      at++;
    }
    return text.substring(0, at) + piece + text.substring(at);
  }

  private static String nested(String text, Random random) {
    int depth = 200 + random.nextInt(5000);
    return switch (random.nextInt(5)) {
      case 0 -> "{\"a\":".repeat(depth) + text + "}".repeat(depth);
      case 1 -> "[".repeat(depth) + text;
      case 2 -> text + "\n" + "- ".repeat(depth) + "a";
      case 3 -> "<a>".repeat(depth) + text;
      default -> {
        StringBuilder yaml = new StringBuilder(text).append('\n');
        for (int i = 0; i < Math.min(depth, 1000); i++) {
          yaml.append(" ".repeat(i)).append("a:\n");
        }
        yield yaml.toString();
      }
    };
  }

  private static List<String> lines(List<String> lines, List<String> others, int kind, Random random) {
    int at = random.nextInt(lines.size());
    switch (kind) {
      case 9 -> lines.addAll(at, Collections.nCopies(1 + random.nextInt(random.nextInt(10) == 0 ? 5000 : 20), lines.get(random.nextInt(lines.size()))));
      case 10 -> Collections.swap(lines, at, random.nextInt(lines.size()));
      case 11 -> lines.subList(at, Math.min(lines.size(), at + 1 + random.nextInt(5))).clear();
      case 12 -> lines.addAll(at, others.subList(0, Math.min(others.size(), 200)));
      case 13 -> lines.set(at, lines.get(at) + others.get(random.nextInt(others.size())));
      case 14 -> lines.set(at, words(lines.get(at), others.get(random.nextInt(others.size())), random));
      default -> lines.replaceAll(l -> random.nextInt(10) == 0 ? l.stripLeading() : l);
    }
    return lines;
  }

  /** Replaces, drops or repeats words of a line. */
  private static String words(String line, String other, Random random) {
    List<String> words = new ArrayList<>(List.of(line.split(" ", -1)));
    List<String> more = List.of(other.split(" ", -1));
    int at = random.nextInt(words.size());
    switch (random.nextInt(4)) {
      case 0 -> words.set(at, more.get(random.nextInt(more.size())));
      case 1 -> words.remove(at);
      case 2 -> words.addAll(at, Collections.nCopies(random.nextInt(300), words.get(at)));
      default -> words.add(at, "");
    }
    return String.join(" ", words);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
