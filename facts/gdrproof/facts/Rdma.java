package gdrproof.facts;

/** HCAs and their ports. */
public sealed interface Rdma extends Fact {
  /**
   * A port of an HCA.
   *
   * @param state logical state in capitals as the verbs standard names it: ACTIVE, INIT, ARMED, DOWN, or unknown
   * @param physical physical state in capitals without blanks or underscores: LINKUP, POLLING, DISABLED, ..., or unknown
   * @param rateGbps signalling rate, Gb/s
   * @param linkLayer `InfiniBand` or `Ethernet`
   */
  record RdmaPort(String node, String hca, Num port, String state, String physical, Num rateGbps, String linkLayer, Num lid, Num smLid) implements Rdma {}

  /** An HCA (verbs device). */
  record RdmaDevice(String node, String hca, String type, String firmware, String nodeGuid) implements Rdma {}
}
