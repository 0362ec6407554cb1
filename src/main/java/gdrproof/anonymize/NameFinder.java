package gdrproof.anonymize;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds names as whole words, the longest first, also as the stem of a folded list (`node[01-16]`). */
final class NameFinder {
  /** Names shorter than this count only in their own case: `gpu1` is no `GPU1`. */
  private static final int ANY_CASE_FROM = 6;

  /** @param bracket whether it is the stem of a folded list and counts before `[` only */
  private record Name(String text, String pseudonym, boolean anyCase, boolean bracket) {}

  /** What follows the host in a line of NCCL. */
  private static final Pattern PREFIX = Pattern.compile(":\\d+:\\d+ (?:\\[\\d+\\] )?NCCL ");

  private final Map<String, List<Name>> byFirst = new HashMap<>();

  NameFinder(Map<String, String> names) {
    Map<String, Name> all = new HashMap<>();
    names.forEach((name, pseudonym) -> {
      all.put(name, new Name(name, pseudonym, name.length() >= ANY_CASE_FROM && name.matches(".*[0-9-].*"), false));
      int digits = name.length();
      while (digits > 0 && Character.isDigit(name.charAt(digits - 1))) {
        digits--;
      }
      if (digits > 1 && digits < name.length()) {
        String stem = name.substring(0, digits);
        all.putIfAbsent(stem + "[", new Name(stem, pseudonym.substring(0, digits), false, true));
      }
    });
    all.values().forEach(name -> byFirst.computeIfAbsent(run(name.text(), 0).toLowerCase(Locale.ROOT), k -> new ArrayList<>()).add(name));
    byFirst.values().forEach(same -> same.sort(Comparator.comparingInt((Name n) -> n.text().length()).reversed().thenComparing(Name::text).thenComparing(Name::bracket)));
  }

  private static String run(String text, int from) {
    int to = from;
    while (to < text.length() && letter(text.charAt(to))) {
      to++;
    }
    return text.substring(from, to);
  }

  private static boolean letter(char c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
  }

  String apply(String text) {
    StringBuilder made = null;
    int end = 0;
    int at = 0;
    boolean glued = text.contains(" NCCL ");
    while (at < text.length()) {
      if (!letter(text.charAt(at))) {
        at++;
        continue;
      }
      int start = escaped(text, at) ? at + 1 : at;
      Name name = at(text, start);
      if (name == null && glued) {
        int inner = glued(text, start);
        start = inner < 0 ? start : inner;
        name = inner < 0 ? null : at(text, inner);
      }
      if (name == null) {
        at = start + run(text, start).length();
        at = Math.max(at, start + 1);
      } else {
        made = made == null ? new StringBuilder(text.length()) : made;
        String found = text.substring(start, start + name.text().length());
        made.append(text, end, start).append(found.equals(name.text()) ? name.pseudonym() : Names.cased(name.pseudonym(), found));
        at = start + name.text().length();
        end = at;
      }
    }
    return made == null ? text : made.append(text, end, text.length()).toString();
  }

  /** The letter of `\n` and `\t` in a quoted text is no part of the word behind it. */
  private static boolean escaped(String text, int at) {
    return at > 0 && text.charAt(at - 1) == '\\' && "ntr".indexOf(text.charAt(at)) >= 0;
  }

  /** Where in a word a host begins that a process wrote into the middle of another's line, `0.00  0node7:12:13 [0] NCCL INFO`; or -1. */
  private int glued(String text, int start) {
    int end = start + run(text, start).length();
    for (int i = start + 1; i < end; i++) {
      Name name = at(text, i);
      if (name != null && PREFIX.matcher(text).region(i + name.text().length(), text.length()).lookingAt()) {
        return i;
      }
    }
    return -1;
  }

  private @Nullable Name at(String text, int start) {
    if (start >= text.length()) {
      return null;
    }
    List<Name> names = byFirst.get(run(text, start).toLowerCase(Locale.ROOT));
    if (names == null) {
      return null;
    }
    for (Name name : names) {
      int end = start + name.text().length();
      boolean same = text.regionMatches(name.anyCase(), start, name.text(), 0, name.text().length());
      if (same && (name.bracket() ? end < text.length() && text.charAt(end) == '[' : end == text.length() || !letter(text.charAt(end)))) {
        return name;
      }
    }
    return null;
  }

  /** Names that a text holds. */
  Set<String> in(String text) {
    Set<String> found = new TreeSet<>();
    boolean nccl = text.contains(" NCCL ");
    for (int at = 0; at < text.length(); at++) {
      boolean start = letter(text.charAt(at)) && (at == 0 || !letter(text.charAt(at - 1)));
      if (start && nccl && at(text, at) == null && glued(text, at) >= 0) {
        found.add(at(text, glued(text, at)).text());
      }
      if (letter(text.charAt(at)) && (at == 0 || !letter(text.charAt(at - 1)) || escaped(text, at - 1))) {
        Name name = at(text, at);
        if (name != null) {
          found.add(name.text());
        }
      }
    }
    return found;
  }
}
