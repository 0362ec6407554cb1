package gdrproof.collect.kube;

import gdrproof.policy.ResourceNames;

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
    if (resource.equals("cpu") || resource.equals("memory")) {
      return resource;
    }
    String family = ResourceNames.family(resource);
    return family.isEmpty() ? OTHER : family;
  }

  static boolean extended(String resource) {
    return resource.indexOf('/') >= 0 && !resource.startsWith("requests.") && !resource.contains("kubernetes.io/");
  }
}
