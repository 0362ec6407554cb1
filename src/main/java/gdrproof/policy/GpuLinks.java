package gdrproof.policy;

import gdrproof.facts.Num;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** NVLink of GPU models that are joined by switches, from `policies/gpu-links.yaml`. */
public final class GpuLinks {
  private static final double TO_BITS = 8;

  /**
   * A model's links.
   *
   * @param links of one GPU
   * @param gbpsEach one link in one direction, GB/s
   */
  public record Model(Pattern model, Num links, Num gbpsEach) {
    /** All links of a GPU in one direction, GB/s: what a ring over any number of ranks of the node can carry. */
    public Num gBps() {
      return Num.of(links.value() * gbpsEach.value());
    }

    /** Rate of one link, Gb/s. */
    public Num eachGbps() {
      return Num.of(gbpsEach.value() * TO_BITS);
    }

    public String how(String gpu) {
      return gpu + ": " + links + " NVLinks of " + gbpsEach + " GB/s, " + gBps() + " GB/s in one direction";
    }
  }

  private static final Map<String, Object> FILE = Policies.read("gpu-links.yaml");
  private static final List<Model> MODELS = Policies.maps(Policies.map(FILE.get("models")).get("list")).stream()
      .map(e -> new Model(Pattern.compile(String.valueOf(e.get("model"))), number(e, "links"), number(e, "gbpsEach"))).toList();
  private static final List<Map<String, Object>> EXPECTED = Policies.maps(Policies.map(FILE.get("expected")).get("list"));
  private static final Num FEWEST = number(Policies.map(FILE.get("fewest")), "ranks");

  private static final Map<String, Object> LANES = Policies.map(Policies.map(FILE.get("pcie")).get("list"));

  private GpuLinks() {}

  /** What a PCIe link carries in one direction before its packet headers, GB/s; unknown for generations that the policy does not have. */
  public static Num pcie(Num generation, Num lanes) {
    Object lane = generation.known() ? LANES.get(String.valueOf((int) generation.value())) : null;
    return lane == null || !lanes.known() ? Num.UNKNOWN : Num.of(Double.parseDouble(String.valueOf(lane)) * lanes.value()).rounded();
  }

  private static Num number(Map<String, Object> entry, String key) {
    return entry.containsKey(key) ? Num.parse(String.valueOf(entry.get(key))) : Num.UNKNOWN;
  }

  /** The links of a GPU by the name that tools print; empty for models that are not in the policy, and below two ranks of a node. */
  public static Optional<Model> of(String gpu, Num ranks) {
    return ranks.atLeast(FEWEST.value()) ? MODELS.stream().filter(m -> m.model().matcher(gpu).find()).findFirst() : Optional.empty();
  }

  /** Share of the ceiling that a healthy node reaches with a collective on so many ranks; unknown where nobody has measured it. */
  public static Num expected(String collective, Num ranks) {
    Num share = Num.UNKNOWN;
    for (Map<String, Object> entry : EXPECTED) {
      Num own = number(entry, collective);
      if (own.known() && ranks.atLeast(number(entry, "ranks").value())) {
        share = own;
      }
    }
    return share;
  }
}
