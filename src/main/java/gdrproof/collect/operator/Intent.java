package gdrproof.collect.operator;

import gdrproof.facts.Operator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
    if (scope.rdmaAsks.contains(resource)) {
      return "pod";
    }
    if (scope.rdmaNetwork(resource)) {
      return "meta-plugin";
    }
    return Operator.ABSENT;
  }

  /** Adds the resources that a container takes for RDMA: it names NCCL or a verbs program, or asks for GPUs beside. */
  static void rdmaAsks(Part container, Set<String> found) {
    Part limits = container.get("resources", "limits");
    Set<String> asked = new HashSet<>(limits.fields().keySet());
    asked.addAll(container.get("resources", "requests").fields().keySet());
    if (!asked.isEmpty() && (limits.get("nvidia.com/gpu").exists() || mentions(container))) {
      found.addAll(asked);
    }
  }

  private static boolean mentions(Part part) {
    return part.isScalar() && USE.matcher(part.text()).find() || part.fields().values().stream().anyMatch(Intent::mentions) || part.items().stream().anyMatch(Intent::mentions);
  }
}
