package gdrproof.collect.compare;

import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Rdma.ModelFirmware;
import gdrproof.facts.Rdma.RdmaDevice;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Which firmware releases adapters of one model run, where there are several. */
public final class Firmware {
  /** Of each release: the node asked about may be the first. */
  private static final int NODES = 2;

  private Firmware() {}

  /** Adds one fact for each release of a model and each of the first nodes that have it, in the order of their evidence. */
  public static void derive(Ledger ledger) {
    Map<String, Map<String, List<RdmaDevice>>> models = new TreeMap<>();
    for (RdmaDevice device : ledger.all(RdmaDevice.class)) {
      if (!device.type().equals(Fact.UNKNOWN) && !device.firmware().equals(Fact.UNKNOWN)) {
        List<RdmaDevice> same = models.computeIfAbsent(device.type(), t -> new TreeMap<>()).computeIfAbsent(device.firmware(), f -> new ArrayList<>());
        if (same.size() < NODES && same.stream().noneMatch(d -> d.node().equals(device.node()))) {
          same.add(device);
        }
      }
    }
    models.values().stream().filter(releases -> releases.size() > 1)
        .forEach(releases -> releases.values().forEach(same -> same.forEach(d -> ledger.add(new ModelFirmware(d.node(), d.type(), d.firmware()), ledger.of(d)))));
  }
}
