package gdrproof.review;

import gdrproof.collect.operator.OperatorDoc;
import gdrproof.collect.operator.OperatorSet;
import gdrproof.collect.operator.Part;
import java.util.ArrayList;
import java.util.List;

/** Which nodes and workloads a change can hit, as far as the files tell. */
public final class Blast {
  private static final String NIC_NODES = "every node with the label feature.node.kubernetes.io/pci-15b3.present=true";

  private Blast() {}

  /**
   * @param object id of the object that changes, or `chart`
   */
  public static String radius(OperatorSet before, OperatorSet after, String object, String kind, String path) {
    OperatorDoc doc = find(after, object);
    if (doc == null) {
      doc = find(before, object);
    }
    if (doc == null) {
      return kind.equals("Chart") ? "the operator's own pods; " + NIC_NODES + " if a driver rollout follows (their number is unknown)" : "unknown";
    }
    Part spec = doc.root().get("spec");
    return switch (doc.kind()) {
      case "NicClusterPolicy" -> spec.get("nodeAffinity").isSet() ? NIC_NODES + " that nodeAffinity admits (their number is unknown)" : NIC_NODES + " (their number is unknown)";
      case "NicNodePolicy", "SriovNetworkNodePolicy", "SriovNetworkPoolConfig", "NicConfigurationTemplate", "NicFirmwareTemplate", "SpectrumXRailPoolConfig" -> nodes(spec.get("nodeSelector"));
      case "MacvlanNetwork", "HostDeviceNetwork", "IPoIBNetwork", "SriovNetwork", "SriovIBNetwork", "OVSNetwork" -> users(after, doc,
          "new pods of namespace " + spec.get("networkNamespace").text("default") + " that attach " + doc.name());
      case "NetworkAttachmentDefinition" -> users(after, doc, "new pods that attach " + doc.namespace() + "/" + doc.name());
      case "IPPool", "CIDRPool" -> "pods of the networks that use pool " + doc.name();
      case OperatorDoc.VALUES -> doc.name().equals("gpu-operator") ? "every GPU node (their number is unknown)" : valuesRadius(path);
      default -> "unknown";
    };
  }

  private static String valuesRadius(String path) {
    return path.startsWith("operator.") || path.startsWith("maintenance") || path.startsWith("imagePullSecrets") ? "the operator's own pods" : NIC_NODES + " (their number is unknown)";
  }

  private static String nodes(Part selector) {
    Part labels = selector.get("matchLabels").isMap() ? selector.get("matchLabels") : selector;
    List<String> parts = new ArrayList<>();
    labels.fields().forEach((k, v) -> parts.add(k + "=" + v.text()));
    return parts.isEmpty() ? "every node" : "nodes with " + String.join(", ", parts) + " (their number is unknown)";
  }

  /** Workloads of the files that name a network. */
  private static String users(OperatorSet set, OperatorDoc network, String text) {
    List<String> users = set.docs().stream().filter(d -> !d.podSpecs().isEmpty() && attaches(d.root(), network.name())).map(OperatorDoc::id).toList();
    return users.isEmpty() ? text : text + ": " + String.join(", ", users);
  }

  private static boolean attaches(Part part, String network) {
    Part annotation = part.get("k8s.v1.cni.cncf.io/networks");
    return annotation.isScalar() && annotation.text().contains(network) || part.fields().values().stream().anyMatch(p -> attaches(p, network))
        || part.items().stream().anyMatch(p -> attaches(p, network));
  }

  private static OperatorDoc find(OperatorSet set, String object) {
    return set.docs().stream().filter(d -> d.id().equals(object)).findFirst().orElse(null);
  }
}
