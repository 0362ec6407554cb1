package gdrproof.facts;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The operating system and container a rank sees: limits, memory, modules, device nodes, versions, environment. Where a
 * record has a scope, it says whose view the statement is: `container` (read inside one), `process` (of a running
 * rank), `shell` (an interactive shell, perhaps of the host), `config`, or unknown.
 */
public sealed interface Host extends Fact {
  /**
   * A resource limit.
   *
   * @param scope where it was read: `shell`, `process` (/proc/PID/limits of a rank), `container`, `config` (unit or limits file)
   * @param name `memlock`, `nofile`, `stack`, `nproc`
   * @param bytes soft limit in bytes (count for nofile and nproc); infinite when unlimited
   */
  record Limit(String node, String scope, String name, Num bytes) implements Host {
    public boolean unlimited() {
      return bytes.known() && Double.isInfinite(bytes.value());
    }
  }

  /**
   * Size and use of a mounted file system, bytes (as `df` prints them; 1K blocks are multiplied out), or of a tmpfs from its `size=` option.
   *
   * @param mount mount point (`/dev/shm`)
   * @param type file system type, or the device column of `df` where no type was printed (`tmpfs`, `shm`, `overlay`, `/dev/sda2`)
   */
  record FileSystem(String node, String scope, String mount, String type, Num sizeBytes, Num usedBytes, Num availableBytes) implements Host {
    public boolean full() {
      return sizeBytes.above(0) && availableBytes.is(0);
    }

    /** What is left of the whole, 0 to 1: large file systems keep some blocks that no writer can use, so that a full one is seldom at 0. */
    public Num freeShare() {
      return availableBytes.over(sizeBytes);
    }

    /** Kept in memory, so that a full one is no full disk. */
    public boolean inMemory() {
      return type.equals("tmpfs") || type.equals("shm") || type.equals("devtmpfs") || mount.equals("/dev/shm");
    }
  }

  /**
   * The visible (last) mount on a path.
   *
   * @param source first column; the name of a namespace or `shm` as well as a device
   * @param access `ro` or `rw`
   * @param stacked how many mounts lie on the path
   */
  record Mount(String node, String scope, String path, String source, String type, String access, Num stacked) implements Host {}

  /** A loaded kernel module. Names have underscores, whatever the tool prints. */
  record Module(String node, String name, Num users) implements Host {}

  /** A module that a complete list, or a search that would have shown it, did not show: not loaded. */
  record ModuleAbsent(String node, String name) implements Host {}

  /** Version of a loaded module (/sys/module/NAME/version). */
  record ModuleVersion(String node, String name, String version) implements Host {}

  /**
   * A module's file as `modinfo` prints it; it may differ from what is loaded.
   *
   * @param version version line; `none` where a whole list has no such line, as with the kernel's own modules
   * @param license `NVIDIA` for the proprietary, `Dual MIT/GPL` for the open NVIDIA module
   * @param kernel kernel release of the vermagic line
   * @param signer signer line, or unknown
   */
  record ModuleInfo(String node, String name, String version, String license, String kernel, String signer) implements Host {}

  /** `modinfo` or `modprobe` found no file of the module for the running kernel. */
  record ModuleFileMissing(String node, String name) implements Host {}

  /** A module that the system loads at boot (modules-load.d, /etc/modules). */
  record ModuleAtBoot(String node, String name) implements Host {}

  /**
   * The kernel refused a module.
   *
   * @param reason `symbol` (unknown, or version disagreement), `signature` (key, lockdown, Secure Boot), `kernel-version` (vermagic), or the error text
   * @param symbol symbol that is missing or differs, or unknown
   */
  record ModuleRefused(String node, String name, String reason, String symbol) implements Host {}

  /** A client of the peer-memory interface (/sys/kernel/mm/memory_peers/NAME): GPU memory can be registered through it. */
  record PeerMemoryClient(String node, String name, String version) implements Host {}

  /**
   * What is registered through a peer-memory client at this moment (DOCA-OFED's counters beside its version: allocated less released).
   *
   * @param regions memory regions of GPU memory
   */
  record PeerMemoryUse(String node, String name, Num regions) implements Host {}

  /**
   * The NVIDIA kernel driver.
   *
   * @param version dotted version
   * @param open whether it is the open kernel module, which exports DMA-BUF
   * @param source `loaded` (/proc/driver/nvidia/version, kernel log) or `file` (modinfo)
   */
  record NvidiaDriver(String node, String version, Tri open, String source) implements Host {}

  /**
   * An entry below /dev, such as /dev/infiniband/uverbs0.
   *
   * @param mode ten characters of `ls -l`, or unknown
   */
  record DeviceNode(String node, String scope, String path, String mode) implements Host {
    /** Whether others than owner and group may read and write it. */
    public Tri openToAll() {
      return mode.length() < 10 ? Tri.UNKNOWN : Tri.of(mode.charAt(7) == 'r' && mode.charAt(8) == 'w');
    }

