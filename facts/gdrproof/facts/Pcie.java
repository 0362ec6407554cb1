package gdrproof.facts;

/** The PCIe tree: devices, bridges, links and Access Control Services. */
public sealed interface Pcie extends Fact {
  /** A PCI function. Addresses are lower case with four digits of domain: `0000:19:00.0`. */
  record PciDevice(String node, String address, String pciClass, String name) implements Pcie {}
}
