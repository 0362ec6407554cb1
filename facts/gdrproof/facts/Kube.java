package gdrproof.facts;

import java.util.List;

/**
 * Kubernetes objects as written in manifests or read from a cluster. Ids are paths: `file#document` for an object,
 * `file#document/spec.template` for a pod template, with `/container` for a container; facts about one thing join by
 * its id. Read by the manifest collector (Kubernetes API 1.24 to 1.34).
 */
public sealed interface Kube extends Fact {
  @Override
  default String node() {
    return UNKNOWN;
  }

  /**
   * An object.
   *
   * @param id `file#document`, with a path behind it for objects inside objects
   */
  record KubeObject(String id, String apiVersion, String kind, String namespace, String name) implements Kube {}

  /**
   * A document that is not as it should be.
   *
   * @param kind `duplicate-key`, `broken`, `template`, `refused`, `embedded-template`
   */
  record ManifestFlaw(String file, Num document, String kind, String path, String message) implements Kube {}

  /**
   * A value that something else fills in later, or a half of a pair that is not in the file set.
   *
   * @param field key of the value: `image`, `replicas`, a resource's or variable's name
   */
  record Placeholder(String object, String path, String field, String text) implements Kube {}

  /**
   * A pod, or the pods of one template.
   *
   * @param id object id, `/`, path of the template
   * @param role name of the replica group in lower case (`worker`, `launcher`, `master`, `head`, a task's name), "" for plain pods
   * @param replicas pods of this template in one collective group
   * @param use `rank`, `launcher`, `infrastructure`, `cpu`, `other-accelerator`, `debug`, `test`, `inference`, `unknown`
   * @param spread whether the collective group has several pods (so RDMA matters)
   * @param purpose `production`, `benchmark`, `diagnosis`, `control`
   * @param rdma way to the fabric: `none`, `shared`, `device`, `claim`, `efa`, `gke-networks`, `tcpx`, `host-devices`, `privileged`, `unknown`
   * @param gpus GPUs of one pod
   * @param nccl whether the pods use NCCL, as far as the manifest tells
   * @param platform name of the platform profile that the manifest fits, or unknown
   */
  record Pods(String id, String object, String kind, String namespace, String role, Num replicas, String use, Tri spread, String purpose, String rdma,
      Num gpus, Tri nccl, String platform) implements Kube {}

  /**
   * Where and how pods are placed on hosts.
   *
   * @param usual whether the platform's own guides run such pods on the host's network
   * @param names whether ranks find each other by service or host names
   * @param fixedPorts whether a container declares ports, or its command or environment states one that is bound in it
   * @param apart whether anti-affinity, spread or exclusive placement keeps the pods on different nodes
   * @param pinned whether a node selector or node affinity narrows the node type
   * @param toleratesGpu whether a toleration fits a GPU taint
   * @param meshOff whether sidecar injection is switched off on the pod
   */
  record PodHost(String pods, Tri hostNetwork, Tri usual, Tri hostIpc, Tri hostPid, String dnsPolicy, Tri names, Tri fixedPorts, Tri apart, Tri pinned,
      Tri toleratesGpu, Tri meshOff) implements Kube {}

  /**
   * A container.
   *
   * @param kind `main`, `init`, `sidecar`
   * @param use `rank` (starts NCCL work), `launcher`, or `other`
   * @param gpus GPUs asked for as resources; 0 when none, unknown for placeholders and claims
   * @param installs whether its script installs packages or fetches code at start
   */
  record Container(String id, String pods, String name, String kind, String use, Num gpus, Tri installs) implements Kube {}

  /**
   * The image of a container.
   *
   * @param kind as in {@link Container}
   * @param use as in {@link Container}
   * @param tag `digest`, `version`, `floating` (latest, main, nightly), `none`
   */
  record ImageUse(String container, String pods, String kind, String use, String image, String tag) implements Kube {}

  /**
   * What a container may do.
   *
   * @param nonRoot whether it is told to run as a user other than root
   * @param capabilities added capabilities, sorted, without `CAP_`
   */
  record ContainerRights(String container, String pods, Tri privileged, Tri ipcLock, Tri nonRoot, List<String> capabilities) implements Kube {}

