package gdrproof.collect.kube;

/**
 * What a resource name stands for. Prefixes mislead (`nvidia.com/hostdev` is a NIC, `intel.com/sriov` may be an NVIDIA
 * one), so the whole name decides. Names seen in vendor documentation and published manifests.
 */
final class ResourceFamily {
  static final String GPU = "gpu";
  static final String OTHER_ACCELERATOR = "other-accelerator";
  static final String RDMA_SHARED = "rdma-shared";
  static final String RDMA_DEVICE = "rdma-device";
  static final String EFA = "efa";
  static final String GKE_NETWORK = "gke-network";
  static final String OTHER = "other";

  private ResourceFamily() {}

  static String of(String resource) {
    int slash = resource.indexOf('/');
    if (slash < 0) {
      return resource.equals("cpu") || resource.equals("memory") ? resource : OTHER;
    }
    String prefix = resource.substring(0, slash);
    String name = resource.substring(slash + 1);
    return switch (prefix) {
      case "nvidia.com" -> name.equals("gpu") || name.startsWith("gpu.") || name.startsWith("gpu-") || name.startsWith("mig-") || name.equals("pgpu") ? GPU
          : RDMA_DEVICE;
      case "amd.com", "habana.ai", "google.com", "gpu.intel.com", "huawei.com", "cambricon.com", "enflame.com" -> OTHER_ACCELERATOR;
      case "aws.amazon.com" -> name.startsWith("neuron") ? OTHER_ACCELERATOR : OTHER;
      case "rdma" -> RDMA_SHARED;
      case "vpc.amazonaws.com" -> name.equals("efa") ? EFA : OTHER;
      case "networking.gke.io.networks" -> GKE_NETWORK;
      case "mellanox.com" -> RDMA_DEVICE;
      case "openshift.io", "intel.com" -> nic(name) ? RDMA_DEVICE : OTHER;
      default -> nic(name) && !prefix.contains("kubernetes.io") ? RDMA_DEVICE : OTHER;
    };
  }

  private static boolean nic(String name) {
    String lower = name.toLowerCase(java.util.Locale.ROOT);
    return lower.contains("rdma") || lower.contains("sriov") || lower.contains("roce") || lower.contains("mlnx") || lower.contains("mlx")
        || lower.contains("hostdev") || lower.contains("infiniband") || lower.contains("hca") || lower.startsWith("ib") || lower.startsWith("vf")
        || lower.contains("_vf") || lower.contains("-vf");
  }

  static boolean extended(String resource) {
    return resource.indexOf('/') >= 0 && !resource.startsWith("requests.") && !resource.contains("kubernetes.io/");
  }

  static boolean fabric(String family) {
    return family.equals(RDMA_SHARED) || family.equals(RDMA_DEVICE) || family.equals(EFA) || family.equals(GKE_NETWORK);
  }
}
