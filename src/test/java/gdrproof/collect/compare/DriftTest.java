package gdrproof.collect.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.facts.Compare.Difference;
import gdrproof.facts.Compare.KnownDefect;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.KernelParameter;
import gdrproof.facts.Host.Limit;
import gdrproof.facts.Host.Module;
import gdrproof.facts.Host.SoftwareVersion;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Meta.Looked;
import gdrproof.facts.Nccl.NcclHca;
import gdrproof.facts.Nccl.NcclVersion;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.RdmaDevice;
import gdrproof.facts.Rdma.RdmaPort;
import gdrproof.policy.Policies;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DriftTest {
  private static Ledger of(Fact... facts) {
    Ledger ledger = new Ledger();
    int line = 0;
    for (Fact fact : facts) {
      ledger.add(fact, Evidence.of("f.txt", ++line, fact.toString()));
    }
    return ledger;
  }

  private static RdmaPort port(String node, double rate, double lid) {
    return new RdmaPort(node, "mlx5_0", Num.of(1), "ACTIVE", "LINKUP", Num.of(rate), "InfiniBand", Num.of(lid), Num.of(1));
  }

  private static List<String> differences(Ledger ledger) {
    return ledger.all(Difference.class).stream().map(d -> d.node() + " " + d.reference() + " " + d.aspect() + " " + d.part() + " " + d.value() + "/" + d.other()).sorted().toList();
  }

  @Test
  void theOddOneOfThreeStandsOutAndIdentityDoesNot() {
    Ledger ledger = of(port("n1", 400, 1), port("n2", 400, 2), port("n3", 200, 3), new RdmaDevice("n1", "mlx5_0", "MT4129", "28.39", "0xa"), new RdmaDevice("n2", "mlx5_0", "MT4129", "28.39", "0xb"),
        new RdmaDevice("n3", "mlx5_0", "MT4129", "28.39", "0xc"), new KernelParameter("n1", "root", "UUID=1"), new KernelParameter("n2", "root", "UUID=2"), new KernelParameter("n3", "root", "UUID=3"));
    Drift.derive(ledger);
    assertEquals(List.of("n3 most port-rate mlx5_0:1 200/400"), differences(ledger));
    assertTrue(ledger.all(Difference.class).get(0).lower());
  }

  @Test
  void twoNodesHaveNoMajorityButMayBeCompared() {
    Ledger ledger = of(port("n1", 400, 1), port("n2", 200, 2));
    Drift.derive(ledger);
    assertEquals(List.of(), differences(ledger));
    assertTrue(Drift.against(ledger, "n1"));
    assertEquals(List.of("n2 n1 port-rate mlx5_0:1 200/400"), differences(ledger));
    assertFalse(Drift.against(ledger, "n7"));
  }

  @Test
  void absenceCountsOnlyBesideAWholeList() {
    Ledger half = of(new Module("n1", "nvidia_peermem", Num.of(0)), new Module("n2", "nvidia", Num.of(0)));
    Drift.against(half, "n1");
    assertEquals(List.of(), differences(half));
    Ledger whole = of(new Module("n1", "nvidia_peermem", Num.of(0)), new Module("n2", "nvidia", Num.of(0)), new Looked("n2", Kind.MODULES));
    Drift.against(whole, "n1");
    assertEquals(List.of("n2 n1 module nvidia_peermem absent/loaded"), differences(whole));
  }

  @Test
  void anotherBundleIsComparedByNameOrWhenItHoldsOneNodeWhateverTheView() {
    Ledger suspect = of(new Limit("n2", "container", "memlock", Num.of(65536)), new SoftwareVersion("n2", "host", "kernel", "5.15.0-91"));
    Ledger good = of(new Limit("g1", "shell", "memlock", Num.of(Double.POSITIVE_INFINITY)), new SoftwareVersion("g1", "host", "kernel", "5.15.0-91"));
    assertTrue(Drift.against(suspect, good));
    assertEquals(List.of("n2 reference/g1 limit memlock 65536/unlimited"), differences(suspect));
    assertTrue(suspect.of(suspect.all(Difference.class).get(0)).stream().anyMatch(e -> e.file().startsWith("reference/")));
  }

  @Test
  void everyDefectSaysWhatItMust() {
    Policies.read("known-defects.yaml").forEach((id, entry) -> {
      Map<String, Object> map = Policies.map(entry);
      for (String key : List.of("component", "from", "below", "guard", "decisive", "fault", "symptoms", "what", "remedy", "source", "noted")) {
        assertTrue(map.containsKey(key), id + " has no " + key);
      }
      assertFalse(Policies.maps(map.get("guard")).isEmpty(), id + " has no guard");
    });
    assertTrue(Policies.read("known-defects.yaml").size() >= 12);
  }

  @Test
  void aDefectNeedsRangeAndGuard() {
    NcclHca roce = new NcclHca("n1", "r", "n1:1", Num.of(0), "mlx5_0", Num.of(1), "RoCE");
    Ledger in = of(new NcclVersion("n1", "r", "n1:1", "2.26.2", "12.4"), roce);
    Defects.derive(in);
    assertTrue(in.all(KnownDefect.class).stream().anyMatch(d -> d.id().equals("enhanced-connection-lost")));
    Ledger repaired = of(new NcclVersion("n1", "r", "n1:1", "2.26.3", "12.4"), roce);
    Defects.derive(repaired);
    assertTrue(repaired.all(KnownDefect.class).isEmpty());
    Ledger unguarded = of(new NcclVersion("n1", "r", "n1:1", "2.26.2", "12.4"));
    Defects.derive(unguarded);
    assertTrue(unguarded.all(KnownDefect.class).isEmpty());
  }
}
