package gdrproof.facts;

import java.util.List;

/**
 * Configuration of the NVIDIA Network Operator and what stands beside it: policies, device-plugin resources, networks,
 * SR-IOV policies, Helm values (Network Operator release 1.0 to 26.7). Facts of one object join by `object`, which is
 * `kind/namespace/name` (values files: `values/chart`). A set of files is judged as one state.
 */
public sealed interface Operator extends Fact {
  /** The text for a setting that is not written. */
  String ABSENT = "absent";

  /** The object (or values file) the statement is about; what stands in several files keeps the file in its id. */
  String object();

  @Override
  default String node() {
    return UNKNOWN;
  }

  /**
   * An object of the operator, of its helpers, or a values file (kind HelmValues, name of the chart).
   *
   * @param partial a patch, an overlay or one of several documents of one name: what is missing in it may stand elsewhere
   */
  record OperatorObject(String object, String kind, String namespace, String name, Tri partial) implements Operator {
    public boolean longerThan(Num limit) {
      return Num.of(name.length()).above(limit);
    }
  }

  /**
   * The release of the Network Operator that the set is for.
   *
   * @param version as found, `26.4.0`
   * @param major its YY.MM, `26.4`
   * @param source what told it: given, chart, image, component-tag, driver-tag, keys; unknown if nothing did
   */
  record OperatorRelease(String object, String version, String major, String source) implements Operator {}

  /** Whether the release of the set has a feature of `policies/operator/releases.yaml`; UNKNOWN without a release. */
  record Feature(String object, String name, Tri has) implements Operator {}

  /**
   * A written scalar.
   *
   * @param path without list positions that have a name: `spec.ofedDriver.env[UNLOAD_STORAGE_MODULES].value`
   * @param type text, number, bool or null
   * @param active NO below a section that nothing deploys (`deploy: false`, `deployCR: false`)
   */
  record OperatorField(String object, String kind, String path, String value, String type, Tri active) implements Operator {}

  /** A section of a policy (`ofedDriver`, `secondaryNetwork.multus`) or of values, present. */
  record OperatorSection(String object, String kind, String section, Tri active) implements Operator {}

  /** The driver's upgrade policy as it takes effect; a setting that is not written is UNKNOWN. */
  record UpgradePolicy(String object, Tri written, Tri autoUpgrade, Tri otherSettings, Tri safeLoad, Num maxParallel, Tri drain, Tri force,
      Tri deleteEmptyDir, Num drainTimeout, String podSelector, Tri active, Tri partial) implements Operator {}

  /** A variable of the driver container; type is text, number or bool as YAML reads it. */
  record DriverVariable(String object, String name, String value, String type, Tri active) implements Operator {}

  /**
   * What is wrong with a device plugin's configuration.
   *
   * @param plugin shared or sriov
   * @param fault no-json, no-list, both-selections, no-selection, no-hca-max, bad-hca-max, negative-hca-max, negative-interval, zero-interval
   */
  record PluginFault(String object, String plugin, String name, String fault, Tri active) implements Operator {}

  /**
   * A resource that a device plugin or an SR-IOV policy advertises.
   *
   * @param plugin shared, sriov or policy (SriovNetworkNodePolicy)
   * @param prefix as written, absent if not
   * @param resource the name on the node, `rdma/rdma_shared_device_a`
   * @param place position in the list, so that two of one name are two
   * @param rdma whether the resource brings verbs devices; UNKNOWN for the shared plugin
   * @param intent what says that it is meant for RDMA, or absent
   * @param asked whether a pod or network of the set asks for exactly this name
   */
  record PluginResource(String object, String plugin, int place, String name, String prefix, String resource, Tri rdma, String intent, String deviceType,
      Tri asked, Tri active) implements Operator {}

  /** Link layer that all selectors of a resource are narrowed to: `Ethernet` or `InfiniBand`. */
  record ResourceLink(String object, String plugin, String resource, String linkLayer, Tri active) implements Operator {}

  /**
   * How a resource's selector picks NICs.
   *
   * @param vendor whether it names a vendor
   * @param narrowed what narrows the vendor: yes, family (an id that NICs of several models share), infiniband, link (another link type alone), no
   */
  record ResourceSelection(String object, String plugin, String name, Tri vendor, String narrowed, Tri active) implements Operator {}

