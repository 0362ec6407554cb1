package gdrproof.facts;

/**
 * The PCIe tree: devices, bridges, links, Access Control Services, the IOMMU, and NUMA. Addresses are lower case with four digits of domain
 * and the function: `0000:19:00.0`.
 */
public sealed interface Pcie extends Fact {
  /**
   * A PCI function.
   *
   * @param pciClass class in lspci's words (`3D controller`, `Infiniband controller`, `PCI bridge`), or unknown
   * @param name vendor and device in lspci's words
   * @param ids `vendor:device` (`10de:2330`), or unknown
   */
  record PciDevice(String node, String address, String pciClass, String name, String ids) implements Pcie {
    /** An NVIDIA GPU. */
    public boolean gpu() {
      return (ids.startsWith("10de:") || name.contains("NVIDIA")) && (pciClass.startsWith("3D") || pciClass.startsWith("VGA"));
    }

    /** A network function of a vendor whose devices serve verbs; in Ethernet mode the class does not tell. */
    public boolean hca() {
      boolean network = pciClass.startsWith("Infiniband") || pciClass.startsWith("Ethernet") || pciClass.startsWith("Network");
      return network && (ids.startsWith("15b3:") || name.contains("Mellanox") || name.contains("ConnectX") || pciClass.startsWith("Infiniband"));
    }

    public boolean bridge() {
      return pciClass.startsWith("PCI bridge");
    }

    /** A device that only a hypervisor offers. */
    public boolean paravirtual() {
      return ids.startsWith("1af4:") || name.contains("Virtio") || name.contains("VMware") || name.contains("Red Hat, Inc. QEMU");
    }
  }

  /**
   * State of a PCIe link, at one of its ends.
   *
   * @param gts speed now, GT/s
   * @param width lanes now; unknown where a tool prints 0, 63 or 255
   * @param gtsMax what this end can, GT/s (its partner may not)
   */
  record PciLink(String node, String address, Num gts, Num width, Num gtsMax, Num widthMax) implements Pcie {
    /** Narrower than this end can: never a power saving. */
    public boolean narrow() {
      return width.below(widthMax);
    }

    /** Slower than this end can. */
    public boolean slow() {
      return gts.below(gtsMax);
    }
  }

  /** Type of a PCIe function and its settings: bytes; `port` is Endpoint, Root Port, Upstream Port, Downstream Port, ... */
  record PciSettings(String node, String address, String port, Num maxPayload, Num maxPayloadCap, Num maxReadRequest, Tri relaxedOrdering) implements Pcie {}

  /**
   * Access Control Services of a bridge or function (`ACSCtl`: what is switched on). Address unknown where grep took the device away.
   */
  record AcsControl(String node, String address, Tri srcValid, Tri reqRedir, Tri cmpltRedir, Tri upstreamFwd, Tri directTrans) implements Pcie {
    /** Whether peer traffic through this port is sent up to the root. SrcValid alone does not. */
    public boolean redirects() {
      return reqRedir == Tri.YES || cmpltRedir == Tri.YES || upstreamFwd == Tri.YES;
    }
  }

  /** Address Translation Services of a function: `ATSCtl: Enable+`. */
  record AtsControl(String node, String address, Tri enabled) implements Pcie {}

  /** Kernel driver of a function. */
  record PciDriver(String node, String address, String driver) implements Pcie {}

  /** NUMA node of a function; -1 means that the firmware (or hypervisor) tells none. */
  record PciNuma(String node, String address, Num numa) implements Pcie {
    public boolean told() {
      return numa.atLeast(0);
    }
  }

  /** Sticky error bits of the AER capability, since boot or the last clearing. Severity `corrected` or `uncorrected`; bits joined by blanks. */
  record AerStatus(String node, String address, String severity, String bits) implements Pcie {}

  /** Capabilities of the function were not readable (lspci without root): nothing may be said of links or ACS. */
  record PciUnreadable(String node, String address) implements Pcie {}

  /** A bridge and the number of the bus behind it (hexadecimal, two digits). */
  record PciBridge(String node, String address, String secondary, String subordinate) implements Pcie {}

  /**
   * A function and what it hangs below.
   *
   * @param parent address of the bridge above, or `root:dddd:bb` for a host bridge
   * @param certain NO where the bus numbers are not in the evidence and the nearest bridge was taken
   */
  record PciParent(String node, String child, String parent, Tri certain) implements Pcie {}

