package gdrproof.policy;

import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Platform profiles: which platform a manifest is made for, and what that platform justifies (`policies/platforms`). */
public final class Platforms {
  /** No platform known. */
  public static final String NONE = "unknown";

  private static final class Index {
    static final Map<String, Object> PROFILES = Policies.read("platforms/index.yaml");
  }

  /**
   * What a manifest shows of its platform.
   *
   * @param labels keys, and `key=value`, of node selectors and affinities
   */
  public record Marks(Collection<String> resources, Collection<String> annotations, Collection<String> labels, Collection<String> images) {
    boolean isEmpty() {
      return resources.isEmpty() && annotations.isEmpty() && labels.isEmpty() && images.isEmpty();
    }
  }

  private Platforms() {}

  /** Name of the first profile that fits, or {@link #NONE}. */
  public static String of(Marks marks) {
    if (marks.isEmpty()) {
      return NONE;
    }
    for (Map.Entry<String, Object> profile : Index.PROFILES.entrySet()) {
      Map<String, Object> own = Policies.map(Policies.map(profile.getValue()).get("marks"));
      if (fits(own.get("resources"), marks.resources()) || fits(own.get("annotations"), marks.annotations()) || fits(own.get("labels"), marks.labels())
          || Policies.texts(own.get("images")).stream().anyMatch(part -> marks.images().stream().anyMatch(image -> image.contains(part)))) {
        return profile.getKey();
      }
    }
    return NONE;
  }

  private static boolean fits(Object wanted, Collection<String> shown) {
    List<String> patterns = Policies.texts(wanted);
    for (String text : shown) {
      for (String pattern : patterns) {
        if (pattern.endsWith("*") ? text.startsWith(pattern.substring(0, pattern.length() - 1)) : text.equals(pattern)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Why a platform's operator sets a variable, or "". */
  public static String excuse(String platform, String name, String value) {
    if (platform.equals(NONE)) {
      return "";
    }
    Map<String, Object> profile = Policies.map(Index.PROFILES.get(platform));
    Map<String, Object> excuses = Policies.map(profile.get("excuses"));
    Object reason = excuses.get(name + "=" + value);
    reason = reason == null ? excuses.get(name) : reason;
    return reason == null ? "" : platform + ": " + reason;
  }

  public static boolean exists(String platform) {
    return Index.PROFILES.containsKey(platform);
  }

  /** Whether pods on the host's network are normal on a platform. */
  public static boolean hostNetwork(String platform) {
    return Policies.map(Index.PROFILES.get(platform)).containsKey("hostNetwork");
  }
}
