package gdrproof.collect.kube;

import gdrproof.bundle.Value;
import gdrproof.bundle.Yaml.Document;
import gdrproof.bundle.Yaml.Flaw;
import gdrproof.bundle.Yaml.FlawKind;
import gdrproof.collect.env.ConfFile;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Kube.KubeObject;
import gdrproof.facts.Kube.ManifestFlaw;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Meta.Looked;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;

/** Reads Kubernetes objects of a set of YAML documents, which together hold both halves of what names what. */
public final class Manifests {
  private Manifests() {}

  /**
   * Adds the facts of the documents; returns the number of objects that were judged.
   *
   * @param platform platform profile that the user names, or "" to tell it from each manifest
   */
  public static int read(List<Document> documents, String platform, BiConsumer<Fact, Evidence> target) {
    Facts facts = new Facts(target);
    FileSet files = new FileSet(platform);
    List<Manifest> all = new ArrayList<>();
    for (Document document : documents) {
      List<Manifest.Embedded> broken = new ArrayList<>();
      for (Manifest manifest : Manifest.of(document, broken)) {
        all.add(manifest);
        files.add(manifest);
      }
      document.flaws().forEach(flaw -> flaw(document, flaw, facts));
      for (Manifest.Embedded each : broken) {
        facts.add(new ManifestFlaw(document.file(), Num.of(document.index()), "embedded-template", each.at().path(), each.flaw().message()), document, each.at());
      }
    }
    if (!all.isEmpty()) {
      facts.addAtKey(new Looked(Fact.UNKNOWN, Kind.MANIFESTS), all.get(0).document(), all.get(0).root());
    }
    record Job(Manifest manifest, List<PodClass> classes) {}
    List<Job> jobs = new ArrayList<>();
    for (Manifest manifest : all) {
      facts.addAtKey(new KubeObject(manifest.id(), manifest.apiVersion(), manifest.kind(), manifest.namespace(), manifest.name()), manifest.document(), manifest.root());
      ClusterFacts.add(manifest, facts);
      List<PodClass> classes = PodClass.of(manifest, PodTemplate.of(manifest), files);
      classes.forEach(pods -> new PodFacts(manifest, pods, files, facts).add());
      new JobFacts(manifest, classes, facts).add();
      new EnvFacts(manifest, files, facts).add(classes);
      if (classes.isEmpty()) {
        TrainJobFacts.add(manifest, facts);
      }
      jobs.add(new Job(manifest, classes));
    }
    for (Manifest policy : files.networkPolicies) {
      for (Job job : jobs) {
        job.classes().stream().filter(c -> c.use.equals("rank")).forEach(c -> ClusterFacts.isolation(policy, job.manifest(), c, facts));
      }
    }
    files.configMaps().forEach((name, entries) -> entries.forEach((key, entry) -> {
      if (key.endsWith("nccl.conf") && entry.value() instanceof Value.Scalar scalar) {
        ConfFile.read(name + "/" + key, List.of(scalar.text().split("\n", -1)), scalar::lineOf, (fact, line) -> facts.add(fact, entry.document().at(line, 1, scalar.path())));
      }
    }));
    return all.size();
  }

  private static void flaw(Document document, Flaw flaw, Facts facts) {
    String kind = flaw.kind() == FlawKind.DUPLICATE_KEY ? "duplicate-key" : flaw.kind().name().toLowerCase(Locale.ROOT);
    facts.add(new ManifestFlaw(document.file(), Num.of(document.index()), kind, flaw.path(), flaw.message()), document.at(flaw.line(), flaw.column(), flaw.path()));
  }
}
