package gdrproof.collect.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.collect.Collectors;
import gdrproof.facts.Bench.GpuMatrixCell;
import gdrproof.facts.Ledger;
import gdrproof.facts.Measure.Contrast;
import gdrproof.facts.Meta.Unread;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class GpuCopiesTest {
  private static Ledger read(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Collectors.read(List.of(new Entry("copies.txt", bytes.length, () -> new ByteArrayInputStream(bytes))));
  }

  private static List<String> cells(Ledger ledger) {
    return ledger.all(GpuMatrixCell.class).stream().map(c -> c.from() + ">" + c.to() + " " + c.value()).sorted().toList();
  }

  private static List<String> slow(Ledger ledger) {
    return ledger.all(Contrast.class).stream().filter(c -> c.what().startsWith("gpu-")).map(c -> c.what() + " " + c.detail()).sorted().toList();
  }

  private static String json(String name, String description, String rows) {
    return "{\n  \"nvbandwidth\" : {\n    \"testcases\" : [\n      {\n        \"bandwidth_description\" : \"" + description + "\",\n        \"bandwidth_matrix\" : " + rows + ",\n        \"name\" : \"" + name + "\",\n        \"status\" : \"Passed\"\n      }\n    ]\n  }\n}\n";
  }

  @Test
  void jsonOfNvbandwidthSaysWhatItsTextSays() {
    String title = "memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)";
    Ledger text = read("Running host_to_device_memcpy_ce.\n" + title + "\n           0         1         2\n 0     55.61     12.58     55.60\n");
    assertEquals(cells(text), cells(read(json("host_to_device_memcpy_ce", title, "[ [ \"55.61\", \"12.58\", \"55.60\" ] ]"))));
    assertEquals(List.of("gpu-host-copy GPU1"), slow(text));
    String peers = "memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)";
    assertEquals(List.of("GPU0>GPU1 276", "GPU1>GPU0 275"), cells(read(json("device_to_device_memcpy_read_ce", peers, "[ [ \"N/A\", \"276\" ], [ \"275\", \"N/A\" ] ]"))));
    assertTrue(read("{\n  \"nvbandwidth\" : {\n    \"testcases\" : [\n").all(Unread.class).stream().anyMatch(u -> u.reason().contains("nvbandwidth")));
  }

  @Test
  void numbersOfSeveralNodesAreProcessesAndNoGpusOfANode() {
    String table = "memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)\n           0         1         2\n 0       N/A    396.11    101.20\n 1    396.12       N/A    101.21\n 2    101.20    101.22       N/A\n";
    Ledger several = read("Running multinode_device_to_device_memcpy_read_ce.\n" + table);
    assertTrue(cells(several).contains("process 0>process 1 396.11"));
    assertEquals(List.of(), slow(several));
  }

  @Test
  void bandwidthTestIsReadForPinnedMemoryOfOneGpu() {
    StringBuilder text = new StringBuilder();
    for (int gpu = 0; gpu < 4; gpu++) {
      text.append("[CUDA Bandwidth Test] - Starting...\nRunning on...\n\n Device ").append(gpu).append(": NVIDIA H100 80GB HBM3\n Quick Mode\n\n Host to Device Bandwidth, 1 Device(s)\n PINNED Memory Transfers\n")
          .append("   Transfer Size (Bytes)\tBandwidth(GB/s)\n   32000000\t\t\t").append(gpu == 3 ? "13.1" : "54.9").append("\n\n Device to Device Bandwidth, 1 Device(s)\n PINNED Memory Transfers\n")
          .append("   Transfer Size (Bytes)\tBandwidth(GB/s)\n   32000000\t\t\t2213.2\n\nResult = PASS\n");
    }
    Ledger ledger = read(text.toString());
    assertEquals(List.of("0>GPU0 54.9", "1>GPU1 54.9", "2>GPU2 54.9", "3>GPU3 13.1"), cells(ledger));
    assertEquals(List.of("gpu-host-copy GPU3"), slow(ledger));
    String one = " Device 0: Tesla V100\n Host to Device Bandwidth, 1 Device(s)\n %s Memory Transfers\n   Transfer Size (Bytes)\tBandwidth(MB/s)\n   1024\t\t\t512.5\n   33554432\t\t\t12152.6\n";
    assertEquals(List.of("0>GPU0 12.1526"), cells(read(String.format(one, "PINNED"))));
    assertEquals(List.of(), cells(read(String.format(one, "PAGEABLE"))));
    assertEquals(List.of(), cells(read(String.format(one, "PINNED").replace("1 Device(s)", "8 Device(s)"))));
  }

  @Test
  void aGpuThatIsSlowWithEveryOtherIsTold() {
    String matrix = "Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)\n   D\\D     0      1      2      3 \n     0 2500.1 371.2 180.3 370.1\n     1 371.0 2500.1 180.4 371.3\n     2 180.1 180.2 2500.1 180.3\n     3 370.4 371.5 180.2 2500.1\n";
    assertEquals(List.of("gpu-peer-copy GPU2"), slow(read(matrix)));
    assertEquals(List.of(), slow(read(matrix.replace("Enabled", "Disabled"))));
    assertEquals(List.of(), slow(read(matrix.replaceAll("180\\.\\d", "371.0"))));
  }
}
