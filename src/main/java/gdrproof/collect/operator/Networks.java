package gdrproof.collect.operator;

import gdrproof.collect.operator.Plugins.Entry;
import gdrproof.facts.Operator;
import gdrproof.facts.Operator.AddressPool;
import gdrproof.facts.Operator.Dangling;
import gdrproof.facts.Operator.IpamUser;
import gdrproof.facts.Operator.OperatorNetwork;
import gdrproof.facts.Tri;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Networks, their address pools, and the references between networks, pods, pools and resources. */
final class Networks {
  private static final Set<String> BUILT_IN = Set.of("host-local", "static", "dhcp", "nv-ipam", "whereabouts", "");

  private final Scope scope;
  private final List<Entry> entries;
  private final Set<String> offered = new HashSet<>();
  /** Resource names of SR-IOV policies, without a prefix. */
  private final Set<String> policyResources = new HashSet<>();
  private final Set<String> pools = new HashSet<>();
  /** Whether a name among them is a template's, which may stand for any. */
  private final boolean poolsOpen;
  private final boolean policiesOpen;
  private final Map<String, Tri> answers = new HashMap<>();

  Networks(Scope scope, List<Entry> entries) {
    this.scope = scope;
    this.entries = entries;
    entries.forEach(e -> offered.add(e.resource()));
    scope.of("SriovNetworkNodePolicy").forEach(p -> policyResources.add(p.root().get("spec", "resourceName").text()));
    scope.of(List.of("IPPool", "CIDRPool")).forEach(p -> pools.add(p.name()));
    this.poolsOpen = pools.stream().anyMatch(Schema::placeholder);
    this.policiesOpen = policyResources.stream().anyMatch(Schema::placeholder);
  }

  /** The name on the node that a network stands for, or "". */
  static String resourceOf(OperatorDoc doc) {
    String annotated = doc.root().get("metadata", "annotations", "k8s.v1.cni.cncf.io/resourceName").text();
    String written = doc.root().get("spec", "resourceName").text(annotated);
    return written.isEmpty() || written.contains("/") ? written : "nvidia.com/" + written;
  }

  static boolean same(String written, String resource) {
    return written.equals(resource) || !written.contains("/") && resource.endsWith("/" + written);
  }

  static boolean rdmaPlugin(Part metaPlugins) {
    Part parsed = metaPlugins.json();
    return parsed.get("type").text().equals("rdma") || parsed.items().stream().anyMatch(p -> p.get("type").text().equals("rdma"));
  }

  /** The plugin that makes the interface, of a network attachment's configuration: one plugin by itself, or the first of a chain (`plugins`), whose others only alter it. */
  private static Part plugin(Part config) {
    List<Part> chain = config.get("plugins").items();
    return chain.isEmpty() ? config : chain.get(0);
  }

  void write() {
    for (OperatorDoc doc : scope.set.docs()) {
      if (doc.kind().equals("IPPool") || doc.kind().equals("CIDRPool")) {
        scope.fact(new AddressPool(doc.id(), doc.name()), doc.root().get("metadata", "name"));
      } else if (OperatorKinds.network(doc.kind())) {
        network(doc);
      }
    }
    pods();
  }

  private void network(OperatorDoc doc) {
    Part spec = doc.root().get("spec");
    Part config = plugin(spec.get("config").json());
    Part holder = doc.kind().equals("NetworkAttachmentDefinition") ? config.get("ipam") : spec.get("ipam");
    Part ipam = holder.json();
    String type = ipam.get("type").text(holder.isSet() && !ipam.isMap() && !Schema.placeholder(holder.text()) ? "broken" : Operator.ABSENT);
    Part master = spec.get("master").exists() ? spec.get("master") : config.get("master");
    String pool = ipam.get("poolName").text(Operator.ABSENT);
    Part resource = spec.get("resourceName").exists() ? spec.get("resourceName") : doc.root().get("metadata", "annotations", "k8s.v1.cni.cncf.io/resourceName");
    scope.fact(new OperatorNetwork(doc.id(), doc.kind(), doc.namespace(), doc.name(), Scope.written(resource), Scope.written(master), type, pool,
        Tri.of(rdmaPlugin(spec.get("metaPlugins")))), doc.root().get("metadata", "name"));
    if (ipam.get("type").exists()) {
      scope.fact(new IpamUser(doc.id(), type, pool), ipam.get("type"));
    }
    if (type.equals("nv-ipam")) {
      pool(doc, ipam);
    }
    if (type.equals("whereabouts")) {
      whereabouts(doc, ipam.get("type"));
    }
    if (resource.isSet() && !Schema.placeholder(resource.text())) {
      resource(doc, resource);
    }
    if (master.isSet() && (doc.kind().equals("MacvlanNetwork") || doc.kind().equals("IPoIBNetwork"))) {
      master(doc, master);
    }
    if (!BUILT_IN.contains(ipam.get("type").text()) && !Schema.placeholder(ipam.get("type").text())) {
      dangling(doc, "ipam-type", type, Tri.UNKNOWN, ipam.get("type"));
    }
  }

