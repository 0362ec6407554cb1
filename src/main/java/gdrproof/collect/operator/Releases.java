package gdrproof.collect.operator;

import gdrproof.facts.Fact;
import gdrproof.facts.Tri;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Order and parts of version texts of the Network Operator and its driver, from `policies/operator/releases.yaml`. */
public final class Releases {
  private static final Map<String, Object> POLICY = Policies.read("operator/releases.yaml");
  private static final List<String> ORDER = Policies.texts(POLICY.get("order"));
  private static final List<String> LTS = Policies.texts(POLICY.get("lts"));
  private static final Pattern PRERELEASE = Pattern.compile(String.valueOf(POLICY.get("prerelease")));
  private static final Pattern VERSION = Pattern.compile("^v?(\\d{1,2})\\.(\\d{1,2})(?:\\.(\\d+))?.*");
  private static final Pattern COMPONENT_TAG = Pattern.compile("network-operator-v?(\\d{1,2}\\.\\d{1,2}[0-9A-Za-z.\\-]*)");
  private static final Pattern DRIVER = Pattern.compile("^(?:doca[0-9.]+-)?(\\d{1,2})\\.(\\d{1,2})-(.*)$");

  private Releases() {}

  /** The releases that a set may be for: positions in the order, both ends included. */
  public record Range(int first, int last, String version, String source) {
    static final Range ANY = new Range(0, ORDER.size(), Fact.UNKNOWN, Fact.UNKNOWN);

    boolean exact() {
      return first == last;
    }

    /** Whether every release of the range has what came with `since` and went after `until`. */
    Tri has(String since, String until) {
      int from = since.isEmpty() ? 0 : index(since);
      int to = until.isEmpty() ? Integer.MAX_VALUE : index(until);
      if (first >= from && last <= to) {
        return Tri.YES;
      }
      return last < from || first > to ? Tri.NO : Tri.UNKNOWN;
    }

    public String major() {
      return exact() && first < ORDER.size() ? ORDER.get(first) : Releases.major(version);
    }
  }

  static List<String> features() {
    return List.copyOf(Policies.map(POLICY.get("features")).keySet());
  }

  static Tri has(String feature, Range range) {
    return range.has(String.valueOf(Policies.map(Policies.map(POLICY.get("features")).get(feature)).get("since")), "");
  }

  /** `26.4` of `v26.4.1-rc.2`; unknown if the text is no version. */
  static String major(String version) {
    Matcher matcher = VERSION.matcher(version);
    return matcher.matches() ? Integer.parseInt(matcher.group(1)) + "." + Integer.parseInt(matcher.group(2)) : Fact.UNKNOWN;
  }

  /** Position of a major in the order; behind the last for younger ones, -1 for what is none. */
  static int index(String version) {
    String major = major(version);
    int at = ORDER.indexOf(major);
    if (at >= 0) {
      return at;
    }
    if (major.equals(Fact.UNKNOWN)) {
      return -1;
    }
    int last = -1;
    for (int i = 0; i < ORDER.size(); i++) {
      if (compare(ORDER.get(i), major) < 0) {
        last = i;
      }
    }
    return last == ORDER.size() - 1 ? ORDER.size() : last;
  }

  static Range exactly(String version, String source) {
    int at = index(version);
    return at < 0 ? Range.ANY : new Range(at, at, version.startsWith("v") ? version.substring(1) : version, source);
  }

  /** The operator release in a component tag `network-operator-v26.4.0`, or "". */
  static String ofTag(String tag) {
    Matcher matcher = COMPONENT_TAG.matcher(tag);
    return matcher.find() ? matcher.group(1) : "";
  }

  /** The operator release that a driver was published with, or ""; the LTS line tells nothing. */
  static String ofDriver(String version) {
    String release = driverRelease(version);
    return release.isEmpty() || isLts(version) ? "" : release;
  }

  /** LTS by its YY.MM line, whatever the container revision, where that line is older than the tag's own release would be. */
  static boolean isLts(String version) {
    return LTS.stream().anyMatch(l -> core(l).equals(core(version)));
  }

  private static String core(String version) {
    String plain = version.replaceFirst("^doca[0-9.]+-", "");
    Matcher matcher = Pattern.compile("^(\\d+\\.\\d+-\\d+\\.\\d+\\.\\d+(?:\\.\\d+)*).*").matcher(plain);
    return matcher.matches() ? matcher.group(1) : plain;
  }

