package gdrproof.collect.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Sink;
import gdrproof.facts.Ledger;
import gdrproof.facts.Rdma.CounterReading;
import java.util.List;
import org.junit.jupiter.api.Test;

class SwitchStatsTest {
  private static List<String> counters(String text) {
    Ledger ledger = new Ledger();
    for (Section section : Sections.split("switch.txt", List.of(text.split("\n", -1)))) {
      new SwitchStats().collect(section, new Sink(ledger));
    }
    return ledger.all(CounterReading.class).stream().map(c -> c.device().replaceFirst(".* ", "") + " " + c.name() + " " + c.value()).sorted().toList();
  }

  @Test
  void dropsOfQueuesAreReadInBothForms() {
    assertEquals(List.of("Ethernet0 uc3_dropped 1902"), counters("     Port    TxQ    Counter/pkts    Counter/bytes    Drop/pkts    Drop/bytes\n---------  -----  --------------  ---------------  -----------  ------------\n"
        + "Ethernet0    UC3              52               70        1,902            76\nEthernet0  ALL20             N/A              N/A          N/A           N/A\n"));
    assertEquals(List.of("Ethernet0 voq3_dropped 39"), counters("For namespace :\n            Port    Voq    Counter/pkts    Counter/bytes    Drop/pkts    Drop/bytes    Credit-WD-Del/pkts\n----------------  -----  --------------  ---------------  -----------  ------------  --------------------\n"
        + "card1|Ethernet0   VOQ3              60               43           39             1                     1\n"));
  }

  @Test
  void peaksOfBuffersAreNoCounters() {
    assertEquals(List.of(), counters("Ingress shared pool occupancy per PG:\n     Port    PG0    PG1    PG2    PG3\n---------  -----  -----  -----  -----\nEthernet0    100    101    102    103\n"));
  }
}
