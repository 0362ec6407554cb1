package gdrproof.facts;

/**
 * GPUs and the paths between them and the HCAs, as the NVIDIA tools print them.
 *
 * <p>A GPU's name is `GPUn` with nvidia-smi's index n, or its PCI address where a tool prints no index.
 */
public sealed interface Gpu extends Fact {
  /**
   * One cell of `nvidia-smi topo -m` (both directions are kept as printed).
   *
   * @param from row device (`GPU0`, `NIC0`, in old layouts `mlx5_0`)
   * @param to column device
   * @param path NV#, PIX, PXB, PHB, NODE, SYS (old drivers print SOC), or as printed
   */
  record TopoLink(String node, String from, String to, String path) implements Gpu {
    /** Whether the pair is joined by NVLink. */
    public boolean nvlink() {
      return path.startsWith("NV");
    }

    /** Number of NVLinks of the pair; unknown without. */
    public Num links() {
      return nvlink() ? Num.parse(path.substring(2)) : Num.UNKNOWN;
    }

    /** Whether a GPU and a NIC are the two ends, seen from the GPU. */
    public boolean gpuToNic() {
      return from.startsWith("GPU") && !to.startsWith("GPU");
    }

    /** Whether two GPUs are the ends, each pair once. */
    public boolean gpuPair() {
      return from.startsWith("GPU") && to.startsWith("GPU") && (from.length() < to.length() || from.length() == to.length() && from.compareTo(to) < 0);
    }

    /** Cost of the path, nearest first: 0 NVLink, 1 PIX, 2 PXB, 3 PHB, 4 NODE, 5 SYS; 9 for what is not known. */
    public int distance() {
      return switch (path) {
        case "PIX" -> 1;
        case "PXB" -> 2;
        case "PHB" -> 3;
        case "NODE" -> 4;
        case "SYS" -> 5;
        default -> nvlink() ? 0 : 9;
      };
    }
  }

  /** The verbs name behind a NIC column: from the legend (`NIC0: mlx5_0`), or the column's own name in old layouts. */
  record TopoNic(String node, String nic, String hca) implements Gpu {}

  /**
   * Affinity columns of a GPU row of `topo -m`, and `dcgmi topo`; N/A is unknown.
   *
   * @param cpus list of ranges without blanks (`0-55,112-167`)
   * @param numa NUMA node, or list
   * @param gpuNuma NUMA node of the GPU's own memory (Grace)
   */
  record GpuAffinity(String node, String gpu, String cpus, String numa, String gpuNuma) implements Gpu {}

  /**
   * One cell of `nvidia-smi topo -p2p`.
   *
   * @param capability `read`, `write`, `nvlink`, `atomics`, `pcie`; unknown where the command line is not in the evidence
   * @param status OK, NS, GNS (GPU), TNS (topology), CNS (chipset), DR (disabled by registry key), U (unknown)
   */
  record PeerStatus(String node, String from, String to, String capability, String status) implements Gpu {}

  /** A peer matrix of a capability was read whole, for this many GPUs: a pair that is not OK would be among the statuses. */
  record PeerMatrixRead(String node, String capability, Num gpus) implements Gpu {}

  /** A GPU as listed by nvidia-smi: PCI address (`0000:1b:00.0`) and model. */
  record GpuDevice(String node, String gpu, String address, String model) implements Gpu {
    /** Path of its device node, whose minor number follows the driver's order of GPUs. */
    public String path() {
      return "/dev/nvidia" + gpu.replaceFirst("^GPU", "");
    }

    /** A module (SXM, HGX) that is soldered to NVLink, unlike cards, which have it only with a bridge. */
    public boolean module() {
      return (model.contains("SXM") || model.contains("HBM3") || model.endsWith("B200") || model.endsWith("H200") || model.endsWith("B300"))
          && !model.contains("PCIe") && !model.contains("NVL");
    }
  }

  /** How many GPUs a whole listing of a tool shows. */
  record GpuCount(String node, Num gpus) implements Gpu {}

  /**
   * The PCIe link of a GPU in one snapshot of `nvidia-smi` (`-q`, `--query-gpu`).
   *
   * @param gen PCIe generation now
   * @param genMax highest generation that GPU and slot share
   * @param genHostMax highest generation of the slot; unknown in VMs
   * @param width lanes now
   * @param replays replays since reset
   * @param active whether the GPU was awake in this snapshot: an idle one lowers its generation (never its width) to save power
   */
  record GpuPcie(String node, String gpu, Num gen, Num genMax, Num genHostMax, Num width, Num widthMax, Num replays, Tri active) implements Gpu {}

  /**
   * Clocks and power of a GPU in one snapshot.
   *
   * @param pstate `P0` to `P15`
   * @param active see {@link GpuPcie#active()}
   */
  record GpuClocks(String node, String gpu, String pstate, Num smMhz, Num smMaxMhz, Num powerW, Num limitW, Num defaultLimitW, Tri active)
      implements Gpu {}

  /**
   * A clock event (throttle) reason.
   *
   * @param reason `idle`, `applications-clocks-setting`, `sw-power-cap`, `hw-slowdown`, `hw-thermal-slowdown`, `hw-power-brake-slowdown`,
   *     `sync-boost`, `sw-thermal-slowdown`, `display-clock-setting`
   */
  record ClockReason(String node, String gpu, String reason, Tri active) implements Gpu {}

