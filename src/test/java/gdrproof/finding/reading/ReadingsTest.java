package gdrproof.finding.reading;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.cli.Pipeline;
import gdrproof.facts.Ledger;
import gdrproof.facts.Num;
import gdrproof.finding.Diagnosis;
import gdrproof.finding.reading.Reading.Step;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The figures of the healthy bundle, worked out a second time by hand. */
class ReadingsTest {
  private static Map<String, Reading> readings;

  @BeforeAll
  static void read() throws IOException {
    Ledger ledger = Pipeline.facts(Path.of("fixtures/corpus/two-nodes-eight-gpus"));
    readings = Readings.of(ledger, List.<Diagnosis.Answer>of()).stream().collect(Collectors.toMap(r -> r.run().replaceAll("^runs/|/[^/]*$", ""), Function.identity()));
  }

  private static Step step(String run, String name) {
    return readings.get(run).steps().stream().filter(s -> s.name().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void theNetworkLimitsTwoFullNodes() {
    Reading reading = readings.get("04-two-nodes-repeat-1");
    assertEquals("network", reading.limiting());
    assertEquals(Num.of(400), step("04-two-nodes-repeat-1", "line rate").gBps(), "eight ports of 400 Gb/s");
    assertEquals(Num.of(397.48), step("04-two-nodes-repeat-1", "payload").gBps(), "4096 of 4122 bytes");
    assertTrue(reading.factor().contains("1.875"), reading.factor());
    assertTrue(reading.reached() && reading.share().atLeast(0.95), reading.toString());
    // 32 GT/s x 16 lanes, 128b/130b, 256 of 280 bytes, eight links
    assertEquals(460.9, reading.parts().stream().filter(p -> p.name().equals("PCIe of the GPUs")).findFirst().orElseThrow().gBps().value(), 0.2);
  }

  @Test
  void aLossHasAReasonOrIsUnexplained() {
    assertEquals("placement: one rank on each node", step("03-one-gpu-per-node", "rails used").tie());
    assertEquals(Num.of(350), step("03-one-gpu-per-node", "rails used").lossGBps());
    assertTrue(step("08-control-socket", "transport").tie().startsWith("setting NCCL_") || step("08-control-socket", "transport").tie().startsWith("control"), step("08-control-socket", "transport").tie());
    assertEquals("TCP sockets", readings.get("08-control-socket").limiting());
    assertFalse(readings.get("07-control-gdr-off").reached());
    assertFalse(step("07-control-gdr-off", "measured").tie().isEmpty());
  }

  @Test
  void alltoallIsHeldToWhatRemoteRanksNeed() {
    // 400 GB/s a node, 8 ranks, 15 of 16 shares leave the rank, 8 of them the node
    assertEquals(Num.of(93.75), step("05-two-nodes-alltoall", "line rate").gBps());
  }

  @Test
  void oneNodeIsNoNetworkFigure() {
    Reading reading = readings.get("02-one-node-a");
    assertTrue(reading.limiting().startsWith("NVLink"), reading.limiting());
    assertTrue(reading.notes().stream().anyMatch(n -> n.startsWith("one node:")), reading.notes().toString());
  }

  @Test
  void lossesAddUpToTheDifference() {
    readings.values().stream().filter(r -> !r.steps().isEmpty() && r.steps().stream().noneMatch(s -> s.name().equals("algorithm"))).forEach(r -> {
      double lost = r.steps().stream().mapToDouble(s -> s.lossGBps().value()).sum();
      double first = r.steps().get(0).gBps().value();
      double last = r.steps().get(r.steps().size() - 1).gBps().value();
      assertEquals(Math.max(0, first - last), lost, 0.05, r.run());
    });
  }

  @Test
  void twoAndFourGpusOfANodeAreHeldToAllTheirLinks() throws IOException {
    for (String bundle : List.of("h200-pair-healthy", "h200-four-measured", "h200-four-healthy")) {
      Ledger ledger = Pipeline.facts(Path.of("fixtures/corpus").resolve(bundle));
      List<Reading> local = Readings.of(ledger, List.<Diagnosis.Answer>of()).stream().filter(r -> r.run().matches(".*(all_(reduce|gather)|reduce_scatter|alltoall|nccl-one-node).*") && r.run().matches("(runs/all_|runs/r|.*007-all-gpus|a|r|.*002-nccl-one-node).*")).toList();
      assertTrue(local.size() >= 3, bundle + " has " + local.size());
      for (Reading reading : local) {
        assertEquals(Num.of(450), reading.steps().get(0).gBps(), "18 links of 25 GB/s: " + reading.run());
        assertTrue(reading.limiting().startsWith("NVLink") && reading.reached(), reading.toString());
        assertTrue(reading.steps().stream().noneMatch(s -> s.tie().equals("unexplained")), reading.toString());
      }
      assertTrue(Pipeline.diagnose(ledger, List.of()).symptoms().stream().noneMatch(s -> s.fault().equals("slow-local")), bundle);
    }
  }
}
