package gdrproof.anonymize;

import gdrproof.policy.Policies;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** What names nobody and stays: accounts of every system, products' namespaces, public domains, words of tools (`policies/anonymize.yaml`). */
final class Kept {
  private static final Map<String, Object> POLICY = Policies.read("anonymize.yaml");
  private static final Set<String> USERS = set("users");
  private static final Set<String> NAMESPACES = set("namespaces");
  private static final Set<String> HOSTS = set("hosts");
  private static final Set<String> DOMAINS = set("domains");
  private static final Set<String> PARTS = set("parts");
  private static final Set<String> KINDS = set("kinds");
  private static final Set<String> WORDS = words();
  /** Names of devices, ports and interfaces, and what tools number: never a host's. */
  private static final Pattern DEVICE = Pattern.compile(
      "(?i)(?:mlx\\d\\w*|bnxt_re\\w*|efa_?\\d+\\w*|irdma\\w*|hfi1_\\d+|rdmap\\d\\w*|rocep\\d\\w*|ibp\\d\\w*|eth\\d+|ib\\d+|bond\\d+|en[opsx]\\w*\\d\\w*|eno\\d+|lo\\d*|docker\\d+|cni\\d+|veth\\w+|br\\d+|net\\d+|gpu[-_]?\\d+|nic[-_]?\\d+|"
          + "cpu\\d*|numa\\w*\\d+|socket\\d+|rank[-_]?\\d+|port\\d+|rail\\d+|nvlink\\d*|nvme\\w*|sd[a-z]\\d*|tty\\w*|uverbs\\d+|umad\\d+|hca[-_]?\\d+|lane\\d+|qp\\d+|pci\\w*|"
          + "[hp]100\\w*|h[28]00\\w*|h20|a100\\w*|a800|v100|b[23]00|l40s?|t4|g[bh][23]00)");

  private Kept() {}

  @SuppressWarnings("unchecked")
  private static Set<String> set(String key) {
    return Set.copyOf((List<String>) POLICY.get(key));
  }

  /** Words of the message catalogue: replacing one of them would change what a tool said. */
  private static Set<String> words() {
    Set<String> words = new HashSet<>(set("words"));
    collect(Policies.read("log-messages.yaml").values(), words);
    return words;
  }

  private static void collect(Object value, Set<String> words) {
    if (value instanceof Map<?, ?> map) {
      collect(map.values(), words);
    } else if (value instanceof Collection<?> all) {
      all.forEach(v -> collect(v, words));
    } else if (value instanceof String text) {
      for (String word : text.replaceAll("\\\\[a-zA-Z]|\\(\\?<\\w+>", " ").split("[^A-Za-z]+")) {
        words.add(word.toLowerCase(Locale.ROOT));
      }
    }
  }

  static boolean user(String name) {
    return USERS.contains(name);
  }

  static boolean namespace(String name) {
    return NAMESPACES.contains(name);
  }

  static boolean kind(String kind) {
    return KINDS.contains(kind);
  }

  static boolean part(String word) {
    return PARTS.contains(word.toLowerCase(Locale.ROOT));
  }

  /** Whether a name may be a host's at all. */
  static boolean noHost(String name) {
    return HOSTS.contains(name.toLowerCase(Locale.ROOT)) || DEVICE.matcher(name).matches();
  }

  static boolean word(String name) {
    return WORDS.contains(name.toLowerCase(Locale.ROOT));
  }

  /** Whether a domain is public or every cluster's, itself or by one above it. */
  static boolean domain(String domain) {
    String lower = domain.toLowerCase(Locale.ROOT);
    return DOMAINS.stream().anyMatch(d -> lower.equals(d) || lower.endsWith("." + d));
  }
}
