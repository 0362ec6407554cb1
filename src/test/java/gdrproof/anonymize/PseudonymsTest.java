package gdrproof.anonymize;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.anonymize.Identifiers.Sort;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PseudonymsTest {
  private static Pseudonyms of(List<String> hosts, String... lines) {
    Identifiers identifiers = new Identifiers();
    hosts.forEach(h -> identifiers.add(Sort.HOST, h));
    for (String line : lines) {
      Sightings.in(line, identifiers);
      identifiers.shapes(line);
    }
    for (String line : lines) {
      identifiers.domains(line);
    }
    return new Pseudonyms(identifiers);
  }

  @Test
  void whatIsTheSameEverywhereStays() {
    String line = "127.0.0.1 0.0.0.0 255.255.252.0 224.0.0.1 ::1 fe80::1 ff:ff:ff:ff:ff:ff 0000:3b:00.0 12:34:56 0x0000000000000000 2024-01-01T10:00:00 localhost root mlx5_0 GPU0 nvidia.com/gpu";
    assertEquals(line, of(List.of("n1", "localhost"), line).apply(line));
  }

  @Test
  void releasesAreNoAddresses() {
    String line = "MLNX_OFED_LINUX-5.8-1.1.2.1 (OFED-5.8-1.1.2), driver version 23.10.1.1, firmware 28.39.1002";
    assertEquals(line, of(List.of(), line).apply(line));
  }

  @Test
  void namesAreFoundAsWholeWordsOnly() {
    Pseudonyms made = of(List.of("n1", "n11", "rack2-n1"), "");
    assertNotEquals("n1 ", made.apply("n1 "));
    assertEquals("xn1 n1x an1b", made.apply("xn1 n1x an1b"));
    assertEquals(made.apply("n1") + ":" + made.apply("n11") + "_" + made.apply("rack2-n1"), made.apply("n1:n11_rack2-n1"));
    assertTrue(made.left("to rack2-n1.").contains("rack2-n1"));
    assertEquals(Set.of(), made.left(made.apply("to rack2-n1, n1 and n11.")));
  }

  @Test
  void aHostThatWasWrittenIntoAnothersLineIsFound() {
    Pseudonyms made = of(List.of("vm", "gpu-a7"), "");
    String line = "  8388608  sum      -1vm:14:15 [0] NCCL INFO a 0x55gpu-a7:1:2 [3] NCCL INFO b";
    assertEquals("  8388608  sum      -1" + made.apply("vm") + ":14:15 [0] NCCL INFO a 0x55" + made.apply("gpu-a7") + ":1:2 [3] NCCL INFO b", made.apply(line));
    assertEquals(Set.of("gpu-a7", "vm"), made.left(line));
    assertEquals("xvm:14:15", made.apply("xvm:14:15"));
  }

  @Test
  void imagesOfAPrivateRegistryLoseTheirPathAndProductsKeepTheirNames() {
    String line = "  image: registry.lab-seven.example/research/falcon:1.2";
    String made = of(List.of(), line).apply(line);
    assertTrue(made.endsWith(":1.2") && !made.contains("falcon") && !made.contains("lab-seven"), made);
    String product = "  image: registry.lab-seven.example/mirror/nvidia/doca-driver:25.10";
    assertTrue(of(List.of(), product).apply(product).contains("/nvidia/doca-driver:25.10"));
    String open = "  image: nvcr.io/nvidia/pytorch:25.01-py3";
    assertEquals(open, of(List.of(), open).apply(open));
  }

  @Test
  void aModelOfAGpuInAHostsNameStays() {
    assertTrue(of(List.of("cyn-h100-r12u07"), "").apply("cyn-h100-r12u07").matches("[a-z]{3}-h100-[a-z]12[a-z]07"));
    assertFalse(of(List.of("gpu-node-07"), "").apply("gpu-node-07").contains("node"));
  }

  @Test
  void quotedLineEndsAreNoPartOfAName() {
    Pseudonyms made = of(List.of("gpu-a7"), "");
    assertFalse(made.apply("{\"log\":\"x\\ngpu-a7: y\"}").contains("gpu-a7"));
  }

  @Test
  void differentNamesStayDifferentAndSorted() {
    List<String> hosts = java.util.stream.IntStream.range(0, 600).mapToObj(i -> "" + (char) ('a' + i / 26 % 26) + (char) ('a' + i % 26) + (i < 300 ? "q" : "rst") + "1").distinct().toList();
    Pseudonyms made = of(hosts, "");
    assertEquals(Set.of(), made.merged());
    assertEquals(hosts.size(), new HashSet<>(hosts.stream().map(made::apply).toList()).size());
  }

  @Test
  void aNameThatIsAWordOfTheToolsIsKeptAndSaid() {
    Identifiers identifiers = new Identifiers();
    identifiers.add(Sort.USER, "transport");
    assertEquals(Set.of("transport"), identifiers.words());
    assertEquals("via transport", new Pseudonyms(identifiers).apply("via transport"));
  }

  @Test
  void columnsKeepTheirPlaceWhereBlanksAllow() {
    String line = "job-a-0   1/1     Running   10.5.0.12    n1";
    String made = of(List.of("n1"), line).apply(line);
    assertEquals(line.indexOf(" n1"), made.indexOf(" " + of(List.of("n1"), line).apply("n1")), made);
  }
}
