package gdrproof.collect.gpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.collect.Collectors;
import gdrproof.facts.Gpu.GpuFabric;
import gdrproof.facts.Gpu.GpuMemoryErrors;
import gdrproof.facts.Gpu.GpuMode;
import gdrproof.facts.Gpu.NvLink;
import gdrproof.facts.Gpu.SmiDriver;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Unread;
import gdrproof.facts.Num;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What newer drivers print, and what stands beside the tables. */
class SmiTest {
  private static Ledger read(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Collectors.read(List.of(new Entry("smi.txt", bytes.length, () -> new ByteArrayInputStream(bytes))));
  }

  private static List<String> drivers(String text) {
    return read(text).all(SmiDriver.class).stream().map(d -> d.driver() + " " + d.cuda()).toList();
  }

  @Test
  void theNoteBehindADeprecatedVersionIsNoPartOfIt() {
    String notes = """
        ==============NVSMI LOG==============

        Timestamp                                 : Mon Nov 30 10:00:00 2026
        Driver Version                            : 610.11 [Deprecated; will be removed in CUDA 14.0. Use KMD Version instead]
        CUDA Version                              : 13.3 [Deprecated; will be removed in CUDA 14.0. Use CUDA UMD Version instead]
        KMD Version                               : 610.11
        CUDA UMD Version                          : 13.3

        Attached GPUs                             : 1
        """;
    assertEquals(List.of("610.11 13.3"), drivers(notes));
    assertEquals(List.of("620.01 14.0"), drivers(notes.replaceAll("(?m)^(?:Driver|CUDA) Version.*\\n", "").replace("610.11", "620.01").replace("13.3", "14.0")));
  }

  @Test
  void theVersionsOfTheToolNameTheDriver() {
    assertEquals(List.of("580.11.02 13.0"), drivers("NVIDIA-SMI version  : 580.11.02\nNVML version        : 580.11\nDRIVER version      : 580.11.02\nCUDA Version        : 13.0\n"));
    assertEquals(List.of("610.11 13.3"), drivers("NVIDIA-SMI version  : 610.11\nNVML version        : 610.11\nDRIVER version      : Deprecated, see \"KMD version\" instead\n"
        + "CUDA version        : Deprecated, see \"CUDA UMD version\" instead\nKMD version         : 610.11\nCUDA UMD version    : 13.3\n"));
  }

  @Test
  void fieldsInMixedCaseMakeAHeader() {
    Ledger ledger = read("index, pci.bus_id, fabric.state, fabric.status, fabric.cliqueId, gom.current, mig.mode.current\n"
        + "0, 00000000:0A:00.0, Completed, Success, 3, [Requested functionality has been deprecated], [Insufficient Permissions]\n");
    assertEquals(List.of("3"), ledger.all(GpuFabric.class).stream().map(GpuFabric::cliqueId).toList());
    assertTrue(ledger.all(GpuMode.class).isEmpty());
  }

  @Test
  void aListOfFieldsHasNoRows() {
    Ledger ledger = read("memory.total\nmemory.free\ncompute_mode\nfabric.state\nfabric.status\n\n1, two, three\nindex, mig.mode.current\n0, Enabled\n");
    assertTrue(ledger.all(Unread.class).isEmpty(), () -> ledger.all(Unread.class).toString());
    assertTrue(ledger.all(GpuFabric.class).isEmpty());
    assertEquals(1, ledger.all(GpuMode.class).size());
  }

  @Test
  void aTotalIsNotAddedToItsParts() {
    Ledger ledger = read("index, ecc.errors.uncorrected.volatile.dram, ecc.errors.uncorrected.volatile.sram, ecc.errors.uncorrected.volatile.total\n0, 1, 2, 3\n");
    assertEquals(List.of(Num.of(3)), ledger.all(GpuMemoryErrors.class).stream().map(GpuMemoryErrors::volatileUncorrectable).toList());
  }

