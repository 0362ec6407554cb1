package gdrproof.collect.kube;

import gdrproof.bundle.Sections;
import gdrproof.bundle.Value;
import gdrproof.bundle.Yaml.Document;
import gdrproof.facts.Fact;
import gdrproof.facts.Kube.AdapterPort;
import gdrproof.facts.Kube.ClaimDevices;
import gdrproof.facts.Kube.ComputeDomain;
import gdrproof.facts.Kube.HostChange;
import gdrproof.facts.Kube.NamespaceRules;
import gdrproof.facts.Kube.NetworkDefinition;
import gdrproof.facts.Kube.NodeCapacity;
import gdrproof.facts.Kube.NodeOffer;
import gdrproof.facts.Kube.NodePoolMode;
import gdrproof.facts.Kube.NodeState;
import gdrproof.facts.Kube.NodeTaint;
import gdrproof.facts.Kube.Quota;
import gdrproof.facts.Tri;
import java.util.List;

/** Facts of objects around the jobs: nodes, namespaces, networks, queues, quotas, claims, machine configuration. */
final class ClusterFacts {

  private ClusterFacts() {}

  static void add(Manifest m, Facts facts) {
    Document d = m.document();
    switch (m.kind()) {
      case "Node" -> node(m, facts);
      case "Namespace" -> {
        String mesh = m.label("istio-injection") + m.annotation("linkerd.io/inject") + m.label("istio.io/rev");
        facts.addAtKey(new NamespaceRules(m.name(), JobFacts.unknown(m.label("pod-security.kubernetes.io/enforce")), Tri.of(!mesh.isEmpty() && !mesh.contains("disabled"))), d, m.root());
      }
      case "NetworkAttachmentDefinition" -> facts.addAtKey(new NetworkDefinition(m.namespace(), m.name(), m.annotation(NetworkFacts.RESOURCE), m.kind()), d, m.root());
      case "MacvlanNetwork", "IPoIBNetwork", "HostDeviceNetwork", "SriovNetwork", "SriovIBNetwork", "OVSNetwork" -> {
        Value space = m.spec().at("networkNamespace");
        String resource = m.spec().at("resourceName").text();
        facts.addAtKey(new NetworkDefinition(space.text("default"), m.name(), resource.isEmpty() ? "" : "nvidia.com/" + resource, m.kind()), d, m.root());
      }
      case "ClusterQueue", "LocalQueue" -> QueueFacts.add(m, facts);
      case "PriorityClass", "RuntimeClass", "DeviceClass", "ResourceFlavor", "ResourceSlice", "LimitRange", "KubeletConfiguration" -> ClassFacts.add(m, facts);
      case "ResourceQuota" -> m.spec().at("hard").entries().forEach((name, value) -> facts.add(new Quota(m.id(), m.namespace(), name.replaceFirst("^(requests|limits)\\.", ""),
          Quantity.of(value.text())), d, value));
      case "ResourceClaimTemplate", "ResourceClaim" -> claim(m, facts);
      case "ComputeDomain" -> facts.add(new ComputeDomain(m.id(), m.namespace(), m.name(), PodTemplate.number(m.spec().at("numNodes"), 0),
          m.spec().at("channel", "resourceClaimTemplate", "name").text(Fact.UNKNOWN)), d, m.spec().at("numNodes").exists() ? m.spec().at("numNodes") : m.root());
      case "SriovNetworkPoolConfig" -> pool(m, facts);
      case "NicDevice" -> adapter(m, facts);
      case "NetworkPolicy" -> NetworkPolicies.add(m, facts);
      case "MachineConfig", "KernelModuleConfig", "Tuned", "PerformanceProfile" -> {
        arguments(m, m.root(), facts, 0);
        NodeLimits.add(m, facts);
      }
      default -> { }
    }
  }

  private static void node(Manifest m, Facts facts) {
    String node = Sections.shortName(m.name());
    m.root().at("status", "allocatable").entries().forEach((name, value) -> {
      if (ResourceFamily.extended(name) || name.equals("cpu") || name.equals("memory")) {
        facts.add(new NodeOffer(node, name, Quantity.of(value.text())), m.document(), value);
      }
    });
    m.root().at("status", "capacity").entries().forEach((name, value) -> {
      if (ResourceFamily.extended(name)) {
        facts.add(new NodeCapacity(node, name, Quantity.of(value.text())), m.document(), value);
      }
    });
    List<String> labels = m.root().at("metadata", "labels").entries().entrySet().stream().map(e -> e.getKey() + "=" + e.getValue().text()).sorted().toList();
    Tri ready = Tri.UNKNOWN;
    for (Value condition : m.root().at("status", "conditions").items()) {
      if (condition.at("type").text().equals("Ready")) {
        ready = Tri.of(condition.at("status").text().equals("True"));
      }
    }
    facts.addAtKey(new NodeState(node, labels, ready, Tri.of(!m.spec().at("unschedulable").isTrue())), m.document(), m.root());
    for (Value taint : m.spec().at("taints").items()) {
      if (!taint.at("effect").text().equals("PreferNoSchedule")) {
        facts.add(new NodeTaint(node, taint.at("key").text(), taint.at("value").text(), taint.at("effect").text()), m.document(), taint.at("key"));
      }
    }
  }

  private static void pool(Manifest m, Facts facts) {
    Value mode = m.spec().at("rdmaMode");
    Value nodes = m.spec().at("nodeSelector");
    if (mode.isScalar() && nodes.at("matchExpressions").items().isEmpty()) {
      List<String> labels = nodes.at("matchLabels").entries().entrySet().stream().map(e -> e.getKey() + "=" + e.getValue().text()).sorted().toList();
      facts.add(new NodePoolMode(m.id(), labels, mode.text()), m.document(), mode);
    }
  }

  private static void adapter(Manifest m, Facts facts) {
    Value status = m.root().at("status");
    String node = status.at("node").text();
    for (Value port : status.at("ports").items()) {
      Value hca = port.at("rdmaInterface");
      if (!node.isEmpty() && !hca.text().isEmpty()) {
        facts.add(new AdapterPort(Sections.shortName(node), hca.text(), status.at("type").text(Fact.UNKNOWN)), m.document(), hca);
      }
    }
  }

  private static void claim(Manifest m, Facts facts) {
    ClaimShape shape = ClaimShape.of(m);
    Value devices = m.kind().equals("ResourceClaimTemplate") ? m.spec().at("spec", "devices") : m.spec().at("devices");
    ClassFacts.claimed(m, devices, facts);
    facts.addAtKey(new ClaimDevices(m.id(), m.namespace(), m.name(), shape.gpus(), shape.nics(), shape.aligned(), shape.all()), m.document(),
        devices.at("requests").exists() ? devices.at("requests") : m.root());
  }

  /** Kernel arguments and scripts of machine configuration. */
  private static void arguments(Manifest m, Value value, Facts facts, int depth) {
    if (value instanceof Value.Scalar scalar) {
      String text = scalar.text();
      String act = text.contains("pci=noacs") || text.contains("disable_acs_redir") || text.contains("pcie_acs_override") ? "acs-argument"
          : text.contains("iommu=off") ? "iommu-off" : text.contains("ECAP_ACS") || text.contains("setpci") && text.contains("ACS") ? "acs-blanket" : "";
      if (!act.isEmpty()) {
        facts.add(new HostChange(m.id(), m.id(), "object", act, text.length() > 120 ? text.substring(0, 120) : text), m.document(), value);
      }
    } else if (depth < 24) {
      (value.isList() ? value.items() : value.entries().values()).forEach(each -> arguments(m, each, facts, depth + 1));
    }
  }
}
