package gdrproof.collect.kube;

import gdrproof.bundle.Value;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import gdrproof.policy.ImageNames;
import gdrproof.policy.Platforms;
import gdrproof.policy.ResourceNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What pods are for, decided before any rule speaks: which carry ranks, whether several pods form one collective group,
 * whether NCCL is used, which way leads to the fabric, and what the whole is for.
 */
final class PodClass {
  private static final Set<String> LAUNCHER_ROLES = Set.of("launcher", "submitter", "head", "driver");
  private static final String[] NCCL_MARKS = {"nccl", "torchrun", "torch.distributed", "deepspeed", "horovod", "accelerate launch", "megatron", "nemo",
      "all_reduce_perf", "all_gather_perf", "alltoall_perf", "reduce_scatter_perf", "sendrecv_perf", "broadcast_perf"};
  private static final String[] OTHER_TESTS = {"nvbandwidth", "ib_write_bw", "ib_read_bw", "ib_send_bw", "ib_write_lat", "ib_read_lat", "ib_send_lat", "rping", "iperf",
      "dcgmproftester", "gpu-burn", "vectoradd", "nvidia-smi -l"};

  final PodView view;
  final String use;
  final Num gpus;
  final String rdma;
  final String platform;
  Tri spread = Tri.UNKNOWN;
  Tri nccl = Tri.UNKNOWN;
  String purpose = "production";
  /** Words of all containers of the object, lower case. */
  String objectWords = "";

  private PodClass(PodView view, String use, Num gpus, String rdma, String platform) {
    this.view = view;
    this.use = use;
    this.gpus = gpus;
    this.rdma = rdma;
    this.platform = platform;
  }

  /** Classes of all pod templates of an object, in their order. */
  static List<PodClass> of(Manifest manifest, List<PodTemplate> templates, FileSet files) {
    List<PodClass> classes = new ArrayList<>();
    for (PodTemplate template : templates) {
      PodView view = new PodView(template);
      Num gpus = gpus(manifest, view, files);
      classes.add(new PodClass(view, use(manifest, view, gpus, files), gpus, rdma(manifest, view, files),
          files.platform.isEmpty() ? platform(manifest, view) : files.platform));
    }
    StringBuilder text = new StringBuilder();
    classes.forEach(c -> text.append(c.view.words));
    String all = text.toString();
    Num ranks = Num.of(0);
    int holders = 0;
    for (PodClass each : classes) {
      if (each.use.equals("rank")) {
        ranks = ranks.known() && each.view.template.replicas().known() ? Num.of(ranks.value() + each.view.template.replicas().value()) : Num.UNKNOWN;
        holders++;
      }
    }
    Tri nccl = nccl(all, classes);
    for (PodClass each : classes) {
      each.objectWords = all;
      each.nccl = nccl;
      each.purpose = purpose(manifest, each, all);
      each.spread = each.use.equals("rank") ? spread(manifest, each, ranks, all, files) : Tri.NO;
      if (holders == 0 && manifest.kind().equals("TrainJob")) {
        each.spread = Tri.UNKNOWN;
      }
    }
    return classes;
  }

  private static Num gpus(Manifest manifest, PodView view, FileSet files) {
    Num asked = view.gpus();
    if (!asked.is(0)) {
      return asked;
    }
    double sum = 0;
    for (Value claim : view.template.spec().at("resourceClaims").items()) {
      String name = claim.at("resourceClaimTemplateName").text(claim.at("resourceClaimName").text());
      ClaimShape shape = files.claims.meant(manifest, name);
      if (shape != null) {
        if (!shape.gpus().known()) {
          return Num.UNKNOWN;
        }
        sum += shape.gpus().value();
      } else if (!files.computeDomains.has(manifest, name) && (name + claim.at("name").text()).toLowerCase(Locale.ROOT).contains("gpu")) {
        return Num.UNKNOWN;
      }
    }
    return Num.of(sum);
  }

