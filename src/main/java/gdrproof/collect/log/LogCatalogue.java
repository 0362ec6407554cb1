package gdrproof.collect.log;

import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The messages of `policies/log-messages.yaml`, and the texts by which a scanner finds candidates for each. */
final class LogCatalogue {
  private static final int SHORTEST_LITERAL = 4;
  private static final int LONGEST_LITERAL = 10;
  private static final Pattern GROUP = Pattern.compile("\\(\\?<([a-zA-Z][a-zA-Z0-9]*)>");
  /** Texts that are no part of a message but make a line worth a look: warnings, escapes, wrappers, partial lines. */
  private static final List<String> SIGNS = List.of("NCCL WARN", "\u001B[", "\"log\":", "\"message\":", "\"msg\":", "\"textPayload\":", "\"body\":", "\"line\":",
      " stdout P ", " stderr P ");
  /** The signs from this one on mean that the line is not what NCCL wrote. */
  private static final int FIRST_DISGUISE = 1;
  private static LogCatalogue shared;

  /**
   * @param groups named groups that become fields
   * @param part found repeatedly inside another message, never a whole body
   * @param text written by others than NCCL: matched on lines without NCCL's prefix too
   */
  record Message(int index, String id, Pattern pattern, List<String> groups, boolean part, boolean text) {
    Matcher match(String body) {
      Matcher matcher = pattern.matcher(body);
      return matcher.find() ? matcher : null;
    }

    Map<String, String> fields(Matcher matcher) {
      Map<String, String> fields = new HashMap<>();
      for (String group : groups) {
        String value = matcher.group(group);
        if (value != null) {
          fields.put(group, value);
        }
      }
      return fields;
    }
  }

  private final List<Message> messages = new ArrayList<>();
  private final Map<String, Message> byId = new HashMap<>();
  private final Map<String, Releases> releases = new HashMap<>();
  private final List<String> literals = new ArrayList<>();
  private final List<int[]> owners = new ArrayList<>();
  private final long[] disguises;

  private LogCatalogue() {
    Map<String, Set<Integer>> texts = new TreeMap<>();
    SIGNS.forEach(s -> texts.put(s, new TreeSet<>()));
    Policies.read("log-messages.yaml").forEach((id, entry) -> {
      Map<String, Object> data = Policies.map(entry);
      String regex = String.valueOf(data.get("pattern"));
      List<String> varies = Policies.texts(data.get("varies"));
      List<String> groups = new ArrayList<>();
      Matcher group = GROUP.matcher(regex);
      while (group.find()) {
        if (!varies.contains(group.group(1))) {
          groups.add(group.group(1));
        }
      }
      boolean part = id.equals("ib-using-dev") || id.equals("topo-path");
      boolean text = !part && !regex.startsWith("^") || List.of("version", "nccl-result", "pt-last-error").contains(id);
      Message message = new Message(messages.size(), id, Pattern.compile(regex), groups, part, text);
      messages.add(message);
      byId.put(id, message);
      releases.put(id, new Releases(String.valueOf(data.get("since")), String.valueOf(data.get("until"))));
      for (String literal : part ? Set.<String>of() : Literals.required(regex, SHORTEST_LITERAL)) {
        String head = literal.length() > LONGEST_LITERAL ? literal.substring(0, LONGEST_LITERAL) : literal;
        texts.computeIfAbsent(head, t -> new TreeSet<>()).add(message.index());
      }
    });
    texts.forEach((text, owner) -> {
      literals.add(text);
      owners.add(owner.stream().mapToInt(Integer::intValue).toArray());
    });
    disguises = new long[(literals.size() + 63) / 64];
    for (String sign : SIGNS.subList(FIRST_DISGUISE, SIGNS.size())) {
      int bit = literals.indexOf(sign);
      disguises[bit >> 6] |= 1L << bit;
    }
  }

  /** Whether a line holds escapes, is wrapped or is a part of one. */
  boolean disguised(long[] hits, int firstWord) {
    for (int i = 0; i < disguises.length; i++) {
      if ((hits[firstWord + i] & disguises[i]) != 0) {
        return true;
      }
    }
    return false;
  }

  static synchronized LogCatalogue load() {
    if (shared == null) {
      shared = new LogCatalogue();
    }
    return shared;
  }

  List<String> literals() {
    return literals;
  }

  int size() {
    return messages.size();
  }

  /** NCCL releases that print a message: first and last as the catalogue writes them (`any`, `-`, or a product's name where it is not NCCL). */
  record Releases(String since, String until) {}

  Releases releases(String id) {
    return releases.get(id);
  }

  Message byId(String id) {
    return byId.get(id);
  }

  /** Messages that a text with these hits may hold, in the order of the catalogue: the more special form stands first. */
  List<Message> candidates(long[] hits) {
    BitSet found = new BitSet(messages.size());
    for (int word = 0; word < hits.length; word++) {
      for (long rest = hits[word]; rest != 0; rest &= rest - 1) {
        for (int owner : owners.get(word * 64 + Long.numberOfTrailingZeros(rest))) {
          found.set(owner);
        }
      }
    }
    List<Message> candidates = new ArrayList<>(found.cardinality());
    for (int i = found.nextSetBit(0); i >= 0; i = found.nextSetBit(i + 1)) {
      candidates.add(messages.get(i));
    }
    return candidates;
  }
}