  /**
   * Memory and CPU of a container.
   *
   * @param shm what is mounted at /dev/shm: `memory`, `disk`, `host`, `host-ipc`, `other`, `none`
   * @param shmBytes size limit of the memory volume, unknown if none is set
   * @param guaranteed whether the whole pod is of class Guaranteed
   */
  record ContainerMemory(String container, String pods, String shm, Num shmBytes, Num limitBytes, Tri guaranteed, Tri wholeCpus) implements Kube {}

  /**
   * A resource a container asks for.
   *
   * @param family `gpu`, `other-accelerator`, `rdma-shared`, `rdma-device`, `efa`, `gke-network`, `cpu`, `memory`, `other`
   * @param amount what counts: the limit, else the request
   * @param flaw "", `no-limit`, `request-differs`, `not-integer`
   */
  record ResourceAsk(String container, String pods, String resource, String family, Num amount, String text, String flaw) implements Kube {
    /** Whether another resource name differs only by prefix, by - and _, or by a letter or two. */
    public boolean nearMissOf(String other) {
      return !resource.equals(other) && Texts.near(resource, other);
    }

    /** Whether another resource name differs by its prefix only. */
    public boolean sameDevice(String other) {
      return !resource.equals(other) && resource.indexOf('/') > 0 && resource.substring(resource.indexOf('/')).equals(other.substring(Math.max(0, other.indexOf('/'))));
    }
  }

  /** A network that the pod's annotation attaches; `index` counts from 0, `netdev` is the name given or the default one. */
  record Attachment(String pods, Num index, String namespace, String network, String netdev) implements Kube {}

  /** Attachments and requested devices of the one device resource they draw from. */
  record AttachmentBalance(String pods, String resource, Num attachments, Num devices) implements Kube {}

  /** Names that interfaces of the pods will have, as far as the manifest decides; `complete` when no other can appear. */
  record PodInterfaces(String pods, List<String> names, Tri complete) implements Kube {
    /** Whether an interface list selects any of these: prefixes, `=` exact, `^` excludes. */
    public boolean fits(String list) {
      return Texts.selects(list, names);
    }
  }

  /** A network annotation that stands on the job's own metadata, where nothing reads it. */
  record MisplacedAnnotation(String object, String key) implements Kube {}

  /** A host path that a container mounts; `mountPath` is "" when the volume is declared and not mounted. */
  record HostMount(String container, String pods, String hostPath, String mountPath, Tri readOnly) implements Kube {}

  /**
   * A command or setting that changes the host, or is unusual in a job.
   *
   * @param container id of the container, or of the object (MachineConfig, kernel arguments)
   * @param act `acs-blanket`, `acs-argument`, `iommu-off`, `modprobe`, `driver-restart`, `ulimit`
   * @param kind kind of the container (`main`, `init`, `sidecar`), or `object`
   */
  record HostChange(String container, String pods, String kind, String act, String text) implements Kube {}

  /** `mpirun` as far as its words are plain: unknown numbers are computed by the shell. */
  record MpiLaunch(String container, String object, Num np, Num perNode, Num gpusPerRank, Tri oversubscribe) implements Kube {}

  /** `torchrun` (or torch.distributed.run); ranges and words such as `auto` are unknown numbers. */
  record TorchLaunch(String container, String pods, Num nodes, Num perNode) implements Kube {}

  /** A benchmark of nccl-tests in a container; numbers are unknown where the program's default counts. */
  record BenchmarkLaunch(String container, String pods, String program, Num check, Num warmups, Num minBytes, Num maxBytes) implements Kube {}

  /**
   * An MPIJob.
   *
   * @param ssh whether ranks start through ssh on the workers (v2beta1) rather than kubectl exec (v1)
   * @param legalName whether `<name>-worker-<n>` is a DNS label
   */
  record MpiJob(String object, String apiVersion, Tri launcher, Num launcherReplicas, Num workers, Num slots, Num gpusPerWorker, Tri launcherWorks,
      String cleanPodPolicy, Tri ssh, Tri legalName) implements Kube {
    /** Whether so many ranks leave slots empty that were not left out on purpose (ranks per node). */
    public boolean fewer(Num np, Num perNode) {
      return np.known() && workers.known() && workers.value() > 0 && np.value() < workers.value() * (perNode.known() ? perNode.value() : slots.known() ? slots.value() : 0);
    }

    /** Whether so many ranks find no slot. */
    public boolean more(Num np) {
      return np.known() && workers.known() && workers.value() > 0 && slots.known() && np.value() > workers.value() * slots.value();
    }

    /** Whether the ranks of a worker drive another number of GPUs than it has. */
    public boolean uneven(Num gpusPerRank, Num perNode) {
      return slots.known() && gpusPerWorker.known() && !perNode.known() && gpusPerWorker.value() != slots.value() * (gpusPerRank.known() ? gpusPerRank.value() : 1);
    }
  }

