package gdrproof.collect.kube;

import gdrproof.bundle.Placeholders;
import gdrproof.bundle.Value;
import gdrproof.bundle.Yaml.Document;
import gdrproof.collect.kube.PodView.Ask;
import gdrproof.collect.kube.PodView.Part;
import gdrproof.facts.Fact;
import gdrproof.facts.Kube.ClaimUse;
import gdrproof.facts.Kube.Container;
import gdrproof.facts.Kube.ContainerMemory;
import gdrproof.facts.Kube.ContainerRights;
import gdrproof.facts.Kube.HostMount;
import gdrproof.facts.Kube.ImageUse;
import gdrproof.facts.Kube.NvlinkDomain;
import gdrproof.facts.Kube.Placeholder;
import gdrproof.facts.Kube.PodClaim;
import gdrproof.facts.Kube.PodHost;
import gdrproof.facts.Kube.PodPlacing;
import gdrproof.facts.Kube.Pods;
import gdrproof.facts.Kube.ResourceAsk;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import gdrproof.policy.Platforms;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Facts of one pod template and its containers. */
final class PodFacts {
  private static final Set<String> FLOATING = Set.of("latest", "main", "master", "nightly", "dev", "devel", "edge", "stable", "canary");

  private final Manifest manifest;
  private final PodClass pods;
  private final PodView view;
  private final PodTemplate template;
  private final Document document;
  private final FileSet files;
  private final Facts facts;

  PodFacts(Manifest manifest, PodClass pods, FileSet files, Facts facts) {
    this.manifest = manifest;
    this.pods = pods;
    this.view = pods.view;
    this.template = view.template;
    this.document = manifest.document();
    this.files = files;
    this.facts = facts;
  }

  void add() {
    String id = template.id();
    Value spec = template.spec();
    facts.addAtKey(new Pods(id, manifest.id(), manifest.kind(), template.namespace(), template.role(), template.replicas(), pods.use, pods.spread, pods.purpose,
        pods.rdma, pods.gpus, pods.nccl, pods.platform), document, spec.exists() && spec.keyLine() > 0 ? spec : manifest.root());
    host(id, spec);
    placing(id, spec);
    Tri guaranteed = guaranteed();
    for (Part part : view.parts) {
      container(id, part, guaranteed);
    }
    claims(id, spec);
    if (pods.use.equals("unknown")) {
      view.parts.stream().filter(p -> p.kind().equals("main")).forEach(p -> facts.addAtKey(new Placeholder(manifest.id(), p.container().path(), "resources",
          "comes from the object that uses this runtime"), document, p.container()));
    }
    NetworkFacts.add(manifest, pods, files, document, facts);
    if (pods.use.equals("rank")) {
      nvlink(id, spec);
    }
  }

  private void host(String id, Value spec) {
    Value hostNetwork = spec.at("hostNetwork");
    boolean anti = apart(spec);
    boolean byName = switch (manifest.kind()) {
      // The controller of kubeflow.org/v2beta1 (mpi-operator 0.4 and later) sets the DNS policy of host network pods itself; with v1 the launcher needs no names.
      case "MPIJob" -> false;
      case "PyTorchJob", "TFJob", "PaddleJob", "XGBoostJob", "JAXJob", "JobSet", "LeaderWorkerSet", "RayCluster", "RayJob" -> true;
      default -> manifest.group().equals("batch.volcano.sh") || view.says("master_addr=") && !view.says("status.hostip");
    };
    boolean ports = template.containers().stream().anyMatch(c -> !c.at("ports").items().isEmpty()) || view.parts.stream().anyMatch(PodFacts::listens);
    boolean pinned = !spec.at("nodeSelector").entries().isEmpty() || spec.at("affinity", "nodeAffinity").exists() || !spec.at("nodeName").text().isEmpty();
    boolean tolerates = spec.at("tolerations").items().stream().anyMatch(t -> {
      String key = t.at("key").text();
      return key.isEmpty() && t.at("operator").text().equals("Exists") || key.contains("gpu");
    });
    boolean meshOff = template.annotation("sidecar.istio.io/inject").equals("false") || template.label("sidecar.istio.io/inject").equals("false")
        || template.annotation("linkerd.io/inject").equals("disabled");
    // Volcano's webhook fills in the policy of host network pods where none is stated.
    boolean set = hostNetwork.isTrue() && manifest.group().equals("batch.volcano.sh") && !spec.at("dnsPolicy").exists();
    PodHost fact = new PodHost(id, Tri.of(hostNetwork.isTrue()), Tri.of(Platforms.hostNetwork(pods.platform)), Tri.of(spec.at("hostIPC").isTrue()),
        Tri.of(spec.at("hostPID").isTrue()), set ? "ClusterFirstWithHostNet" : spec.at("dnsPolicy").text("ClusterFirst"), Tri.of(byName), Tri.of(ports), Tri.of(anti), Tri.of(pinned), Tri.of(tolerates),
        Tri.of(meshOff));
    if (hostNetwork.exists()) {
      facts.add(fact, document, hostNetwork);
    } else {
      facts.addAtKey(fact, document, spec);
    }
  }

