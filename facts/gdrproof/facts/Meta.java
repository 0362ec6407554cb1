package gdrproof.facts;

/** Statements about the evidence itself and about policy. */
public sealed interface Meta extends Fact {
  /** Whether a fact tells anything about a machine, a run or a cluster: settings, layouts, endings and what could not be read do not. */
  static boolean tells(Fact fact) {
    return !(fact instanceof Meta) || fact instanceof Looked;
  }

  /**
   * A source for facts of one kind on one node was read completely; only this makes absence provable.
   *
   * @param kind what was looked for: one of the names in {@link Kind}
   */
  record Looked(String node, String kind) implements Meta {}

  /** Names for {@link Looked#kind()}; each says "the complete list of these on the node was read". */
  final class Kind {
    public static final String RDMA_DEVICES = "rdma-devices";
    public static final String RDMA_DEVICE_NODES = "rdma-device-nodes";
    public static final String PCI_DEVICES = "pci-devices";
    /** Vendor, device and class of every NIC and GPU of the bus; nothing of capabilities. */
    public static final String PCI_IDS = "pci-ids";
    public static final String MODULES = "modules";
    public static final String MEMLOCK = "memlock";
    public static final String SHM = "shm";
    public static final String INTERFACES = "interfaces";
    public static final String GIDS = "gids";
    /** Whole partition key tables, empty entries included. */
    public static final String PKEYS = "pkeys";
    /** Rules that pick a routing table (`ip rule`). */
    public static final String ROUTE_RULES = "route-rules";
    public static final String GPUS = "gpus";
    public static final String TOPOLOGY = "topology";
    public static final String ENVIRONMENT = "environment";
    public static final String MEMORY_PEERS = "memory-peers";
    public static final String KERNEL_PARAMETERS = "kernel-parameters";
    public static final String CAPABILITIES = "capabilities";
    /** What libfabric offers, of every provider. */
    public static final String LIBFABRIC = "libfabric";
    /** Queue pairs of every process on every HCA of a node. */
    public static final String QUEUE_PAIRS = "queue-pairs";

    /** All nodes of the cluster with what they offer; the node of the fact is unknown. */
    public static final String CLUSTER_NODES = "cluster-nodes";
    /** All network attachment definitions of the cluster; the node of the fact is unknown. */
    public static final String CLUSTER_NETWORKS = "cluster-networks";
    /** Other complete lists of the cluster; the node of the fact is unknown. */
    public static final String CLUSTER_NAMESPACES = "cluster-namespaces";
    public static final String CLUSTER_QUEUES = "cluster-queues";
    public static final String CLUSTER_LOCAL_QUEUES = "cluster-local-queues";
    public static final String CLUSTER_FLAVORS = "cluster-flavors";
    public static final String CLUSTER_QUOTAS = "cluster-quotas";
    public static final String CLUSTER_LIMITS = "cluster-limits";
    public static final String CLUSTER_PRIORITIES = "cluster-priorities";
    public static final String CLUSTER_RUNTIMES = "cluster-runtimes";
    public static final String CLUSTER_DEVICE_CLASSES = "cluster-device-classes";
    public static final String CLUSTER_DEVICES = "cluster-devices";

    /** Manifests, each document whole; the node of the fact is unknown. */
    public static final String MANIFESTS = "manifests";

    private Kind() {}
  }

  /**
   * A part of the evidence that could not be read.
   *
   * @param file path inside the bundle
   * @param line first line (1-based), 0 for the whole file
   */
  record Unread(String node, String file, int line, String reason) implements Meta {}

  /**
   * How a command ended, where the text or knowledge of the tool tells it.
   *
   * @param tool program as its readers call it, or unknown
   * @param error what it said: the name of an error, its own words, or `answered`
   * @param exit status of the program itself, 0 to 255; a pipe or ssh behind it may show another
   * @param basis `printed` by the recording or the text, or `implied` by what the program printed (`policies/exit-status.yaml`)
   */
  record Ended(String node, String tool, String error, Num exit, String basis) implements Meta {}

  /**
   * Which of its layouts a tool wrote in: releases and options differ in columns, words and legends.
   *
   * @param tool program and option, as in `nvidia-smi topo -m`
   * @param feature `columns` (names beside those of devices), `separator` (`tabs`, `spaces`), `legend` (words that it explains; `NIC` for the list of NIC numbers), `link-words` (pciutils 3.6 and 3.7
   *     print `ok`, later ones `overdriven`), `document-type` of XML, `form` (`indexed`: iproute2 before 5.1), `language`, `link-layer` (a word that only a simulator prints)
   * @param value words as printed, comma-separated
   */
  record Layout(String node, String tool, String feature, String value) implements Meta {}

  /**
   * A threshold or choice of a policy file.
   *
   * @param key file and key, as in `thresholds/plateau.spread`
   * @param value number, unknown if the setting is text
   * @param text value as written
   */
  record Setting(String key, Num value, String text) implements Meta {
    @Override
    public String node() {
      return UNKNOWN;
    }
  }
}
