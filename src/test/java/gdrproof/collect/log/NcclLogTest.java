package gdrproof.collect.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.bundle.Bundle.Entry;
import gdrproof.collect.Collectors;
import gdrproof.facts.Fact;
import gdrproof.facts.Host.EnvValue;
import gdrproof.facts.Launch.RankTag;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Unread;
import gdrproof.facts.Nccl.FirstFailure;
import gdrproof.facts.Nccl.GpuGdr;
import gdrproof.facts.Nccl.NcclHca;
import gdrproof.facts.Nccl.NcclMessage;
import gdrproof.facts.Nccl.NcclRank;
import gdrproof.facts.Nccl.TransportUse;
import gdrproof.facts.Num;
import gdrproof.facts.Tri;
import gdrproof.policy.Policies;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class NcclLogTest {
  private static final String OWN = "node07:41123:41160 [0] NCCL INFO ";

  private static Ledger read(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Collectors.read(List.of(new Entry("nccl.log", bytes.length, () -> new ByteArrayInputStream(bytes))));
  }

  private static Set<String> ids(Ledger ledger) {
    Set<String> ids = new TreeSet<>();
    ledger.all(NcclMessage.class).forEach(m -> ids.add(m.id()));
    return ids;
  }

  private static List<String[]> samples() throws IOException {
    try (InputStream stream = NcclLogTest.class.getResourceAsStream("samples.tsv")) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8).lines().map(l -> l.split("\t", 2)).toList();
    }
  }

  /** A line in every wrapping that NCCL, launchers, container runtimes and shippers give it. */
  private static Map<String, String> wrappings(String line) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("plain", line);
    all.put("stamped", "[2026-11-29 12:00:39] " + line);
    all.put("mpirun tag", "[1,3]<stdout>:" + line);
    all.put("prrte tag", "[prterun-host-123@1,3]<stderr>: " + line);
    all.put("mpirun stamp", "Mon Jan  5 10:11:12 2026[1,3]<stdout>:" + line);
    all.put("hydra", "[3] " + line);
    all.put("srun", " 3: " + line);
    all.put("torchrun", "[rank3]:" + line);
    all.put("torchrun role", "[default3]: " + line);
    all.put("kubectl prefix", "[pod/worker-0/pytorch] " + line);
    all.put("kubectl stamp", "2026-01-05T10:11:12.123456789Z " + line);
    all.put("kubectl both and a tag", "[pod/worker-0/pytorch] 2026-01-05T10:11:12.123456789Z [1,3]<stdout>:" + line);
    all.put("cri", "2026-01-05T10:11:12.123456789Z stdout F " + line);
    all.put("ray", "(RayWorkerWrapper pid=4009, ip=10.0.0.8) " + line);
    all.put("coloured", "\u001B[36m(RayWorkerWrapper pid=4009)\u001B[0m " + line);
    all.put("carriage return", line + "\r");
    String json = line.replace("\\", "\\\\").replace("\"", "\\\"").replace(">", "\\u003e").replace("<", "\\u003c");
    all.put("docker", "{\"log\":\"" + json + "\\n\",\"stream\":\"stdout\",\"time\":\"2026-01-05T10:11:12Z\"}");
    all.put("shipper", "{\"time\":\"2026-01-05T10:11:12Z\",\"message\":\"" + json + "\",\"kubernetes\":{\"pod\":\"worker-0\"}}");
    int half = Math.max(0, line.length() - 4);
    all.put("cri, torn", "2026-01-05T10:11:12Z stdout P " + line.substring(0, half) + "\n2026-01-05T10:11:12Z stdout F " + line.substring(half));
    return all;
  }

  /** One file for each wrapping; the process id tells the sample. */
  @Test
  void everyMessageIsRecognisedInEveryWrapping() throws IOException {
    List<String[]> samples = samples();
    for (String wrapping : wrappings("").keySet()) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < samples.size(); i++) {
        String level = samples.get(i)[0].equals("call") ? ":9 NCCL CALL " : ":9 [0] NCCL INFO ";
        text.append(wrappings(foreign(samples.get(i)) ? samples.get(i)[1] : "node07:" + (1000 + i) + level + samples.get(i)[1]).get(wrapping)).append('\n');
      }
      Set<String> found = new TreeSet<>();
      read(text.toString()).all(NcclMessage.class).forEach(m -> found.add(m.process() + " " + m.id()));
      for (int i = 0; i < samples.size(); i++) {
        String expected = (foreign(samples.get(i)) ? "unknown" : "node07:" + (1000 + i)) + " " + samples.get(i)[0];
        assertTrue(found.contains(expected), wrapping + ": " + expected + ": " + samples.get(i)[1]);
      }
    }
    Set<String> unsampled = new TreeSet<>(Policies.read("log-messages.yaml").keySet());
    samples.forEach(s -> unsampled.remove(s[0]));
    assertEquals(Set.of("topo-path", "ib-using-dev"), unsampled, "every message of the catalogue needs a sample, but parts of other messages");
  }

  private static boolean foreign(String[] sample) {
    return sample[0].startsWith("pt-") || sample[0].equals("nccl-result");
  }

  @Test
  void warningsOfAllLayoutsAreRead() {
    for (String line : List.of("\nn1:1:2 [0] misc/ibvwrap.cc:278 NCCL WARN Call to ibv_reg_mr failed with error Bad address errno 14",
        "\n[2026-11-29 12:00:39] n1:1:2 [0] misc/ibvwrap.cc:278 (wrap_ibv_reg_mr) NCCL WARN Call to ibv_reg_mr failed with error Bad address errno 14",
        "n1:1:2 [0] ncclResult_t plugin::reg(void*, int):278 NCCL WARN Call to ibv_reg_mr failed with error Bad address errno 14")) {
      Ledger ledger = read(line);
      NcclMessage message = ledger.all(NcclMessage.class).get(0);
      assertEquals("WARN", message.level());
      assertEquals("14", message.field("errno"));
      FirstFailure first = ledger.all(FirstFailure.class).get(0);
      assertEquals("reg-fail", first.id());
      assertEquals(line.contains("2026") ? "2026-11-29 12:00:39" : Fact.UNKNOWN, first.time());
    }
  }

  @Test
  void gluedAndTornLinesGoOnAtTheNextAnchor() {
    Ledger ledger = read(OWN + "NET/IB : No device found.\n" + "gpu-01:5:6 [1] NCCL INFO Connected all trees\n" + OWN + "Channel 00gpu-01:5:6 [1] NCCL INFO Using network Socket\n" + "/0 : 1[0] -> 0[0]\n");
    assertTrue(ledger.all(NcclMessage.class).stream().anyMatch(m -> m.id().equals("using-network") && m.process().equals("gpu-01:5")), ledger.facts()::toString);
  }

  @Test
  void connectionsAreCountedNotListed() {
    StringBuilder log = new StringBuilder();
    for (int i = 0; i < 2; i++) {
      log.append("n").append(i).append(":1").append(i).append(":9 [0] NCCL INFO ncclCommInitRank comm 0x5 rank ").append(i)
          .append(" nranks 2 cudaDev 0 nvmlDev 0 busId 1b000 commId 0xab - Init START\n");
    }
    for (int channel = 0; channel < 1000; channel++) {
      log.append("n0:10:9 [0] NCCL INFO Channel ").append(channel).append("/0 : 1[0] -> 0[0] [receive] via NET/IB/2/GDRDMA\n");
    }
    Ledger ledger = read(log.toString());
    assertEquals(List.of(new TransportUse("n0", "nccl.log", "n0:10", "NET", "IB", Num.of(2), "receive", Tri.YES, Num.of(1000), Num.of(1), Num.of(0))),
        ledger.all(TransportUse.class));
    assertEquals(1, ledger.all(NcclMessage.class).stream().filter(m -> m.id().equals("via-net")).count());
  }

  @Test
  void ranksOfASmallerCommunicatorAreNoNeighboursInTheLargeOne() {
    StringBuilder log = new StringBuilder();
    for (int i = 0; i < 4; i++) {
      String own = "n" + i / 2 + ":1" + i + ":9 [0] NCCL INFO ";
      log.append(own).append("comm 0x5 rank ").append(i).append(" nranks 4 cudaDev 0 busId 1a000 - Init COMPLETE\n");
      // Ranks 0 and 2, and 1 and 3, are pairs across the nodes; in their own communicator they are 0 and 1.
      log.append(own).append("Channel 00 : ").append(i / 2).append("[1a000] -> ").append(1 - i / 2).append("[1a000] [send] via NET/IB/3\n");
    }
    assertEquals(List.of(Num.of(1), Num.of(1), Num.of(0), Num.of(0)), read(log.toString()).all(TransportUse.class).stream().map(TransportUse::localPeers).toList());
    for (int i = 0; i < 4; i++) {
      log.append("n").append(i / 2).append(":1").append(i).append(":9 [0] NCCL INFO comm 0x6 rank ").append(i / 2).append(" nranks 2 cudaDev 0 busId 1a000 - Init COMPLETE\n");
    }
    assertTrue(read(log.toString()).all(TransportUse.class).stream().noneMatch(t -> t.localPeers().known()));
  }

  @Test
  void theVerbsTransportSaysTheSameUnderItsPluginName() {
    String lines = OWN + "NET/IB : Using [0]mlx5_0:1/RoCE [1]mlx5_1:1/RoCE [RO]; OOB eth0:10.0.0.7<0>\n" + OWN + "NET/IB : GPU Direct RDMA Enabled for HCA 0 'mlx5_0'\n";
    Ledger own = read(lines);
    assertEquals(Set.of("gdr-hca", "ib-using", "ib-using-dev"), ids(own));
    assertEquals(own.all(NcclHca.class), read(lines.replace("NET/IB", "NET/gIB")).all(NcclHca.class));
    assertEquals(ids(own), ids(read(lines.replace("NET/IB", "NET/gIB"))));
  }

  @Test
  void aLogOfOtherLinesIsNotAnUnknownTool() {
    Ledger ledger = read(OWN + "RAS thread started\n" + OWN + "Mem Realloc old size 0, new size 256 pointer 0x7f00\n");
    assertEquals(List.of("lines of NCCL, and none of them tells of devices, transports or failures"), ledger.all(Unread.class).stream().map(Unread::reason).toList());
  }

  @Test
  void typedFactsAreDerived() {
    Ledger ledger = read("NCCL version 2.28.9+cuda13.0\n" + "[1,5]<stdout>:" + OWN + "NCCL_IB_DISABLE set by environment to 0.\n" + OWN
        + "NET/IB : Using [0]={[0] mlx5_0:1/RoCE, [1] mlx5_1:1/RoCE} [RO]; OOB eno1:10.0.0.7<0>\n" + OWN
        + "GPU Direct RDMA Disabled for GPU 3 / HCA 0 (distance 8 > 5), read 1 mode Default\n" + OWN
        + "ncclCommInitRank comm 0x55d rank 5 nranks 16 cudaDev 0 nvmlDev 0 busId 1b000 commId 0x8d5a12 - Init START\n");
    assertTrue(ledger.has(new EnvValue("node07", "nccl-log", "node07:41123", "NCCL_IB_DISABLE", "0")));
    assertEquals(2, ledger.all(NcclHca.class).size());
    assertEquals(1, read(OWN + "NET/IB : Using [0]mlx5_0:1/IB [1]mlx5").all(NcclHca.class).size(), "a line cut at NCCL's limit");
    assertEquals("PHB", ledger.all(GpuGdr.class).get(0).path());
    assertEquals("PXB", ledger.all(GpuGdr.class).get(0).limit());
    assertEquals(List.of(new NcclRank("node07", "nccl.log", "node07:41123", Num.of(5), Num.of(16), "0x8d5a12", "1b000", Tri.YES, Tri.NO)), ledger.all(NcclRank.class));
    assertEquals(List.of(new RankTag("node07", "nccl.log", "node07:41123", Num.of(5), "mpirun")), ledger.all(RankTag.class));
  }

  @Test
  void aFrameworkLineBelongsToTheProcessOfItsRank() {
    Ledger ledger = read("n0:10:9 [0] NCCL INFO ncclCommInitRank comm 0x5 rank 0 nranks 2 cudaDev 0 nvmlDev 0 busId 1b000 commId 0xab - Init COMPLETE\n"
        + "n1:11:9 [0] NCCL INFO ncclCommInitRank comm 0x5 rank 1 nranks 2 cudaDev 0 nvmlDev 0 busId 1b000 commId 0xab - Init COMPLETE\n"
        + "[rank1]: torch.distributed.DistBackendError: NCCL error in: ../ProcessGroupNCCL.cpp:1333, unhandled system error, NCCL version 2.18.1\n"
        + "[rank1]: ncclSystemError: System call (e.g. socket, malloc) or external library call failed or device error.\n"
        + "[rank1]: Last error:\n[rank1]: Call to ibv_reg_mr failed with error Cannot allocate memory\n");
    List<NcclMessage> texts = ledger.all(NcclMessage.class).stream().filter(m -> m.level().equals("TEXT")).toList();
    assertEquals(List.of("pt-nccl-error", "nccl-result", "pt-last-error", "reg-fail"), texts.stream().map(NcclMessage::id).toList());
    assertTrue(texts.stream().allMatch(m -> m.process().equals("n1:11")), texts::toString);
  }

  @Test
  void damagedInputNeverThrows() {
    read("[1,0]<stdout>:");
    read("{\"log\":\"a:1:2 [0] NCCL INFO ");
    read(":1:2 [0] NCCL WARN ");
    read("NCCL INFO");
    read(OWN.repeat(5));
    read("\u001B[");
    read("x".repeat(200_000) + OWN + "Using network IB");
    read("2026-01-05T10:11:12Z stdout P " + OWN + "Using net");
  }
}