  /** Whether a container's command or environment fixes a port that is bound in it. */
  private static boolean listens(Part part) {
    return !part.kind().equals("init") && (part.launches().port
        || part.container().at("env").items().stream().anyMatch(env -> env.at("name").text().equals("MASTER_PORT") && env.at("value").text().matches("[1-9]\\d*")));
  }

  private void placing(String id, Value spec) {
    List<String> selector = spec.at("nodeSelector").entries().entrySet().stream().map(e -> e.getKey() + "=" + e.getValue().text()).sorted().toList();
    List<String> tolerations = spec.at("tolerations").items().stream().map(t -> t.at("key").text() + "|" + t.at("operator").text("Equal") + "|" + t.at("value").text() + "|" + t.at("effect").text()).toList();
    Tri affinity = Tri.of(spec.at("affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution").exists() || !spec.at("nodeName").text().isEmpty());
    facts.addAtKey(new PodPlacing(id, selector, affinity, tolerations, spec.at("priorityClassName").text(), spec.at("runtimeClassName").text()), document, spec);
  }

  /** NVLink between nodes: node types by their names, or a program and settings that want it. */
  private void nvlink(String id, Value spec) {
    StringBuilder text = new StringBuilder();
    gather(spec.at("nodeSelector"), text);
    gather(spec.at("affinity", "nodeAffinity"), text);
    String all = text.toString().toLowerCase(Locale.ROOT);
    boolean nodes = all.contains("gb200") || all.contains("gb300") || all.contains("nvl72") || all.contains("nvl36") || all.contains("gpu.clique");
    boolean meant = pods.objectWords.contains("multinode_") || pods.objectWords.contains("nccl_mnnvl_enable=1") || pods.objectWords.contains("nccl_mnnvl_enable=2");
    boolean off = pods.objectWords.contains("nccl_mnnvl_enable=0");
    Tri claimed = Tri.NO;
    for (Value claim : spec.at("resourceClaims").items()) {
      String shape = claim.at("resourceClaimTemplateName").text(claim.at("resourceClaimName").text());
      ClaimShape known = files.claims.meant(manifest, shape);
      boolean channel = files.computeDomains.has(manifest, shape) || known != null && known.channels().above(0);
      claimed = channel ? Tri.YES : known == null && claimed == Tri.NO ? Tri.UNKNOWN : claimed;
    }
    if (pods.objectWords.contains("nvidia_imex_channels")) {
      claimed = Tri.YES;
    }
    boolean spread = pods.spread == Tri.YES;
    facts.addAtKey(new NvlinkDomain(id, !spread || off ? Tri.NO : nodes ? Tri.YES : meant ? Tri.UNKNOWN : Tri.NO, claimed), document, spec);
  }

  private static void gather(Value value, StringBuilder text) {
    if (value.isScalar()) {
      text.append(value.key()).append('=').append(value.text()).append('\n');
    }
    (value.isList() ? value.items() : value.entries().values()).forEach(each -> gather(each, text.append(each.key()).append('\n')));
  }

