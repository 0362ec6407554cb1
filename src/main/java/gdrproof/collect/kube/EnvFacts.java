package gdrproof.collect.kube;

import gdrproof.bundle.Placeholders;
import gdrproof.bundle.Value;
import gdrproof.bundle.Yaml.Document;
import gdrproof.collect.env.NcclSettings;
import gdrproof.collect.kube.PodView.Part;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.EnvValue;
import gdrproof.facts.Kube.EnvSource;
import gdrproof.facts.Kube.Forwarded;
import gdrproof.facts.Kube.LiteralVariable;
import gdrproof.facts.Kube.NonStringEnv;
import gdrproof.facts.Kube.Placeholder;
import gdrproof.facts.Tri;
import gdrproof.policy.Platforms;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Environment variables of an object's containers, wherever they are set: env, envFrom, commands, mpirun. */
final class EnvFacts {
  private record Set(String name, String value, String scope, Evidence at) {}

  /** Names beside NCCL's own that say something of the transport or the rendezvous; all others stay unread, tokens among them. */
  private static final List<String> RELATED = List.of("UCX_", "OMPI_MCA_", "FI_", "HCOLL_", "CUDA_", "LD_LIBRARY_PATH", "LD_PRELOAD", "GLOO_", "MASTER_ADDR", "MASTER_PORT", "NVIDIA_",
      "SHARP_", "WORLD_SIZE", "PET_", "TORCH_DISTRIBUTED_DEBUG");

  private final Manifest manifest;
  private final FileSet files;
  private final Facts facts;

  /**
   * What a ConfigMap says by itself: values that the API refuses, and names and forms of NCCL's variables. Those are judged with the pods that take them, which tell the
   * platform, where such pods are in the set.
   *
   * @param taken whether a pod of the set takes variables from it
   */
  static void configMap(Manifest map, String platform, boolean taken, Facts facts) {
    if (!map.kind().equals("ConfigMap") || map.template()) {
      return;
    }
    map.root().at("data").entries().forEach((key, value) -> {
      if (!(value instanceof Value.Scalar scalar)) {
        facts.addAtKey(new NonStringEnv(map.id(), key, value.isMap() ? "a map" : "a list", Tri.NO), map.document(), value);
        return;
      }
      if (Placeholders.in(scalar.text())) {
        return;
      }
      if (scalar.type() != Value.Type.TEXT && scalar.type() != Value.Type.NULL) {
        facts.add(new NonStringEnv(map.id(), key, scalar.text(), Tri.of(scalar.readersDiffer())), map.document(), value);
      }
      if (!taken && NcclSettings.concerns(key)) {
        String profile = platform.isEmpty() ? Platforms.NONE : platform;
        NcclSettings.of(new EnvValue(Fact.UNKNOWN, "values", map.id(), key, scalar.text()), Fact.UNKNOWN, Fact.UNKNOWN, Platforms.excuse(profile, key, scalar.text()))
            .ifPresent(setting -> facts.add(setting, map.document(), value));
      }
    });
  }

  EnvFacts(Manifest manifest, FileSet files, Facts facts) {
    this.manifest = manifest;
    this.files = files;
    this.facts = facts;
  }

  /** Facts of all containers; variables that a launcher passes on take effect in the rank pods of the same object. */
  void add(List<PodClass> classes) {
    PodClass ranks = classes.stream().filter(c -> c.use.equals("rank")).findFirst().orElse(null);
    for (PodClass pods : classes) {
      PodClass target = pods.use.equals("launcher") && ranks != null ? ranks : pods;
      for (Part part : pods.view.parts) {
        if (!part.kind().equals("init")) {
          container(pods, target, part);
        }
      }
    }
  }

  private void container(PodClass own, PodClass target, Part part) {
    Map<String, Set> effective = new LinkedHashMap<>();
    boolean open = fromSources(part, effective);
    for (Value env : part.container().at("env").items()) {
      variable(part.id(), env, effective);
    }
    List<String> forwarded = part.launches().forwards.stream().map(Launches.Forward::name).toList();
    boolean launcher = own.use.equals("launcher");
    boolean judged = part.kind().equals("main") && !List.of("infrastructure", "other-accelerator").contains(own.use);
    for (Set set : effective.values()) {
      // A launcher's own environment reaches the ranks only by name.
      boolean reaches = !launcher || forwarded.contains(set.name());
      emit(part, reaches ? target : own, reaches, set, judged);
    }
    for (Launches.Assignment each : part.launches().assignments) {
      emit(part, each.forwarded() || !launcher ? target : own, each.forwarded() || !launcher, new Set(each.name(), each.value(), each.forwarded() ? "mpirun" : each.exported() ? "script" : "script-local",
          LaunchFacts.at(manifest.document(), each.at())), judged);
    }
    for (Launches.Forward each : part.launches().forwards) {
      boolean defined = effective.containsKey(each.name()) || part.launches().assignments.stream().anyMatch(a -> a.name().equals(each.name()));
      facts.add(new Forwarded(part.id(), manifest.id(), each.name(), defined ? Tri.YES : open ? Tri.UNKNOWN : Tri.NO), LaunchFacts.at(manifest.document(), each.at()));
    }
  }

