package gdrproof.collect.kube;

import gdrproof.bundle.Value;
import gdrproof.collect.env.NcclSettings;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.EnvValue;

/** A TrainJob has no pods of its own; its environment can be read all the same. */
final class TrainJobFacts {
  private TrainJobFacts() {}

  static void add(Manifest manifest, Facts facts) {
    if (!manifest.kind().equals("TrainJob")) {
      return;
    }
    Value trainer = manifest.spec().at("trainer");
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
}