  /** The step between two operator releases: same, patch, next, skip, down, unknown. */
  static String step(String before, String after) {
    int from = index(before);
    int to = index(after);
    if (from < 0 || to < 0) {
      return Fact.UNKNOWN;
    }
    if (from == to && from < ORDER.size()) {
      int order = compare(before, after);
      return order == 0 ? before.equals(after) ? "same" : "patch" : order < 0 ? "patch" : "down";
    }
    if (from == to) {
      return Fact.UNKNOWN;
    }
    return to < from ? "down" : to == from + 1 ? "next" : "skip";
  }

  /** The step between two driver versions: same, next, skip, down, lts, unknown. */
  static String driverStep(String before, String after) {
    if (before.equals(after)) {
      return "same";
    }
    List<Integer> from = numbers(before);
    List<Integer> to = numbers(after);
    if (from.size() < 2 || to.size() < 2) {
      return Fact.UNKNOWN;
    }
    if (isLts(after) && compare(from, to) > 0) {
      return "lts";
    }
    if (compare(from, to) > 0) {
      return "down";
    }
    String fromRelease = driverRelease(before);
    String toRelease = driverRelease(after);
    if (fromRelease.isEmpty() || toRelease.isEmpty()) {
      return from.subList(0, 2).equals(to.subList(0, 2)) ? "same-major" : Fact.UNKNOWN;
    }
    int distance = index(toRelease) - index(fromRelease);
    return distance == 0 ? "same-major" : distance == 1 ? "next" : "skip";
  }

  /** As {@link #ofDriver}, but for the LTS line too. */
  private static String driverRelease(String version) {
    Matcher matcher = DRIVER.matcher(version);
    if (!matcher.matches()) {
      return "";
    }
    String yearMonth = Integer.parseInt(matcher.group(1)) + "." + Integer.parseInt(matcher.group(2));
    for (Map.Entry<String, Object> each : Policies.map(POLICY.get("drivers")).entrySet()) {
      Matcher published = DRIVER.matcher(String.valueOf(each.getValue()));
      if (published.matches() && yearMonth.equals(Integer.parseInt(published.group(1)) + "." + Integer.parseInt(published.group(2)))) {
        return each.getKey();
      }
    }
    return "";
  }

  static boolean driverTooOld(String version) {
    List<Integer> numbers = numbers(version);
    return numbers.size() >= 2 && compare(numbers, numbers(String.valueOf(POLICY.get("oldest-driver")))) < 0;
  }

  private static List<Integer> numbers(String version) {
    List<Integer> found = new ArrayList<>();
    Matcher matcher = DRIVER.matcher(version);
    if (matcher.matches()) {
      found.add(Integer.valueOf(matcher.group(1)));
      found.add(Integer.valueOf(matcher.group(2)));
      Matcher rest = Pattern.compile("\\d{1,8}").matcher(matcher.group(3).replaceFirst("[-_](ubuntu|rhel|rhcos|sles|ol|\\d+\\.\\d+\\.\\d+-\\d+-).*$", ""));
      while (rest.find()) {
        found.add(Integer.valueOf(rest.group()));
      }
    }
    return found;
  }

  static int compare(String a, String b) {
    return compare(plain(a), plain(b));
  }

  private static List<Integer> plain(String version) {
    List<Integer> found = new ArrayList<>();
    Matcher matcher = Pattern.compile("\\d{1,8}").matcher(version);
    while (matcher.find()) {
      found.add(Integer.valueOf(matcher.group()));
    }
    return found;
  }

  private static int compare(List<Integer> a, List<Integer> b) {
    for (int i = 0; i < Math.max(a.size(), b.size()); i++) {
      int order = Integer.compare(i < a.size() ? a.get(i) : 0, i < b.size() ? b.get(i) : 0);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  /** How a tag is pinned: none, floating, pre-release or pinned (releases, digests and commit hashes). */
  static String pin(String tag) {
    if (tag.isEmpty()) {
      return "none";
    }
    if (tag.startsWith("sha256:") || tag.matches("[0-9a-f]{12,64}")) {
      return "pinned";
    }
    if (Policies.texts(POLICY.get("floating-tags")).contains(tag)) {
      return "floating";
    }
    return PRERELEASE.matcher(tag).find() ? "pre-release" : "pinned";
  }

  static boolean staging(String repository) {
    String path = "/" + repository + "/";
    return Policies.texts(POLICY.get("staging-registries")).stream().anyMatch(path::contains);
  }
}
