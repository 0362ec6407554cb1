package gdrproof.collect.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.collect.Collectors;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.Limit;
import gdrproof.facts.Host.LoadedLibrary;
import gdrproof.facts.Host.PeerMemoryUse;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Kind;
import gdrproof.facts.Meta.Looked;
import gdrproof.facts.Meta.Unread;
import gdrproof.facts.Nccl.CrossedOrder;
import gdrproof.facts.Nccl.Laggard;
import gdrproof.facts.Nccl.NcclVersion;
import gdrproof.facts.Num;
import gdrproof.facts.Rdma.RdmaPort;
import gdrproof.facts.Rdma.RdmaUse;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a running job shows without a restart: libraries, limits, verbs resources, NCCL RAS; and heads of collected files. */
class RunningJobTest {
  private static final String HEAD = "# gdrproof-probe v=1 probe=%s host=gpu7 boundary=%s time=2026-11-29T17:00:00Z exit=%d seconds=0.10 status=%s command=%s\n";

  private static Ledger read(String name, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Collectors.read(List.of(new Entry(name, bytes.length, () -> new ByteArrayInputStream(bytes))));
  }

  private static String head(String probe, String boundary, int exit, String status, String command) {
    return String.format(HEAD, probe, boundary, exit, status, command);
  }

  @Test
  void librariesOfAProcessNameTheLoadedRelease() {
    Ledger ledger = read("gpu7/host/job-libraries.txt", head("job-libraries", "host", 0, "done", "cat /proc/PID/maps")
        + "$ cat /proc/4711/maps\n/usr/lib/x86_64-linux-gnu/libnccl.so.2.28.9\n/opt/plugin/libnccl-net.so\n7f00a0000000-7f00a0010000 r-xp 00000000 08:01 131 /usr/lib/libmlx5.so.1.25.52.0\n/usr/lib/libc.so.6\n");
    assertTrue(ledger.all(NcclVersion.class).contains(new NcclVersion("gpu7", Fact.UNKNOWN, "gpu7:4711", "2.28.9", Fact.UNKNOWN)) || ledger.all(NcclVersion.class).stream().anyMatch(v -> v.process().equals("gpu7:4711")
        && v.version().equals("2.28.9")), ledger.all(NcclVersion.class)::toString);
    assertEquals(List.of("libmlx5", "libnccl", "libnccl-net"), ledger.all(LoadedLibrary.class).stream().map(LoadedLibrary::name).sorted().toList());
  }

  @Test
  void queuePairsAndRegionsBelongToProcessesAndAreNoPorts() {
    Ledger ledger = read("gpu7/host/rdma-resource.txt", head("rdma-resource", "host", 0, "done", "rdma resource show")
        + "$ rdma resource show qp\nlink mlx5_0/1 lqpn 0 type SMI state RTS sq-psn 0 comm [ib_core]\nlink mlx5_0/1 lqpn 300 rqpn 301 type RC state RTS rq-psn 1 sq-psn 1 path-mig-state MIGRATED pid 4711 comm python\n"
        + "link mlx5_0/1 lqpn 302 rqpn 0 type RC state INIT sq-psn 0 path-mig-state MIGRATED pid 4711 comm python\n$ rdma resource show mr\ndev mlx5_0 mrn 5 rkey 0x1 lkey 0x1 mrlen 4194304 pid 4711 comm python\n");
    assertEquals(List.of(), ledger.all(RdmaPort.class));
    assertTrue(ledger.all(RdmaUse.class).contains(new RdmaUse("gpu7", "gpu7:4711", "mlx5_0", Num.of(2), Num.of(1), Num.UNKNOWN, Num.UNKNOWN)), ledger.all(RdmaUse.class)::toString);
    assertTrue(ledger.all(RdmaUse.class).contains(new RdmaUse("gpu7", "gpu7:4711", "mlx5_0", Num.UNKNOWN, Num.UNKNOWN, Num.of(1), Num.of(4194304))), ledger.all(RdmaUse.class)::toString);
  }

  @Test
  void onlyAWholeListOfQueuePairsProvesThatAnHcaHasNone() {
    String pair = "link mlx5_0/1 lqpn 300 rqpn 301 type RC state RTS sq-psn 1 pid 4711 comm python\n";
    assertTrue(looksAtPairs("done", "rdma resource show qp", pair));
    assertFalse(looksAtPairs("cut", "rdma resource show qp", pair));
    assertFalse(looksAtPairs("done", "rdma resource show qp link mlx5_0/1", pair));
    assertFalse(looksAtPairs("done", "rdma resource show qp | head -n 20", pair));
  }

  private static boolean looksAtPairs(String status, String command, String body) {
    return read("gpu7/host/rdma-resource.txt", head("rdma-resource", "host", 0, status, "rdma resource show") + "$ " + command + "\n" + body).all(Looked.class).stream().anyMatch(l -> l.kind().equals(Kind.QUEUE_PAIRS));
  }

  @Test
  void peerMemoryInUseIsWhatWasAllocatedAndNotReleased() {
    Ledger ledger = read("gpu7/host/memory-peers.txt", head("memory-peers", "host", 0, "done", "ls /sys/kernel/mm/memory_peers") + "$ grep -H . /sys/kernel/mm/memory_peers/nv_mem/*\n"
        + "/sys/kernel/mm/memory_peers/nv_mem/num_alloc_mrs:96\n/sys/kernel/mm/memory_peers/nv_mem/num_dealloc_mrs:32\n/sys/kernel/mm/memory_peers/nv_mem/num_reg_pages:50331648\n/sys/kernel/mm/memory_peers/nv_mem/version:1.3\n");
    assertEquals(List.of(new PeerMemoryUse("gpu7", "nv_mem", Num.of(64))), ledger.all(PeerMemoryUse.class));
  }

