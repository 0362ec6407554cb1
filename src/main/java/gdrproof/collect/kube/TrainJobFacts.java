package gdrproof.collect.kube;

import gdrproof.bundle.Value;
import gdrproof.collect.env.NcclSettings;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.EnvValue;
import gdrproof.facts.Kube.TrainJobUse;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.List;

/** A TrainJob has no pods of its own; its environment can be read all the same. */
final class TrainJobFacts {
  /** Fields by which a TrainJob changes the runtime's pods: of Trainer 2.2, and before. */
  private static final List<String> PATCHES = List.of("runtimePatches", "podTemplateOverrides", "podSpecOverrides");

  private TrainJobFacts() {}

  static void add(Manifest manifest, Facts facts) {
    if (!manifest.kind().equals("TrainJob")) {
      return;
    }
    Value trainer = manifest.spec().at("trainer");
    use(manifest, trainer, facts);
    String owner = manifest.id() + "/spec.trainer";
    for (Value env : trainer.at("env").items()) {
      String name = env.at("name").text();
      Value value = env.at("value");
      if (value.isScalar() && NcclSettings.concerns(name)) {
        EnvValue fact = new EnvValue(Fact.UNKNOWN, "container", owner, name, value.text());
        facts.add(fact, manifest.document(), value);
        NcclSettings.of(fact, Fact.UNKNOWN, "production", "").ifPresent(s -> facts.add(s, manifest.document(), value));
      }
    }
  }

  private static void use(Manifest manifest, Value trainer, Facts facts) {
    Value runtime = manifest.spec().at("runtimeRef");
    Num gpus = Num.of(0);
    for (PodView.Ask ask : PodView.asksOf(trainer.at("resourcesPerNode"))) {
      if (ask.family().equals(ResourceFamily.GPU)) {
        gpus = gpus.known() && ask.amount().known() ? Num.of(gpus.value() + ask.amount().value()) : Num.UNKNOWN;
      }
    }
    boolean patched = PATCHES.stream().anyMatch(field -> manifest.spec().at(field).exists());
    facts.addAtKey(new TrainJobUse(manifest.id(), manifest.namespace(), runtime.at("kind").text("ClusterTrainingRuntime"), runtime.at("name").text(), gpus, Tri.of(patched)),
        manifest.document(), trainer.exists() ? trainer : manifest.root());
  }
}