  private void pool(OperatorDoc doc, Part ipam) {
    Part name = ipam.get("poolName");
    if (name.isSet() && !Schema.placeholder(name.text()) && !pools.contains(name.text())) {
      dangling(doc, "pool", name.text(), pools.isEmpty() || poolsOpen ? Tri.UNKNOWN : Tri.YES, name);
    }
    List<OperatorDoc> whole = scope.of("NicClusterPolicy");
    if (!whole.isEmpty() && whole.stream().noneMatch(p -> p.root().get("spec", "nvIpam").exists())) {
      dangling(doc, "nv-ipam", "nvIpam", whole.stream().anyMatch(OperatorDoc::partial) ? Tri.UNKNOWN : Tri.YES, ipam.get("type"));
    }
  }

  /** Whereabouts works where a policy of a release that has it deploys it, or the set installs it by itself. */
  private void whereabouts(OperatorDoc doc, Part type) {
    if (scope.of("DaemonSet").stream().anyMatch(d -> d.name().contains("whereabouts"))) {
      return;
    }
    List<OperatorDoc> policies = scope.of("NicClusterPolicy");
    boolean deployed = policies.stream().anyMatch(p -> p.root().get("spec", "secondaryNetwork", "ipamPlugin").exists());
    boolean whole = !policies.isEmpty() && policies.stream().noneMatch(OperatorDoc::partial);
    Tri removed = Releases.has("whereabouts-removed", scope.range);
    if (deployed && removed != Tri.YES) {
      return;
    }
    dangling(doc, "whereabouts", "whereabouts", Tri.of(whole && (removed == Tri.YES || !deployed)) == Tri.YES ? Tri.YES : Tri.UNKNOWN, type);
  }

  private void resource(OperatorDoc doc, Part resource) {
    String name = resourceOf(doc);
    List<OperatorDoc> policies = scope.of("SriovNetworkNodePolicy");
    boolean sriov = doc.kind().startsWith("Sriov");
    if (sriov ? policyResources.contains(resource.text()) : offered.contains(name)) {
      return;
    }
    Tri sure = sriov ? Tri.of(!policies.isEmpty()) : answers("sriovDevicePlugin", policies);
    if (policiesOpen) {
      sure = Tri.NO;
    }
    dangling(doc, "resource", resource.text(), sure == Tri.YES ? Tri.YES : Tri.UNKNOWN, resource);
  }

  /** Whether the set tells every resource of a plugin: a whole policy that configures it, or SR-IOV policies. */
  private Tri answers(String section, List<OperatorDoc> policies) {
    return answers.computeIfAbsent(section + (policies.isEmpty() ? "" : " or policies"), k -> told(section, policies));
  }

  private Tri told(String section, List<OperatorDoc> policies) {
    List<OperatorDoc> holders = scope.policies();
    boolean whole = !holders.isEmpty() && holders.stream().noneMatch(OperatorDoc::partial);
    boolean open = holders.stream().anyMatch(p -> {
      Part part = p.root().get("spec", section);
      return part.exists() && !part.get("config").json().isMap();
    });
    boolean configured = holders.stream().anyMatch(p -> p.root().get("spec", section).exists()) || !policies.isEmpty();
    return Tri.of(whole && !open && configured);
  }

  private void master(OperatorDoc doc, Part master) {
    Set<String> known = new HashSet<>();
    for (Entry entry : entries) {
      if (entry.plugin().equals("shared") && (scope.podAsks.isEmpty() || scope.podAsks.containsKey(entry.resource()))) {
        for (Part selector : entry.selectors()) {
          List<String> names = selector.get("ifNames").texts();
          if (names.isEmpty()) {
            // A resource by device or vendor may hold any interface.
            return;
          }
          known.addAll(names);
        }
        entry.item().get("devices").texts().forEach(known::add);
      }
    }
    String parent = master.text().replaceFirst("[.@].*$", "");
    if (!known.isEmpty() && !known.contains(parent) && !Schema.placeholder(parent)) {
      dangling(doc, "master", master.text(), Tri.YES, master);
    }
  }

  private void pods() {
    List<OperatorDoc> policies = scope.of("SriovNetworkNodePolicy");
    scope.podAsks.forEach((name, at) -> {
      boolean shared = name.startsWith("rdma/");
      boolean hidden = name.startsWith("nvidia.com/") && !name.matches("nvidia\\.com/(gpu|mig-|pgpu|GP|GA|GH|gb|shared|vgpu).*") || name.startsWith("openshift.io/");
      if (!shared && !hidden || Schema.placeholder(name)) {
        return;
      }
      if (offered.contains(name) || policyResources.contains(name.substring(name.lastIndexOf('/') + 1))) {
        return;
      }
      Tri sure = shared ? answers("rdmaSharedDevicePlugin", List.of()) : answers("sriovDevicePlugin", policies);
      scope.factAtKey(new Dangling("Pod", "pod-resource", name, "a pod", sure == Tri.YES ? Tri.YES : Tri.UNKNOWN), at);
    });
  }

  private void dangling(OperatorDoc doc, String kind, String name, Tri sure, Part at) {
    scope.fact(new Dangling(doc.id(), kind, name, doc.id(), sure), at);
  }
}
