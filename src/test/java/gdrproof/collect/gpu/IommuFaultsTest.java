package gdrproof.collect.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import gdrproof.bundle.Section;
import gdrproof.bundle.Sections;
import gdrproof.collect.Sink;
import gdrproof.facts.Ledger;
import gdrproof.facts.Pcie.IommuFault;
import java.util.List;
import org.junit.jupiter.api.Test;

class IommuFaultsTest {
  private static List<String> faults(String text) {
    Ledger ledger = new Ledger();
    for (Section section : Sections.split("dmesg.txt", List.of(text.split("\n", -1)))) {
      new KernelLog().collect(section, new Sink(ledger));
    }
    return ledger.all(IommuFault.class).stream().map(f -> f.vendor() + " " + f.address() + " " + f.reason() + " " + f.count()).sorted().toList();
  }

  @Test
  void newKernelsNameTheDeviceOfAnSmmuEvent() {
    assertEquals(List.of("arm 0009:01:00.0 F_TRANSLATION 2"), faults("[   96.1] arm-smmu-v3 arm-smmu-v3.9.auto: event: F_TRANSLATION client: 0009:01:00.0 sid: 0x10100 ssid: 0x0 iova: 0xffff0000 ipa: 0x0\n"
        + "[   96.1] arm-smmu-v3 arm-smmu-v3.9.auto: unpriv data write s1 \"Input address caused fault\" stag: 0x0\n[   96.2] arm-smmu-v3 arm-smmu-v3.9.auto: event: F_TRANSLATION client: 0009:01:00.0 sid: 0x10100 ssid: 0x0 iova: 0xffff1000 ipa: 0x0\n"));
    assertEquals(List.of("arm unknown C_BAD_STREAMID 1"), faults("[   96.1] arm-smmu-v3 arm-smmu-v3.9.auto: event: C_BAD_STREAMID client: (unassigned sid) sid: 0x10100 ssid: 0x0\n"));
  }

  @Test
  void oldKernelsPrintANumberAndAStreamThatNamesNoDevice() {
    assertEquals(List.of("arm unknown F_TRANSLATION 1"), faults("[   96.1] arm-smmu-v3 arm-smmu-v3.9.auto: event 0x10 received:\n[   96.1] arm-smmu-v3 arm-smmu-v3.9.auto: \t0x0001010000000010\n[   96.1] arm-smmu-v3 arm-smmu-v3.9.auto: \t0x0000020000000000\n"));
    assertEquals(List.of("arm unknown F_PERMISSION 1"), faults("[   96.1] arm-smmu-v3 arm-smmu-v3.9.auto: event 0x13 received:\n"));
    assertEquals(List.of("arm unknown F_TRANSLATION 1"), faults("[   96.1] arm-smmu 5000000.iommu: Unhandled context fault: fsr=0x402, iova=0x40001000, fsynr=0x10, cbfrsynra=0x100, cb=0\n"));
    assertEquals(List.of(), faults("[    1.1] arm-smmu-v3 arm-smmu-v3.9.auto: allocated 65536 entries for evtq\n"));
  }

  @Test
  void amdNamesTheDeviceBeforeOrInsideTheEvent() {
    assertEquals(List.of("amd 0000:c1:00.0 IO_PAGE_FAULT 1"), faults("[  9.1] AMD-Vi: Event logged [IO_PAGE_FAULT device=c1:00.0 domain=0x0016 address=0xfffa0000 flags=0x0020]\n"));
    assertEquals(List.of("amd 0000:c1:00.0 ILLEGAL_DEV_TABLE_ENTRY 1"), faults("[  9.1] AMD-Vi: Event logged [ILLEGAL_DEV_TABLE_ENTRY device=0000:c1:00.0 pasid=0x00000 address=0xfffa0000 flags=0x0020]\n"));
    assertEquals(List.of("amd 0000:c1:00.0 INVALID_DEVICE_REQUEST 1"), faults("[  9.1] AMD-Vi: Event logged [INVALID_DEVICE_REQUEST device=0000:c1:00.0 pasid=0x00000 address=0xfffffffdf8000000 flags=0x0a00]\n"));
    assertEquals(List.of(), faults("[  9.1] AMD-Vi: Event logged [IOTLB_INV_TIMEOUT device=c1:00.0 address=0x100]\n"));
  }
}
