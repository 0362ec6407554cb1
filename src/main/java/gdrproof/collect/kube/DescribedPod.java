package gdrproof.collect.kube;

import gdrproof.bundle.Section;
import gdrproof.collect.Sink;
import gdrproof.facts.Fact;
import gdrproof.facts.Kube.PodNetworks;
import gdrproof.facts.Kube.Pods;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What `kubectl describe pod` tells of a pod's devices and networks (kubectl 1.20 to 1.34), whole or cut to its limits. */
final class DescribedPod {
  private static final Pattern BLOCK = Pattern.compile("^(?<indent>\\s*)(?<name>Limits|Requests):\\s*$");
  private static final Pattern AMOUNT = Pattern.compile("^\\s+(?<resource>[a-zA-Z0-9][\\w./-]*):\\s+(?<amount>\\d\\S*)\\s*$");
  private static final Pattern NETWORKS = Pattern.compile("^(?:Annotations:)?\\s+k8s\\.v1\\.cni\\.cncf\\.io/networks:\\s*(?<networks>\\S.*?)\\s*$");

  private static final Pattern STATUS = Pattern.compile("^(?:Annotations:)?\\s+k8s\\.v1\\.cni\\.cncf\\.io/network-status:\\s*$");

  private DescribedPod() {}

  static void read(Section section, String pod, Sink sink) {
    Set<String> families = new TreeSet<>();
    Num gpus = Num.of(0);
    int first = -1;
    boolean limits = false;
    boolean whole = false;
    boolean direct = false;
    for (int i = 0; i < section.lines().size(); i++) {
      String line = section.lines().get(i);
      Matcher block = BLOCK.matcher(line);
      Matcher amount = AMOUNT.matcher(line);
      direct |= line.contains("/dev/infiniband");
      if (block.matches()) {
        // Another heading below the limits: they were printed to their end.
        whole |= limits;
        limits = block.group("name").equals("Limits");
        first = limits && first < 0 ? i : first;
        sink.understood(section, i);
      } else if (limits && amount.matches()) {
        String family = ResourceFamily.of(amount.group("resource"));
        families.add(family);
        gpus = family.equals(ResourceFamily.GPU) ? Num.of(gpus.value() + Quantity.of(amount.group("amount")).value()) : gpus;
        sink.understood(section, i);
      } else if (!line.isBlank()) {
        whole |= limits;
        limits = false;
        networks(section, i, pod, sink);
        if (STATUS.matcher(line).matches()) {
          status(section, i, pod, sink);
        }
      }
    }
    if (first >= 0 && whole) {
      String id = section.file() + "#" + section.line(first);
      sink.fact(new Pods(id, pod, "Pod", Fact.UNKNOWN, "", Num.UNKNOWN, "unknown", Tri.UNKNOWN, "production", rdma(families, direct), gpus, Tri.UNKNOWN, Fact.UNKNOWN), section.at(first));
    }
  }

  private static String rdma(Set<String> families, boolean direct) {
    return families.contains(ResourceFamily.RDMA_SHARED) ? "shared"
        : families.contains(ResourceFamily.RDMA_DEVICE) ? "device"
            : families.contains(ResourceFamily.EFA) ? "efa" : families.contains(ResourceFamily.GKE_NETWORK) ? "gke-networks" : direct ? "host-devices" : "none";
  }

  private static void networks(Section section, int index, String pod, Sink sink) {
    Matcher networks = NETWORKS.matcher(section.lines().get(index));
    if (networks.matches()) {
      sink.fact(new PodNetworks(Fact.UNKNOWN, pod, networks.group("networks")), section.at(index));
    }
  }

  /** The block below the annotation, whose lines stand at the column of its bracket. */
  private static void status(Section section, int index, String pod, Sink sink) {
    StringBuilder json = new StringBuilder();
    int last = index;
    for (int i = index + 1; i < section.lines().size() && section.lines().get(i).startsWith(" "); i++) {
      json.append(section.lines().get(i)).append('\n');
      last = i;
      if (section.lines().get(i).strip().equals("}]") || section.lines().get(i).strip().equals("]")) {
        break;
      }
    }
    String networks = NetworkFacts.attached(json.toString());
    if (networks != null) {
      sink.fact(new PodNetworks(Fact.UNKNOWN, pod, networks), section.at(index, last));
    }
  }
}