    /** Whether others than the owner may read and write it. */
    public Tri openToGroup() {
      return mode.length() < 10 ? Tri.UNKNOWN : Tri.of(mode.charAt(4) == 'r' && mode.charAt(5) == 'w');
    }
  }

  /** An entry of a folder of /sys, such as /sys/class/infiniband/mlx5_0. */
  record SysEntry(String node, String scope, String path) implements Host {}

  /**
   * A path that a tool asked for and could not have.
   *
   * @param state `missing` (no such file), `denied` (permission), or `empty` (a folder of the kernel's that should have entries)
   */
  record PathState(String node, String scope, String path, String state) implements Host {}

  /**
   * Files of NCCL below /dev/shm, counted.
   *
   * @param batches different times of change (to the minute): several mean several starts
   * @param complete whether the whole folder was listed
   */
  record ShmSegments(String node, String scope, Num files, Num bytes, Num batches, Tri complete) implements Host {}

  /**
   * A variable of an environment. Values of secrets read `[redacted]`.
   *
   * @param scope `nccl-log`, `shell`, `container`, `config-file`, `benchmark-json`
   * @param owner process, container path or file the variable belongs to
   */
  record EnvValue(String node, String scope, String owner, String name, String value) implements Host {
    /**
     * The value as NCCL reads integer parameters (strtoll with base 0): a leading number counts, any other text is 0
     * (`true` is 0, `4M` is 4, `010` is 8).
     */
    public Num asInteger() {
      return Texts.parsed(value);
    }
  }

  /**
   * An NCCL-related variable read against the catalogue `policies/nccl-env.tsv`, as the library would read it.
   *
   * @param scope as in {@link EnvValue}; in manifests also `mpirun` (passed on to all ranks), `script`, `script-local` (not exported)
   * @param owner as in {@link EnvValue}
   * @param pods rank pods it takes effect in (their id), or unknown in logs
   * @param standing `known`, `unknown-name`, `unread-name` (people use it, nothing reads it), `plugin` (a plugin's own), `removed`, `deprecated`
   * @param library who reads it: `nccl`, `aws-ofi-nccl`, `gpudirect-tcpx`, `pytorch`, ...; unknown for unknown names
   * @param kind `tuning`, `debug`, `workaround`, `selection`, `internal`, `removed`, `deprecated`, `negative-control`, or unknown
   * @param group `net-ib`, `gdr`, `channels`, `algo`, ... or unknown
   * @param production `ok`, `justify`, `never`, or unknown
   * @param flaw "" or how the parser misreads it: `word-for-number`, `trailing-text`, `octal`, `lower-case`, `unknown-word`, `legacy-number`,
   *     `operator-inside`, `blank-or-quote`, `duplicate-token`, `empty`, `out-of-range`
   * @param readAs what the library reads instead, "" without a flaw
   * @param nearest the name that was likely meant, or the one that replaces it; "" if none
   * @param since release a removed or deprecated name went, "" otherwise
   * @param standard whether the value equals the built-in default
   * @param purpose purpose of the pods ({@link Kube.Pods#purpose()}), or unknown in logs
   * @param excuse platform profile that justifies the value, "" if none
   */
  record NcclSetting(String node, String scope, String owner, String pods, String name, String value, String standing, String library, String kind,
      String group, String production, String flaw, String readAs, String nearest, String since, Tri standard, String purpose, String excuse) implements Host {
    /** Whether a list of HCA names takes a device by prefix that its own names do not mean: `mlx5_1` takes mlx5_10. */
    public boolean takesMore(String hca) {
      if (value.startsWith("=") || value.startsWith("^")) {
        return false;
      }
      boolean more = false;
      for (String token : value.split(",")) {
        String plain = token.replaceAll(":.*$", "");
        if (plain.equals(hca)) {
          return false;
        }
        more |= !plain.isEmpty() && Character.isDigit(plain.charAt(plain.length() - 1)) && hca.startsWith(plain) && hca.length() > plain.length()
            && Character.isDigit(hca.charAt(plain.length()));
      }
      return more;
    }

    /** The value as the parser's integer: base 0, trailing text ignored, words are 0; unknown for text with variables. */
    public Num number() {
      return Texts.parsed(value);
    }
  }

  /**
   * A provider library of libibverbs on disk (`libmlx5-rdmav34.so`).
   *
   * @param name without suffix, such as `mlx5`
   * @param abi number behind `rdmav`: libibverbs loads providers of its own number only
   * @param folder where it lies, or unknown
   */
  record VerbsProvider(String node, String scope, String name, String abi, String folder) implements Host {}

  /**
   * A memory domain that UCX could open (`ucx_info -d`, 1.10 and later).
   *
   * @param domain `mlx5_0`, `gdr_copy`, `cuda_cpy`
   * @param component `ib`, `gdr_copy`, `cuda_cpy`, `cuda_ipc`, `tcp`, ...
   * @param gpuMemory whether it registers GPU memory by itself; of an HCA this means that a peer-memory module is loaded
   * @param dmabuf whether it registers DMA-BUF handles
   */
  record UcxDomain(String node, String scope, String domain, String component, Tri gpuMemory, Tri dmabuf) implements Host {}

