package gdrproof.collect.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.collect.log.FirstFailures;
import gdrproof.facts.Evidence;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Nccl.FirstFailure;
import gdrproof.facts.Nccl.FirstOfNode;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import java.util.List;
import org.junit.jupiter.api.Test;

class BindingsTest {
  @Test
  void setsOfCpusInAllForms() {
    assertEquals("0-3,8", CpuSets.text(CpuSets.parse("0-3,8")));
    assertEquals("0-7", CpuSets.text(CpuSets.parse("0xff")));
    assertEquals("32-63", CpuSets.text(CpuSets.parse("ffffffff,00000000")));
    assertTrue(CpuSets.parse("empty, ignoring").isEmpty());
    assertTrue(CpuSets.parse("7-3").isEmpty());
    assertTrue(CpuSets.parse("0-99999999999").isEmpty());
  }

  @Test
  void placesBesideADevice() {
    assertEquals("near", CpuSets.place(CpuSets.parse("0-3"), CpuSets.parse("0-31")));
    assertEquals("partly", CpuSets.place(CpuSets.parse("0-63"), CpuSets.parse("0-31")));
    assertEquals("far", CpuSets.place(CpuSets.parse("32-63"), CpuSets.parse("0-31")));
    assertEquals("", CpuSets.place(CpuSets.parse(""), CpuSets.parse("0-31")));
  }

  private static Ledger failures(FirstFailure... failures) {
    Ledger ledger = new Ledger();
    int line = 0;
    for (FirstFailure failure : failures) {
      ledger.add(failure, Evidence.of("log", ++line, failure.text()));
    }
    FirstFailures.derive(ledger);
    return ledger;
  }

  private static FirstFailure failure(String node, int rank, String time) {
    return new FirstFailure(node, "r", node + ":" + rank, Num.of(rank), "sock-closed", "Connection closed", time);
  }

  @Test
  void theFirstOfOneClockIsTheFirstOfTheRun() {
    List<FirstOfNode> first = failures(failure("n1", 0, "2026-11-20 10:00:09"), failure("n1", 1, "2026-11-20 10:00:03")).all(FirstOfNode.class);
    assertEquals(1, first.size());
    assertEquals(Num.of(1), first.get(0).rank());
    assertEquals(Tri.YES, first.get(0).oneClock());
  }

  @Test
  void clocksOfTwoNodesOrderNothing() {
    List<FirstOfNode> first = failures(failure("n1", 0, "2026-11-20 10:00:09"), failure("n2", 1, "2026-11-20 10:00:03")).all(FirstOfNode.class);
    assertEquals(List.of(Tri.NO, Tri.NO), first.stream().map(FirstOfNode::oneClock).toList());
  }

  @Test
  void equalOrMissingStampsOrderNothing() {
    assertEquals(List.of(), failures(failure("n1", 0, "10:00:03"), failure("n1", 1, "10:00:03")).all(FirstOfNode.class));
    assertEquals(List.of(), failures(failure("n1", 0, "10:00:03"), failure("n1", 1, Fact.UNKNOWN)).all(FirstOfNode.class));
  }
}
