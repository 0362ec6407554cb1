package gdrproof.collect.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.collect.Collectors;
import gdrproof.facts.Bench.NcclTestCommand;
import gdrproof.facts.Bench.NcclTestFailure;
import gdrproof.facts.Bench.NcclTestIterations;
import gdrproof.facts.Bench.NcclTestRow;
import gdrproof.facts.Bench.NcclTestSummary;
import gdrproof.facts.Bench.SeparateReports;
import gdrproof.facts.Host.EnvValue;
import gdrproof.facts.Launch.RankPlacement;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Unread;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class NcclTestsTest {
  static Ledger read(String name, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Collectors.read(List.of(new Entry(name, bytes.length, () -> new ByteArrayInputStream(bytes))));
  }

  private static final String PARAMS = "# nThread 1 nGpus 1 minBytes 8388608 maxBytes 33554432 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: 0\n";
  private static final String HEADER = """
      #                                                              out-of-place                       in-place
      #       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
      #        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
      """;
  private static final String ROW = "     8388608       2097152     float     sum      -1   214.31   39.14   39.14       0   213.02   39.38   39.38       0\n";

  private static List<NcclTestRow> rows(String text) {
    return read("all_reduce.txt", text).all(NcclTestRow.class);
  }

  @Test
  void aColumnThatCountsIterationsBelongsToNoPlacement() {
    List<NcclTestRow> rows = rows(PARAMS + HEADER.replace("#wrong\n", "#wrong  #iters\n") + ROW.replace("\n", "      20\n"));
    assertEquals(List.of(Num.of(0), Num.of(0)), rows.stream().map(NcclTestRow::wrong).toList());
    assertEquals(List.of(Num.of(39.14), Num.of(39.38)), rows.stream().map(NcclTestRow::busbwGBps).sorted((a, b) -> Double.compare(a.value(), b.value())).toList());
  }

  @Test
  void aFailureNamesItsHostBeforeOrBehindThePrefix() {
    for (String text : List.of("worker-3: Test CUDA failure common.cu:1030 'invalid device ordinal'\n",
        "0: other line\nworker-3: Test CUDA failure common.cu:1030 'invalid device ordinal'\n .. worker-3 pid 77: Test failure common.cu:843\n")) {
      List<NcclTestFailure> failures = read("job.txt", text).all(NcclTestFailure.class);
      assertTrue(failures.stream().anyMatch(f -> f.kind().equals("cuda") && f.text().equals("invalid device ordinal")), text);
      assertTrue(failures.stream().allMatch(f -> f.node().equals("worker-3")), failures::toString);
    }
  }

  @Test
  void theLayoutComesFromTheHeaderOrFromTheTokens() {
    for (String text : List.of(PARAMS + HEADER + ROW, ROW, ROW.strip() + "  2026-03-02 10:11:12\n")) {
      List<NcclTestRow> rows = rows(text);
      assertEquals(2, rows.size(), text);
      assertEquals(Num.of(39.14), rows.stream().filter(r -> r.placement().equals("out-of-place")).findFirst().orElseThrow().busbwGBps());
      assertEquals(Num.of(0), rows.get(0).wrong());
    }
  }

  @Test
  void anOldDeviationColumnIsNoCountOfWrongElements() {
    String row = "     1048576        262144     float     sum     62.1   16.89   29.55  5e-07     61.8   16.97   29.69  5e-07\n";
    assertEquals(2, rows(row).size());
    assertTrue(rows(row).stream().noneMatch(r -> r.wrong().known()));
    String perfect = "   134217728      33554432     float     sum    31244    4.30    4.30  0e+00    31190    4.30    4.30  0e+00\n";
    assertTrue(rows(perfect).stream().noneMatch(r -> r.wrong().known()));
    String old = "#       size         count      type   redop     time   algbw   busbw  error     time   algbw   busbw  error\n";
    assertTrue(rows(old + "     1048576        262144     float     sum     62.1   16.89   29.55      0     61.8   16.97   29.69      0\n").stream().noneMatch(r -> r.wrong().known()));
  }

  @Test
  void everyLayoutIsRead() {
    assertEquals(2, rows("     8388608       2097152     float    214.31   39.14   39.14  5e-07   213.02   39.38   39.38  5e-07\n").size(), "A0");
    assertEquals(2, rows("     8388608       2097152     float              -1     7.26    0.00    0.00       0     0.21    0.00    0.00       0\n").size(), "without redop");
    assertEquals(2, rows("     8388608       2097152     float     sum       0   214.31   39.14   39.14  5e-07   213.02   39.38   39.38  5e-07\n").size(), "A2");
    List<NcclTestRow> half = rows("     8388608       2097152     float     sum      -1                                      213.02   39.38   39.38       0\n");
    assertEquals(List.of("in-place"), half.stream().map(NcclTestRow::placement).toList());
    String iterations = "     8388608       2097152     float     sum      -1   214.31   39.14   39.14       0   209.10   231.40   230.90     2.31   213.02   39.38   39.38       0   208.80   229.70   229.10     2.05\n";
    assertEquals(2, read("x.txt", iterations).all(NcclTestIterations.class).size());
    assertEquals(2, read("x.txt", iterations.strip() + "  2026-03-02 10:11:12\n").all(NcclTestIterations.class).size());
  }

  @Test
  void aRowCutByOtherOutputIsMendedOnlyIfItsFiguresAgree() {
    String mended = HEADER + "     8388608       2097152     float     sum      -1gpu-a01:4101:4140 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/0\n"
        + "   214.31   39.14   39.14       0   213.02   39.38   39.38       0\n";
    assertEquals(2, rows(mended).size());
    String foreign = HEADER + "     8388608       2097152     float     sum      -1\nx\n   500.00   39.14   39.14       0   213.02   39.38   39.38       0\n";
    assertTrue(rows(foreign).isEmpty());
    assertFalse(read("a.txt", foreign).all(Unread.class).isEmpty());
    String cut = PARAMS + HEADER + "   536870912     134217728     float     sum      -1\n[2026-11-29 12:14:05] gpu-node-00:2034:2056 [0] misc/socket.cc:72 NCCL WARN socketProgress: closed\n";
    assertEquals(1, read("a.txt", cut).all(Unread.class).size());
    assertEquals(Tri.NO, read("a.txt", cut).all(NcclTestSummary.class).get(0).finished());
  }

  @Test
  void tagsOfLaunchersDoNotHideARow() {
    for (String tag : List.of("[1,0]<stdout>:", "0: ", "2026-03-02T10:11:12.123Z ", "worker-0: ")) {
      assertEquals(2, rows((PARAMS + HEADER + ROW).indent(0).replaceAll("(?m)^", tag)).size(), tag);
    }
  }

  @Test
  void theCommandTellsRanksHostsAndSettings() {
    Ledger ledger = read("x.txt", "$ mpirun -np 16 -H n0:8,n1:8 -x NCCL_ALGO=RING ./build/all_reduce_perf -b 1G -e 2G -f 2 -g 1 -c 0\n" + ROW);
    NcclTestCommand command = ledger.all(NcclTestCommand.class).get(0);
    assertEquals(Num.of(16), command.ranks());
    assertEquals(List.of("n0", "n1"), command.hosts());
    assertEquals("RING", command.settings().get("NCCL_ALGO"));
    assertEquals("all_reduce_perf", ledger.all(NcclTestRow.class).get(0).program());
    BenchCommand slurm = BenchCommand.parse("NCCL_DEBUG=INFO srun -w n[01-03,7] -N 4 --ntasks-per-node=8 ./all_gather_perf -b 8 -n 100");
    assertEquals(List.of("n01", "n02", "n03", "n7"), slurm.hosts());
    assertEquals(Num.of(8), slurm.perNode());
    assertEquals(Num.UNKNOWN, slurm.processes());
    assertEquals("INFO", slurm.settings().get("NCCL_DEBUG"));
  }

  @Test
  void severalReportsInOneFileAreSeparateRuns() {
    String report = PARAMS + HEADER + ROW + "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 42.44 \n";
    Ledger ledger = read("x.txt", report + report + "$ ./all_gather_perf\n" + report);
    assertEquals(3, ledger.all(NcclTestRow.class).stream().map(NcclTestRow::run).distinct().count());
  }

  @Test
  void ranksThatNeverMetAreSeparateReports() {
    String rank = "#   Rank  0 Pid   %d on    gpu-v-%d device  0 [0x3b] Tesla V100-PCIE-32GB\n";
    Ledger ledger = read("x.txt", "$ mpirun -np 2 ./build/all_reduce_perf -g 1\n" + PARAMS + "# Using devices\n" + rank.formatted(1, 0) + rank.formatted(2, 1) + ROW);
    assertEquals(Num.of(2), ledger.all(SeparateReports.class).get(0).reports());
    assertEquals(2, ledger.all(RankPlacement.class).size());
    assertTrue(read("x.txt", PARAMS + "# Using devices\n" + rank.formatted(1, 0) + rank.replace("Rank  0", "Rank  1").formatted(2, 1) + ROW).all(SeparateReports.class).isEmpty());
  }

  @Test
  void failuresAreNamed() {
    Ledger ledger = read("x.txt", PARAMS + "# Using devices\ngpu-a01: Test NCCL failure common.cu:1012 'unhandled system error (run with NCCL_DEBUG=INFO for details) / Call to ibv_reg_mr failed'\n"
        + " .. gpu-a01 pid 4101: Test failure common.cu:891\n");
    assertEquals(List.of("nccl", "test"), ledger.all(NcclTestFailure.class).stream().map(NcclTestFailure::kind).sorted().toList());
    assertEquals(Tri.NO, ledger.all(NcclTestSummary.class).get(0).finished());
  }

  @Test
  void secretsOfTheJsonEnvironmentAreNotKept() {
    String json = "{\"version\":3,\"args\":[\"all_reduce_perf\"],\"env\":[\"NCCL_IB_HCA==mlx5_0:1\",\"HF_TOKEN=hf_X\",\"HOME=/root\"],\"nccl_version\":23007,"
        + "\"config\":{\"minimum_bytes\":8,\"maximum_bytes\":8,\"step_factor\":2,\"validation\":1,\"devices\":[{\"rank\":0,\"hostname\":\"gpu-a01\",\"device_info\":\"NVIDIA H100\"}]},"
        + "\"results\":[{\"size\":8388608,\"count\":2097152,\"type\":\"float\",\"redop\":\"sum\",\"root\":\"    -1\",\"out_of_place\":{\"time\":214.31,\"alg_bw\":39.14,\"bus_bw\":39.14,\"nwrong\":0.0},\"in_place\":null}],"
        + "\"out_of_bounds\":{\"count\":0,\"okay\":\"true\"},\"average_bus_bandwidith\":{\"bandwidth\":39.26,\"okay\":\"unchecked\"},\"errors\":[\"\"],\"end_time\":\"x\"}";
    Ledger ledger = read("r.json", json);
    assertEquals(List.of("NCCL_IB_HCA"), ledger.all(EnvValue.class).stream().map(EnvValue::name).toList());
    assertEquals("=mlx5_0:1", ledger.all(EnvValue.class).get(0).value());
    assertEquals(1, ledger.all(NcclTestRow.class).size());
    assertEquals(Num.of(39.26), ledger.all(NcclTestSummary.class).get(0).avgBusbwGBps());
    ledger.facts().forEach(f -> assertTrue(ledger.of(f).stream().noneMatch(e -> e.excerpt().contains("hf_X")), f::toString));
    assertFalse(read("r.json", json.substring(0, json.length() - 40)).all(Unread.class).isEmpty());
  }
}