  private static List<String> chips(String text) {
    return read(text).all(GpuMode.class).stream().filter(m -> m.name().equals("c2c")).map(m -> m.gpu() + " " + m.value()).toList();
  }

  @Test
  void linksBetweenChipsAreThereOrUnsupported() {
    assertEquals(List.of("unknown unsupported"), chips("No Devices support C2C.\n"));
    assertEquals(List.of("unknown unsupported"), chips("No devices support C2C"));
    assertEquals(List.of("GPU0 Enabled"), chips("GPU 0: NVIDIA GH200 480GB (UUID: GPU-1)\n\t C2C Link 0: 44.712 GB/s\n\t C2C Link 1: 44.712 GB/s\n"));
    assertEquals(List.of(), chips("GPU 0: NVIDIA GH200 480GB (UUID: GPU-1)\n\t Link 0: 26.562 GB/s\n"));
  }

  @Test
  void aNumberWithItsUnitIsWholeWithoutALineEnd() {
    String links = "GPU 0: NVIDIA A100 (UUID: GPU-1)\n         Link 0: 25 GB/s\n         Link 1: 25 GB/s\n         Link 2: 2";
    assertEquals(3, read(links + "5 GB/s").all(NvLink.class).size());
    Ledger cut = read(links);
    assertEquals(2, cut.all(NvLink.class).size());
    assertEquals(1, cut.all(Unread.class).size());
  }

  private static final String BOARD = "GPU 0: NVIDIA X (UUID: GPU-00000000-0000-0000-0000-000000000000)\n";

  private static List<String> modes(String text) {
    return read(text).all(GpuMode.class).stream().map(m -> m.gpu() + " " + m.name() + " " + m.value()).sorted().toList();
  }

  @Test
  void boardsWithoutLinksAndThoseThatAreNotAsked() {
    assertEquals(List.of("GPU0 nvlink none"), modes(BOARD + "Device does not have or support Nvlink\n"));
    assertEquals(List.of("GPU0 nvlink none"), modes(BOARD + "\t Device does not have or support NVLink.\n"));
    Ledger asked = read(BOARD + "Nvlink queries are not supported for Devices in MIG mode\n");
    assertEquals(List.of("mig Enabled"), asked.all(GpuMode.class).stream().map(m -> m.name() + " " + m.value()).toList());
    assertEquals(1, asked.all(Unread.class).size());
    assertTrue(asked.all(NvLink.class).isEmpty());
    assertEquals(List.of(), modes("Device does not have or support Nvlink\n"), "of which board is not told");
  }

  @Test
  void whatABoardCannotHaveIsTold() {
    String head = "==============NVSMI LOG==============\n\nAttached GPUs                             : 1\nGPU 00000000:01:00.0\n    Product Name                          : X\n";
    assertEquals(List.of("0000:01:00.0 c2c N/A", "0000:01:00.0 ecc N/A").stream().map(m -> m.replace("0000:01:00.0", "GPU0")).toList(),
        modes(head + "    GPU C2C Mode                          : N/A\n    Persistence Mode                      : N/A\n    ECC Mode\n        Current                           : N/A\n"));
    assertEquals(List.of("GPU0 ecc Enabled"), modes(head + "    GPU C2C Mode                          : [Insufficient Permissions]\n    ECC Mode\n        Current                           : Enabled\n"));
  }

  @Test
  void dcgmCountsLinksInWords() {
    String head = "| GPU ID: 3                                |\n";
    String row = "| To GPU 1          | Connected via a single PCIe switch |\n|                   | Connected via %s |\n";
    for (var words : java.util.Map.of("one NVLINK (Link: 1)", "NV1", "a single NVLINK (Link: 1)", "NV1", "two NVLINKs (Links: 0, 3)", "NV2", "eighteen NVLINKs (Links: 0)", "NV18").entrySet()) {
      assertEquals(List.of(words.getValue()), read(head + row.formatted(words.getKey())).all(gdrproof.facts.Gpu.TopoLink.class).stream().map(l -> l.path()).toList(), words::toString);
    }
  }
}
