package gdrproof.collect.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.collect.Collectors;
import gdrproof.facts.Bench.RdmaLatency;
import gdrproof.facts.Bench.RdmaTest;
import gdrproof.facts.Bench.RdmaTestError;
import gdrproof.facts.Bench.RdmaTestRow;
import gdrproof.facts.Ledger;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What releases of perftest word otherwise, which end wrote a text, and results in JSON. */
class PerftestFormsTest {
  private static Ledger read(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Collectors.read(List.of(new Entry("a.txt", bytes.length, () -> new ByteArrayInputStream(bytes))));
  }

  private static String failed(String line) {
    RdmaTestError error = read("                    Send BW Test\n Number of qps   : 1\t\tTransport type : IB\n Completion with error at client\n " + line + "\nscnt=640, ccnt=512\n").all(RdmaTestError.class).get(0);
    return error.fields().get("wcStatus") + " " + error.fields().get("syndrome") + " " + error.fields().get("scnt");
  }

  @Test
  void completionsFailWithMoreOrFewerWords() {
    assertEquals("13 0x87 640", failed("Failed status 13: wr_id 0 syndrom 0x87"));
    assertEquals("13 0x87 640", failed("Failed status 13: qp_num 470 wr_id 0 syndrom 0x87"));
    assertEquals("13 0x87 640", failed("Failed status-RNR retry counter exceeded (13): wr_id 0 syndrom 0x87"));
    assertEquals("13 0x87 640", failed("Failed status-RNR retry counter exceeded (13): qp_num 470 wr_id 0 syndrom 0x87"));
  }

  private static String side(String title, String settings) {
    return read("---------------------\n                    " + title + "\n Dual-port       : OFF\t\tDevice         : mlx5_0\n Number of qps   : 1\t\tTransport type : IB\n" + settings
        + " Mtu             : 4096[B]\n Link type       : IB\n---------------------\nethernet_read_keys: Couldn't read remote address\n Unable to read from socket/rdma_cm\n").all(RdmaTest.class).get(0).side();
  }

  @Test
  void onlyWhoSendsHasASendQueue() {
    assertEquals("client", side("RDMA_Write BW Test", " TX depth        : 128\n"));
    assertEquals("server", side("Send BW Test", " RX depth        : 512\n"));
    assertEquals("unknown", side("Send Bidirectional BW Test", " TX depth        : 128\n RX depth        : 512\n"));
    assertEquals("unknown", side("RDMA_Write Latency Test", " TX depth        : 1\n"));
    assertEquals("unknown", side("RDMA_Write BW Test", ""));
  }

  @Test
  void jsonHoldsLatencies() {
    String info = "{\n\"test_info\": {\"test\": \"RDMA_Read_Latency_Test\", \"Device\": \"mlx5_9\", \"Number_of_qps\": 1},\n\"results\": ";
    String result = "{\"MsgSize\": 2, \"n_iterations\": 1000, \"t_min\": 3.51, \"t_max\": 14.92, \"t_typical\": 3.62, \"t_avg\": 3.66, \"t_stdev\": 0.28, \"percentile_99\": 4.37, \"percentile_99.9\": 12.04}";
    Ledger one = read(info + result + "}\n");
    assertEquals(List.of("2 3.62 3.66 4.37 12.04"), one.all(RdmaLatency.class).stream().map(l -> l.bytes() + " " + l.typicalUs() + " " + l.averageUs() + " " + l.p99Us() + " " + l.p999Us()).toList());
    assertEquals(List.of(), one.all(RdmaTestRow.class));
    assertEquals(2, read(info + "[" + result + ",\n" + result.replace("\"MsgSize\": 2", "\"MsgSize\": 4") + "]}\n").all(RdmaLatency.class).size());
    assertEquals(List.of("3.66 unknown"), read(info + "{\"MsgSize\": 2, \"t_avg\": 3.66, \"tps\": 1000.1}}\n").all(RdmaLatency.class).stream().map(l -> l.averageUs() + " " + l.p99Us()).toList());
    assertEquals(List.of(), read(info + "{\"MsgSize\": 2, \"t_avg\": 3.").all(RdmaLatency.class));
  }
}