  /** The PCI address behind a name: `mlx5_0`, a net device, `GPU0`. */
  record DeviceAddress(String node, String name, String address) implements Pcie {}

  /**
   * A bridge on the way between a GPU and an HCA or another GPU (derived from the tree).
   *
   * @param from address of the GPU
   * @param to address of the other end
   * @param bridge address of a port that the traffic passes below the point where both ways meet
   * @param meets `switch` if the ways meet below one root port, `root` if only the root complex joins them
   * @param certain see {@link PciParent#certain()}
   * @param nic whether the other end is an HCA
   */
  record PathBridge(String node, String from, String to, String bridge, String meets, Tri certain, Tri nic) implements Pcie {}

  /**
   * State of the IOMMU as the kernel log tells it.
   *
   * @param vendor `intel`, `amd`, `arm`, or unknown
   * @param enabled whether the log proves an IOMMU in use; the line of the default domain alone does not
   * @param mode `translated` or `passthrough`, or unknown
   */
  record IommuState(String node, String vendor, Tri enabled, String mode) implements Pcie {}

  /** DMA accesses that the IOMMU refused to a device, of one access kind and reason. */
  record IommuFault(String node, String vendor, String address, String access, String reason, Num count) implements Pcie {}

  /** PCIe errors that a port reported in the kernel log: severity `corrected`, `nonfatal`, `fatal`; layer as printed. */
  record AerErrors(String node, String address, String severity, String layer, Num count) implements Pcie {}

  /**
   * What the driver of an HCA says of the PCIe bandwidth below it (`63.008 Gb/s available PCIe bandwidth, limited by ... at ...`).
   *
   * @param at address of the port above the limiting link
   */
  record PciBandwidth(String node, String address, Num availableGbps, Num capableGbps, String limitedBy, String at) implements Pcie {}

  /** A NUMA node of the host: CPUs as ranges (`none` for an empty list), memory in MB. */
  record NumaNode(String node, Num numa, String cpus, Num sizeMb) implements Pcie {}

  /** Distance between two NUMA nodes: 10 local, 12 inside one socket's parts, 20 to 32 across sockets. */
  record NumaDistance(String node, Num from, Num to, Num distance) implements Pcie {}

  /** What `numactl --show` says of the calling process. */
  record NumaBinding(String node, String cpuNodes, String memoryNodes, String cpus) implements Pcie {}

  /** Counts of `lscpu`. */
  record CpuCounts(String node, Num cpus, Num offline, Num sockets, Num numaNodes) implements Pcie {}

  /** A row of `lscpu -e`. */
  record Cpu(String node, Num cpu, Num core, Num socket, Num numa, Tri online) implements Pcie {}

  /** Governor or power state setting of the CPUs: name `governor`, `cstates`, `frequency-mhz`, `frequency-max-mhz`; value as read. */
  record CpuPower(String node, String name, String value) implements Pcie {}

  /**
   * A link in a topology that NCCL was given or has built (`NCCL_TOPO_FILE`, `NCCL_TOPO_DUMP_FILE`, the system lines of the log).
   *
   * @param source `file` or `log`
   * @param address PCI address of the lower end
   * @param what `bridge`, `gpu`, `nic`
   * @param vendorDevice `vendor:device` of a bridge, or unknown
   * @param gts link speed in GT/s as written, or unknown
   * @param width lanes as written, or unknown
   * @param gBps bandwidth that NCCL computes, GB/s, or unknown
   * @param parent address of the bridge above it, or unknown
   */
  record ModelLink(String node, String source, String address, String what, String vendorDevice, Num gts, Num width, Num gBps, String parent) implements Pcie {
    /** Speed times lanes, GT/s: enough to compare two links of one file. */
    public Num capacity() {
      return gts.known() && width.known() ? Num.of(gts.value() * width.value()) : Num.UNKNOWN;
    }
  }

  /**
   * A link towards the root that several GPUs share (derived from the tree). Traffic between devices below it does not pass it.
   *
   * @param bridge port whose upper link is shared
   * @param gbps what the link carries in one direction, Gb/s
   * @param gpus GPUs below it, gpuGbps what their own links carry together, Gb/s
   * @param hcas HCAs below it
   */
  record SharedUplink(String node, String bridge, Num gbps, Num gpus, Num gpuGbps, Num hcas) implements Pcie {
    /** Whether the GPUs below can send more than it carries. */
    public boolean narrow() {
      return gbps.below(gpuGbps);
    }
  }
}
