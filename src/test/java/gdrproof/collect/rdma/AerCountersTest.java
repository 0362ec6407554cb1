package gdrproof.collect.rdma;

import static org.junit.jupiter.api.Assertions.assertEquals;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Sink;
import gdrproof.facts.Ledger;
import gdrproof.facts.Rdma.CounterReading;
import java.util.List;
import org.junit.jupiter.api.Test;

class AerCountersTest {
  private static List<String> read(String text) {
    Ledger ledger = new Ledger();
    for (Section section : Sections.split("aer.txt", List.of(text.split("\n", -1)))) {
      new AerCounters().collect(section, new Sink(ledger));
    }
    return ledger.all(CounterReading.class).stream().map(c -> c.device() + " " + c.name() + " " + Math.round(c.value().value()) + " " + c.meaning()).sorted().toList();
  }

  @Test
  void theCommandOrThePathNamesTheDevice() {
    String body = "RxErr 0\nBadTLP 402118\nTOTAL_ERR_COR 402118\n";
    List<String> want = List.of("0000:4e:00.0 aer_BadTLP 402118 pcie-error", "0000:4e:00.0 aer_RxErr 0 pcie-error", "0000:4e:00.0 aer_TOTAL_ERR_COR 402118 other");
    assertEquals(want, read("root@n2:~# cat /sys/bus/pci/devices/0000:4e:00.0/aer_dev_correctable\n" + body));
    assertEquals(want, read("root@n2:~# cat /sys/devices/pci0000:4c/0000:4c:01.0/0000:4e:00.0/aer_dev_correctable\n" + body));
    assertEquals(List.of("0000:4e:00.0 aer_BadTLP 7 pcie-error", "0000:4f:00.0 aer_BadTLP 8 pcie-error"), read("root@n2:~# grep BadTLP /sys/bus/pci/devices/0000:4[ef]:00.0/aer_dev_correctable\n"
        + "/sys/bus/pci/devices/0000:4e:00.0/aer_dev_correctable:BadTLP 7\n/sys/bus/pci/devices/0000:4f:00.0/aer_dev_correctable:BadTLP 8\n"));
    assertEquals(List.of("mlx5_2 aer_BadTLP 7 pcie-error"), read("root@n2:~# cat /sys/class/infiniband/mlx5_2/device/aer_dev_correctable\nBadTLP 7\n"));
    assertEquals(List.of("0000:4e:00.0 aer_BadDLLP 9 pcie-error"), read("root@n2:~# tail -n +1 /sys/bus/pci/devices/*/aer_dev_correctable\n==> /sys/bus/pci/devices/0000:4e:00.0/aer_dev_correctable <==\nBadDLLP 9\n"));
  }

  @Test
  void whereNothingNamesTheDeviceNothingIsRead() {
    assertEquals(List.of(), read("BadTLP 402118\n"));
    assertEquals(List.of(), read("root@n2:~# cat /sys/bus/pci/devices/0000:4e:00.0/aer_dev_correctable /sys/bus/pci/devices/0000:4f:00.0/aer_dev_correctable\nBadTLP 7\nBadTLP 8\n"));
    assertEquals(List.of(), read("root@n2:~# cat /sys/bus/pci/devices/0000:4e:00.0/aer_dev_correctable\ncat: /sys/bus/pci/devices/0000:4e:00.0/aer_dev_correctable: No such file or directory\nBadTLP 4021x\n"));
  }
}
