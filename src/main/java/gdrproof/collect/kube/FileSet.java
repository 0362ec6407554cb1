package gdrproof.collect.kube;

import gdrproof.bundle.Value;
import gdrproof.bundle.Yaml.Document;
import gdrproof.facts.Fact;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the files of one call say together: the halves of pairs that other objects name. */
final class FileSet {
  /** A ConfigMap's entry, with the document it stands in. */
  record Entry(Document document, Value value) {}

  /** Platform profile that the user names, or "" to tell it from each manifest. */
  final String platform;

  private final Map<String, Map<String, Entry>> configMaps = new HashMap<>();
  final Map<String, ClaimShape> claims = new HashMap<>();
  final Map<String, Manifest> computeDomainTemplates = new HashMap<>();
  final List<Manifest> networkPolicies = new ArrayList<>();
  final List<Manifest> pods = new ArrayList<>();

  FileSet(String platform) {
    this.platform = platform;
  }

  void add(Manifest manifest) {
    switch (manifest.kind()) {
      case "ConfigMap" -> {
        Map<String, Entry> entries = configMaps.computeIfAbsent(manifest.name(), n -> new HashMap<>());
        manifest.root().at("data").entries().forEach((key, value) -> entries.put(key, new Entry(manifest.document(), value)));
      }
      case "ResourceClaimTemplate", "ResourceClaim" -> claims.put(manifest.name(), ClaimShape.of(manifest));
      case "ComputeDomain" -> computeDomainTemplates.put(manifest.spec().at("channel", "resourceClaimTemplate", "name").text(Fact.UNKNOWN), manifest);
      case "NetworkPolicy" -> networkPolicies.add(manifest);
      case "Pod" -> pods.add(manifest);
      default -> { }
    }
  }

  boolean hasConfigMap(String name) {
    return configMaps.containsKey(name);
  }

  Map<String, Entry> configMap(String name) {
    return configMaps.getOrDefault(name, Map.of());
  }

  Map<String, Map<String, Entry>> configMaps() {
    return configMaps;
  }
}
