package gdrproof.probe;

import gdrproof.policy.Policies;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** `policies/measuring.yaml`: limits of measuring, what is taken around a load, and what is never run. */
final class Measuring {
  private static final Map<String, Object> POLICY = Policies.read("measuring.yaml");
  private static final Map<String, Object> LIMITS = Policies.map(POLICY.get("limits"));
  private static final List<Pattern> NEVER = Policies.texts(POLICY.get("never")).stream().map(Pattern::compile).toList();

  private Measuring() {}

  static long limit(String name) {
    // Tests and impatient operators shorten waits.
    Long own = Long.getLong("gdrproof.measuring." + name);
    if (own != null) {
      return own;
    }
    if (!(LIMITS.get(name) instanceof Number number)) {
      throw new IllegalStateException("policies/measuring.yaml has no limit " + name);
    }
    return number.longValue();
  }

  /** Whether a command would change the machine. */
  static boolean changes(String command) {
    return NEVER.stream().anyMatch(p -> p.matcher(command).find());
  }

  static List<String> around() {
    return Policies.texts(POLICY.get("around"));
  }

  static String during() {
    return String.valueOf(POLICY.get("during"));
  }

  static String ras() {
    return String.valueOf(POLICY.get("ras"));
  }
}
