package gdrproof.finding.reading;

import gdrproof.facts.Num;
import gdrproof.policy.Policies;
import java.util.List;
import java.util.Map;

/** Shares of a rate that carry data, from `policies/overheads.yaml`. */
public final class Overheads {
  private static final double BITS = 8;
  private final Map<String, Object> policy = Policies.read("overheads.yaml");

  private double number(String section, String key) {
    Object value = Policies.map(policy.get(section)).get(key);
    Num number = value == null ? Num.UNKNOWN : Num.parse(String.valueOf(value));
    if (!number.known()) {
      throw new IllegalStateException("policies/overheads.yaml has no number " + section + "." + key);
    }
    return number.value();
  }

  /** Share of a port's rate that is payload; the policy's MTU where the evidence tells none. */
  public double network(boolean ethernet, Num mtu) {
    String link = ethernet ? "roce" : "infiniband";
    double size = mtu.above(0) ? mtu.value() : number(link, "mtu");
    return size / (size + number(link, "header"));
  }

  public double assumedMtu(boolean ethernet) {
    return number(ethernet ? "roce" : "infiniband", "mtu");
  }

  /** Payload that a PCIe link carries in one direction, GB/s; unknown for speeds that the policy has no coding for. */
  public Num pcie(Num gts, Num lanes, Num payload) {
    Object coding = Policies.map(policy.get("pcie.coding")).get(gts.toString());
    if (coding == null || !lanes.above(0)) {
      return Num.UNKNOWN;
    }
    double size = payload.above(0) ? payload.value() : number("pcie", "payload");
    double share = size / (size + number("pcie", "header"));
    return Num.of(gts.value() * lanes.value() / BITS * Num.parse(String.valueOf(coding)).value() * share);
  }

  /** Share that a protocol of NCCL leaves for data; unknown for other words. */
  public Num protocol(String name) {
    Object share = Policies.map(policy.get("protocol")).get(name);
    return share == null ? Num.UNKNOWN : Num.parse(String.valueOf(share));
  }

  /** Share of the expectation below which a remainder needs no cause. */
  double noise() {
    return number("unexplained.share", "value");
  }

  /** Share of the expectation from which on it counts as reached. */
  double reached() {
    return number("reached.share", "value");
  }

  /** Variables that lose something at a step when they are set. */
  List<String> settings(String step) {
    return Policies.texts(Policies.map(policy.get("settings")).get(step));
  }

  /** Faults that a loss at a step may be tied to. */
  List<String> faults(String step) {
    return Policies.texts(Policies.map(policy.get("steps")).get(step));
  }
}
