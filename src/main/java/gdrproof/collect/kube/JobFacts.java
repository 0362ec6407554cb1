package gdrproof.collect.kube;

import gdrproof.bundle.Placeholders;
import gdrproof.bundle.Value;
import gdrproof.bundle.Yaml.Document;
import gdrproof.facts.Fact;
import gdrproof.facts.Kube.Gang;
import gdrproof.facts.Kube.JobWaves;
import gdrproof.facts.Kube.MpiJob;
import gdrproof.facts.Kube.Placeholder;
import gdrproof.facts.Kube.QueueOf;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.List;
import java.util.regex.Pattern;

/** Facts of a job as a whole: its kind's own fields, its gang, its queue, what stands in for values to come. */
final class JobFacts {
  /** torchrun with a range of nodes. */
  private static final Pattern ELASTIC = Pattern.compile("--nnodes[= ]\\d+:\\d+");

  private final Manifest manifest;
  private final List<PodClass> classes;
  private final Document document;
  private final Facts facts;

  JobFacts(Manifest manifest, List<PodClass> classes, Facts facts) {
    this.manifest = manifest;
    this.classes = classes;
    this.document = manifest.document();
    this.facts = facts;
  }

  void add() {
    if (manifest.kind().equals("MPIJob")) {
      mpi();
    }
    if (manifest.kind().equals("TrainJob")) {
      Value runtime = manifest.spec().at("runtimeRef");
      facts.addAtKey(new Placeholder(manifest.id(), "spec.runtimeRef", "runtimeRef", "the runtime " + runtime.at("name").text() + " holds the pods"), document, runtime);
    }
    for (PodClass pods : classes) {
      waves(pods);
    }
    gang();
    String queue = manifest.label("kueue.x-k8s.io/queue-name");
    if (!queue.isEmpty()) {
      facts.add(new QueueOf(manifest.id(), queue), document, manifest.root().at("metadata", "labels", "kueue.x-k8s.io/queue-name"));
    }
    if (!classes.isEmpty() || manifest.kind().equals("TrainJob") || manifest.kind().equals("ComputeDomain") || manifest.group().equals("kueue.x-k8s.io")) {
      OpenCounts.add(manifest, facts);
    }
  }

  private void mpi() {
    Value spec = manifest.spec();
    Value roles = spec.at("mpiReplicaSpecs");
    PodClass worker = classes.stream().filter(c -> c.view.template.role().equals("worker")).findFirst().orElse(null);
    Num workers = PodTemplate.number(roles.at("Worker", "replicas"), 0);
    Num slots = PodTemplate.number(spec.at("slotsPerWorker"), 1);
    boolean starts = worker != null && worker.view.parts.stream().filter(p -> p.kind().equals("main")).anyMatch(p -> p.launches().sshd || !p.container().at("command").exists());
    boolean ssh = manifest.apiVersion().endsWith("v2beta1") && starts;
    String longest = manifest.name() + "-worker-" + (int) Math.max(0, workers.known() ? workers.value() - 1 : 0);
    boolean open = Placeholders.inNumber(manifest.name());
    boolean legal = longest.length() <= 63 && longest.matches("[a-z]([-a-z0-9]*[a-z0-9])?");
    Value clean = spec.at("runPolicy", "cleanPodPolicy").exists() ? spec.at("runPolicy", "cleanPodPolicy") : spec.at("cleanPodPolicy");
    MpiJob job = new MpiJob(manifest.id(), manifest.apiVersion(), Tri.of(roles.at("Launcher").exists()), PodTemplate.number(roles.at("Launcher", "replicas"), 1), workers,
        slots, worker == null ? Num.UNKNOWN : worker.gpus, Tri.of(spec.at("runLauncherAsWorker").isTrue()), clean.text("absent"), Tri.of(ssh),
        open ? Tri.UNKNOWN : Tri.of(legal));
    facts.addAtKey(job, document, place(job, roles));
  }

  /** What the controller refuses is told where it stands, all else at the spec. */
  private Value place(MpiJob job, Value roles) {
    Value name = manifest.root().at("metadata", "name");
    Value replicas = roles.at("Launcher", "replicas");
    if (job.legalName() == Tri.NO && name.exists()) {
      return name;
    }
    if (replicas.exists() && job.launcherReplicas().known() && !job.launcherReplicas().is(1)) {
      return replicas;
    }
    return manifest.spec().exists() ? manifest.spec() : manifest.root();
  }

  private void waves(PodClass pods) {
    Value job = pods.view.template.spec().parent().parent();
    if (manifest.group().equals("batch.volcano.sh") || !job.at("completions").exists() && !job.at("parallelism").exists()) {
      return;
    }
    Value at = job.at("parallelism").exists() ? job.at("parallelism") : job.at("completions");
    Num parallelism = PodTemplate.number(job.at("parallelism"), 1);
    Num completions = job.at("completions").exists() ? PodTemplate.number(job.at("completions"), 1) : parallelism;
    facts.add(new JobWaves(pods.view.template.id(), parallelism, completions), document, at);
  }

  private void gang() {
    Num total = Num.of(0);
    Num carriers = Num.of(0);
    boolean ranks = false;
    for (PodClass pods : classes) {
      Num replicas = pods.view.template.replicas();
      total = total.known() && replicas.known() ? Num.of(total.value() + replicas.value()) : Num.UNKNOWN;
      if (pods.use.equals("rank")) {
        carriers = carriers.known() && replicas.known() ? Num.of(carriers.value() + replicas.value()) : Num.UNKNOWN;
        ranks = true;
      }
    }
    if (!ranks) {
      return;
    }
    Value spec = manifest.spec();
    Value min = spec.at("minAvailable").exists() ? spec.at("minAvailable") : spec.at("runPolicy", "schedulingPolicy", "minAvailable");
    boolean podMarks = classes.stream().map(c -> c.view.template).anyMatch(t -> !t.label("scheduling.x-k8s.io/pod-group").isEmpty() || !t.label("pod-group.scheduling.sigs.k8s.io").isEmpty()
        || !t.label("kueue.x-k8s.io/pod-group-name").isEmpty());
    boolean kai = List.of("kai.scheduler/queue", "runai/queue").stream().anyMatch(k -> !manifest.label(k).isEmpty() || classes.stream().anyMatch(c -> !c.view.template.label(k).isEmpty()));
    String how = manifest.group().equals("batch.volcano.sh") ? "volcano"
        : !manifest.label("kueue.x-k8s.io/queue-name").isEmpty() ? "kueue"
        : podMarks ? "coscheduling"
        : kai ? "kai"
        : spec.at("runPolicy", "schedulingPolicy").exists() ? "mpi-scheduling-policy"
        : spec.at("podGroupPolicy").exists() ? "trainer"
        : manifest.kind().equals("LeaderWorkerSet") ? "group" : "none";
    boolean elastic = spec.at("elasticPolicy").exists() || classes.stream().anyMatch(c -> ELASTIC.matcher(c.view.words).find());
    Num members = min.exists() ? PodTemplate.number(min, 1) : how.equals("volcano") ? total : Num.UNKNOWN;
    Gang fact = new Gang(manifest.id(), how, members, total, carriers, Tri.of(elastic));
    if (min.exists()) {
      facts.add(fact, document, min);
    } else {
      facts.addAtKey(fact, document, spec.exists() ? spec : manifest.root());
    }
  }

  static String unknown(String text) {
    return text.isEmpty() ? Fact.UNKNOWN : text;
  }
}
