package gdrproof.collect.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.Shared;
import gdrproof.bundle.Bundle;
import gdrproof.collect.Collectors;
import gdrproof.facts.Ledger;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.CounterDelta;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Counters of the sample outputs, read twice. */
class GrowthSamplesTest {
  @Test
  void growthIsTheDifferenceOfTwoReadings() throws IOException {
    assertGrowth(List.of("rdma/statistic-before.txt", "rdma/statistic-after-lossy.txt"),
        Map.of("out_of_sequence", 18233, "packet_seq_err", 17950, "local_ack_timeout_err", 41, "roce_adp_retrans", 380, "rp_cnp_handled", 917020));
    assertGrowth(List.of("rdma/statistic-before.txt", "rdma/statistic-after-clean.txt"), Map.of("out_of_sequence", 0, "local_ack_timeout_err", 0));
    assertGrowth(List.of("ethtool/S-mlx5-roce-before.txt", "ethtool/S-mlx5-roce-after-drops-prio0.txt"), Map.of("rx_discards_phy", 18223, "rx_prio0_discards", 18223));
    assertGrowth(List.of("ethtool/S-mlx5-roce-before.txt", "ethtool/S-mlx5-roce-after-pfc.txt"), Map.of("rx_prio3_pause", 90101, "tx_prio3_pause", 30022));
    assertGrowth(List.of("ethtool/S-mlx5-roce-before.txt", "ethtool/S-mlx5-roce-after-clean.txt"), Map.of("rx_discards_phy", 0, "rx_prio3_pause", 0));
    assertGrowth(List.of("sysfs/hw_counters-before.txt", "sysfs/hw_counters-after-lossy.txt"), Map.of("out_of_sequence", 18233, "packet_seq_err", 17950));
  }

  private static void assertGrowth(List<String> files, Map<String, Integer> expected) throws IOException {
    Path folder = Shared.folder("gdrproof.samples", "samples");
    List<Bundle.Entry> entries = new ArrayList<>();
    for (String file : files) {
      entries.addAll(Bundle.open(folder.resolve(file)));
    }
    Ledger ledger = Collectors.read(entries);
    expected.forEach((name, growth) -> assertEquals(List.of(Num.of(growth)),
        ledger.all(CounterDelta.class).stream().filter(d -> d.name().equals(name)).map(CounterDelta::grown).toList(), files + " " + name));
  }

  @Test
  void oneReadingIsNoGrowth() throws IOException {
    Path folder = Shared.folder("gdrproof.samples", "samples");
    assertTrue(Collectors.read(Bundle.open(folder.resolve("rdma/statistic-after-lossy.txt"))).all(CounterDelta.class).isEmpty());
  }
}
