package gdrproof.facts;

import java.util.List;

/**
 * What sets one node apart from another, worked out once after collection (`gdrproof.collect.compare`). Identity (serial numbers, GUIDs,
 * addresses, host names, uptime) is no difference.
 */
public sealed interface Compare extends Fact {
  /**
   * One thing that is not alike on two nodes and was read on both.
   *
   * @param node the node in question
   * @param reference the node it is compared with; `reference/NAME` for a node of another bundle, `most` for what most nodes of the bundle say
   * @param aspect `gpu-driver`, `gpu-count`, `gpu-model`, `gpu-link`, `gpu-mode`, `gpu-power`, `hca-count`, `hca-firmware`, `hca-type`, `port-state`, `port-rate`,
   *     `link-layer`, `port-mtu`, `hca-pcie`, `pcie-link`, `acs`, `pci-setting`, `topology`, `module`, `module-version`, `kernel`, `kernel-parameter`, `iommu`,
   *     `limit`, `gid`, `software`, `cpu`, `numa`, `cpu-power`, `qos`, `interface-mtu`, `namespace`, `setting`, `environment`
   * @param part what it is about: a device, a module, a parameter
   * @param value on the node, other on the reference; `absent` where a complete list lacks it
   */
  record Difference(String node, String reference, String aspect, String part, String value, String other) implements Compare {
    /** Whether one of these aspects. */
    public boolean of(String... aspects) {
      return List.of(aspects).contains(aspect);
    }

    /** Whether the value is a lower number than the reference's. */
    public boolean lower() {
      return number(value).below(number(other));
    }

    private static Num number(String text) {
      String head = text.strip().replaceAll("^(-?\\d+(?:\\.\\d+)?).*$", "$1");
      return text.startsWith(Num.UNLIMITED) ? Num.of(Double.POSITIVE_INFINITY) : Num.parse(head);
    }
  }

  /** A node was compared with another: aspects that both sides show, and how many of their parts differ. */
  record Compared(String node, String reference, Num aspects, Num parts, Num differences) implements Compare {}

  /**
   * A release in the evidence lies in the range of an entry of `policies/known-defects.yaml`.
   *
   * @param id entry
   * @param component `nccl`, `gpu-driver`, `kernel`, `ofed`, `hca-firmware`, `network-operator`, `plugin`
   * @param version release found
   * @param fault name of the fault that the defect is
   * @param symptoms symptoms that the defect shows as
   * @param guard whether what else the defect needs is there; unknown where the evidence does not tell
   */
  record KnownDefect(String node, String id, String component, String version, String fault, List<String> symptoms, Tri guard, String what, String remedy,
      String source) implements Compare {
    public KnownDefect {
      symptoms = List.copyOf(symptoms);
    }

    /** Whether the defect shows as this symptom. */
    public boolean shows(String symptom) {
      return symptoms.contains(symptom);
    }
  }
}
