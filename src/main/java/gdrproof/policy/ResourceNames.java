package gdrproof.policy;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What the names of extended resources and device classes stand for, from `policies/resources.yaml`. */
public final class ResourceNames {
  private static final Map<String, Object> FILE = Policies.read("resources.yaml");
  private static final List<Family> FAMILIES = Policies.maps(FILE.get("families")).stream()
      .map(f -> new Family(String.valueOf(f.get("family")), Pattern.compile(String.valueOf(f.get("names"))), Boolean.TRUE.equals(f.get("fabric")))).toList();
  private static final Map<String, Object> CLASSES = Policies.map(FILE.get("device-classes"));
  private static final Pattern REPLICAS = Pattern.compile(String.valueOf(Policies.map(FILE.get("gpu-replicas")).get("names")));
  private static final Pattern GPU = deviceClass("gpu");
  private static final Pattern NIC = deviceClass("nic");

  private record Family(String name, Pattern names, boolean fabric) {}

  private ResourceNames() {}

  private static Pattern deviceClass(String kind) {
    return Pattern.compile(String.valueOf(Policies.map(CLASSES.get(kind)).get("names")));
  }

  /** Family of an extended resource; "" if no pattern takes it. */
  public static String family(String resource) {
    return FAMILIES.stream().filter(f -> f.names().matcher(resource).matches()).map(Family::name).findFirst().orElse("");
  }

  /** Whether a resource counts replicas of GPUs, which do not tell how many GPUs there are. */
  public static boolean replicas(String resource) {
    return REPLICAS.matcher(resource).matches();
  }

  /** Whether a family gives a pod a way to the fabric. */
  public static boolean fabric(String family) {
    return FAMILIES.stream().anyMatch(f -> f.fabric() && f.name().equals(family));
  }

  /** The names of all fabric families as one regular expression, for rules; a name that an earlier family takes is not among them. */
  static String fabric() {
    String others = names(false);
    return "(?!(?:" + others + ")$)(?:" + names(true) + ")";
  }

  private static String names(boolean fabric) {
    return FAMILIES.stream().filter(f -> f.fabric() == fabric).map(f -> "(?:" + f.names().pattern() + ")").collect(Collectors.joining("|"));
  }

  public static boolean gpuClass(String deviceClass) {
    return GPU.matcher(deviceClass).matches();
  }

  public static boolean nicClass(String deviceClass) {
    return NIC.matcher(deviceClass).matches();
  }
}