  /** A selector key: known, webhook-unknown (the plugin knows it, the webhook does not) or unknown. */
  record SelectorKey(String object, String plugin, String name, String key, String status, Tri active) implements Operator {}

  /**
   * Two resources that can match one NIC.
   *
   * @param same YES when both are of one plugin
   * @param sure UNKNOWN where both are narrowed by properties that cannot be compared (names and PCI addresses)
   */
  record Overlap(String object, String plugin, String name, String other, String otherPlugin, String otherName, Tri same, Tri sure) implements Operator {}

  /** Two entries of one plugin's list with one name. */
  record DuplicateResource(String object, String plugin, String name, Tri active) implements Operator {}

  /** Two NicNodePolicies: do their node selectors meet? YES, NO or UNKNOWN (depends on the nodes). */
  record SelectorMeeting(String object, String other, Tri meet, String reason) implements Operator {}

  /**
   * An image that the configuration names.
   *
   * @param tag version or tag, absent if none is written
   * @param registry staging or released
   * @param pin pre-release, floating, none (no tag), pinned
   * @param major release YY.MM of its tag, unknown if it follows another scheme
   */
  record OperatorImage(String object, String component, String image, String tag, String registry, String pin, String major, Tri active)
      implements Operator {}

  /**
   * Images of one object that are no released, pinned ones; it stands at the first of them.
   *
   * @param risks staging, pre-release, floating, none
   */
  record ImageRisk(String object, List<String> risks, List<String> components) implements Operator {}

  /** Components of one object whose tags belong to different releases. */
  record MixedReleases(String object, List<String> majors) implements Operator {}

  /** A values key that the chart of the release does not have: dead (removed in `since`), unknown (never existed), undecided (no release known). */
  record ValuesKey(String object, String key, String status, String since, String instead) implements Operator {}

  /** A field that the CRD of the release does not have (field), or a value outside its list (enum). */
  record StrayField(String object, String path, String kind, String reason) implements Operator {}

  /** A required field that is missing; `open` is YES where something outside the set may supply it. */
  record MissingField(String object, String kind, String path, Tri open) implements Operator {}

  /** A placeholder or template value. */
  record OperatorPlaceholder(String object, String path, String text) implements Operator {}

  /**
   * A network object.
   *
   * @param resource name as written, absent if none
   * @param master parent interface, absent if none
   * @param ipam type of the IPAM plugin, absent, or broken if no JSON
   * @param rdmaPlugin whether metaPlugins holds `rdma`
   */
  record OperatorNetwork(String object, String kind, String namespace, String name, String resource, String master, String ipam, String pool,
      Tri rdmaPlugin) implements Operator {}

  /** An address pool of nv-ipam. */
  record AddressPool(String object, String name) implements Operator {}

  /** A reference that the set denies (sure) or cannot answer: kind is pool, nv-ipam, resource, pod-resource, master, whereabouts, ipam-type. */
  record Dangling(String object, String kind, String name, String by, Tri sure) implements Operator {}

  /** An SR-IOV policy of the SR-IOV Network Operator; text components are absent where not written. */
  record SriovPolicy(String object, String namespace, String name, String resourceName, Num vfs, Num mtu, Tri rdma, String deviceType, String linkType,
      String eswitch, String vdpa, Tri nvidia, Tri external, Tri partial) implements Operator {}

  /** Two modes that exclude each other; severity is error, warning, info, or open where the other half is not in the set. */
  record ModeClash(String object, String clash, String other, String severity) implements Operator {}

  /** Who runs Node Feature Discovery in the set: this chart, the GPU Operator, both, nobody. */
  record FeatureDiscovery(String object, String owners, Tri rules, Tri otherLabelSource) implements Operator {}

  /** A written fact about a NicConfigurationTemplate that its CRD's rules refuse. */
  record TemplateClash(String object, String path, String reason, String severity) implements Operator {}

  /** A part that another section needs: `present` tells whether the set holds it. */
  record Companion(String object, String section, String needs, Tri present) implements Operator {}