  /** A Job (also inside a JobSet): pods at a time and pods in all; the batch defaults are filled in. */
  record JobWaves(String pods, Num parallelism, Num completions) implements Kube {}

  /**
   * Starting all pods of a job together or not at all.
   *
   * @param how `volcano`, `kueue`, `coscheduling`, `kai`, `mpi-scheduling-policy`, `group` (LWS, JobSet), `none`
   * @param members pods that must start together (Volcano minAvailable), unknown where the scheduler counts itself
   * @param pods all pods of the job
   * @param ranks those that carry ranks
   */
  record Gang(String object, String how, Num members, Num pods, Num ranks, Tri elastic) implements Kube {}

  /** A variable that `mpirun -x NAME` forwards, with `${NAME}` or nothing as its value. */
  record Forwarded(String container, String object, String name, Tri defined) implements Kube {}

  /** An env value with a shell variable that Kubernetes leaves as text; `template` when the file looks like an envsubst template. */
  record LiteralVariable(String container, String name, String value, Tri template) implements Kube {}

  /** An env value that is no string to the API server: an unquoted number or boolean. */
  record NonStringEnv(String container, String name, String value, Tri readersDiffer) implements Kube {}

  /** A source of variables that is not a plain value: `configMap`, `secret`, `field`, `resource`; `found` if in the file set. */
  record EnvSource(String container, String kind, String name, Tri found) implements Kube {}

  /**
   * A claim that pods list.
   *
   * @param template name of the claim template (or claim)
   * @param source `listed` in the file set, `compute-domain` (made by the operator), `absent`
   * @param used whether a container of the pod uses it
   */
  record PodClaim(String pods, String namespace, String name, String template, String source, Tri used) implements Kube {}

  /** A container's use of a claim; `listed` if the pod lists it. */
  record ClaimUse(String container, String pods, String claim, Tri listed) implements Kube {}

  /**
   * A ResourceClaim or ResourceClaimTemplate.
   *
   * @param gpus GPUs it asks for; unknown for "all"
   * @param nics NICs it asks for
   * @param aligned whether a constraint or selector keeps GPU and NIC on one root or NUMA node
   * @param all whether it takes all devices of a class
   */
  record ClaimDevices(String object, String namespace, String name, Num gpus, Num nics, Tri aligned, Tri all) implements Kube {}

  /** A ComputeDomain; `template` is the claim template that the operator makes for it. */
  record ComputeDomain(String object, String namespace, String name, Num nodes, String template) implements Kube {}

  /**
   * NVLink between nodes, as far as a manifest shows that it is meant.
   *
   * @param expected yes by node type, unknown by the program or its settings, no otherwise
   * @param claimed whether a channel is claimed, or IMEX runs on the hosts
   */
  record NvlinkDomain(String pods, Tri expected, Tri claimed) implements Kube {}

  /**
   * A network that can be attached.
   *
   * @param resource device plugin resource it draws from, "" for none
   * @param how kind of the object that makes it (NetworkAttachmentDefinition, MacvlanNetwork, ...)
   */
  record NetworkDefinition(String namespace, String name, String resource, String how) implements Kube {}

  /**
   * RDMA namespace mode that a pool of nodes is put into (SriovNetworkPoolConfig).
   *
   * @param selector labels of its nodes as `key=value`; none for all nodes
   */
  record NodePoolMode(String object, List<String> selector, String mode) implements Kube {}

  /** A port of an adapter that the operator lists (status of a NicDevice); `type` is the PCI device id of its model. */
  record AdapterPort(String node, String hca, String type) implements Kube {}

  /**
   * What a TrainJob brings to the pods of the runtime that it names.
   *
   * @param kind kind of the runtime
   * @param gpus GPUs of one pod
   * @param patched whether it changes the runtime's pods beyond the trainer's own fields
   */
  record TrainJobUse(String object, String namespace, String kind, String runtime, Num gpus, Tri patched) implements Kube {}

