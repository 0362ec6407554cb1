package gdrproof.policy;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Platform profiles: which platform a manifest is made for, and what that platform justifies (`policies/platforms`). */
public final class Platforms {
  /** No platform known. */
  public static final String NONE = "unknown";

  private static final class Index {
    static final Map<String, Object> PROFILES = Policies.read("platforms/index.yaml");
    /** What each profile is known by, taken out once: every pod template of a file set is held against all. */
    static final List<Known> KNOWN = PROFILES.entrySet().stream().map(profile -> {
      Map<String, Object> own = Policies.map(Policies.map(profile.getValue()).get("marks"));
      return new Known(profile.getKey(), Wanted.of(own.get("resources")), Wanted.of(own.get("annotations")), Wanted.of(own.get("labels")), Policies.texts(own.get("images")));
    }).toList();
  }

  private record Known(String profile, Wanted resources, Wanted annotations, Wanted labels, List<String> images) {
    boolean by(Marks marks) {
      return resources.anyOf(marks.resources()) || annotations.anyOf(marks.annotations()) || labels.anyOf(marks.labels())
          || marks.images().stream().anyMatch(image -> images.stream().anyMatch(image::contains));
    }
  }

  /** Texts that a profile is known by: whole ones, and the beginnings of those written with a star. */
  private record Wanted(Set<String> whole, List<String> beginnings) {
    static Wanted of(Object texts) {
      List<String> all = Policies.texts(texts);
      return new Wanted(all.stream().filter(t -> !t.endsWith("*")).collect(Collectors.toSet()),
          all.stream().filter(t -> t.endsWith("*")).map(t -> t.substring(0, t.length() - 1)).toList());
    }

    boolean anyOf(Collection<String> shown) {
      for (String text : shown) {
        if (whole.contains(text)) {
          return true;
        }
        for (String beginning : beginnings) {
          if (text.startsWith(beginning)) {
            return true;
          }
        }
      }
      return false;
    }
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
    for (Known known : Index.KNOWN) {
      if (known.by(marks)) {
        return known.profile();
      }
    }
    return NONE;
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

  /** Names of all profiles, sorted. */
  public static List<String> names() {
    return Index.PROFILES.keySet().stream().sorted().toList();
  }

  public static boolean exists(String platform) {
    return Index.PROFILES.containsKey(platform);
  }

  /** Whether pods on the host's network are normal on a platform. */
  public static boolean hostNetwork(String platform) {
    return Policies.map(Index.PROFILES.get(platform)).containsKey("hostNetwork");
  }
}
