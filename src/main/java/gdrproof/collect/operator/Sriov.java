package gdrproof.collect.operator;

import gdrproof.collect.operator.Plugins.Entry;
import gdrproof.facts.Num;
import gdrproof.facts.Operator.ModeClash;
import gdrproof.facts.Operator.PluginResource;
import gdrproof.facts.Operator.ResourceSelection;
import gdrproof.facts.Operator.SriovPolicy;
import gdrproof.facts.Tri;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.List;

/** SR-IOV policies, node pools and the gate that replaces device plugins. */
final class Sriov {
  private static final String NVIDIA = String.valueOf(Policies.read("operator/schema.yaml").get("nvidia-vendor"));

  private static final List<String> NARROWING = List.of("deviceID", "rootDevices", "pfNames", "netFilter");

  private final Scope scope;
  private final String prefix;

  Sriov(Scope scope) {
    this.scope = scope;
    String written = "";
    for (OperatorDoc doc : scope.values(OperatorSet.NETWORK_OPERATOR)) {
      written = doc.root().get("sriov-network-operator", "operator", "resourcePrefix").text(written);
    }
    this.prefix = written.isEmpty() ? "nvidia.com" : written;
  }

  List<Entry> write() {
    List<Entry> entries = new ArrayList<>();
    for (OperatorDoc doc : scope.of("SriovNetworkNodePolicy")) {
      policy(doc, entries);
    }
    clashes();
    return entries;
  }

  private void policy(OperatorDoc doc, List<Entry> entries) {
    Part spec = doc.root().get("spec");
    Part nics = spec.get("nicSelector");
    Part named = spec.get("resourceName");
    String name = named.text();
    String vendor = nics.get("vendor").text();
    boolean nvidia = vendor.isEmpty() || vendor.equals(NVIDIA);
    scope.factAtKey(new SriovPolicy(doc.id(), doc.namespace(), doc.name(), Scope.written(named), Num.parse(spec.get("numVfs").text()), Num.parse(spec.get("mtu").text()),
        Scope.yesNo(spec.get("isRdma")), Scope.written(spec.get("deviceType")), Scope.written(spec.get("linkType")), Scope.written(spec.get("eSwitchMode")),
        Scope.written(spec.get("vdpaType")), Tri.of(nvidia), Scope.yesNo(spec.get("externallyManaged")), doc.isPartial()), named.exists() ? named : spec);
    String resource = prefix + "/" + name;
    Tri rdma = spec.get("isRdma").exists() || !doc.partial() ? Tri.of(spec.get("isRdma").isTrue()) : Tri.UNKNOWN;
    Tri asked = Tri.of(scope.podAsks.containsKey(resource) || scope.networkResources.contains(resource));
    scope.fact(new PluginResource(doc.id(), "policy", 0, name, prefix, resource, rdma, Intent.of(scope, name, resource, List.of(nics), spec.get("linkType").text()),
        Scope.written(spec.get("deviceType")), asked, Tri.YES), named.exists() ? named : spec);
    if (nics.isMap()) {
      boolean narrowed = NARROWING.stream().anyMatch(k -> nics.get(k).isSet());
      scope.factAtKey(new ResourceSelection(doc.id(), "policy", name, Tri.of(nics.get("vendor").isSet()), narrowed ? "yes" : "no", Tri.YES),
          nics.get("vendor").exists() ? nics.get("vendor") : nics);
    }
    Part selector = new Part(Part.Kind.MAP, nics.document(), "", nics.path(), nics.line(), nics.column(), nics.keyLine(), nics.column(), false);
    nics.fields().forEach(selector::put);
    if (spec.get("linkType").exists()) {
      selector.put("linkType", spec.get("linkType"));
    }
    entries.add(new Entry(doc, "policy", name, resource, nics.exists() ? List.of(selector) : List.of(), spec, Tri.YES));
  }

  /** Modes that exclude each other; a half alone is open. */
  private void clashes() {
    List<OperatorDoc> policies = scope.policies();
    boolean shared = policies.stream().anyMatch(p -> p.root().get("spec", "rdmaSharedDevicePlugin").exists());
    List<OperatorDoc> networks = scope.of(List.of("SriovNetwork", "SriovIBNetwork", "HostDeviceNetwork"));
    List<OperatorDoc> pools = scope.of("SriovNetworkPoolConfig");
    if (shared || policies.isEmpty() || policies.stream().allMatch(OperatorDoc::partial)) {
      pools.stream().filter(p -> mode(p).equals("exclusive")).forEach(p -> clash(p.id(), "exclusive-shared-plugin", "rdmaSharedDevicePlugin", shared ? "error" : "open",
          p.root().get("spec", "rdmaMode")));
    }
    // A network is told once, with the first pool of the mode: the others teach nothing.
    pools.stream().filter(p -> mode(p).equals("exclusive")).findFirst().ifPresent(pool -> networks.stream().filter(n -> !rdma(n)).forEach(
        n -> clash(n.id(), "exclusive-without-rdma-plugin", pool.id(), "warning", n.root().get("metadata", "name"))));
    pools.stream().filter(p -> mode(p).equals("shared")).findFirst().ifPresent(pool -> networks.stream().filter(Sriov::rdma).forEach(
        n -> clash(n.id(), "rdma-plugin-in-shared", pool.id(), "warning", n.root().get("spec", "metaPlugins"))));
    if (pools.stream().noneMatch(pool -> pool.root().get("spec", "rdmaMode").exists())) {
      // The plugin moves RDMA devices into the pod, which needs the exclusive mode; without a pool's mode in the set nothing tells it.
      networks.stream().filter(Sriov::rdma).forEach(n -> clash(n.id(), "rdma-plugin-mode-open", "rdmaMode", "open", n.root().get("spec", "metaPlugins")));
    }
    for (OperatorDoc config : scope.of("SriovOperatorConfig")) {
      gate(config, config.root().get("spec", "featureGates", "dynamicResourceAllocation"));
    }
    for (OperatorDoc values : scope.values(OperatorSet.NETWORK_OPERATOR)) {
      gate(values, values.root().get("sriov-network-operator", "sriovOperatorConfig", "featureGates", "dynamicResourceAllocation"));
    }
  }

  private static String mode(OperatorDoc pool) {
    return pool.root().get("spec", "rdmaMode").text();
  }

  private static boolean rdma(OperatorDoc network) {
    return Networks.rdmaPlugin(network.root().get("spec", "metaPlugins"));
  }

  private void gate(OperatorDoc holder, Part gate) {
    if (gate.isTrue()) {
      List<OperatorDoc> consumers = scope.of("SriovNetworkNodePolicy");
      boolean asked = scope.podAsks.keySet().stream().anyMatch(n -> n.startsWith(prefix + "/") && !n.matches(".*/(gpu|mig-.*)"));
      clash(holder.id(), "dra-device-plugin", consumers.isEmpty() ? "pods" : consumers.get(0).id(), !consumers.isEmpty() || asked ? "error" : "info", gate);
    }
  }

  private void clash(String object, String clash, String other, String severity, Part at) {
    scope.fact(new ModeClash(object, clash, other, severity), at);
  }
}