  /**
   * A mode of a GPU.
   *
   * @param name `persistence`, `mig`, `ecc`, `addressing`, `c2c`, `virtualization`, `compute`, `recovery-action`
   * @param value as printed, or `unsupported` where the tool says so of all GPUs (`Enabled`, `Disabled`, `ATS`, `Pass-Through`)
   */
  record GpuMode(String node, String gpu, String name, String value) implements Gpu {}

  /**
   * NVLink fabric of a GPU (`Fabric` block of `-q`).
   *
   * @param state `Completed`, `In Progress`, `Not Started`; unknown for N/A
   * @param status `Success` or an error text; unknown for N/A
   */
  record GpuFabric(String node, String gpu, String state, String status, String cliqueId, String clusterUuid) implements Gpu {}

  /**
   * Memory errors and row remapping of a GPU.
   *
   * @param volatileUncorrectable uncorrectable errors since the driver was loaded, all kinds added
   * @param aggregateUncorrectable the same over the life of the board
   */
  record GpuMemoryErrors(String node, String gpu, Num volatileUncorrectable, Num aggregateUncorrectable, Tri remapPending, Tri remapFailed)
      implements Gpu {}

  /** Memory of a GPU and its BAR1 window, MiB. */
  record GpuMemory(String node, String gpu, Num totalMib, Num usedMib, Num bar1TotalMib, Num bar1UsedMib) implements Gpu {
    /** What of the BAR1 window is not mapped yet, in bytes; unknown unless both its size and its use are. */
    public Num bar1FreeBytes() {
      return bar1TotalMib.known() && bar1UsedMib.known() ? Num.of((bar1TotalMib.value() - bar1UsedMib.value()) * 1024 * 1024) : Num.UNKNOWN;
    }
  }

  /**
   * A process that the table of nvidia-smi lists on a GPU, by the process number of the host's own namespace.
   *
   * @param name program as printed, often cut at the front with `...`
   */
  record GpuProcess(String node, String gpu, Num pid, String name, Num usedMib) implements Gpu {
    /** Name of the program without its folders. */
    public String program() {
      return name.substring(name.lastIndexOf('/') + 1);
    }
  }

  /** How busy a GPU was in a snapshot of nvidia-smi, percent of the time. */
  record GpuLoad(String node, String gpu, Num percent) implements Gpu {}

  /** One NVLink of a GPU (`nvidia-smi nvlink -s`): speed in GB/s per direction where active. */
  record NvLink(String node, String gpu, Num link, Tri active, Num speedGBps) implements Gpu {}

  /** An error counter of an NVLink (`nvidia-smi nvlink -e`): `replay`, `recovery`, `crc`. */
  record NvLinkErrors(String node, String gpu, Num link, String counter, Num count) implements Gpu {}

  /**
   * One test of `dcgmi diag`.
   *
   * @param result `Pass`, `Fail`, `Skip` or `Warn`
   * @param gpus indices as DCGM counts them, `all`, or unknown for a test of the host
   */
  record DcgmTest(String node, String test, String result, String gpus) implements Gpu {}

  /** Driver version and the CUDA release it supports, from nvidia-smi. */
  record SmiDriver(String node, String driver, String cuda) implements Gpu {}

  /**
   * An error that nvidia-smi or NVML itself reports.
   *
   * @param kind `driver-library-mismatch`, `no-driver`, `gpu-not-found`, `gpu-unreachable`, `unknown-field`, `command-not-found`, `no-hostengine`,
   *     `insufficient-rights`, `nvml-unknown-error`
   * @param device PCI address or index it names, or unknown
   */
  record SmiError(String node, String kind, String device, String text) implements Gpu {}

  /**
   * A GPU error record of the kernel log (`NVRM: Xid (PCI:0000:1b:00): 79, ...`).
   *
   * @param address PCI address of the GPU
   * @param kind what the number stands for, by `policies/xids.yaml`: `off-bus`, `ecc`, `nvlink`, `driver`, `application`, `other`
   * @param text what follows the number, without pid and name
   */
  record Xid(String node, String address, Num xid, String kind, String text) implements Gpu {}

  /** An NVSwitch error record of the kernel log or the fabric manager (`SXid (PCI:0000:c1:00.0): 20034, ...`). */
  record SXid(String node, String address, Num code, String text) implements Gpu {}

  /**
   * State of the fabric manager, the service that NVSwitch systems need.
   *
   * @param state `active`, `inactive`, `failed`, `not-found`
   */
  record FabricManager(String node, String state, String version) implements Gpu {}

  /**
   * An event of a service in the journal, by the order in the file.
   *
   * @param service `fabricmanager`, `imex`
   * @param event `started`, `stopped`, `failed`, `version-mismatch`, `driver-mismatch`
   * @param order position among the events of this service in the file, 0-based
   */
  record ServiceEvent(String node, String service, String event, Num order, String text) implements Gpu {}

  /**
   * One cell of CUDA's p2pBandwidthLatencyTest or simpleP2P.
   *
   * @param measure `bandwidth` and `bandwidth-both` (GB/s, one and both directions, peer access on), `latency` (us), each with `-off` for peer access off;
   *     `access` (1 or 0), `verification` (0: data came out wrong)
   */
  record PeerTest(String node, String from, String to, String measure, Num value) implements Gpu {}

  /**
   * A benchmark that did not end, and the same on the same GPUs that ended once peer copies were off (derived over runs).
   *
   * @param devices value of CUDA_VISIBLE_DEVICES of both, or unknown
   */
  record PeerControl(String node, String devices, String hungRun, String controlRun) implements Gpu {}

}
