package gdrproof.collect.kube;

import gdrproof.bundle.Value;
import gdrproof.bundle.Yaml.Document;
import gdrproof.facts.Fact;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;

/** What the files of one call say together: the halves of pairs that other objects name. */
final class FileSet {
  private static final Pattern NUMBER = Pattern.compile("\\d+");

  /** A ConfigMap's entry, with the document it stands in. */
  record Entry(Document document, Value value) {}

  /** Platform profile that the user names, or "" to tell it from each manifest. */
  final String platform;

  /** By name, then by namespace: environments of one repository use one name. */
  private final Map<String, Map<String, Map<String, Entry>>> configMaps = new HashMap<>();
  final Named<ClaimShape> claims = new Named<>();
  /** By the name of the claim template that the operator makes for it. */
  final Named<Manifest> computeDomains = new Named<>();
  final List<Manifest> networkPolicies = new ArrayList<>();
  /** Resource that the pods of a network take a device of, without its prefix; "" for a network that takes none. */
  final Map<String, String> networks = new HashMap<>();
  /** How many bare pods of a namespace bear a name that differs in numbers only. */
  private final Set<String> takenMaps = new HashSet<>();
  private final Map<String, Integer> podStems = new HashMap<>();

  FileSet(String platform) {
    this.platform = platform;
  }

  void add(Manifest manifest) {
    switch (manifest.kind()) {
      case "ConfigMap" -> {
        Map<String, Entry> entries = configMaps.computeIfAbsent(manifest.name(), n -> new HashMap<>()).computeIfAbsent(manifest.namespace(), n -> new HashMap<>());
        manifest.root().at("data").entries().forEach((key, value) -> entries.put(key, new Entry(manifest.document(), value)));
      }
      case "ResourceClaimTemplate", "ResourceClaim" -> claims.add(manifest.name(), manifest, ClaimShape.of(manifest));
      case "ComputeDomain" -> computeDomains.add(manifest.spec().at("channel", "resourceClaimTemplate", "name").text(Fact.UNKNOWN), manifest, manifest);
      case "NetworkPolicy" -> networkPolicies.add(manifest);
      case "NetworkAttachmentDefinition" -> networks.put(manifest.name(), resource(manifest.annotation(NetworkFacts.RESOURCE)));
      case "HostDeviceNetwork", "SriovNetwork", "SriovIBNetwork", "OVSNetwork" -> networks.put(manifest.name(), resource(manifest.spec().at("resourceName").text()));
      case "MacvlanNetwork", "IPoIBNetwork" -> networks.put(manifest.name(), "");
      case "Pod" -> podStems.merge(stem(manifest), 1, Integer::sum);
      default -> { }
    }
  }

  /** Notes the ConfigMaps that the containers of a pod take variables from. */
  void takes(PodTemplate pod) {
    List<Value> containers = new ArrayList<>(pod.containers());
    containers.addAll(pod.spec().at("initContainers").items());
    for (Value container : containers) {
      container.at("envFrom").items().forEach(from -> takenMaps.add(from.at("configMapRef", "name").text()));
      container.at("env").items().forEach(env -> takenMaps.add(env.at("valueFrom", "configMapKeyRef", "name").text()));
    }
  }

  /** Whether a pod of the set takes variables from a ConfigMap of this name. */
  boolean taken(Manifest map) {
    return takenMaps.contains(map.name());
  }

  /** Whether the set holds another bare pod whose name differs from this one's in a number only. */
  boolean hasTwin(Manifest pod) {
    return NUMBER.matcher(pod.name()).find() && podStems.getOrDefault(stem(pod), 0) > 1;
  }

  private static String resource(String name) {
    return name.substring(name.lastIndexOf('/') + 1);
  }

  private static String stem(Manifest pod) {
    return pod.namespace() + "/" + NUMBER.matcher(pod.name()).replaceAll("#");
  }

  boolean hasConfigMap(Manifest user, String name) {
    return find(user, name) != null;
  }

  /** The ConfigMap that pods of a manifest get by that name. */
  Map<String, Entry> configMap(Manifest user, String name) {
    Map<String, Entry> found = find(user, name);
    return found == null ? Map.of() : found;
  }

  /** Null where none is in the set, or where one side states no namespace and several could be meant. */
  private Map<String, Entry> find(Manifest user, String name) {
    Map<String, Map<String, Entry>> named = configMaps.getOrDefault(name, Map.of());
    Map<String, Entry> same = named.get(user.namespace());
    if (same != null) {
      return same;
    }
    if (user.namespace().equals(Fact.UNKNOWN)) {
      return named.size() == 1 ? named.values().iterator().next() : null;
    }
    return named.get(Fact.UNKNOWN);
  }

  /** All of them by name; of one name in several namespaces, each. */
  void eachConfigMap(BiConsumer<String, Map<String, Entry>> action) {
    configMaps.forEach((name, spaces) -> spaces.values().forEach(entries -> action.accept(name, entries)));
  }
}
