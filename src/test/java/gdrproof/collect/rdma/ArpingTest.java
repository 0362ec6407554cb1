package gdrproof.collect.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Sink;
import gdrproof.facts.Ledger;
import gdrproof.facts.Net.Neighbour;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArpingTest {
  private static final String TWO = "n1 10.21.1.34 rail1 b8:3f:d2:1a:44:0c ANSWERED, n1 10.21.1.34 rail1 b8:3f:d2:1a:90:e8 ANSWERED";

  private static String read(String text) {
    Ledger ledger = new Ledger();
    for (Section section : Sections.split("arp.txt", List.of(text.split("\n", -1)))) {
      new Arping().collect(section, new Sink(ledger));
    }
    return String.join(", ", ledger.all(Neighbour.class).stream().map(n -> String.join(" ", n.node(), n.address(), n.netdev(), n.mac(), n.state())).sorted().toList());
  }

  @Test
  void everyHardwareAddressThatAnswersIsNamedOnce() {
    assertEquals(TWO, read("root@n1:~# arping -c 3 -I rail1 10.21.1.34\nARPING 10.21.1.34 from 10.21.1.31 rail1\nUnicast reply from 10.21.1.34 [B8:3F:D2:1A:44:0C]  0.671ms\n"
        + "Unicast reply from 10.21.1.34 [B8:3F:D2:1A:90:E8]  0.702ms\nUnicast reply from 10.21.1.34 [B8:3F:D2:1A:44:0C]  0.655ms\nSent 2 probes (1 broadcast(s))\n"));
    assertEquals(TWO, read("root@n1:~# arping -D -I rail1 10.21.1.34\nARPING 10.21.1.34 from 0.0.0.0 rail1\nBroadcast reply from 10.21.1.34 [B8:3F:D2:1A:44:0C]  0.671ms\n"
        + "Unicast reply from 10.21.1.34 [b8:3f:d2:1a:90:e8]  0.702ms\n"));
    assertEquals(TWO, read("root@n1:~# arping -c 2 -I rail1 10.21.1.34\nARPING 10.21.1.34\n60 bytes from b8:3f:d2:1a:44:0c (10.21.1.34): index=0 time=6.712 usec\n"
        + "60 bytes from b8:3f:d2:1a:90:e8 (10.21.1.34): index=1 time=9.012 usec\n"));
    assertEquals(TWO, read("root@n1:~# arp-scan -I rail1 10.21.1.0/24\nInterface: rail1, type: EN10MB, MAC: b8:3f:d2:00:00:01, IPv4: 10.21.1.31\n10.21.1.34\tb8:3f:d2:1a:44:0c\tMellanox Technologies, Inc.\n"
        + "10.21.1.34\tb8:3f:d2:1a:90:e8\tMellanox Technologies, Inc. (DUP: 2)\n"));
  }

  @Test
  void whatIsCutOrOfAnotherToolIsNoAnswer() {
    assertEquals("", read("root@n1:~# arping -c 2 -I rail1 10.21.1.34\nARPING 10.21.1.34 from 10.21.1.31 rail1\nSent 2 probes (2 broadcast(s))\nReceived 0 response(s)\n"));
    assertEquals("", read("root@n1:~# arping -c 2 -I rail1 10.21.1.34\nARPING 10.21.1.34 from 10.21.1.31 rail1\nUnicast reply from 10.21.1.34 [B8:3F:D2:1A:4"));
    assertEquals("", read("10.21.1.34\tb8:3f:d2:1a:44:0c\tMellanox\n"), "a table of another tool");
  }
}