  /** Where a variable reaches no rank, only its name and form are judged. */
  private void emit(Part part, PodClass target, boolean reaches, Set set, boolean judged) {
    if (!NcclSettings.concerns(set.name()) && !RELATED.stream().anyMatch(set.name()::startsWith)) {
      return;
    }
    facts.add(new EnvValue(Fact.UNKNOWN, "container", part.id(), set.name(), set.value()), set.at());
    if (judged && NcclSettings.concerns(set.name())) {
      NcclSettings.of(new EnvValue(Fact.UNKNOWN, set.scope(), part.id(), set.name(), set.value()), reaches ? target.view.template.id() : Fact.UNKNOWN, reaches ? target.purpose : Fact.UNKNOWN,
          Platforms.excuse(target.platform, set.name(), set.value())).ifPresent(s -> facts.add(s, set.at()));
    }
  }

  /** Variables of envFrom, later sources over earlier ones; whether something stays unknown. */
  private boolean fromSources(Part part, Map<String, Set> effective) {
    boolean open = false;
    for (Value source : part.container().at("envFrom").items()) {
      Value config = source.at("configMapRef", "name");
      Value secret = source.at("secretRef", "name");
      boolean found = config.exists() && files.hasConfigMap(manifest, config.text());
      String prefix = source.at("prefix").text();
      if (found) {
        files.configMap(manifest, config.text()).forEach((key, entry) -> effective.put(prefix + key, new Set(prefix + key, entry.value().text(), "container", entry.document().at(entry.value()))));
      }
      open |= !found;
      Value at = config.exists() ? config : secret;
      facts.add(new EnvSource(part.id(), config.exists() ? "configMap" : "secret", at.text(), Tri.of(found)), manifest.document(), at.exists() ? at : source);
    }
    return open;
  }

  private void variable(String container, Value env, Map<String, Set> effective) {
    String name = env.at("name").text();
    Value value = env.at("value");
    Document document = manifest.document();
    if (name.isEmpty()) {
      return;
    }
    if (env.at("valueFrom").exists()) {
      reference(container, name, env.at("valueFrom"), effective);
      return;
    }
    if (!(value instanceof Value.Scalar scalar)) {
      if (value.exists() && !manifest.template()) {
        facts.addAtKey(new NonStringEnv(container, name, value.isMap() ? "a map" : "a list", Tri.NO), document, value);
      }
      effective.put(name, new Set(name, "", "container", document.at(env.at("name"))));
      return;
    }
    if (scalar.type() != Value.Type.TEXT && scalar.type() != Value.Type.NULL && !Placeholders.in(scalar.text())) {
      facts.add(new NonStringEnv(container, name, scalar.text(), Tri.of(scalar.readersDiffer())), document, value);
    }
    effective.put(name, new Set(name, scalar.text(), "container", document.at(value)));
    String text = scalar.text();
    boolean shell = text.indexOf('$') >= 0 && text.matches("(?s).*\\$(\\{?[A-Za-z_][A-Za-z0-9_]*}?).*");
    if (shell && (manifest.template() || text.matches("\\$\\{[^}]*}"))) {
      facts.add(new Placeholder(manifest.id(), value.path(), name, text), document, value);
      facts.add(new LiteralVariable(container, name, text, Tri.YES), document, value);
    } else if (shell) {
      facts.add(new LiteralVariable(container, name, text, Tri.NO), document, value);
    } else if (Placeholders.in(text) && !text.contains("$(")) {
      facts.add(new Placeholder(manifest.id(), value.path(), name, text), document, value);
    }
  }

  private void reference(String container, String name, Value from, Map<String, Set> effective) {
    Value config = from.at("configMapKeyRef");
    String kind = config.exists() ? "configMap" : from.at("secretKeyRef").exists() ? "secret" : "field";
    FileSet.Entry entry = config.exists() ? files.configMap(manifest, config.at("name").text()).get(config.at("key").text()) : null;
    if (entry != null) {
      effective.put(name, new Set(name, entry.value().text(), "container", entry.document().at(entry.value())));
    } else {
      effective.remove(name);
    }
    facts.add(new EnvSource(container, kind, name, Tri.of(entry != null || kind.equals("field"))), manifest.document(), from.entries().isEmpty() ? from : from.entries().values().iterator().next());
  }
}