  private boolean apart(Value spec) {
    boolean spreads = spec.at("topologySpreadConstraints").items().stream().anyMatch(c -> c.at("topologyKey").text().contains("hostname"));
    boolean exclusive = !manifest.annotation("alpha.jobset.sigs.k8s.io/exclusive-topology").isEmpty()
        || !manifest.annotation("leaderworkerset.sigs.k8s.io/exclusive-topology").isEmpty();
    return spreads || exclusive || spec.at("affinity", "podAntiAffinity").exists();
  }

  private void container(String id, Part part, Tri guaranteed) {
    Value container = part.container();
    String use = use(part);
    facts.addAtKey(new Container(part.id(), id, part.name(), part.kind(), use, gpus(part), Tri.of(part.launches().installs)), document, container);
    image(id, part, use);
    rights(id, part);
    memory(id, part, guaranteed);
    for (Ask ask : part.asks()) {
      facts.add(new ResourceAsk(part.id(), id, ask.resource(), ask.family(), ask.amount(), ask.text(), ask.flaw()), document, ask.at());
      if (Placeholders.inNumber(ask.text())) {
        facts.add(new Placeholder(manifest.id(), ask.at().path(), ask.resource(), ask.text()), document, ask.at());
      }
    }
    for (Value claim : container.at("resources", "claims").items()) {
      String name = claim.at("name").text();
      boolean listed = template.spec().at("resourceClaims").items().stream().anyMatch(c -> c.at("name").text().equals(name));
      facts.add(new ClaimUse(part.id(), id, name, Tri.of(listed)), document, claim.at("name"));
    }
    mounts(id, part);
    new LaunchFacts(manifest, pods, part, document, facts).add();
  }

  /** GPUs of a container, by its resources or by the claims it names (one request of a claim where it names one). */
  private Num gpus(Part part) {
    if (part.asksGpu()) {
      return part.gpus();
    }
    double sum = 0;
    for (Value use : part.container().at("resources", "claims").items()) {
      String name = use.at("name").text();
      Value claim = template.spec().at("resourceClaims").items().stream().filter(c -> c.at("name").text().equals(name)).findFirst().orElse(Value.MISSING);
      String shape = claim.at("resourceClaimTemplateName").text(claim.at("resourceClaimName").text());
      ClaimShape known = files.claims.meant(manifest, shape);
      Num gpus = known != null ? known.gpusOf(use.at("request").text()) : files.computeDomains.has(manifest, shape) || pods.gpus.is(0) ? Num.of(0) : Num.UNKNOWN;
      if (!gpus.known()) {
        return Num.UNKNOWN;
      }
      sum += gpus.value();
    }
    return Num.of(sum);
  }

  /** `rank` for the containers that carry the pods' work. */
  private String use(Part part) {
    if (!part.kind().equals("main")) {
      return "other";
    }
    if (pods.use.equals("launcher")) {
      return "launcher";
    }
    boolean someoneAsks = view.parts.stream().anyMatch(Part::asksGpu);
    boolean claims = !part.container().at("resources", "claims").items().isEmpty();
    return pods.use.equals("rank") && (part.asksGpu() || claims || !someoneAsks) ? "rank" : "other";
  }

  private void image(String id, Part part, String use) {
    Value image = part.container().at("image");
    if (!image.isScalar()) {
      return;
    }
    String text = image.text();
    // No reference of an image holds a dollar sign, and Kubernetes expands none there.
    if (Placeholders.inNumber(text)) {
      facts.add(new Placeholder(manifest.id(), image.path(), "image", text), document, image);
      return;
    }
    String last = text.substring(text.lastIndexOf('/') + 1);
    int colon = last.indexOf(':');
    String tag = colon < 0 ? "" : last.substring(colon + 1);
    String kind = text.contains("@sha256:") ? "digest" : tag.isEmpty() ? "none" : FLOATING.contains(tag.toLowerCase(Locale.ROOT)) || tag.startsWith("latest") ? "floating" : "version";
    facts.add(new ImageUse(part.id(), id, part.kind(), use, text, kind), document, image);
  }

