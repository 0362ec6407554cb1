package gdrproof.facts;

/** IP interfaces, routes, and the switch side of the fabric. */
public sealed interface Net extends Fact {
  /** An address of an IP interface. */
  record InterfaceAddress(String node, String netdev, String address, Num prefixLength, String scope) implements Net {}
}