  /** Rules of a namespace: pod security level enforced, mesh injection. */
  record NamespaceRules(String namespace, String podSecurity, Tri mesh) implements Kube {}

  /** A resource that a node offers, by its status. */
  record NodeOffer(String node, String resource, Num allocatable) implements Kube {
    /** The name without its domain, as a device plugin's own messages have it. */
    public String bare() {
      return resource.substring(resource.indexOf('/') + 1);
    }
  }

  /** What a node has of a resource, healthy or not; more than it offers means devices that the plugin withdrew or that are reserved. */
  record NodeCapacity(String node, String resource, Num capacity) implements Kube {}

  /**
   * A pod as `kubectl get pods` shows it.
   *
   * @param status as printed: `Running`, `Pending`, `ImagePullBackOff`, `Init:0/1`, ...
   * @param ready 1 if all its containers are ready, 0 if not
   * @param placedOn node, or unknown
   */
  record PodStatus(String namespace, String pod, String status, Num ready, Num restarts, String placedOn) implements Kube {
    /** The name without the number at its end: pods of one replica group share it. */
    public String family() {
      return pod.replaceFirst("-\\d+$", "");
    }

    /** Whether it does not run and has not ended well. */
    public boolean waiting() {
      return status.matches("Pending|ContainerCreating|PodInitializing|Init:.*|ImagePullBackOff|ErrImage\\w+|InvalidImageName|CreateContainer\\w*Error|RunContainerError|CrashLoopBackOff|Error|"
          + "OOMKilled|Evicted|Unschedulable|SchedulingGated|ContainerCannotRun|Failed|UnexpectedAdmissionError|NodeAffinity|OutOf\\S+");
    }
  }

  /** A warning event: `object` is the name without its kind, reason `FailedScheduling`, `FailedMount`, `FailedCreatePodSandBox`, ... */
  record KubeEvent(String object, String reason, String message) implements Kube {
    /** Whether it says that the network of this name was being added to a pod, by Multus. */
    public boolean adding(String network) {
      return message.contains("to network \"" + network + "\"") || message.contains(":" + network + "]:");
    }
  }

  /** What the scheduler finds too little of for a pod, and on how many nodes (FailedScheduling). */
  record Shortage(String object, String resource, Num nodes) implements Kube {}

  /** Networks that a pod's annotation attaches, as written; "" for none. */
  record PodNetworks(String namespace, String pod, String networks) implements Kube {
    /** Whether an event of Multus names one of these networks as the one it was adding. */
    public boolean addedBy(KubeEvent event) {
      for (String each : networks.split("[,\\s]+")) {
        String name = each.replaceFirst("^.*/", "").replaceFirst("@.*$", "");
        if (name.matches("[a-z0-9][a-z0-9.-]*") && event.adding(name)) {
          return true;
        }
      }
      return false;
    }
  }

  /** A taint that keeps pods away (NoSchedule, NoExecute); `value` is "" where it has none. */
  record NodeTaint(String node, String key, String value, String effect) implements Kube {}

  /**
   * What the scheduler knows of a node.
   *
   * @param labels `key=value`, sorted
   * @param schedulable NO when it is cordoned
   */
  record NodeState(String node, List<String> labels, Tri ready, Tri schedulable) implements Kube {}

  /** What the kubelet of a node aligns (KubeletConfiguration, or its /configz): policies as written, `none` where the kubelet's default holds. */
  record Kubelet(String node, String topologyPolicy, String topologyScope, String cpuPolicy, String memoryPolicy) implements Kube {}

  /**
   * What a pod template asks of the scheduler beside resources.
   *
   * @param selector nodeSelector as `key=value`, sorted
   * @param tolerations `key|operator|value|effect`, empty parts where not written
   * @param affinity whether required node affinity narrows the nodes further
   * @param priorityClass, runtimeClass "" where not written
   */
  record PodPlacing(String pods, List<String> selector, Tri affinity, List<String> tolerations, String priorityClass, String runtimeClass) implements Kube {}

  /**
   * Whether the nodes of the cluster can hold the pods of a template, all of them empty (derived; only with a complete list of nodes).
   *
   * @param blocker `none`, `together` (no node offers all of it), `selector`, `taint`, `taint-maybe` (an admission plugin may add the toleration), `count`, `unready`
   * @param fit pods that the nodes hold at most
   * @param grows whether something adds nodes on demand
   */
  record Placement(String pods, String object, String blocker, String detail, Num fit, Num wanted, Tri grows) implements Kube {}

