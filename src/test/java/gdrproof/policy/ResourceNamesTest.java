package gdrproof.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names of resources and device classes as manifests have them; rules and collectors read one list. */
class ResourceNamesTest {
  @ParameterizedTest
  @CsvSource({"nvidia.com/gpu,gpu", "nvidia.com/total-gpucores,other", "nvidia.com/gpu.shared,gpu", "nvidia.com/mig-1g.10gb,gpu", "nvidia.com/pgpu,gpu", "amd.com/gpu,other-accelerator",
      "aws.amazon.com/neuroncore,other-accelerator", "rdma/hca_shared_devices_a,rdma-shared", "vpc.amazonaws.com/efa,efa",
      "networking.gke.io.networks/rdma-0,gke-network", "nvidia.com/hostdev,rdma-device", "nvidia.com/mlnxnics,rdma-device",
      "mellanox.com/cx7,rdma-device", "openshift.io/mlx_vf0,rdma-device", "intel.com/sriov_rail0,rdma-device", "example.com/RoCE-a,rdma-device",
      "example.com/ib0,rdma-device", "vpc.amazonaws.com/pod-eni,''", "openshift.io/cpuset,''", "hugepages-2Mi,''", "beta.kubernetes.io/vfoo,''", "example.com/fpga,''"})
  void familyFollowsTheWholeName(String resource, String family) {
    assertEquals(family, ResourceNames.family(resource));
    assertEquals(!family.isEmpty() && ResourceNames.fabric(family), resource.matches(ResourceNames.fabric()), "as rules see it");
  }

  @ParameterizedTest
  @CsvSource({"gpu.nvidia.com,true,false", "mig.nvidia.com,true,false", "h100.gpu.nvidia.com,true,false", "vfio.gpu.nvidia.com,true,false", "dra.net,false,true",
      "dranet,false,true", "rail-nic,false,true", "mrdma.google.com,false,true", "compute-domain-daemon.nvidia.com,false,false"})
  void deviceClassTellsWhatItHolds(String deviceClass, boolean gpu, boolean nic) {
    assertEquals(gpu, ResourceNames.gpuClass(deviceClass));
    assertEquals(nic, ResourceNames.nicClass(deviceClass));
  }

  @org.junit.jupiter.api.Test
  void whatMakesAControlAloneIsOneOfTheControls() {
    assertTrue(Controls.variables().containsAll(Controls.alone()));
    assertTrue(Controls.alone().contains("NCCL_IB_DISABLE"));
    assertFalse(Controls.alone().contains("NCCL_IB_HCA"), "most sites list their HCAs");
  }
}