  /**
   * A domain that libfabric offers (`fi_info`): its provider could open a device.
   *
   * @param provider `efa`, `verbs;ofi_rxm`, `tcp`, ...
   * @param domain `rdmap16s27-rdm`, `mlx5_0`, `eth0`
   * @param version of the provider
   */
  record LibfabricDomain(String node, String scope, String provider, String domain, String version) implements Host {}

  /**
   * How a container was started (docker or podman `run`, `inspect`, compose files). What the command line does not say is the runtime's default, so
   * absence is known here.
   *
   * @param runtime `docker`, `podman`, `nerdctl`, `compose`, `singularity`
   * @param hostIpc shares the host's IPC namespace, so /dev/shm is the host's
   * @param shmBytes size given for /dev/shm; unknown if none was given
   * @param memlockBytes limit given for locked memory; unknown if none was given
   * @param infiniband devices below /dev/infiniband are passed in (by privilege, device or mount)
   * @param ipcLock capability IPC_LOCK is granted
   */
  record ContainerRun(String node, String runtime, String image, Tri privileged, Tri hostIpc, Num shmBytes, Num memlockBytes, Tri infiniband,
      Tri ipcLock, Tri hostNetwork) implements Host {}

  /**
   * An effective capability of a process (CapEff of /proc/PID/status, capsh, getpcaps).
   *
   * @param name lower case without `cap_`
   */
  record Capability(String node, String scope, String name, Tri held) implements Host {}

  /** A kernel parameter in force (the last one where it occurs twice). Flags without a value have the value "". */
  record KernelParameter(String node, String name, String value) implements Host {}

  /**
   * What the kernel parameters ask of the IOMMU.
   *
   * @param mode `translated`, `passthrough`, `off`, `kernel-default`
   * @param vendor `intel`, `amd`, `arm`, or unknown
   */
  record IommuRequest(String node, String mode, String vendor) implements Host {}

  /**
   * Version of a part of the software stack.
   *
   * @param component `kernel`, `os`, `nccl`, `cuda` (toolkit), `cuda-driver` (newest CUDA the driver offers), `nvidia-driver`, `ofed`, `rdma-core`, `mpi`,
   *        `libfabric`, `perftest`, `gdrcopy`, or a package name
   * @param scope `container`, `host`, ... or the heading above the line
   */
  record SoftwareVersion(String node, String scope, String component, String version) implements Host {}

  /**
   * Whether the node is a virtual machine.
   *
   * @param why what says so: hypervisor vendor, product name, or the tool
   */
  record Machine(String node, Tri virtual, String why) implements Host {}

  /** Memory and huge pages of /proc/meminfo, in bytes and pages. */
  record Memory(String node, Num totalBytes, Num availableBytes, Num hugePagesTotal, Num hugePagesFree) implements Host {}

  /**
   * A library that a running process has loaded (`/proc/PID/maps`), or that a program would load (`ldd`).
   *
   * @param process `node:pid`; unknown for `ldd`
   * @param name without `.so` and release: `libnccl`, `libnccl-net`, `libmlx5`
   * @param version numbers behind `.so.`, or unknown
   */
  record LoadedLibrary(String node, String process, String name, String version, String path) implements Host {}

  /**
   * What a process does by `ps`.
   *
   * @param program name of the program, without its arguments
   * @param state first letter of STAT: R, S, D (uninterruptible), Z, T, I
   * @param waits kernel function it waits in (WCHAN), "-" where it runs, or unknown
   */
  record ProcessState(String node, Num pid, String program, String state, String waits) implements Host {
    public boolean uninterruptible() {
      return state.equals("D");
    }
  }

  /**
   * Kernel stack of a process (`/proc/PID/stack`).
   *
   * @param frames functions without offsets, the innermost first; that of a module with it, `uverbs_destroy_uobject [ib_uverbs]`
   */
  record KernelStack(String node, Num pid, List<String> frames) implements Host {
    public KernelStack {
      frames = List.copyOf(frames);
    }

    public boolean within(String function) {
      return frames.stream().anyMatch(f -> f.equals(function) || f.startsWith(function + " "));
    }
  }

  /**
   * One kind of catalogued message of the operating system, a container runtime, a verbs library or an operator's container.
   *
   * @param id name in `policies/host-messages.yaml`
   * @param fields named groups of the message's pattern; absent groups are left out
   */
  record HostMessage(String node, String id, Map<String, String> fields) implements Host {
    public HostMessage {
      fields = Collections.unmodifiableMap(new TreeMap<>(fields));
    }

    /** A field's text, or unknown. */
    public String field(String name) {
      return fields.getOrDefault(name, UNKNOWN);
    }
  }
}
