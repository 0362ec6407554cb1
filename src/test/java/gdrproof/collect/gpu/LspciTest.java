package gdrproof.collect.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.collect.Collectors;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Meta.Looked;
import gdrproof.facts.Meta.Unread;
import gdrproof.facts.Pcie.PciDevice;
import gdrproof.facts.Pcie.PciDriver;
import gdrproof.facts.Pcie.PciNuma;
import gdrproof.facts.Pcie.PciParent;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LspciTest {
  private static final String HCA = "0000:19:00.0 Infiniband controller Mellanox Technologies MT2910 Family [ConnectX-7] ";
  private static final String GPU = "0000:1b:00.0 3D controller NVIDIA Corporation GH100 [H100 SXM5 \"80GB\"] ";

  private static Ledger read(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Collectors.read(List.of(new Entry("lspci.txt", bytes.length, () -> new ByteArrayInputStream(bytes))));
  }

  private static List<String> devices(Ledger ledger) {
    return ledger.all(PciDevice.class).stream().map(d -> d.address() + " " + d.pciClass() + " " + d.name() + " " + d.ids()).sorted().toList();
  }

  private static Set<String> looked(Ledger ledger) {
    return ledger.all(Looked.class).stream().map(Looked::kind).collect(java.util.stream.Collectors.toSet());
  }

  @Test
  void rowsOfQuotedWordsNameTheSameDevices() {
    Ledger names = read("""
        $ lspci -mm
        19:00.0 "Infiniband controller" "Mellanox Technologies" "MT2910 Family [ConnectX-7]" -p00 "Mellanox Technologies" "Device 0041"
        1b:00.0 "3D controller" "NVIDIA Corporation" "GH100 [H100 SXM5 \\"80GB\\"]" -ra1 -p00 "" ""
        """);
    assertEquals(List.of(HCA + "unknown", GPU + "unknown"), devices(names));
    assertEquals(Set.of(Kind.PCI_DEVICES), looked(names));
    Ledger both = read("""
        $ lspci -Dmmnn
        0000:19:00.0 "Infiniband controller [0207]" "Mellanox Technologies [15b3]" "MT2910 Family [ConnectX-7] [1021]" -p00 "Mellanox Technologies [15b3]" "Device [0041]"
        0000:1b:00.0 "3D controller [0302]" "NVIDIA Corporation [10de]" "GH100 [H100 SXM5 \\"80GB\\"] [2330]" -ra1 "NVIDIA Corporation [10de]" "Device [16c1]"
        """);
    assertEquals(List.of(HCA + "15b3:1021", GPU + "10de:2330"), devices(both));
  }

  @Test
  void numbersAloneTellTheKindOfCardAndNotThatItsNameIsMissing() {
    for (String text : List.of("$ lspci -n\n19:00.0 0207: 15b3:1021\n1b:00.0 0302: 10de:2330 (rev a1)\n",
        "$ lspci -mn\n19:00.0 \"0207\" \"15b3\" \"1021\" -p00 \"15b3\" \"0041\"\n1b:00.0 \"0302\" \"10de\" \"2330\" -ra1 -p00 \"10de\" \"16c1\"\n",
        "$ lspci -vmmn\nSlot:\t19:00.0\nClass:\t0207\nVendor:\t15b3\nDevice:\t1021\n\nSlot:\t1b:00.0\nClass:\t0302\nVendor:\t10de\nDevice:\t2330\nRev:\ta1\n")) {
      Ledger ledger = read(text);
      assertEquals(List.of("0000:19:00.0 Infiniband controller Mellanox 15b3:1021", "0000:1b:00.0 3D controller unknown 10de:2330"), devices(ledger));
      assertEquals(Set.of(Kind.PCI_IDS), looked(ledger));
      assertEquals(1, ledger.all(PciDevice.class).stream().filter(PciDevice::gpu).count());
    }
  }

  @Test
  void recordsOfTagsNameDevicesDriversAndNumaNodes() {
    String second = "\nClass:\t3D controller\nVendor:\tNVIDIA Corporation\nDevice:\tGH100 [H100 SXM5 \"80GB\"]\nSVendor:\tNVIDIA Corporation\nRev:\ta1\nDriver:\tnvidia\nModule:\tnvidia_drm\nModule:\tnvidia\nNUMANode:\t1\nIOMMUGroup:\t36\n\n";
    String first = "\nClass:\tInfiniband controller\nVendor:\tMellanox Technologies\nDevice:\tMT2910 Family [ConnectX-7]\nPhySlot:\t4\nDriver:\tvfio-pci\nNUMANode:\t0\n\n";
    for (String slot : List.of("Slot", "Device")) {
      Ledger ledger = read("$ lspci -vmmk\n" + slot + ":\t19:00.0" + first + slot + ":\t1b:00.0" + second);
      assertEquals(List.of(HCA + "unknown", GPU + "unknown"), devices(ledger));
      assertEquals(Set.of(new PciDriver("unknown", "0000:19:00.0", "vfio-pci"), new PciDriver("unknown", "0000:1b:00.0", "nvidia")), Set.copyOf(ledger.all(PciDriver.class)));
      assertEquals(2, ledger.all(PciNuma.class).size());
      assertTrue(looked(ledger).contains(Kind.PCI_DEVICES));
    }
    Ledger prefixed = read(("Slot:\t19:00.0" + first).replaceAll("(?m)^(?=.)", "gpu1: "));
    assertEquals(Set.of("gpu1"), prefixed.all(PciDevice.class).stream().map(PciDevice::node).collect(java.util.stream.Collectors.toSet()));
  }

  @Test
  void aRecordWithoutItsEndIsUnread() {
    Ledger ledger = read("$ lspci -vmm\nSlot:\t19:00.0\nClass:\tInfiniband controller\n");
    assertEquals(List.of(), devices(ledger));
    assertTrue(ledger.all(Unread.class).stream().anyMatch(u -> u.reason().contains("cut off inside a device")));
    assertEquals(List.of(), devices(read("$ lspci -mm\n19:00.0 \"Infiniband controller\" \"Mellanox Tech\n")));
  }

  @Test
  void driversAndTheTreeWithoutNamesAreRead() {
    Ledger drivers = read("$ lspci -Dnnk\n0000:19:00.0 Infiniband controller [0207]: Mellanox Technologies MT2910 Family [ConnectX-7] [15b3:1021]\n\tSubsystem: Mellanox Technologies Device [15b3:0041]\n\tKernel driver in use: mlx5_core\n\tKernel modules: mlx5_core\n");
    assertEquals(List.of(HCA + "15b3:1021"), devices(drivers));
    assertEquals(List.of("mlx5_core"), drivers.all(PciDriver.class).stream().map(PciDriver::driver).toList());
    assertTrue(looked(drivers).contains(Kind.PCI_DEVICES));
    Ledger tree = read("$ lspci -t\n-+-[0000:9a]-+-00.0\n |           \\-01.0-[9b-9d]----00.0-[9c-9d]--+-00.0-[9d]----00.0\n \\-[0000:00]-+-00.0\n             \\-1f.5\n");
    assertTrue(tree.all(PciParent.class).stream().anyMatch(p -> p.child().equals("0000:9d:00.0") && p.parent().equals("0000:9c:00.0")));
    assertTrue(tree.all(PciParent.class).stream().anyMatch(p -> p.child().equals("0000:00:1f.5") && p.parent().equals("root:0000:00")));
  }
}
