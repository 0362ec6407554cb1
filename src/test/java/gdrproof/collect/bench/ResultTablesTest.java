package gdrproof.collect.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.facts.Bench.GpuMatrixCell;
import gdrproof.facts.Bench.PairResult;
import gdrproof.facts.Bench.StatedFigures;
import gdrproof.facts.Bench.TableResult;
import gdrproof.facts.Fact;
import gdrproof.facts.Num;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultTablesTest {
  @Test
  void pairsAreReadInEveryShape() {
    for (String text : List.of("# busbw GB/s\nn1,n2 49.3\nn3,n2   88.3 # crossing\n", "node_a,node_b,busbw_GBps\nn1,n2,49.3\nn3,n2,88.3\n",
        "n1 <-> n2: 49.3 GB/s\nn3 <-> n2: 88.3 GB/s\n", "# bandwidth\nn1 n2 49.3\nn3 n2 88.3\n")) {
      List<PairResult> pairs = NcclTestsTest.read("p.txt", text).all(PairResult.class);
      assertEquals(2, pairs.size(), text);
      assertEquals(Num.of(49.3), pairs.get(0).value());
    }
    assertEquals(Fact.UNKNOWN, NcclTestsTest.read("pairs.txt", "n1 n2 49.3\nn3 n2 88.3\n").all(PairResult.class).get(0).unit());
    assertEquals(6, NcclTestsTest.read("p.txt", "# busbw GB/s\n     n1 n2 n3\nn1 - 40 41\nn2 40 - 42\nn3 41 42 -\n").all(PairResult.class).size());
  }

  @Test
  void aHostMayCarryThePlaceWhereItStands() {
    List<PairResult> pairs = NcclTestsTest.read("p.txt", "# ib_write_bw, Gb/s; leaf of each host\ng1[leaf-ib07] g2[leaf-ib07]   197.1\ng1(leaf-ib07),g3(leaf-ib08),71.4\n").all(PairResult.class);
    assertEquals(List.of("g1 g2", "g1 g3"), pairs.stream().map(p -> p.node() + " " + p.other()).toList());
    assertTrue(NcclTestsTest.read("p.txt", "# busbw GB/s\nnode[1-4] node[5-8] 197.1\nnode[1-4] node[9-12] 71.4\n").all(PairResult.class).isEmpty(), "sets of hosts are no pair");
  }

  @Test
  void runsOnTheSameNodesAreRepeatsAndThoseOnOthersAreNot() {
    for (String text : List.of("when,job,hosts,busbw_GBs,release\n2025-02-01,7,\"c[01,04]\",371.0,2.24.3\n2025-02-02,8,\"c[02,03]\",366.5,2.24.3\n2025-02-03,9,\"c[01,04]\",288.1,2.24.3\n",
        "nodes        busbw\nc01,c04      371.0\nc[02-03]     366.5\nc04,c01      288.1\n", "| date | nodes | busbw |\n|---|---|---|\n| Mon | c01 c04 | 371.0 |\n| Tue | c02 c03 | 366.5 |\n| Wed | c01+c04 | 288.1 |\n")) {
      List<TableResult> runs = NcclTestsTest.read("nights.txt", text).all(TableResult.class);
      assertEquals(List.of("run 1 371", "run 2 288.1"), runs.stream().map(r -> r.label() + " " + r.value()).toList(), text);
      assertEquals("GB/s", runs.get(0).unit());
    }
    assertTrue(NcclTestsTest.read("x.csv", "date,nodes,busbw,release\nMon,\"c[01,04]\",371.0,2.24.3\nTue,\"c[01,04]\",288.1,2.21.5\n").all(TableResult.class).isEmpty(), "another release is no repeat");
  }

  @Test
  void otherTextsAreNoTables() {
    for (String text : List.of("rx packets 123\ntx packets 456\n", "10.0.0.1 node1\n10.0.0.2 node2\n", "nvidia_peermem 16384 0\nib_core 434176 9\n")) {
      var ledger = NcclTestsTest.read("x.txt", text);
      assertTrue(ledger.all(PairResult.class).isEmpty() && ledger.all(TableResult.class).isEmpty(), text);
    }
  }

  @Test
  void runsKeepTheirOrderAndLabel() {
    List<TableResult> runs = NcclTestsTest.read("x.txt", "# busbw GB/s at 8 GiB\nrun 1: 180.2\nrun 2: 121.0\n").all(TableResult.class);
    assertEquals(List.of("run 1", "run 2"), runs.stream().map(TableResult::label).toList());
    assertEquals("GB/s", runs.get(0).unit());
  }

  @Test
  void statedFiguresNeedBothSidesAndUnits() {
    StatedFigures stated = NcclTestsTest.read("q.txt", "measured: 250 GB/s (algbw)   vendor figure: 450 GB/s\n").all(StatedFigures.class).get(0);
    assertEquals(List.of(Num.of(250), Num.of(450)), List.of(stated.measuredGBps(), stated.expectedGBps()));
    assertEquals("algbw", stated.metric());
    assertEquals(Num.of(50), NcclTestsTest.read("q.txt", "we get 12 GB/s\nexpected 400 Gb/s\n").all(StatedFigures.class).get(0).expectedGBps());
    assertTrue(NcclTestsTest.read("q.txt", "we get 12 GB/s\n").all(StatedFigures.class).isEmpty());
  }

  @Test
  void matricesOfGpusAreRead() {
    String text = "memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)\n           0      1 \n     0 2500.10  10.20 \n     1  10.31 2498.00 \n";
    assertEquals(4, NcclTestsTest.read("x.txt", text).all(GpuMatrixCell.class).size());
  }
}
