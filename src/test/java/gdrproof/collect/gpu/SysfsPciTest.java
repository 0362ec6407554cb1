package gdrproof.collect.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.collect.Collectors;
import gdrproof.facts.Ledger;
import gdrproof.facts.Pcie.DeviceAddress;
import gdrproof.facts.Pcie.PciParent;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Resolved links of devices, whose paths begin at a root complex or before it. */
class SysfsPciTest {
  private static List<String> read(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    Ledger ledger = Collectors.read(List.of(new Entry("a.txt", bytes.length, () -> new ByteArrayInputStream(bytes))));
    return java.util.stream.Stream.concat(ledger.all(DeviceAddress.class).stream().map(d -> d.name() + "=" + d.address()), ledger.all(PciParent.class).stream().map(p -> p.child() + "<" + p.parent())).sorted().toList();
  }

  @Test
  void theRootComplexMayBeADeviceItself() {
    String link = "lrwxrwxrwx 1 root root 0 Nov 12 07:20 mlx5_0 -> ../../devices/";
    List<String> direct = List.of("0101:00:00.0<root:0101:00", "mlx5_0=0101:00:00.0");
    assertEquals(direct, read(link + "pci0101:00/0101:00:00.0/infiniband/mlx5_0\n"));
    assertEquals(direct, read(link + "LNXSYSTM:00/LNXSYBUS:00/ACPI0004:00/VMBUS:00/00000041-0101-0000-3130-444532304235/pci0101:00/0101:00:00.0/infiniband/mlx5_0\n"));
    assertEquals(direct, read(link + "platform/40000000.pcie/pci0101:00/0101:00:00.0/infiniband/mlx5_0\n"));
    assertEquals(direct, read("/sys/devices/LNXSYSTM:00/VMBUS:00/0a/pci0101:00/0101:00:00.0/infiniband/mlx5_0\n"));
    assertEquals(List.of("0000:15:01.0<root:0000:15", "0000:16:00.0<0000:15:01.0", "mlx5_9=0000:16:00.0"), read(link.replace("mlx5_0", "mlx5_9") + "pci0000:15/0000:15:01.0/0000:16:00.0/infiniband/mlx5_9\n"));
  }

  @Test
  void aPathWithoutARootComplexTellsNothing() {
    assertEquals(List.of(), read("lrwxrwxrwx 1 root root 0 Nov 12 07:20 rxe0 -> ../../devices/virtual/infiniband/rxe0\n"));
    assertEquals(List.of(), read("lrwxrwxrwx 1 root root 0 Nov 12 07:20 eth0 -> ../../devices/LNXSYSTM:00/VMBUS:00/0a/net/eth0\n"));
  }

  @Test
  void aLoopNamesWhatItsLinksLeadTo() {
    String loop = "$ for d in mlx5_0 mlx5_1; do readlink -f /sys/class/infiniband/$d/device; done\n";
    String first = "/sys/devices/pci0000:00/0000:00:01.1/0000:05:00.0\n";
    // The last line ends with a whole address, with and without the end of the line.
    for (String last : List.of("/sys/devices/pci0010:00/0010:01:00.0", "/sys/devices/pci0010:00/0010:01:00.0\n")) {
      assertEquals(List.of("0000:00:01.1<root:0000:00", "0000:05:00.0<0000:00:01.1", "0010:01:00.0<root:0010:00", "mlx5_0=0000:05:00.0", "mlx5_1=0010:01:00.0"), read(loop + first + last));
    }
    assertEquals(List.of("0000:00:01.1<root:0000:00", "0000:05:00.0<0000:00:01.1"), read(loop + first + "/sys/devices/pci0010:00/0010:01:00"), "cut inside the address");
    assertEquals(List.of("0000:00:01.1<root:0000:00", "0000:05:00.0<0000:00:01.1"), read(loop + first), "one of two answered, which of them is not told");
    assertEquals(List.of("0000:00:01.1<root:0000:00", "0000:05:00.0<0000:00:01.1"), read(loop.replace("mlx5_0 mlx5_1", "/x/*") + first));
  }
}