  /** GPU models (label nvidia.com/gpu.product) of the nodes that the pods of a template may land on, where they are several (derived). */
  record MixedNodes(String pods, List<String> models) implements Kube {}

  /** What all rank and launcher pods of a job ask together (derived). */
  record Demand(String object, String namespace, String pods, String resource, Num total) implements Kube {}

  /**
   * Objects of the cluster that could not be listed; what is checked with them stays open.
   *
   * @param kind one of the cluster lists of {@link Meta.Kind}, or the plural where no check looks at it
   * @param resource as in permissions: `nodes`, `clusterqueues.kueue.x-k8s.io`
   * @param reason with the permission that is missing
   * @param checks what is not judged
   */
  record ClusterGap(String kind, String resource, String reason, String checks) implements Kube {}

  /** What is not judged about pods because of a {@link ClusterGap} (derived). */
  record Unjudged(String pods, String resource, String reason, String checks) implements Kube {}

  /** A LocalQueue of Kueue. */
  record LocalQueue(String namespace, String queue, String clusterQueue) implements Kube {}

  /** What a ClusterQueue admits of a resource over all its flavors; `borrows` when a cohort may lend more. */
  record QueueQuota(String queue, String resource, Num nominal, Tri borrows) implements Kube {}

  /** A flavor that a ClusterQueue names. */
  record QueueFlavor(String queue, String flavor) implements Kube {}

  /** A class that others name: PriorityClass, RuntimeClass, DeviceClass, ResourceFlavor; `driver` is the DRA driver that a DeviceClass selects, or unknown. */
  record NamedClass(String kind, String name, String driver) implements Kube {}

  /** A device class that a claim asks for. */
  record ClaimClass(String object, String deviceClass) implements Kube {}

  /** Devices that a DRA driver publishes in a ResourceSlice. */
  record SliceDevices(String node, String driver, Num devices) implements Kube {}

  /** A LimitRange's largest amount of a resource for a container or a pod. */
  record LimitMax(String object, String namespace, String type, String resource, Num max) implements Kube {}

  /** A resource that a queue admits; the queue is a Kueue ClusterQueue, or a LocalQueue with its cluster queue's resources. */
  record QueueCover(String queue, String kind, String resource) implements Kube {}

  /** The queue a job names. */
  record QueueOf(String object, String queue) implements Kube {}

  /** A NetworkPolicy that selects rank pods; `allowsPeers` if its rules let the same pods talk to each other in that direction. */
  record PodIsolation(String object, String pods, String direction, Tri allowsPeers) implements Kube {}

  /**
   * The TCP ports that a NetworkPolicy allows, to whomever.
   *
   * @param direction `ingress` or `egress`; a policy has one such fact for each direction that it restricts
   * @param everyPod whether it selects all pods of its namespace
   * @param open whether some rule of it names no port, and so allows all
   * @param ports ports and ranges of its rules: `29500`, `32768-60999`, or the name of a container's port
   */
  record PolicyPorts(String object, String namespace, String name, String direction, Tri everyPod, Tri open, List<String> ports) implements Kube {
    public PolicyPorts {
      ports = ports.stream().sorted().distinct().toList();
    }

    /** Whether a port is, as far as the policy's numbers tell, left out by all its rules. */
    public boolean leavesOut(Num port) {
      return open == Tri.NO && port.known() && ports.stream().allMatch(p -> {
        String[] ends = p.split("-", 2);
        Num from = Num.parse(ends[0]);
        Num to = Num.parse(ends[ends.length - 1]);
        // A name stands for a port that its container fixes.
        return !from.known() ? p.matches(".*[a-z].*") : port.below(from.value()) || port.above(to.value());
      });
    }
  }

  /** A quota of a namespace for a resource. */
  record Quota(String object, String namespace, String resource, Num hard) implements Kube {}

  /** A TCPX or TCPXO set-up: the daemon's and the plugin's versions. */
  record TcpxPair(String pods, Tri daemon, String daemonVersion, String pluginVersion) implements Kube {}

  /** Networks of the GKE multi-network annotation; `rdma` counts those of the fabric. */
  record GkeInterfaces(String pods, Num rdma, Num gpus) implements Kube {}
}
