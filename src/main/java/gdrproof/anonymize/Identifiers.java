package gdrproof.anonymize;

import gdrproof.anonymize.Shapes.Found;
import gdrproof.anonymize.Shapes.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** All identifiers of a bundle: names by their sort, and values that their shape tells. */
public final class Identifiers {
  /** Sorts of names. */
  public enum Sort {
    HOST,
    USER,
    NAMESPACE,
    WORKLOAD,
    DOMAIN,
    SERIAL
  }

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");
  private static final int LONGEST = 253;
  private static final Pattern ENDING = Pattern.compile("(?i)\\.(?:txt|log|out|err|json|jsonl|ya?ml|xml|csv|tsv|conf|cfg|gz|tgz|tar|zip|bz2|xz|sh|py|cc?|cpp|cu|h|hpp|so|ko|md|html|drl|service|socket|target|el\\d\\w*|x86_64|aarch64|generic|\\d.*)$");

  private final Map<Sort, Set<String>> names = new EnumMap<>(Sort.class);
  private final Set<String> values = new TreeSet<>();
  private final Map<Kind, Set<String>> kinds = new EnumMap<>(Kind.class);
  private final Set<String> words = new TreeSet<>();

  public Identifiers() {
    for (Sort sort : Sort.values()) {
      names.put(sort, new TreeSet<>());
    }
  }

  /** Adds a name unless it names nobody. A host is added without its domain, which is a name of its own. */
  public void add(Sort sort, String written) {
    String name = written.strip().replaceAll("[._-]+$", "");
    if (!NAME.matcher(name).matches() || name.length() > LONGEST || name.matches("[0-9.]+") || !name.matches(".*[A-Za-z].*")) {
      return;
    }
    switch (sort) {
      case HOST -> host(name);
      case USER -> named(sort, name, Kept.user(name) || Kept.noHost(name));
      case NAMESPACE -> named(sort, name, Kept.namespace(name) || Kept.noHost(name));
      case WORKLOAD -> named(sort, name, Kept.noHost(name));
      case DOMAIN -> domain(name);
      case SERIAL -> named(sort, name, name.length() < 5 || !name.matches(".*\\d{3}.*"));
    }
  }

  private void host(String name) {
    int dot = name.indexOf('.');
    if (dot > 0) {
      if (ENDING.matcher(name).find() || Kept.domain(name) && !name.endsWith(".internal") && !name.endsWith(".local") && !name.endsWith(".svc")) {
        return;
      }
      domain(name.substring(dot + 1));
    }
    String first = dot > 0 ? name.substring(0, dot) : name;
    // Tables shorten `rack2-h07` to `h07`, which is the same host.
    String tail = first.substring(first.lastIndexOf('-') + 1);
    if (tail.length() < first.length() && tail.matches("[A-Za-z]+\\d{2,}")) {
      named(Sort.HOST, tail, Kept.noHost(tail) || Kept.part(tail.replaceAll("\\d+$", "")));
    }
    // Amazon's names are addresses, and change with them.
    named(Sort.HOST, first, first.length() < 2 || Kept.noHost(first) || first.matches("(?:ip-)?\\d+-\\d+-\\d+-\\d+|\\d+[a-z]?"));
  }

  private void domain(String name) {
    if (Kept.domain(name) || ENDING.matcher("." + name).find()) {
      return;
    }
    int last = name.lastIndexOf('.');
    if (last > 0 && name.substring(last + 1).matches("[A-Za-z]{2,}")) {
      named(Sort.DOMAIN, name.substring(0, last), false);
    }
  }

  private void named(Sort sort, String name, boolean kept) {
    if (kept || name.length() < 2) {
      return;
    }
    // A name that is a word of the tools cannot be told from that word.
    if (!name.matches(".*[0-9.-].*") && Kept.word(name)) {
      words.add(name);
    } else {
      names.get(sort).add(name);
    }
  }

  /** Adds what the shapes of a line tell. */
  public void shapes(String line) {
    for (Found found : Shapes.in(line)) {
      if (found.kind() != Kind.BARE) {
        values.add(found.value());
        kinds.computeIfAbsent(found.kind(), k -> new TreeSet<>()).add(found.value());
        // A GID holds a GUID, which tools print by itself as well; one made from an IPv4 address holds that.
        if (found.value().length() == 32 && found.kind() == Kind.COLONS && !found.value().startsWith("00000000")) {
          values.add(found.value().substring(16));
        }
      }
    }
  }

  /** Domains behind the hosts that are known by now. */
  public void domains(String line) {
    if (line.indexOf('.') < 0) {
      return;
    }
    Matcher matcher = QUALIFIED.matcher(line);
    while (matcher.find()) {
      if (names.get(Sort.HOST).contains(matcher.group(1))) {
        String domain = matcher.group(2).substring(1);
        if (!ENDING.matcher("." + domain).find()) {
          domain(domain);
        }
      }
    }
  }

  private static final Pattern QUALIFIED = Pattern.compile("(?<![A-Za-z0-9.-])([A-Za-z0-9][A-Za-z0-9-]*)((?:\\.[A-Za-z][A-Za-z0-9-]*)+)");

  Set<String> names(Sort sort) {
    return names.get(sort);
  }

  /** Every name that gets a made-up one. */
  Set<String> allNames() {
    Set<String> all = new TreeSet<>();
    names.forEach((sort, some) -> {
      if (sort != Sort.SERIAL) {
        all.addAll(some);
      }
    });
    return all;
  }

  Set<String> values() {
    return values;
  }

  /** Names that stay, since each is a word of the tools' outputs. */
  public Set<String> words() {
    return words;
  }

  /** How many of each sort, for people. */
  public Map<String, Integer> counts() {
    Map<String, Integer> counts = new TreeMap<>();
    names.forEach((sort, some) -> {
      if (!some.isEmpty()) {
        counts.merge(sort.name().toLowerCase(java.util.Locale.ROOT) + " names", some.size(), Integer::sum);
      }
    });
    kinds.forEach((kind, some) -> counts.merge(switch (kind) {
      case UUID -> "UUIDs";
      case ID -> "container and image ids";
      case IPV4, IP_NAME -> "IPv4 addresses";
      default -> "GIDs, GUIDs, MACs and IPv6 addresses";
    }, some.size(), Integer::sum));
    return counts;
  }

  /** Everything in one text, from which the key is made. */
  String everything() {
    List<String> all = new ArrayList<>(values);
    names.values().forEach(all::addAll);
    return "gdrproof\n" + String.join("\n", all);
  }
}
