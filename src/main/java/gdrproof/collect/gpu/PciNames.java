package gdrproof.collect.gpu;

import gdrproof.facts.Fact;
import gdrproof.policy.Policies;
import java.util.Map;

/** Names for what tools print as numbers only: classes of devices, and makers of cards that can do RDMA. */
final class PciNames {
  private static final Map<String, Object> RDMA_CARDS = Policies.read("rdma-cards.yaml");
  private static final Map<String, String> CLASSES = Map.of("0200", "Ethernet controller", "0207", "Infiniband controller", "0280", "Network controller",
      "0300", "VGA compatible controller", "0302", "3D controller", "0604", "PCI bridge", "0680", "Bridge");

  private PciNames() {}

  /** The maker of a card that can do RDMA, by its ids (`15b3:1021`); of others nothing is said. */
  static String card(String ids) {
    for (Map.Entry<String, Object> each : RDMA_CARDS.entrySet()) {
      if (ids.matches(String.valueOf(Policies.map(each.getValue()).get("ids")))) {
        return each.getKey();
      }
    }
    return Fact.UNKNOWN;
  }

  /** Words of a class and subclass (`0302`); the number itself where this program has no use for the class. */
  static String pciClass(String number) {
    return CLASSES.getOrDefault(number, number);
  }
}
