package gdrproof.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.bundle.Bundle;
import gdrproof.facts.Bench.RdmaTest;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.Module;
import gdrproof.facts.Host.ModuleAbsent;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Looked;
import gdrproof.facts.Meta.Unread;
import gdrproof.facts.Net.EthernetLink;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.CounterReading;
import gdrproof.facts.Rdma.RdmaPort;
import gdrproof.facts.Tri;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Texts that end too early, or have lines in the middle that are not theirs: what is whole counts, and no value is invented. */
class CutTextsTest {
  private static Ledger read(String name, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Collectors.read(List.of(new Bundle.Entry(name, bytes.length, () -> new ByteArrayInputStream(bytes))));
  }

  @Test
  void aCounterThatEndsTheTextWithoutItsLineEndIsNotRead() {
    Ledger ledger = read("a.txt", "NIC statistics:\n     rx_prio3_pause: 12\n     tx_prio3_pause: 40");
    assertEquals(List.of("rx_prio3_pause"), ledger.all(CounterReading.class).stream().map(CounterReading::name).toList());
    assertEquals(1, ledger.all(Unread.class).size());
    assertEquals(2, read("a.txt", "NIC statistics:\n     rx_prio3_pause: 12\n     tx_prio3_pause: 40\n").all(CounterReading.class).size());
  }

  @Test
  void ofAListThatWasCutNothingIsAbsent() {
    String list = "Module                  Size  Used by\nib_core               471040  9\nmlx5_core            2191360  1";
    Ledger cut = read("lsmod.txt", list);
    assertTrue(cut.all(ModuleAbsent.class).isEmpty() && cut.all(Looked.class).isEmpty());
    assertEquals(List.of("ib_core"), cut.all(Module.class).stream().map(Module::name).toList());
    assertTrue(!read("lsmod.txt", list + "\n").all(ModuleAbsent.class).isEmpty());
  }

  @Test
  void anErrorWithoutLineEndIsWholeAsItStands() {
    assertEquals(1, read("a.txt", "$ ibv_devinfo\nNo IB devices found").all(gdrproof.facts.Rdma.RdmaToolError.class).size());
  }

  @Test
  void ibstatOfOnePortHasNoIndentationAndACutRateIsUnknown() {
    String port = "CA: 'mlx5_ib1'\nPort 1:\nState: Active\nPhysical state: LinkUp\nRate: 40";
    RdmaPort whole = read("a.txt", port + "0\nBase lid: 7\nLMC: 0\nSM lid: 1\nCapability mask: 0x48\nPort GUID: 0x1\nLink layer: InfiniBand\n").all(RdmaPort.class).get(0);
    assertEquals("mlx5_ib1 ACTIVE 400 InfiniBand", whole.hca() + " " + whole.state() + " " + whole.rateGbps() + " " + whole.linkLayer());
    RdmaPort cut = read("a.txt", port + "\n").all(RdmaPort.class).get(0);
    assertEquals("LINKUP unknown", cut.physical() + " " + cut.rateGbps());
  }

  @Test
  void settingsOfPerftestThatEndEarlyKeepWhatIsWhole() {
    Ledger ledger = read("a.txt", "                    RDMA_Write BW Test\n Dual-port       : OFF\t\tDevice         : mlx5_2\n Number of qps   : 8\t\tTransport type : IB\n Mtu             : 40");
    RdmaTest test = ledger.all(RdmaTest.class).get(0);
    assertEquals("mlx5_2 8 unknown", test.hca() + " " + test.qps() + " " + test.mtuBytes());
    assertTrue(!ledger.all(Unread.class).isEmpty());
  }

  @Test
  void aRefusedSettingEndsNoAnswerOfEthtool() {
    EthernetLink link = read("a.txt", "Settings for ens1:\n\tSpeed: 100000Mb/s\nnetlink error: Operation not permitted\n        Current message level: 0x00000007 (7)\n\tLink detected: yes\n").all(EthernetLink.class).get(0);
    assertEquals(Tri.YES, link.linkDetected());
    assertEquals(Num.of(100000), link.speedMbps());
  }

  @Test
  void saltAndNestedRangesNameTheirNodes() {
    String list = "    Module                  Size  Used by\n    ib_core               471040  9\n";
    assertEquals(List.of("node1", "node2"), read("a.txt", "node1:\n" + list + "node2:\n" + list).all(Module.class).stream().map(Fact::node).sorted().toList());
    String folded = "----------------\nr[1-2]n[01-02] (4)\n----------------\n" + list.replace("    M", "M").replace("    i", "i");
    assertEquals(List.of("r1n01", "r1n02", "r2n01", "r2n02"), read("a.txt", folded).all(Module.class).stream().map(Fact::node).sorted().toList());
  }
}
