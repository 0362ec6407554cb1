package gdrproof.collect.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.collect.Collectors;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Unread;
import gdrproof.facts.Rdma.CounterReading;
import gdrproof.facts.Rdma.FabricLink;
import gdrproof.facts.Rdma.FabricNode;
import gdrproof.facts.Rdma.PortNetdev;
import gdrproof.facts.Rdma.RdmaPort;
import gdrproof.facts.Rdma.RdmaToolError;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Forms of the RDMA tools that options, terminals and errors make of them. */
class ToolFormsTest {
  private static Ledger read(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Collectors.read(List.of(new Entry("a.txt", bytes.length, () -> new ByteArrayInputStream(bytes))));
  }

  /** A text as a terminal of this width shows it. */
  private static String folded(String text, int width) {
    StringBuilder shown = new StringBuilder();
    for (String line : text.split("\n")) {
      for (int from = 0; from < line.length(); from += width) {
        shown.append(line, from, Math.min(line.length(), from + width)).append('\n');
      }
    }
    return shown.toString();
  }

  private static final String LINKS = "link mlx5_0/1 subnet_prefix fe80:0000:0000:0000 lid 33 sm_lid 4 lmc 0 state ACTIVE physical_state LINK_UP \n"
      + "link mlx5_1/1 subnet_prefix fe80:0000:0000:0000 lid 134 sm_lid 4 lmc 0 state DOWN physical_state POLLING \n";

  private static List<String> ports(String text) {
    return read(text).all(RdmaPort.class).stream().map(p -> p.hca() + " " + p.state() + " " + p.physical() + " " + p.lid() + " " + p.smLid()).sorted().toList();
  }

  @Test
  void linksFoldedAtAnyWidthSayTheSame() {
    for (int width = 44; width < 120; width++) {
      assertEquals(ports(LINKS), ports(folded(LINKS, width)), "width " + width);
    }
  }

  @Test
  void countersFoldedAtAnyWidthSayTheSame() {
    String text = "link mlx5_0/1 rx_write_requests 771203 rx_read_requests 8812 out_of_sequence 17 packet_seq_err 16 rnr_nak_retry_err 4 local_ack_timeout_err 29 req_cqe_error 12 \n";
    List<String> whole = read(text).all(CounterReading.class).stream().map(c -> c.name() + c.value()).sorted().toList();
    for (int width = 44; width < 170; width++) {
      assertEquals(whole, read(folded(text, width)).all(CounterReading.class).stream().map(c -> c.name() + c.value()).sorted().toList(), "width " + width);
    }
  }

  @Test
  void whatFollowsAWholeRecordIsNoPartOfIt() {
    String link = "link mlx5_0/1 state ACTIVE physical_state LINK_UP netdev ens1f0np0";
    assertEquals(List.of("ens1f0np0"), read(link + " \ndone\n").all(PortNetdev.class).stream().map(PortNetdev::netdev).toList());
    Ledger cut = read(link + "\nnp0\n");
    assertTrue(cut.all(PortNetdev.class).isEmpty() && cut.all(Unread.class).size() == 1, "a name that may go on is not told");
    assertEquals(List.of("mlx5_0 ACTIVE LINKUP unknown unknown"), ports(link + "\nnp0\n"));
  }

  @Test
  void iblinkinfoMayTellMoreBeforeTheArrow() {
    String head = "0x000000000010000b \"                  n3-mlx5_1\"     25    1[  ] ==( ";
    String tail = "==>  0x0000000000200001      2    3[  ] \"leaf2\" ( )\n";
    for (String link : List.of("2X        53.125 Gbps Active/  LinkUp)", "2X        53.125 Gbps Active/  LinkUp) (HOQ:16 VL_Stall:7)", "2X        53.125 Gbps (NDR) Active/  LinkUp)(HOQ:0 VL_Stall:0)")) {
      assertEquals(List.of("n3-mlx5_1 2 ACTIVE leaf2"), read(head + link + tail).all(FabricLink.class).stream().map(l -> l.name() + " " + l.lanes() + " " + l.state() + " " + l.peer()).toList(), link);
    }
  }

