package gdrproof.collect.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.collect.Collectors;
import gdrproof.facts.Ledger;
import gdrproof.facts.Pcie.Cpu;
import gdrproof.facts.Pcie.CpuCounts;
import gdrproof.facts.Pcie.NumaNode;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class NumaToolsTest {
  private static Ledger read(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Collectors.read(List.of(new Entry("lscpu.txt", bytes.length, () -> new ByteArrayInputStream(bytes))));
  }

  private static String cpus(String text) {
    Ledger ledger = read(text);
    return ledger.all(CpuCounts.class) + " " + ledger.all(Cpu.class).stream().map(c -> c.cpu() + ":" + c.core() + ":" + c.socket() + ":" + c.numa()).sorted().toList();
  }

  @Test
  void columnsOfLscpuStandInAnyOrder() {
    String usual = cpus("CPU NODE SOCKET CORE\n  0    0      0    0\n  1    1      1    7\n");
    assertTrue(usual.contains("0:0:0:0") && usual.contains("1:7:1:1"), usual);
    assertEquals(usual, cpus("SOCKET CPU CORE NODE\n     0   0    0    0\n     1   1    7    1\n"));
    assertEquals(usual, cpus("NODE SOCKET CORE CPU\n   0      0    0   0\n   1      1    7   1\n"));
    assertEquals(usual, cpus("CPU NODE SOCKET CORE L1d:L1i:L2:L3 ONLINE    MAXMHZ   MINMHZ\n  0    0      0    0 0:0:0:0          yes 3500.0000 800.0000\n  1    1      1    7 1:1:1:1          yes 3500.0000 800.0000\n"));
    assertEquals(usual, cpus("# programs. Each different item in every column has an unique ID\n# starting usually from zero.\n# CPU,Core,Socket,Node,,L1d,L1i,L2,L3\n0,0,0,0,,0,0,0,0\n1,7,1,1,,1,1,1,1\n"));
    assertTrue(read("SOCKET NODE\n     0   0\n").all(CpuCounts.class).isEmpty(), "no column names a CPU");
    assertTrue(read("CPU NODE\n").all(CpuCounts.class).isEmpty(), "no rows");
    assertTrue(read("CPU MEMORY NODE\n 1 2 3\n").all(CpuCounts.class).isEmpty(), "another table");
  }

  @Test
  void theGroupsThatLscpuIndentsOnATerminalSayTheSame() {
    String flat = "CPU(s):              4\nOn-line CPU(s) list: 0-3\nModel name:          Some CPU\nSocket(s):           2\nNUMA node(s):        2\nNUMA node0 CPU(s):   0,1\nNUMA node1 CPU(s):   2,3\n";
    String grouped = "CPU(s):                  4\n  On-line CPU(s) list:   0-3\n  Model name:            Some CPU\n    Socket(s):           2\nNUMA:\n  NUMA node(s):          2\n  NUMA node0 CPU(s):     0,1\n  NUMA node1 CPU(s):     2,3\n";
    assertEquals(2, read(flat).all(NumaNode.class).size());
    assertEquals(read(flat).all(NumaNode.class), read(grouped).all(NumaNode.class));
    assertEquals(read(flat).all(CpuCounts.class), read(grouped).all(CpuCounts.class));
  }
}
