package gdrproof.collect.rdma;

import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.CounterReading;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** What counters mean and how wide they are, from `policies/counters.yaml`. */
final class CounterNames {
  private record Entry(Pattern names, String meaning) {}

  /** Statistics of single queues and channels: thousands of lines that no rule reads. */
  private static final Pattern PER_QUEUE = Pattern.compile("(?:ch|rx|tx|rxq|txq|tx_tls|rx_xdp|rx_cache)\\d+_.*|[rt]x-?\\d+[._-].*|[rt]x_queue_\\d+_.*");

  private static final List<Entry> ENTRIES = new ArrayList<>();
  private static final Map<String, Double> CEILINGS = new HashMap<>();
  private static final String WRAP_SOURCE;
  private static final double WRAP;
  private static final List<String> WRAP_MEANINGS;
  private static final Map<String, String> CACHE = new ConcurrentHashMap<>();

  static {
    Map<String, Object> policy = Policies.read("counters.yaml");
    for (Map<String, Object> entry : Policies.maps(policy.get("counters"))) {
      ENTRIES.add(new Entry(Pattern.compile(String.join("|", Policies.texts(entry.get("names"))), Pattern.CASE_INSENSITIVE), String.valueOf(entry.get("meaning"))));
    }
    Map<?, ?> saturates = (Map<?, ?>) policy.get("saturates");
    saturates.forEach((bits, names) -> Policies.texts(names).forEach(n -> CEILINGS.put(n, Math.pow(2, ((Number) bits).intValue()) - 1)));
    Map<String, Object> wraps = Policies.map(policy.get("wraps"));
    WRAP_SOURCE = String.valueOf(wraps.get("source"));
    WRAP = Math.pow(2, ((Number) wraps.get("bits")).intValue());
    WRAP_MEANINGS = Policies.texts(wraps.get("meanings"));
  }

  private CounterNames() {}

  /** Class of a counter, or unknown. */
  static String meaning(String name) {
    return CACHE.computeIfAbsent(name, n -> {
      String plain = n.toLowerCase(Locale.ROOT).replaceFirst("^vport_", "");
      return ENTRIES.stream().filter(e -> e.names().matcher(plain).matches()).map(Entry::meaning).findFirst().orElse(Fact.UNKNOWN);
    });
  }

  /** A reading with its counter's meaning. */
  static CounterReading reading(String node, String device, Num port, String name, Num value, String source, String moment) {
    return new CounterReading(node, device, port, name, meaning(name), value, source, moment);
  }

  static boolean known(String name) {
    return !meaning(name).equals(Fact.UNKNOWN);
  }

  /** Whether a reading is worth a fact. */
  static boolean keep(String name, Num value) {
    return known(name) || value.known() && value.value() != 0 && !PER_QUEUE.matcher(name).matches();
  }

  /** Whether the value is the ceiling of a counter that sticks there. */
  static boolean saturated(String name, String source, Num value) {
    return !source.equals("perfquery-x") && CEILINGS.containsKey(name) && value.is(CEILINGS.get(name));
  }

  /** The number at which the counter starts again at 0, or unknown. */
  static Num wrapsAt(String name, String source) {
    return source.equals(WRAP_SOURCE) && WRAP_MEANINGS.contains(meaning(name)) ? Num.of(WRAP) : Num.UNKNOWN;
  }
}
