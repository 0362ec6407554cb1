package gdrproof.collect.operator;

import gdrproof.facts.Operator;
import java.util.List;
import java.util.regex.Pattern;

/** What in the set says that a resource is meant for RDMA. */
final class Intent {
  private static final Pattern NAME = Pattern.compile("(?i).*(rdma|roce|infiniband).*|(?i)(.*[^a-z])?ib([^a-z].*)?");
  private static final Pattern USE = Pattern.compile("(?i)NCCL_|ib_write_bw|ib_send_bw|ib_read_bw|ibv_|rping|perftest");

  private Intent() {}

  static String of(Scope scope, String name, String resource, List<Part> selectors, String linkType) {
    if (NAME.matcher(name).matches()) {
      return "name";
    }
    if (linkType.equalsIgnoreCase("ib") || selectors.stream().anyMatch(s -> s.get("linkTypes").texts().stream().anyMatch(l -> l.equalsIgnoreCase("infiniband")))) {
      return "link-type";
    }
    if (scope.podAsks.containsKey(resource) && usedForRdma(scope, resource)) {
      return "pod";
    }
    for (OperatorDoc doc : scope.set.docs()) {
      if (OperatorKinds.network(doc.kind()) && Networks.same(doc.root().get("spec", "resourceName").text(), resource) && Networks.rdmaPlugin(doc.root().get("spec", "metaPlugins"))) {
        return "meta-plugin";
      }
    }
    return Operator.ABSENT;
  }

  /** A pod that takes the resource and names NCCL or a verbs program, or asks for GPUs beside it. */
  private static boolean usedForRdma(Scope scope, String resource) {
    for (OperatorDoc doc : scope.set.docs()) {
      for (Part spec : doc.podSpecs()) {
        for (Part container : spec.get("containers").items()) {
          Part limits = container.get("resources", "limits");
          if ((limits.get(resource).exists() || container.get("resources", "requests").get(resource).exists())
              && (limits.get("nvidia.com/gpu").exists() || mentions(container))) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private static boolean mentions(Part part) {
    return part.isScalar() && USE.matcher(part.text()).find() || part.fields().values().stream().anyMatch(Intent::mentions) || part.items().stream().anyMatch(Intent::mentions);
  }
}
