package gdrproof.accept;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.accept.FabricBaseline.Counter;
import gdrproof.accept.FabricBaseline.SignOff;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Gate.BaselineCheck;
import gdrproof.facts.Gate.BaselineState;
import gdrproof.facts.Gate.Distribution;
import gdrproof.facts.Gate.TopologyClass;
import gdrproof.facts.Ledger;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import gdrproof.policy.Policies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BaselineTest {
  @TempDir
  private Path folder;

  private static final TopologyClass CLASS = new TopologyClass(Fact.UNKNOWN, "Maker Box-1", "GPU X", Num.of(8), Num.of(8), Num.of(400), Num.of(8), Num.of(32), Num.of(16), "InfiniBand", Num.of(2));

  private static Distribution of(String unit, int samples, double low, double p50, double p99, double high) {
    return new Distribution(Fact.UNKNOWN, unit.equals("us") ? "host-rdma-latency" : "host-rdma-bandwidth", "mlx5_0", "idle", Num.of(8388608), unit, Num.of(samples), Num.of(1), Num.of(low), Num.of(p50), Num.of(p99), Num.of(p99),
        Num.of(high), Num.of(100 * (high - low) / p50));
  }

  private static FabricBaseline baseline(TopologyClass topology, Distribution... series) {
    return new FabricBaseline("base.yaml", topology, Map.of("idle", Map.of("window", "night")), new SignOff("A. Person", "2026-11-01", "first: pod"), Map.of("nccl", List.of("2.26.2")), List.of("a/", "b/"), List.of(series),
        List.of(new Counter("idle", "physical", Num.of(0), Num.of(16))));
  }

  private static Ledger settings() {
    Ledger ledger = new Ledger();
    Policies.settings().forEach(s -> ledger.add(s, Evidence.of("policies", 0, "")));
    return ledger;
  }

  private static BaselineCheck judge(Distribution measured, Distribution expected, int runs) {
    return new BaselineCompare(settings(), baseline(CLASS, expected)).judge("n1", measured, expected, runs);
  }

  @Test
  void whatIsWrittenReadsBackTheSame() throws IOException {
    FabricBaseline b = baseline(CLASS, of("Gb/s", 5, 390, 391, 391.9, 392), of("us", 5, 1.8, 1.9, 2.05, 2.1));
    Path file = folder.resolve("base.yaml");
    Files.writeString(file, BaselineFile.write(b));
    FabricBaseline read = BaselineFile.read(file);
    assertEquals(BaselineFile.write(b), BaselineFile.write(read));
    assertEquals(b.series(), read.series());
    assertEquals(b.signOff(), read.signOff());
    assertEquals(b.topology(), read.topology());
  }

  @Test
  void whatIsNoBaselineIsNamed() throws IOException {
    Path file = folder.resolve("other.yaml");
    Files.writeString(file, "kind: lint-baseline\n");
    assertTrue(assertThrows(IOException.class, () -> BaselineFile.read(file)).getMessage().contains("not fabric-baseline"));
    Files.writeString(file, "kind: fabric-baseline\nversion: 1\nseries: [{metric: busbw}]\n");
    assertTrue(assertThrows(IOException.class, () -> BaselineFile.read(file)).getMessage().contains("p50"));
    Files.writeString(file, "kind: fabric-baseline\nversion: 2\n");
    assertTrue(assertThrows(IOException.class, () -> BaselineFile.read(file)).getMessage().contains("version 2"));
    assertTrue(assertThrows(IOException.class, () -> BaselineFile.read(folder.resolve("none.yaml"))).getMessage().contains("no such file"));
  }

  @Test
  void aMedianBeyondToleranceAndWorstValueHasRegressed() {
    Distribution base = of("Gb/s", 5, 385, 391, 392, 392);
    assertEquals("within", judge(of("Gb/s", 2, 388, 389, 390, 390), base, 3).verdict());
    assertEquals("better", judge(of("Gb/s", 2, 393, 394, 395, 395), base, 3).verdict());
    assertEquals("regressed", judge(of("Gb/s", 2, 365, 370, 371, 371), base, 3).verdict());
    // A baseline that scatters widely itself excuses what lies above its own worst value.
    assertEquals("within", judge(of("Gb/s", 2, 362, 365, 366, 366), of("Gb/s", 5, 360, 391, 392, 392), 3).verdict());
  }

  @Test
  void lowerIsBetterForLatency() {
    Distribution base = of("us", 5, 1.8, 1.9, 2.0, 2.0);
    assertEquals("within", judge(of("us", 2, 1.85, 1.95, 2.0, 2.0), base, 3).verdict());
    assertEquals("regressed", judge(of("us", 2, 2.2, 2.3, 2.4, 2.4), base, 3).verdict());
    assertEquals("tail-regressed", judge(of("us", 2, 1.9, 1.95, 2.9, 2.9), base, 3).verdict());
    assertEquals("better", judge(of("us", 2, 1.5, 1.6, 1.7, 1.7), base, 3).verdict());
  }

  @Test
  void oneGoodValueIsNoDistributionAndABadOneIsBadAtOnce() {
    Distribution base = of("Gb/s", 5, 385, 391, 392, 392);
    assertEquals("few-runs", judge(of("Gb/s", 1, 391, 391, 391, 391), base, 1).verdict());
    assertEquals("regressed", judge(of("Gb/s", 1, 300, 300, 300, 300), base, 1).verdict());
  }

  @Test
  void aTailOrASpreadIsARegressionThoughTheMeanIsFine() {
    Distribution base = of("Gb/s", 5, 388, 391, 392, 392);
    assertEquals("tail-regressed", judge(of("Gb/s", 4, 320, 391, 393, 393), base, 5).verdict());
    assertEquals("unstable", judge(of("Gb/s", 4, 350, 391, 393, 393), base, 5).verdict());
  }

  @Test
  void anotherClassIsNotComparedAndTheReportSaysWhy() {
    Ledger ledger = settings();
    TopologyClass other = new TopologyClass(Fact.UNKNOWN, "Maker Box-1", "GPU X", Num.of(4), Num.of(8), Num.of(400), Num.of(8), Num.of(32), Num.of(16), "InfiniBand", Num.of(2));
    new BaselineCompare(ledger, baseline(CLASS, of("Gb/s", 5, 385, 391, 392, 392))).derive(other, Map.of());
    BaselineState state = ledger.all(BaselineState.class).get(0);
    assertEquals(Tri.NO, state.sameClass());
    assertEquals(List.of("GPUs per node is 4, the baseline's is 8"), state.differences());
    assertEquals(List.of(), ledger.all(BaselineCheck.class));
  }

  @Test
  void aClassThatTheBundleDoesNotTellIsNotComparedEither() {
    Ledger ledger = settings();
    TopologyClass silent = new TopologyClass(Fact.UNKNOWN, Fact.UNKNOWN, "GPU X", Num.of(8), Num.of(8), Num.of(400), Num.of(8), Num.UNKNOWN, Num.of(16), "InfiniBand", Num.of(2));
    new BaselineCompare(ledger, baseline(CLASS)).derive(silent, Map.of());
    assertEquals(Tri.UNKNOWN, ledger.all(BaselineState.class).get(0).sameClass());
    assertEquals(List.of("server", "PCIe speed of the NICs (GT/s)"), ledger.all(BaselineState.class).get(0).differences());
  }

  @Test
  void theFirstOfThreeRunsIsAWarmUp() {
    Samples.Key key = new Samples.Key("n1", "plateau", "all_reduce full-node", Num.UNKNOWN, "GB/s");
    Distribution three = Distributions.of(key, List.of(300.0, 385.0, 387.0), "idle");
    assertEquals(Num.of(1), three.warmups());
    assertEquals(Num.of(386), three.p50());
    Distribution two = Distributions.of(key, List.of(300.0, 385.0), "idle");
    assertEquals(Num.of(0), two.warmups());
    assertEquals(Num.of(342.5), two.p50());
  }
}
