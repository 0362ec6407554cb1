package gdrproof.collect.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.Shared;
import gdrproof.bundle.Bundle;
import gdrproof.collect.Collectors;
import gdrproof.collect.Samples;
import gdrproof.collect.Samples.Row;
import gdrproof.facts.Ledger;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.CounterDelta;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The facts of the sample outputs of RDMA and network tools, against what an expert reads there. */
class RdmaSamplesTest {
  private static final Set<String> TOOLS = Set.of("ibdev2netdev", "ibstat", "ibstatus", "ibv_devinfo", "rdma", "show_gids", "sminfo");
  private static final Set<String> FABRIC = Set.of("ethtool", "ibdiagnet", "iblinkinfo", "ibnetdiscover", "ibqueryerrors", "mlnx_qos", "mlxlink", "perfquery", "smpquery", "sysfs");
  /** Keys that no reader of one text can give, with the reason. */
  private static final Map<String, String> DISPUTED = Map.of("exit", "the exit status of a command is not in its text", "bytes", "size of the file, no fact", "lineEnding",
      "property of the file, undone before reading", "ansi", "property of the file, undone before reading", "verdict", "a conclusion: rules give it", "wrapped",
      "a comparison of two files", "trafficPrio", "a comparison of two files: see the growth of rx_prioN_packets", "form", "the layout is no fact", "capMask2",
      "no rule needs the mask: whether the counters are there shows in the counters");
  /** Single rows, with the reason. */
  private static final Map<String, String> ROWS = Map.of("ibstat/ibsim-down-real.txt linkLayer", "the simulator's IB is InfiniBand", "ibstat/ibsim-init-no-sm-real.txt linkLayer",
      "the simulator's IB is InfiniBand", "iblinkinfo/one-link-down-real.txt node1-mlx5_3/state", "that a node is missing shows only against a list of nodes",
      "ethtool/S-veth-real.txt kernelDriver", "not in the text", "ethtool/S-virtio-real.txt kernelDriver", "not in the text", "ethtool/settings-veth-real.txt kernelDriver",
      "not in the text");

  @Test
  void almostEveryExpectedFactIsFound() throws IOException {
    List<Row> rows = new ArrayList<>(Samples.check(TOOLS, new RdmaSampleKeys()));
    rows.addAll(Samples.check(FABRIC, new FabricSampleKeys()));
    // Growth has its own test; PCIe and NUMA files of sysfs are another folder's collectors.
    rows.removeIf(r -> DISPUTED.containsKey(r.key()) || ROWS.containsKey(r.file() + " " + r.key()) || r.key().startsWith("delta(")
        || r.file().matches("sysfs/(?:pci|numa|device)-.*"));
    List<Row> wrong = rows.stream().filter(r -> !r.right()).toList();
    assertTrue(wrong.size() <= 0.03 * rows.size(), () -> wrong.size() + " of " + rows.size() + " wrong:\n" + String.join("\n", wrong.stream().map(Row::toString).toList()));
  }

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