  /**
   * State that a controller reports in an object's status.
   *
   * @param state as written: `ready`, `notReady`, `ignore`, `error`, `Succeeded`, `InProgress`
   * @param notReady parts that are not ready, `state-OFED notReady`
   */
  record PolicyState(String object, String kind, String state, List<String> notReady) implements Operator {}

  /**
   * A Helm release as `helm list` shows it, or only its name, from the command that asked for its values; object is `helm/namespace/name`.
   *
   * @param chart chart with its version, `network-operator-26.4.0`
   * @param status as printed: `deployed`, `failed`, `pending-upgrade`, `superseded`, ...
   */
  record HelmRelease(String object, String namespace, String name, String chart, String appVersion, String status) implements Operator {}

  // ---- review ----

  /**
   * One difference between two states, after defaults, order, quoting and equal quantities are taken away.
   *
   * @param kind kind of the object; HelmValues, Chart (the release as a whole), JsonPatch
   * @param section first key below `spec` (policies) or of the values
   * @param path place in the after state, in the before state for removals
   * @param key path without list positions and names, `ofedDriver.env.value`
   * @param type added, removed, changed
   * @param before as written, absent if not; long parts are shortened
   * @param was value in effect before, with the release's default where nothing is written
   * @param becomes value in effect after
   * @param marks what `policies/operator/changes.yaml` and the release say of it: image, to-staging, from-staging, to-unpinned, at-default,
   *     dead-after, dead-before, driver-template, driver-too-old
   * @param active NO in a section that is deployed neither before nor after
   * @param partial the object is a patch: the rest of it is not known
   */
  record Change(String id, String object, String kind, String name, String section, String path, String key, String type, String before, String after,
      String was, String becomes, Num wasNumber, Num becomesNumber, List<String> marks, Tri active, Tri partial) implements Operator {
    public boolean marked(String mark) {
      return marks.contains(mark);
    }
  }

  /**
   * How the driver of an object is rolled out, before and after the change; UNKNOWN where a patch does not tell.
   *
   * @param hop same, next, skip, down, lts, unknown
   */
  record Rollout(String object, Tri autoBefore, Tri autoAfter, Num parallelAfter, Tri drainAfter, Tri started, String hop, Tri active)
      implements Operator {}

  /**
   * The step of the operator's release.
   *
   * @param step same, patch, next, skip, down, unknown
   */
  record ReleaseStep(String object, String before, String after, String step) implements Operator {}

  /** A resource name offered before and not after (gone), or the other way round (new); `askers` are those of the after state that name it. */
  record ResourceMove(String object, String change, String resource, String move, String askers) implements Operator {}

  /** What a selector's change does: widened, narrowed, moved. */
  record SelectorMove(String object, String change, String resource, String move, String gained, String lost) implements Operator {}

  /** A stack component that this change moves: network-operator, doca-ofed, gpu-operator, gpu-driver, nic-firmware, workload-image. */
  record ComponentMove(String object, String change, String component, String before, String after) implements Operator {}

  /**
   * Where a version that a change brings stands against a published bar (`policies/operator/versions.yaml`). A bar is a fact of publication, never advice.
   *
   * @param kind floor (support begins there) or baseline (what a documentation was written for)
   * @param stand below, at, above
   */
  record VersionStand(String object, String change, String component, String version, String bar, String kind, String stand, String source) implements Operator {}

  /** Nodes run a release of Kubernetes that the support page of the new release does not name. */
  record MatrixGap(String object, String release, String kubernetes, String first, String last) implements Operator {}

  /**
   * A variable of NCCL that a job's manifest sets differently in the two states.
   *
   * @param production ok, justify, never (in production manifests), or unknown
   */
  record EnvMove(String object, String container, String name, String before, String after, String production) implements Operator {}

  /** A finding of lint that the after state has and the before state has not. */
  record NewProblem(String object, String rule, String check, String severity, String path, String message, String kind) implements Operator {}

  /** A PodDisruptionBudget of the after state that lets nothing be evicted. */
  record BlockingBudget(String object, String namespace, String name, String reason) implements Operator {}

  /** A network of the after state by its IPAM plugin; the object that needs it. */
  record IpamUser(String object, String type, String pool) implements Operator {}
}