  private static String use(Manifest manifest, PodView view, Num gpus, FileSet files) {
    String kind = manifest.kind();
    if (kind.equals("DaemonSet")) {
      return "infrastructure";
    }
    if (!gpus.is(0)) {
      if (kind.equals("Deployment") || kind.equals("ReplicaSet") || kind.equals("InferenceService") || kind.equals("NIMService")) {
        return "inference";
      }
      // Jobs that only sleep show queues and schedulers; where they hold an RDMA device too, somebody starts ranks in them.
      boolean demo = manifest.group().equals("batch") && view.families.stream().noneMatch(ResourceNames::fabric);
      boolean bare = kind.equals("Pod") || kind.equals("StatefulSet") || demo;
      boolean idle = view.parts.stream().filter(p -> p.kind().equals("main")).allMatch(p -> p.launches().idle);
      return bare && idle && !view.says("nccl") ? "debug" : "rank";
    }
    if (view.families.contains(ResourceFamily.OTHER_ACCELERATOR)) {
      return "other-accelerator";
    }
    if (LAUNCHER_ROLES.contains(view.template.role())) {
      return "launcher";
    }
    if (kind.equals("ClusterTrainingRuntime") || kind.equals("TrainingRuntime")) {
      return view.families.isEmpty() ? "unknown" : "cpu";
    }
    if (view.families.stream().anyMatch(ResourceNames::fabric)) {
      return "test";
    }
    if (view.parts.stream().anyMatch(p -> p.launches().changes.stream().anyMatch(c -> c.act().equals("modprobe")))) {
      return "infrastructure";
    }
    return "cpu";
  }

  private static String rdma(Manifest manifest, PodView view, FileSet files) {
    if (view.families.contains(ResourceFamily.EFA)) {
      return "efa";
    }
    if (view.families.contains(ResourceFamily.RDMA_DEVICE)) {
      return "device";
    }
    if (view.families.contains(ResourceFamily.RDMA_SHARED)) {
      return "shared";
    }
    PodTemplate template = view.template;
    if (view.says("tcpgpudmarxd", "gpudirect-tcpx", "gpudirecttcpx", "tcpxo") || !template.annotation("devices.gke.io/container.tcpxo-daemon").isEmpty()
        || !template.annotation("devices.gke.io/container.tcpx-daemon").isEmpty()) {
      return "tcpx";
    }
    if (view.families.contains(ResourceFamily.GKE_NETWORK) || !template.annotation("networking.gke.io/interfaces").isEmpty()) {
      return "gke-networks";
    }
    boolean unknown = false;
    for (Value claim : template.spec().at("resourceClaims").items()) {
      String name = claim.at("resourceClaimTemplateName").text(claim.at("resourceClaimName").text());
      ClaimShape shape = files.claims.meant(manifest, name);
      if (shape != null && shape.nics().above(0)) {
        return "claim";
      }
      unknown |= shape == null && !files.computeDomains.has(manifest, name);
    }
    boolean hostNetwork = template.spec().at("hostNetwork").isTrue();
    if (view.privileged() && (hostNetwork || view.hostPath("/dev/infiniband") || view.hostPath("/dev"))) {
      return "host-devices";
    }
    if (view.privileged()) {
      return "privileged";
    }
    // A resources injector may add the device of an attached network.
    if (unknown || !template.annotation("k8s.v1.cni.cncf.io/networks").isEmpty() || hostNetwork && view.hostPath("/dev/infiniband")) {
      return "unknown";
    }
    return "none";
  }

  private static String platform(Manifest manifest, PodView view) {
    List<String> labels = new ArrayList<>();
    gather(view.template.spec().at("nodeSelector"), labels);
    for (Value term : view.template.spec().at("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms").items()) {
      for (Value expression : term.at("matchExpressions").items()) {
        labels.add(expression.at("key").text());
        expression.at("values").items().forEach(v -> labels.add(expression.at("key").text() + "=" + v.text()));
      }
    }
    gather(manifest.root().at("metadata", "labels"), labels);
    List<String> images = view.parts.stream().map(p -> p.container().at("image").text()).toList();
    List<String> resources = view.parts.stream().flatMap(p -> p.asks().stream()).map(PodView.Ask::resource).filter(r -> r.indexOf('/') > 0 && !r.startsWith("nvidia.com/gpu")).toList();
    return Platforms.of(new Platforms.Marks(resources, view.template.metadata().at("annotations").entries().keySet(), labels, images));
  }