  @Test
  void rasAsJsonNamesTheRankBehind() {
    String rank = "{\n\"rank\": %d,\n\"host\": \"gpu%d\",\n\"pid\": %d,\n\"collective_counts\": {\n\"AllReduce\": %d,\n\"Broadcast\": 0\n}\n}";
    Ledger ledger = read("gpu7/host/job-ras.txt", head("job-ras", "host", 0, "done", "ncclras -v") + "$ ncclras -f json\n{\n\"nccl_version\": \"2.28.9\",\n\"communicators_count\": 1,\n\"communicators\": [\n{\n\"ranks\": [\n"
        + String.format(rank, 0, 7, 100, 1023) + ",\n" + String.format(rank, 1, 8, 101, 1) + "\n],\n\"missing_ranks\": []\n}\n]\n}\n");
    assertEquals(List.of("gpu8:101"), ledger.all(Laggard.class).stream().map(Laggard::process).toList());
  }

  @Test
  void ranksAreCrossedOnlyWithOneAndTheSamePeer() {
    String head = "$ ncclras\n#0-0 (27a0) MISMATCH\n";
    String broadcast = "  Communicator ranks have different Broadcast operation counts\n  3 ranks have launched up to operation 12\n  Rank %d has launched up to operation %d -- GPU 0 managed by process 7%d on node n%d\n";
    String reduce = broadcast.replace("Broadcast", "AllReduce").replace("12", "40");
    assertEquals(List.of("n0:70 Broadcast 13 AllReduce 39"), crossed(head + String.format(broadcast, 0, 13, 0, 0) + String.format(reduce, 0, 39, 0, 0)));
    assertEquals(List.of("n0:70 Broadcast 13 AllReduce 40", "n1:71 AllReduce 41 Broadcast 12"), crossed(head + String.format(broadcast, 0, 13, 0, 0) + String.format(reduce, 1, 41, 1, 1)));
    assertEquals(List.of(), crossed(head + String.format(broadcast, 0, 11, 0, 0) + String.format(reduce, 0, 39, 0, 0)), "late in both");
    assertEquals(List.of(), crossed(head + String.format(broadcast, 0, 11, 0, 0) + String.format(reduce, 1, 41, 1, 1)), "one late, one early");
    assertEquals(List.of(), crossed(head + String.format(broadcast, 0, 13, 0, 0) + "#1-0 (27a1) MISMATCH\n" + String.format(reduce, 0, 39, 0, 0)), "two communicators");
    assertEquals(List.of(), crossed(head + String.format(broadcast, 0, 13, 0, 0)), "one kind only");
  }

  private static List<String> crossed(String answer) {
    return read("gpu7/host/job-ras.txt", head("job-ras", "host", 0, "done", "ncclras") + answer).all(CrossedOrder.class).stream()
        .map(c -> c.process() + " " + c.ahead() + " " + Math.round(c.aheadAt().value()) + " " + c.behind() + " " + Math.round(c.behindAt().value())).sorted().toList();
  }

  @Test
  void limitsOfARankAreItsOwn() {
    Ledger ledger = read("gpu7/host/job-limits.txt", head("job-limits", "host", 0, "done", "cat /proc/PID/limits") + "$ cat /proc/4711/limits\nLimit                     Soft Limit           Hard Limit           Units     \n"
        + "Max locked memory         8388608              8388608              bytes     \n");
    assertTrue(ledger.all(Limit.class).stream().anyMatch(l -> l.node().equals("gpu7") && l.scope().equals("process")), ledger.all(Limit.class)::toString);
  }

  @Test
  void anOutputThatIsNotWholeProvesNoAbsenceAndIsSaid() {
    String body = "Module                  Size  Used by\nmlx5_core 2000000 1\nnvidia 50000000 3\n";
    assertTrue(read("gpu7/host/modules.txt", head("modules", "host", 0, "done", "lsmod") + body).all(Looked.class).stream().anyMatch(l -> l.node().equals("gpu7")));
    Ledger cut = read("gpu7/host/modules.txt", head("modules", "host", -1, "timeout", "lsmod") + body);
    assertEquals(List.of(), cut.all(Looked.class));
    assertTrue(cut.all(Unread.class).stream().anyMatch(u -> u.node().equals("gpu7") && u.reason().contains("time limit")), cut.all(Unread.class)::toString);
  }

  @Test
  void theIndexTellsWhatWasNotHadAndDamageInItIsNoHarm() {
    String line = "{\"schema\":\"gdrproof/collection/v1\",\"probe\":\"%s\",\"node\":\"gpu7\",\"boundary\":\"host\",\"status\":\"missing-tool\",\"reason\":\"mlxlink is not installed\",\"exit\":-1,\"seconds\":0,\"time\":\"t\",\"command\":\"c\",\"file\":\"\"}\n";
    Ledger ledger = read("gpu7/host/collection.jsonl", String.format(line, "mlxlink") + String.format(line, "mlxlink-again") + "{\"schema\":\"gdrpro");
    List<String> reasons = ledger.all(Unread.class).stream().map(Unread::reason).toList();
    assertTrue(reasons.contains("not collected: mlxlink, mlxlink-again: mlxlink is not installed"), reasons::toString);
    assertEquals(2, reasons.size(), reasons::toString);
  }
}
