package gdrproof.facts;

/** The operating system and container a rank sees: limits, memory, modules, device nodes, environment. */
public sealed interface Host extends Fact {
  /**
   * A resource limit.
   *
   * @param scope where it was read: `shell`, `process` (/proc/PID/limits of a rank), `container`
   * @param name `memlock`, `nofile`, `stack`, `nproc`
   * @param bytes soft limit in bytes (count for nofile and nproc); infinite when unlimited
   */
  record Limit(String node, String scope, String name, Num bytes) implements Host {
    public boolean unlimited() {
      return bytes.known() && Double.isInfinite(bytes.value());
    }
  }

  /** Size and use of a mounted file system, bytes (as `df` prints them; 1K blocks are multiplied out). */
  record FileSystem(String node, String mount, String type, Num sizeBytes, Num usedBytes, Num availableBytes) implements Host {}

  /** A loaded kernel module. */
  record Module(String node, String name, Num users) implements Host {}

  /** An entry below /dev, such as /dev/infiniband/uverbs0. */
  record DeviceNode(String node, String path) implements Host {}

  /**
   * A variable of an environment.
   *
   * @param scope `nccl-log`, `shell`, `container`, `config-file`, `benchmark-json`
   * @param owner process, container path or file the variable belongs to
   */
  record EnvValue(String node, String scope, String owner, String name, String value) implements Host {}
}