  private static void gather(Value map, List<String> labels) {
    map.entries().forEach((key, value) -> {
      labels.add(key);
      labels.add(key + "=" + value.text());
    });
  }

  private static Tri nccl(String all, List<PodClass> classes) {
    Tri said = said(all);
    boolean without = said == Tri.UNKNOWN && classes.stream().flatMap(c -> c.view.parts.stream()).filter(p -> p.kind().equals("main"))
        .allMatch(p -> ImageNames.withoutNccl(p.container().at("image").text()));
    return without ? Tri.NO : said;
  }

  /** What the words of an object say of NCCL. */
  private static Tri said(String all) {
    for (String mark : OTHER_TESTS) {
      if (all.contains(mark)) {
        return all.contains("nccl") || all.contains("_perf") ? Tri.YES : Tri.NO;
      }
    }
    for (String mark : NCCL_MARKS) {
      if (all.contains(mark)) {
        return all.contains("gloo") && !all.contains("nccl") ? Tri.NO : Tri.YES;
      }
    }
    return Tri.UNKNOWN;
  }

  private static String purpose(Manifest manifest, PodClass each, String all) {
    String said = manifest.annotation("gdrproof.io/purpose");
    said = said.isEmpty() ? each.view.template.annotation("gdrproof.io/purpose") : said;
    if (!said.isEmpty()) {
      return said;
    }
    String name = (manifest.name() + " " + manifest.label("purpose")).toLowerCase(Locale.ROOT);
    for (String mark : List.of("noib", "no-ib", "no-rdma", "nordma", "without-ib", "without-rdma", "socket-only", "tcp-only", "-tcp-test", "control")) {
      if (name.contains(mark)) {
        return "control";
      }
    }
    if (name.contains("debug") || name.contains("diag") || name.contains("troubleshoot")) {
      return "diagnosis";
    }
    boolean measures = each.view.parts.stream().anyMatch(p -> !p.launches().benchmarks.isEmpty()) || all.contains("_perf") || all.contains("nccl-test")
        || all.contains("nccl_test") || name.contains("nccl-test") || name.contains("benchmark") || all.contains("nvbandwidth") || all.contains("tf_cnn_benchmarks");
    return measures ? "benchmark" : "production";
  }

  private static Tri spread(Manifest manifest, PodClass each, Num ranks, String all, FileSet files) {
    if (!ranks.known()) {
      return Tri.UNKNOWN;
    }
    return switch (manifest.kind()) {
      // Bare pods that differ in a number only are the ranks of a hand-made job.
      case "Pod" -> Tri.of(files.hasTwin(manifest));
      case "StatefulSet" -> ranks.value() > 1 ? all.contains("nccl") || all.contains("nnodes") ? Tri.YES : Tri.UNKNOWN : Tri.NO;
      case "Job", "CronJob" -> {
        boolean volcano = manifest.group().equals("batch.volcano.sh");
        boolean collective = volcano || all.contains("torchrun") || all.contains("nccl") || all.contains("job_completion_index") || all.contains("torch.distributed");
        // One pod at a time that waits for others is one of several: the rest comes in later waves, or from another object.
        yield ranks.value() <= 1 ? Tri.of(!volcano && waits(each.view)) : collective ? Tri.YES : Tri.UNKNOWN;
      }
      default -> manifest.kind().contains("Workflow") ? Tri.NO : Tri.of(ranks.value() > 1);
    };
  }

  /** Whether a launcher in the pods waits for more nodes than one. */
  private static boolean waits(PodView view) {
    return view.parts.stream().filter(p -> !p.kind().equals("init")).flatMap(p -> p.launches().torch.stream()).anyMatch(torch -> Num.parse(torch.nodes()).above(1));
  }
}
