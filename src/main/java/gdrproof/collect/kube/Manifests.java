package gdrproof.collect.kube;

import gdrproof.bundle.Value;
import gdrproof.bundle.Yaml.Document;
import gdrproof.bundle.Yaml.Flaw;
import gdrproof.bundle.Yaml.FlawKind;
import gdrproof.collect.env.ConfFile;
import gdrproof.collect.operator.OperatorCollector;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Kube.KubeObject;
import gdrproof.facts.Kube.ManifestFlaw;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Meta.Looked;
import gdrproof.facts.Num;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;

/** Reads Kubernetes objects of a set of YAML documents, which together hold both halves of what names what. */
public final class Manifests {
  private Manifests() {}

  /** Objects from which it pays to read them with several threads. */
  private static final int MANY = 64;

  /**
   * Facts of a set of documents.
   *
   * @param objects number of objects that were judged
   * @param shared facts of the set, and of objects that others may name
   * @param jobs objects that hold pods
   */
  public record Read(int objects, List<Stated> shared, List<Job> jobs) {
    /** Facts of all jobs, in their order. */
    public List<List<Stated>> jobFacts() {
      return (jobs.size() < MANY ? jobs.stream() : jobs.parallelStream()).map(Job::facts).toList();
    }
  }

  /** The objects of a document, with embedded texts that are no YAML. */
  private record Held(Document document, List<Manifest> manifests, List<List<PodTemplate>> templates, List<Manifest.Embedded> broken) {
    static Held of(Document document) {
      List<Manifest.Embedded> broken = new ArrayList<>();
      List<Manifest> manifests = Manifest.of(document, broken);
      return new Held(document, manifests, manifests.stream().map(PodTemplate::of).toList(), broken);
    }
  }

  /** An object that holds pods. Its facts are about itself only, and are made when asked for, since those of very many would fill the memory. */
  public static final class Job {
    private final Manifest manifest;
    private final List<PodTemplate> templates;
    private final FileSet files;

    private Job(Manifest manifest, List<PodTemplate> templates, FileSet files) {
      this.manifest = manifest;
      this.templates = templates;
      this.files = files;
    }

    public List<Stated> facts() {
      return Manifests.facts(manifest, templates, files);
    }
  }

  /**
   * Adds the facts of the documents; returns the number of objects that were judged.
   *
   * @param platform platform profile that the user names, or "" to tell it from each manifest
   */
  public static int read(List<Document> documents, String platform, BiConsumer<Fact, Evidence> target) {
    Read read = read(documents, platform);
    read.shared().forEach(s -> target.accept(s.fact(), s.at()));
    read.jobFacts().forEach(job -> job.forEach(s -> target.accept(s.fact(), s.at())));
    return read.objects();
  }

  /** The same, told apart by who they are about. */
  public static Read read(List<Document> documents, String platform) {
    List<Stated> shared = new ArrayList<>();
    Facts facts = new Facts((fact, at) -> shared.add(new Stated(fact, at)));
    FileSet files = new FileSet(platform);
    List<Manifest> all = new ArrayList<>();
    List<List<PodTemplate>> pods = new ArrayList<>();
    Map<String, Boolean> charts = new HashMap<>();
    for (Held held : (documents.size() < MANY ? documents.stream() : documents.parallelStream()).map(Held::of).toList()) {
      for (Manifest manifest : held.manifests()) {
        all.add(manifest);
        files.add(manifest);
      }
      pods.addAll(held.templates());
      held.templates().forEach(templates -> templates.forEach(files::takes));
      Document document = held.document();
      document.flaws().stream().filter(flaw -> flaw.kind() != FlawKind.DUPLICATE_KEY || meant(document, charts)).forEach(flaw -> flaw(document, flaw, facts));
      for (Manifest.Embedded each : held.broken()) {
        facts.add(new ManifestFlaw(document.file(), Num.of(document.index()), "embedded-template", each.at().path(), each.flaw().message()), document, each.at());
      }
    }
    if (!all.isEmpty()) {
      facts.addAtKey(new Looked(Fact.UNKNOWN, Kind.MANIFESTS), all.get(0).document(), all.get(0).root());
    }
    List<Job> jobs = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      Manifest manifest = all.get(i);
      List<PodTemplate> templates = pods.get(i);
      if (templates.isEmpty()) {
        shared.addAll(facts(manifest, templates, files));
      } else {
        jobs.add(new Job(manifest, templates, files));
      }
    }
    files.eachConfigMap((name, entries) -> entries.forEach((key, entry) -> {
      if (key.endsWith("nccl.conf") && entry.value() instanceof Value.Scalar scalar) {
        ConfFile.read(name + "/" + key, List.of(scalar.text().split("\n", -1)), scalar::lineOf, (fact, line) -> facts.add(fact, entry.document().at(line, 1, scalar.path())));
      }
    }));
    return new Read(all.size(), shared, jobs);
  }

  private static List<Stated> facts(Manifest manifest, List<PodTemplate> templates, FileSet files) {
    List<Stated> own = new ArrayList<>();
    Facts facts = new Facts((fact, at) -> own.add(new Stated(fact, at)));
    facts.addAtKey(new KubeObject(manifest.id(), manifest.apiVersion(), manifest.kind(), manifest.namespace(), manifest.name()), manifest.document(), manifest.root());
    ClusterFacts.add(manifest, facts);
    EnvFacts.configMap(manifest, files.platform, files.taken(manifest), facts);
    NetworkFacts.attached(manifest, facts);
    List<PodClass> classes = PodClass.of(manifest, templates, files);
    classes.forEach(pods -> new PodFacts(manifest, pods, files, facts).add());
    new JobFacts(manifest, classes, facts).add();
    new EnvFacts(manifest, files, facts).add(classes);
    if (classes.isEmpty()) {
      TrainJobFacts.add(manifest, facts);
    }
    for (Manifest policy : files.networkPolicies) {
      classes.stream().filter(c -> c.use.equals("rank")).forEach(c -> NetworkPolicies.isolation(policy, manifest, c, facts));
    }
    return own;
  }

  /**
   * Whether a document is an object, or values that may be a chart's: of other YAML it is not asked how it is written.
   *
   * @param charts by file, whether it speaks of what charts set: a file of many documents is looked through once
   */
  private static boolean meant(Document document, Map<String, Boolean> charts) {
    return document.root().at("kind").exists() || document.root().at("apiVersion").exists() || charts.computeIfAbsent(document.file(), f -> OperatorCollector.beside(document.lines()));
  }

  private static void flaw(Document document, Flaw flaw, Facts facts) {
    String kind = flaw.kind() == FlawKind.DUPLICATE_KEY ? "duplicate-key" : flaw.kind().name().toLowerCase(Locale.ROOT);
    facts.add(new ManifestFlaw(document.file(), Num.of(document.index()), kind, flaw.path(), flaw.message()), document.at(flaw.line(), flaw.column(), flaw.path()));
  }
}
