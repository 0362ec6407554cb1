package gdrproof.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.facts.Fact;
import gdrproof.facts.Ledger;
import gdrproof.facts.Nccl.NcclMessage;
import gdrproof.facts.RunFact;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class AttributionTest {
  private static final String HEAD = "# nccl-tests version 2.19.6 nccl-headers=22809 nccl-library=22809\n# Collective test starting: all_reduce_perf\n"
      + "# nThread 1 nGpus 1 minBytes 8 maxBytes 8 step: 2(factor) warmup iters: 1 iters: 5 agg iters: 1 validation: 1 graph: 0\n#\n# Using devices\n";

  private static Ledger read(String... namesAndTexts) {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < namesAndTexts.length; i += 2) {
      byte[] bytes = namesAndTexts[i + 1].getBytes(StandardCharsets.UTF_8);
      entries.add(new Entry(namesAndTexts[i], bytes.length, () -> new ByteArrayInputStream(bytes)));
    }
    return Collectors.read(entries);
  }

  private static Set<String> runs(Ledger ledger) {
    Set<String> runs = new TreeSet<>();
    ledger.facts().stream().filter(RunFact.class::isInstance).forEach(f -> runs.add(((RunFact) f).run()));
    return runs;
  }

  private static String init(String host, int pid, int rank, int ranks, String comm) {
    return host + ":" + pid + ":" + pid + " [0] NCCL INFO ncclCommInitRank comm 0x1 rank " + rank + " nranks " + ranks
        + " cudaDev 0 nvmlDev 0 busId 1b000 commId " + comm + " - Init START\n";
  }

  private static String device(int rank, int pid, String host) {
    return "#  Rank  " + rank + " Group  0 Pid   " + pid + " on " + host + " device  0 [0000:1b:00] NVIDIA H100\n";
  }

  @Test
  void filesOfOneCommunicatorAreOneRun() {
    assertEquals(Set.of("a/n1.log"), runs(read("a/n1.log", init("n1", 10, 0, 2, "0xabc"), "b/n2.log", init("n2", 20, 1, 2, "0xabc"))));
  }

  @Test
  void logsOfTwoExecutionsStayApart() {
    assertEquals(Set.of("before.log", "after.log"), runs(read("before.log", init("n1", 10, 0, 2, "0xabc"), "after.log", init("n1", 11, 0, 2, "0xdef"))));
    assertEquals(Set.of("before/nccl.log", "after/nccl.log"),
        runs(read("before/nccl.log", init("pod-0", 29, 0, 2, "0xabc"), "after/nccl.log", init("pod-0", 29, 0, 2, "0xdef"))), "pids repeat in containers");
  }

  @Test
  void reportsWithoutACommonRowAreTwoRunsThoughProcessIdsRepeat() {
    String row = "     8388608       2097152     float     sum      -1    850.73    9.86    9.86      0   847.06    9.90    9.90      0\n";
    String other = "     8388608       2097152     float    none      -1    420.10   19.97    9.98      0   421.00   19.93    9.96      0\n";
    String table = HEAD + device(0, 41, "pod-0") + device(1, 41, "pod-1") + "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong\n";
    assertEquals(Set.of("first.txt", "second.txt"), runs(read("first.txt", table + row, "second.txt", table + other)));
    assertEquals(Set.of("copy.txt"), runs(read("copy.txt", table + row, "whole.txt", table + row + other.replace("8388608", "16777216"))), "a copy has the same rows");
  }

  @Test
  void secondHeaderStartsASecondRun() {
    String twice = HEAD + device(0, 10, "n1") + init("n1", 10, 0, 2, "0xabc") + HEAD + device(0, 30, "n1") + init("n1", 30, 0, 2, "0xdef");
    assertEquals(Set.of("all.txt#1", "all.txt#2"), runs(read("all.txt", twice)));
  }

  @Test
  void aRestartWithNewProcessesIsASecondRun() {
    assertEquals(Set.of("job.log#1", "job.log#2"), runs(read("job.log",
        init("n1", 10, 0, 2, "0xabc") + init("n2", 20, 1, 2, "0xabc") + init("n1", 11, 0, 2, "0xdef") + init("n2", 21, 1, 2, "0xdef"))));
  }

  @Test
  void subgroupsOfOneJobAreNoSecondRun() {
    assertEquals(Set.of("job.log"), runs(read("job.log", init("n1", 10, 0, 2, "0xabc") + init("n2", 20, 1, 2, "0xabc")
        + init("n1", 10, 0, 1, "0x1") + init("n2", 20, 0, 1, "0x2"))));
  }

  @Test
  void theHeadOfABenchmarkNamesTheProcessesOfTheLogBesideIt() {
    Ledger ledger = read("all_reduce.txt", HEAD + device(0, 10, "n1") + device(1, 20, "n2"), "nccl.n1.log", init("n1", 10, 0, 2, "0xabc"), "nccl.n2.log",
        init("n2", 20, 1, 2, "0xabc"), "other/all_reduce.txt", HEAD + device(0, 40, "n1"));
    assertEquals(Set.of("all_reduce.txt", "other/all_reduce.txt"), runs(ledger));
  }

  @Test
  void whatNamesNoProcessJoinsTheOnlyRunOfItsFolder() {
    Ledger ledger = read("nccl.log", init("n1", 10, 0, 2, "0xabc"), "train.log", "ncclSystemError: System call failed\n");
    assertEquals(Set.of("nccl.log"), runs(ledger));
  }

  @Test
  void inABundleOfOneNodeEverythingIsAboutIt() {
    Ledger ledger = read("nccl.log", init("n1", 10, 0, 2, "0xabc"), "train.log", "ncclSystemError: System call failed\n");
    assertTrue(ledger.all(NcclMessage.class).stream().allMatch(m -> m.node().equals("n1")));
    Ledger two = read("nccl.log", init("n1", 10, 0, 2, "0xabc") + init("n2", 20, 1, 2, "0xabc"), "train.log", "ncclSystemError: System call failed\n");
    assertTrue(two.all(NcclMessage.class).stream().anyMatch(m -> m.node().equals(Fact.UNKNOWN)));
  }

  private static Set<String> nodes(Ledger ledger, String type) {
    Set<String> nodes = new TreeSet<>();
    ledger.facts().stream().filter(f -> f.getClass().getSimpleName().equals(type)).forEach(f -> nodes.add(f.node()));
    return nodes;
  }

  private static final String PORTS = "Infiniband device 'mlx5_0' port 1 status:\n\tdefault gid:\t fe80:0000:0000:0000:946d:ae03:00f1:a0c0\n\tbase lid:\t 0x110\n\tsm lid:\t\t 0x2\n"
      + "\tstate:\t\t 4: ACTIVE\n\tphys state:\t 5: LinkUp\n\trate:\t\t 400 Gb/sec (4X NDR)\n\tlink_layer:\t InfiniBand\n";
  private static final String PAIRS = "# busbw GB/s\nh05 h06 389.4\nh06 h08 389.3\nh05 h07 204.8\nh08 h07 204.4\n";

  private static String prompt(String host) {
    return "[root@" + host + " ~]# uname -r\n5.15.0-1\n";
  }

  @Test
  void aFileWhoseNameHasAHostOfTheBundleIsOfThatHost() {
    assertEquals(Set.of("ndr08"), nodes(read("ndr07.log", init("ndr07", 10, 0, 2, "0xabc"), "ndr08.log", init("ndr08", 20, 1, 2, "0xabc"), "ndr08_ibstatus.txt", PORTS), "RdmaPort"));
    assertEquals(Set.of("ndr08"), nodes(read("a.log", init("ndr07", 10, 0, 2, "0xabc"), "b.log", init("ndr08", 20, 1, 2, "0xabc"), "ndr08/ports.txt", PORTS), "RdmaPort"));
  }

  @Test
  void aFileNameOfTwoHostsOrOfPartOfANameNamesNone() {
    String[] logs = {"a.log", init("ndr07", 10, 0, 2, "0xabc"), "b.log", init("ndr08", 20, 1, 2, "0xabc")};
    for (String name : List.of("ndr07-ndr08_ibstatus.txt", "ndr080_ibstatus.txt", "xndr08.txt", "ibstatus.txt")) {
      assertEquals(Set.of("unknown"), nodes(read(logs[0], logs[1], logs[2], logs[3], name, PORTS), "RdmaPort"), name);
    }
  }

  @Test
  void theEndOfAHostsNameInATableIsThatHost() {
    Ledger ledger = read("h07_uname.txt", prompt("rk3-h07"), "h06_uname.txt", prompt("rk3-h06"), "pairs.txt", PAIRS);
    assertEquals(Set.of("h05", "h08", "rk3-h06", "rk3-h07"), nodes(ledger, "NodeInPairs"));
  }

  @Test
  void anEndThatTwoHostsShareOrThatIsAHostOfItsOwnStaysItself() {
    assertTrue(nodes(read("a.txt", prompt("rk3-h07"), "b.txt", prompt("rk4-h07"), "pairs.txt", PAIRS), "NodeInPairs").contains("h07"));
    assertTrue(nodes(read("a.txt", prompt("rk3-h07"), "b.txt", prompt("h07"), "pairs.txt", PAIRS), "NodeInPairs").contains("h07"));
    assertTrue(nodes(read("a.txt", prompt("rk3h07"), "b.txt", prompt("rk3-h06"), "pairs.txt", PAIRS), "NodeInPairs").contains("h07"));
  }
}