  private void rights(String id, Part part) {
    Value security = part.container().at("securityContext");
    Value podSecurity = template.spec().at("securityContext");
    List<String> added = security.at("capabilities", "add").items().stream().map(v -> v.text().replaceFirst("^CAP_", "").toUpperCase(Locale.ROOT)).sorted().toList();
    Value user = security.at("runAsUser").exists() ? security.at("runAsUser") : podSecurity.at("runAsUser");
    Value nonRoot = security.at("runAsNonRoot").exists() ? security.at("runAsNonRoot") : podSecurity.at("runAsNonRoot");
    Tri other = user.exists() ? Tri.of(Quantity.of(user.text()).above(0)) : nonRoot.isTrue() ? Tri.YES : Tri.NO;
    boolean locks = added.contains("IPC_LOCK") || added.contains("ALL");
    ContainerRights fact = new ContainerRights(part.id(), id, Tri.of(security.at("privileged").isTrue()), Tri.of(locks), other, added);
    // A capability that does nothing is told where it is added.
    Value at = locks && other == Tri.YES ? security.at("capabilities") : security;
    facts.addAtKey(fact, document, at.exists() ? at : part.container());
  }

  private void memory(String id, Part part, Tri guaranteed) {
    Value volume = view.volumeAt(part.container(), "/dev/shm");
    String shm = "none";
    Num bytes = Num.UNKNOWN;
    if (volume.at("emptyDir").exists() || volume.entries().containsKey("emptyDir")) {
      shm = volume.at("emptyDir", "medium").text().equals("Memory") ? "memory" : "disk";
      bytes = Quantity.of(volume.at("emptyDir", "sizeLimit").text());
    } else if (volume.at("hostPath").exists()) {
      shm = "host";
    } else if (volume.exists()) {
      shm = "other";
    } else if (template.spec().at("hostIPC").isTrue()) {
      shm = "host-ipc";
    }
    Num limit = part.asks().stream().filter(a -> a.resource().equals("memory") && part.container().at("resources", "limits", "memory").exists()).map(Ask::amount).findFirst()
        .orElse(Num.UNKNOWN);
    Num cpu = part.asks().stream().filter(a -> a.resource().equals("cpu")).map(Ask::amount).findFirst().orElse(Num.UNKNOWN);
    Value sizeLimit = volume.at("emptyDir", "sizeLimit");
    facts.addAtKey(new ContainerMemory(part.id(), id, shm, bytes, limit, guaranteed, cpu.known() ? Tri.of(cpu.value() == Math.rint(cpu.value())) : Tri.NO), document,
        sizeLimit.exists() && limit.known() && bytes.above(limit) ? sizeLimit : part.container());
  }

  /** Guaranteed: every container, init ones too, has CPU and memory limits, and requests (if stated) equal to them. */
  private Tri guaranteed() {
    for (Part part : view.parts) {
      Value limits = part.container().at("resources", "limits");
      Value requests = part.container().at("resources", "requests");
      for (String name : List.of("cpu", "memory")) {
        if (!limits.at(name).exists() || requests.at(name).exists() && !Quantity.of(requests.at(name).text()).equals(Quantity.of(limits.at(name).text()))) {
          return Tri.NO;
        }
      }
    }
    return Tri.YES;
  }

  private void mounts(String id, Part part) {
    for (Value mount : part.container().at("volumeMounts").items()) {
      Value volume = view.volume(mount.at("name").text());
      String host = volume.at("hostPath", "path").text();
      if (!host.isEmpty()) {
        facts.add(new HostMount(part.id(), id, host, mount.at("mountPath").text(), Tri.of(mount.at("readOnly").isTrue())), document, mount.at("mountPath"));
      }
    }
  }

  private void claims(String id, Value spec) {
    for (Value claim : spec.at("resourceClaims").items()) {
      String name = claim.at("name").text();
      boolean used = view.parts.stream().anyMatch(p -> p.container().at("resources", "claims").items().stream().anyMatch(c -> c.at("name").text().equals(name)));
      Value source = claim.at("resourceClaimTemplateName").exists() ? claim.at("resourceClaimTemplateName") : claim.at("resourceClaimName");
      String shape = source.text(Fact.UNKNOWN);
      String made = files.computeDomains.has(manifest, shape) ? "compute-domain" : files.claims.has(manifest, shape) ? "listed" : "absent";
      facts.add(new PodClaim(id, template.namespace(), name, shape, made, Tri.of(used)), document, source.exists() ? source : claim);
    }
  }
}
