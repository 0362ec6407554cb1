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
   * @param scope as in {@link EnvValue}
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
    /** The value as the parser's integer: base 0, trailing text ignored, words are 0; unknown for text with variables. */
    public Num number() {
      return Texts.parsed(value);
    }
  }
}
