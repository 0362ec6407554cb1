package gdrproof.facts;

/** GPUs and the paths between them and the HCAs, as the NVIDIA tools print them. */
public sealed interface Gpu extends Fact {
  /**
   * One cell of `nvidia-smi topo -m`.
   *
   * @param from row device (`GPU0`, `NIC0`)
   * @param to column device
   * @param path NV#, PIX, PXB, PHB, NODE, SYS, C2C or as printed
   */
  record TopoLink(String node, String from, String to, String path) implements Gpu {}

  /** A row of the NIC legend below `topo -m`: `NIC0: mlx5_0`. */
  record TopoNic(String node, String nic, String hca) implements Gpu {}

  /** CPU and NUMA affinity columns of a GPU row. */
  record GpuAffinity(String node, String gpu, String cpus, String numa) implements Gpu {}
}