  @Test
  void ibstatusOfADeviceThatIsNotThere() {
    for (String line : List.of("Fatal error:  device 'mlx5_0': sys files not found (/sys/class/infiniband/mlx5_0/ports)", "Fatal error:  mlx5_0: port 3: sys files not found (/sys/class/infiniband/mlx5_0/ports/3)")) {
      assertEquals(List.of("device-not-found"), read(line + "\n").all(RdmaToolError.class).stream().map(RdmaToolError::error).toList());
    }
  }

  private static List<String> fabric(String text) {
    Ledger ledger = read(text);
    return Stream.concat(ledger.all(FabricNode.class).stream().map(n -> n.kind() + " " + n.name()),
        ledger.all(FabricLink.class).stream().map(l -> l.name() + ":" + l.port() + " " + l.lanes() + "x" + l.laneGbps() + " " + l.peer() + ":" + l.peerPort())).sorted().toList();
  }

  @Test
  void ibnetdiscoverListsNodesAndPorts() {
    assertEquals(List.of("ca n1 HCA-1", "switch leaf1"),
        fabric("Ca\t : 0x0000000000100007 ports 2 devid 0x1021 vendid 0x2c9 \"n1 HCA-1\"\nSwitch\t : 0x0000000000200007 ports 41 devid 0xd2f2 vendid 0x2c9 \"leaf1\"\n"));
    assertEquals(List.of("ca n1 HCA-1", "leaf1:10 4x25 n1 HCA-1:1", "n1 HCA-1:1 4x25 leaf1:10", "switch leaf1"),
        fabric("CA   134  1 0x7cfe9003003b4bde 4x EDR - SW  1719 10 0x7cfe9003009ce5b0 ( 'n1 HCA-1' - 'leaf1' )\nSW  1719 10 0x7cfe9003009ce5b0 4x EDR - CA   134  1 0x7cfe9003003b4bde ( 'leaf1' - 'n1 HCA-1' )\n"));
    // A port without a partner has no speed, whatever stands there.
    assertEquals(List.of("switch leaf1"), fabric("SW  2052 37 0x506b4b03005c2740 4x ???                                    'leaf1'\nSW  2052 38 0x506b4b03005c2740 4x SDR                                    'leaf1'\n"));
    assertEquals(List.of(), fabric("CA   134  1 0x7cfe9003003b4bde 4x EDR - SW  1719\nCa : ports 2\n"));
  }

  private static List<String> unread(String text) {
    return read(text).all(Unread.class).stream().map(Unread::reason).toList();
  }

  @Test
  void ibqueryerrorsWithoutItsSummaryIsNotWhole() {
    String errors = "Errors for \"n1 HCA-1\"\n   GUID 0x100008 port 1: [LinkDownedCounter == 9]\n";
    assertEquals(List.of("ibqueryerrors is cut before its summary: more nodes may have errors"), unread(errors));
    assertEquals(List.of("ibqueryerrors is cut before its summary: more nodes may have errors"), unread("$ ibqueryerrors | head -2\n" + errors + "## Summ"));
    assertEquals(List.of(), unread(errors + "\n## Summary: 12 nodes checked, 1 bad nodes found\n"));
    assertEquals(List.of(), unread("$ ibqueryerrors | grep -A1 n1\n" + errors));
  }

  @Test
  void ibvDevinfoMayEndInsideALine() {
    String block = "hca_id:\tmlx5_0\n\tfw_ver:\t\t\t\t20.31.2006\n\tphys_port_cnt:\t\t\t1\n\t\tport:\t1\n\t\t\tstate:\t\t\tPORT_ACTIVE (4)\n\t\t\tactive_mtu:\t\t4096 (5)\n\t\t\tport_lid:\t\t1143\n";
    for (String rest : List.of("\t\t\tlink_la", "\t\t\tl\n", "\t\t\tlink_layer\n\n")) {
      assertEquals(List.of("the block of mlx5_0 is cut inside a line"), unread(block + rest), rest);
      assertEquals(List.of("mlx5_0 ACTIVE unknown 1143 unknown"), ports(block + rest));
    }
    assertEquals(List.of(), unread(block + "\t\t\tlink_layer:\t\tInfiniBand\n\n"));
  }
}
