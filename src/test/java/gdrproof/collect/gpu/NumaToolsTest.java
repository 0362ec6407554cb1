package gdrproof.collect.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.collect.Collectors;
import gdrproof.facts.Ledger;
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

  @Test
  void theGroupsThatLscpuIndentsOnATerminalSayTheSame() {
    String flat = "CPU(s):              4\nOn-line CPU(s) list: 0-3\nModel name:          Some CPU\nSocket(s):           2\nNUMA node(s):        2\nNUMA node0 CPU(s):   0,1\nNUMA node1 CPU(s):   2,3\n";
    String grouped = "CPU(s):                  4\n  On-line CPU(s) list:   0-3\n  Model name:            Some CPU\n    Socket(s):           2\nNUMA:\n  NUMA node(s):          2\n  NUMA node0 CPU(s):     0,1\n  NUMA node1 CPU(s):     2,3\n";
    assertEquals(2, read(flat).all(NumaNode.class).size());
    assertEquals(read(flat).all(NumaNode.class), read(grouped).all(NumaNode.class));
    assertEquals(read(flat).all(CpuCounts.class), read(grouped).all(CpuCounts.class));
  }
}
