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
    /** What each profile is known by, taken out once: every pod template of a file set is held against all. */
    static final List<Known> KNOWN = PROFILES.entrySet().stream().map(profile -> {
      Map<String, Object> own = Policies.map(Policies.map(profile.getValue()).get("marks"));
      return new Known(profile.getKey(), new Marks(Policies.texts(own.get("resources")), Policies.texts(own.get("annotations")), Policies.texts(own.get("labels")), Policies.texts(own.get("images"))));
    }).toList();
  }

  private record Known(String profile, Marks by) {}

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
    for (Known known : Index.KNOWN) {
      Marks by = known.by();
      if (fits(by.resources(), marks.resources()) || fits(by.annotations(), marks.annotations()) || fits(by.labels(), marks.labels())
          || by.images().stream().anyMatch(part -> marks.images().stream().anyMatch(image -> image.contains(part)))) {
        return known.profile();
      }
    }
    return NONE;
  }

  private static boolean fits(Collection<String> patterns, Collection<String> shown) {
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
