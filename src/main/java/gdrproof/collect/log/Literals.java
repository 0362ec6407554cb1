package gdrproof.collect.log;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Texts of which every match of a pattern contains at least one. They let a scanner leave out lines that cannot match, without
 * running the pattern. Understands the syntax used in the message catalogue: groups, alternatives, classes, quantifiers, escapes.
 */
public final class Literals {
  /** More variants of one text than this are not worth their states. */
  private static final int MOST_VARIANTS = 8;
  private static final String CLASS_ESCAPES = "dDsSwWbB";

  private final String regex;
  private int at;

  private Literals(String regex) {
    this.regex = regex;
  }

  /**
   * The best set of required texts.
   *
   * @throws IllegalArgumentException if there is none of at least the given length; such a pattern would slow every line down
   */
  public static Set<String> required(String regex, int shortest) {
    Part part = new Literals(regex).alternatives();
    if (length(part.best()) < shortest) {
      throw new IllegalArgumentException("no text of " + shortest + " characters is part of every match of " + regex);
    }
    return part.best();
  }

  /**
   * What is known of a piece of a pattern.
   *
   * @param exact all texts it matches, or null when they are not few
   * @param best required texts, empty when none
   */
  private record Part(Set<String> exact, Set<String> best) {}

  private static int length(Set<String> texts) {
    return texts.isEmpty() ? 0 : texts.stream().mapToInt(String::length).min().orElse(0);
  }

  private static Set<String> better(Set<String> a, Set<String> b) {
    int x = length(a);
    int y = length(b);
    return y > x || y == x && !b.isEmpty() && b.size() < a.size() ? b : a;
  }

  private Part alternatives() {
    List<Part> parts = new ArrayList<>();
    parts.add(sequence());
    while (at < regex.length() && regex.charAt(at) == '|') {
      at++;
      parts.add(sequence());
    }
    if (parts.size() == 1) {
      return parts.get(0);
    }
    Set<String> exact = new LinkedHashSet<>();
    Set<String> best = new LinkedHashSet<>();
    boolean allExact = true;
    boolean allBest = true;
    for (Part part : parts) {
      allExact &= part.exact != null;
      allBest &= !part.best.isEmpty();
      if (part.exact != null) {
        exact.addAll(part.exact);
      }
      best.addAll(part.best);
    }
    return new Part(allExact && exact.size() <= MOST_VARIANTS ? exact : null, allBest ? best : Set.of());
  }

  private Part sequence() {
    Set<String> run = new LinkedHashSet<>(Set.of(""));
    Set<String> best = Set.of();
    boolean exact = true;
    while (at < regex.length() && regex.charAt(at) != '|' && regex.charAt(at) != ')') {
      Part item = item();
      char quantifier = at < regex.length() ? regex.charAt(at) : 0;
      if (quantifier == '{' || quantifier == '*' || quantifier == '+' || quantifier == '?') {
        at = quantifier == '{' ? regex.indexOf('}', at) + 1 : at + 1;
        if (at < regex.length() && (regex.charAt(at) == '?' || regex.charAt(at) == '+')) {
          at++;
        }
        Set<String> optional = quantifier == '?' && item.exact != null ? new LinkedHashSet<>(item.exact) : null;
        if (optional != null) {
          optional.add("");
        }
        item = new Part(optional, quantifier == '+' ? item.best : Set.of());
      }
      Set<String> grown = item.exact == null ? null : product(run, item.exact);
      if (grown != null) {
        run = grown;
      } else {
        best = better(better(best, run), item.best);
        run = item.exact == null ? new LinkedHashSet<>(Set.of("")) : new LinkedHashSet<>(item.exact);
        exact = false;
      }
    }
    return new Part(exact ? run : null, better(best, run));
  }

  private static Set<String> product(Set<String> heads, Set<String> tails) {
    if (heads.size() * tails.size() > MOST_VARIANTS) {
      return null;
    }
    Set<String> all = new LinkedHashSet<>();
    heads.forEach(h -> tails.forEach(t -> all.add(h + t)));
    return all;
  }

  private Part item() {
    char c = regex.charAt(at++);
    switch (c) {
      case '^', '$' -> {
        return new Part(Set.of(""), Set.of());
      }
      case '.' -> {
        return new Part(null, Set.of());
      }
      case '[' -> {
        skipClass();
        return new Part(null, Set.of());
      }
      case '(' -> {
        return group();
      }
      case '\\' -> {
        char escaped = regex.charAt(at++);
        return CLASS_ESCAPES.indexOf(escaped) >= 0 ? new Part(escaped == 'b' || escaped == 'B' ? Set.of("") : null, Set.of()) : text(escaped);
      }
      default -> {
        return text(c);
      }
    }
  }

  private static Part text(char c) {
    return new Part(Set.of(String.valueOf(c)), Set.of(String.valueOf(c)));
  }

  private void skipClass() {
    if (regex.charAt(at) == '^') {
      at++;
    }
    boolean first = true;
    while (first || regex.charAt(at) != ']') {
      at += regex.charAt(at) == '\\' ? 2 : 1;
      first = false;
    }
    at++;
  }

  private Part group() {
    if (regex.startsWith("?<", at) && regex.charAt(at + 2) != '=' && regex.charAt(at + 2) != '!') {
      at = regex.indexOf('>', at) + 1;
    } else if (regex.startsWith("?:", at)) {
      at += 2;
    } else if (regex.startsWith("?", at)) {
      throw new IllegalArgumentException("look-around and flags are not used in the catalogue: " + regex);
    }
    Part inner = alternatives();
    at++;
    return inner;
  }
}
