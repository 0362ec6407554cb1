package gdrproof.anonymize;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Pseudonyms of names. A name is a row of stems (letters), numbers and separators: each stem gets a made-up one of the same length, the
 * same wherever it stands, and numbers stay. So `gpu-node-07` and `gpu-node-08` stay neighbours, `train-worker-0` stays a part of `train`,
 * folded lists (`node[01-16]`) stay lists, columns keep their width, and names keep about their order.
 */
final class Names {
  private static final Pattern STEM = Pattern.compile("[A-Za-z]+");
  private static final Pattern SEGMENT = Pattern.compile("[A-Za-z0-9]+");
  /** Ends of generated names: letters and digits in turn, which are no word with a number behind it. */
  private static final Pattern MIXED = Pattern.compile("(?!(?:[A-Za-z]{1,6}\\d{1,4}){1,3}[a-z]?$)(?:(?=.*\\d[A-Za-z])(?=.*[A-Za-z]\\d).{4,}|\\d+[A-Za-z]+\\d*[A-Za-z0-9]{2,}|[0-9a-f]{12})");
  private static final String CONSONANTS = "bcdfgjkmnprstvwz";
  private static final String VOWELS = "aeiou";
  /** Single letters that with a number name a product (`h100`) stay out. */
  private static final String SINGLE = "cdefjkmnqrswxyz";

  private final Map<String, String> names = new HashMap<>();
  private final Map<String, String> stems = new HashMap<>();
  private final Keyed keyed;

  /** @param keys names as they stand in the texts */
  Names(Set<String> keys, Keyed keyed) {
    this.keyed = keyed;
    TreeSet<String> all = new TreeSet<>();
    for (String name : keys) {
      Matcher segment = SEGMENT.matcher(name);
      while (segment.find()) {
        if (!MIXED.matcher(segment.group()).matches()) {
          Matcher stem = STEM.matcher(segment.group());
          while (stem.find()) {
            all.add(stem.group().toLowerCase(Locale.ROOT));
          }
        }
      }
    }
    assign(new ArrayList<>(all));
    keys.forEach(name -> names.put(name, pseudonym(name)));
  }

  /** Every name with its pseudonym. */
  Map<String, String> all() {
    return names;
  }

  private void assign(List<String> sorted) {
    Set<String> used = new HashSet<>(sorted);
    for (int rank = 0; rank < sorted.size(); rank++) {
      String stem = sorted.get(rank);
      String made = "";
      for (int attempt = 0; made.isEmpty() || used.contains(made) || Kept.word(made) || Kept.part(made) || Kept.noHost(made) || Kept.noHost(made + "1"); attempt++) {
        made = attempt > 2000 ? random(stem, attempt) : made(stem, (double) rank / sorted.size(), attempt);
        if (attempt > 4000) {
          // More single letters than letters: any other one.
          break;
        }
      }
      used.add(made);
      stems.put(stem, made);
    }
  }

  /** The first letters carry the rank, so that sorted names stay sorted; the others are filled up. */
  private String made(String stem, double rank, int attempt) {
    if (stem.length() == 1) {
      return String.valueOf(SINGLE.charAt(((int) (rank * SINGLE.length()) + attempt) % SINGLE.length()));
    }
    StringBuilder text = new StringBuilder();
    double rest = Math.min(0.999999, rank + (stem.length() < 4 ? attempt / 300.0 : 0) % 1);
    for (int i = 0; i < stem.length(); i++) {
      String letters = i % 2 == 0 ? CONSONANTS : VOWELS;
      if (i < 3) {
        rest *= letters.length();
        text.append(letters.charAt((int) rest % letters.length()));
        rest -= (int) rest;
      } else {
        text.append(letters.charAt(keyed.number(stem + i + "/" + attempt) % letters.length()));
      }
    }
    return text.toString();
  }

  private String random(String stem, int attempt) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < stem.length(); i++) {
      text.append((char) ('a' + keyed.number(stem + i + "/" + attempt) % 26));
    }
    return text.toString();
  }

  private String pseudonym(String name) {
    // A role may stay only where another part tells the name apart.
    boolean others = false;
    Matcher look = SEGMENT.matcher(name);
    while (look.find()) {
      others |= !look.group().matches("\\d+") && !role(look.group());
    }
    StringBuilder text = new StringBuilder();
    Matcher segment = SEGMENT.matcher(name);
    int end = 0;
    while (segment.find()) {
      text.append(name, end, segment.start());
      end = segment.end();
      String part = segment.group();
      if (others && role(part)) {
        text.append(part);
      } else {
        text.append(MIXED.matcher(part).matches() ? keyed.likeness(part) : stems(part));
      }
    }
    return text.append(name, end, name.length()).toString();
  }

  /** A role, a kind of device or a product (`h100`), which names no site. */
  private static boolean role(String part) {
    return Kept.part(part.replaceAll("\\d+$", "")) || Kept.noHost(part);
  }

  private String stems(String part) {
    Matcher stem = STEM.matcher(part);
    StringBuilder text = new StringBuilder();
    int end = 0;
    while (stem.find()) {
      text.append(part, end, stem.start()).append(cased(stems.get(stem.group().toLowerCase(Locale.ROOT)), stem.group()));
      end = stem.end();
    }
    return text.append(part, end, part.length()).toString();
  }

  /** The letters of one text in the cases of another of the same length. */
  static String cased(String text, String like) {
    StringBuilder cased = new StringBuilder(text);
    for (int i = 0; i < text.length() && i < like.length(); i++) {
      if (Character.isUpperCase(like.charAt(i))) {
        cased.setCharAt(i, Character.toUpperCase(text.charAt(i)));
      }
    }
    return cased.toString();
  }
}
