package gdrproof.finding;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.facts.Bench.NcclTestCommand;
import gdrproof.facts.Fact;
import gdrproof.facts.Gpu.GpuDevice;
import gdrproof.facts.Gpu.TopoLink;
import gdrproof.facts.Gpu.TopoNic;
import gdrproof.facts.Nccl.NcclHca;
import gdrproof.facts.Num;
import gdrproof.facts.Pcie.DeviceAddress;
import gdrproof.facts.Pcie.PciNuma;
import gdrproof.facts.Rdma.Gid;
import gdrproof.facts.Rdma.RdmaPort;
import gdrproof.finding.Diagnosis.Answer;
import gdrproof.finding.Diagnosis.Ask;
import gdrproof.finding.Diagnosis.Status;
import gdrproof.finding.Diagnosis.Step;
import gdrproof.policy.Policies;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Asks are exact commands for what the facts name, and come in the order in which an engineer would work. */
class AskingTest {
  private static final RuleInfo RULE = new RuleInfo("T1", "t", "test", Severity.ERROR, "", List.of("diagnose"), "", "", "m", "s", "r", "x", "t.drl", 1);

  private static Answer open(String fault, int decisive, Subject subject, String... missing) {
    return new Answer(RULE, fault, Layer.FABRIC, Status.OPEN, List.of(subject), "m", List.of(), List.of(), List.of("slow: s"), List.of(), List.of(missing), decisive, "r");
  }

  /** Two nodes of a run: rails on both sockets, the second one RoCE with its GID at index 5. */
  private static List<Fact> cluster() {
    List<Fact> facts = new ArrayList<>();
    for (String node : List.of("n1", "n2")) {
      for (String hca : List.of("mlx5_2", "mlx5_10")) {
        String link = hca.equals("mlx5_2") ? "InfiniBand" : "Ethernet";
        facts.add(new RdmaPort(node, hca, Num.of(1), "ACTIVE", "LINKUP", Num.of(400), link, Num.of(7), Num.of(1)));
        facts.add(new NcclHca(node, "r", node + ":11", Num.of(0), hca, Num.of(1), "IB"));
        facts.add(new DeviceAddress(node, hca, "0000:" + (hca.equals("mlx5_2") ? "18" : "b8") + ":00.0"));
      }
      facts.add(new PciNuma(node, "0000:b8:00.0", Num.of(1)));
      facts.add(new Gid(node, "mlx5_10", Num.of(1), Num.of(5), "x", "ipv4", "10.0.1." + node.charAt(1), "v2", "eth1"));
      for (int g = 0; g < 4; g++) {
        facts.add(new GpuDevice(node, "GPU" + g, "0000:" + g + "b:00.0", "NVIDIA H100 80GB HBM3"));
        facts.add(new TopoLink(node, "GPU" + g, "NIC0", g == 2 ? "PIX" : g < 2 ? "SYS" : "NODE"));
        facts.add(new TopoLink(node, "GPU" + g, "NIC1", g == 1 ? "PIX" : "SYS"));
      }
      facts.add(new TopoNic(node, "NIC0", "mlx5_10"));
      facts.add(new TopoNic(node, "NIC1", "mlx5_2"));
    }
    facts.add(new NcclTestCommand("n1", "r", "all_reduce_perf", Num.of(8), Num.of(4), List.of("n1", "n2"), Map.of()));
    return facts;
  }

  private static Ask ask(List<Fact> facts, String measurement, Subject... subjects) {
    Ask first = new Asking(() -> facts).ask(measurement, Set.of("f"), Set.of(subjects), true);
    for (int i = 0; i < 5; i++) {
      List<Fact> shuffled = new ArrayList<>(facts);
      Collections.shuffle(shuffled, new Random(i));
      assertEquals(first, new Asking(() -> shuffled).ask(measurement, Set.of("f"), Set.of(subjects), true), "order of facts must not matter");
    }
    return first;
  }

  @Test
  void aTestOfOneRailNamesPortGidNumaNodeAndBothSides() {
    Ask ask = ask(cluster(), "ib-write-bw-host", Subject.port("n1", "mlx5_10", Num.of(1)));
    assertEquals(List.of(new Step("n2", Step.SERVER, 1, "numactl -N 1 -m 1 ib_write_bw -d mlx5_10 -x 5 -p 18516 -a -n 1000 -F --report_gbits"),
        new Step("n1", Step.CLIENT, 1, "numactl -N 1 -m 1 ib_write_bw -d mlx5_10 -x 5 -p 18516 -a -n 1000 -F --report_gbits n2"),
        new Step("n1", Step.SERVER, 2, "numactl -N 1 -m 1 ib_write_bw -d mlx5_10 -x 5 -p 18517 -a -n 1000 -F --report_gbits"),
        new Step("n2", Step.CLIENT, 2, "numactl -N 1 -m 1 ib_write_bw -d mlx5_10 -x 5 -p 18517 -a -n 1000 -F --report_gbits n1")), ask.steps());
    assertEquals(Map.of(), ask.fill());
    assertEquals(List.of("n1", "n2"), ask.on());
  }

  @Test
  void everyRailIsMeasuredWhereNoneIsNamed() {
    assertEquals(8, ask(cluster(), "ib-write-bw-host", Subject.node("n2")).steps().size());
  }

  @Test
  void aGpuTestTakesTheNearestGpuAndNeverTheFirstByHabit() {
    List<Step> near = ask(cluster(), "ib-write-bw-gpu", Subject.port("n1", "mlx5_10", Num.of(1))).steps();
    assertTrue(near.stream().allMatch(s -> s.command().contains("--use_cuda=2")), near.toString());
    List<Step> far = ask(cluster(), "ib-write-bw-gpu-far", Subject.port("n1", "mlx5_10", Num.of(1))).steps();
    assertTrue(far.stream().noneMatch(s -> s.command().contains("--use_cuda=2")), far.toString());
    List<Step> asked = ask(cluster(), "ib-write-bw-gpu", Subject.path("n1", "0000:1b:00.0", "0000:18:00.0")).steps();
    assertTrue(asked.get(1).command().contains("-d mlx5_2") && asked.get(1).command().contains("--use_cuda=1"), asked.toString());
    List<Fact> bare = cluster().stream().filter(f -> !(f instanceof TopoLink)).toList();
    Ask open = ask(bare, "ib-write-bw-gpu", Subject.port("n1", "mlx5_10", Num.of(1)));
    assertTrue(open.command().contains("--use_cuda={gpu_index}") && open.fill().containsKey("gpu_index"), open.command());
  }

  @Test
  void whatNoFactFillsStaysANamedSlot() {
    Ask ask = ask(List.of(), "ib-write-bw-host", Subject.run());
    assertTrue(ask.command().contains("-d {hca}") && ask.command().contains("{peer}"), ask.command());
    assertTrue(ask.fill().keySet().containsAll(List.of("hca", "peer")), ask.fill().toString());
    Ask job = ask(List.of(), "gdr-log", Subject.run());
    assertTrue(job.command().endsWith("{job}") && job.fill().containsKey("job"), job.command());
  }

  @Test
  void aNameFromEvidenceNeverBecomesShellText() {
    List<Fact> facts = cluster();
    facts.add(new NcclHca("n1", "r", "n1:11", Num.of(0), "mlx5_0;reboot", Num.of(1), "IB"));
    facts.add(new NcclTestCommand("n1", "r", "all_reduce_perf", Num.of(8), Num.of(4), List.of("$(reboot)", "n1", "n2"), Map.of()));
    for (String measurement : Policies.read("measurements.yaml").keySet()) {
      Ask ask = ask(facts, measurement, Subject.port("n1", "mlx5_0;reboot", Num.of(1)), Subject.node("$(reboot)"), Subject.process("n1", "n1:1`reboot`"));
      assertFalse(ask.steps().stream().anyMatch(s -> s.command().contains("reboot")), ask.command());
    }
  }

  @Test
  void testsOverRanksNameHostsAndSettings() {
    Ask ask = ask(cluster(), "gdr-log", Subject.process("n2", "n2:11"));
    assertEquals(1, ask.steps().size());
    String line = ask.steps().get(0).command();
    assertTrue(line.startsWith("mpirun -np 2 -N 1 -H n2:1,n1:1 ") && line.contains(" -x NCCL_DEBUG_SUBSYS=INIT,NET ") && line.contains("all_reduce_perf -b 8M"), line);
    String srun = new Asking(ClusterFacts::none, "srun").ask("gdr-log", Set.of(), Set.of(Subject.run()), true).command();
    assertTrue(srun.endsWith("{job}"), srun);
    List<Fact> facts = cluster();
    String slurm = new Asking(() -> facts, "srun").ask("gdr-log", Set.of(), Set.of(Subject.run()), true).command();
    assertTrue(slurm.startsWith("srun -N 2 -n 2 --ntasks-per-node=1 -w n1,n2 ") && slurm.contains(" NCCL_DEBUG_SUBSYS=INIT,NET "), slurm);
    List<Step> torch = new Asking(() -> facts, "torchrun").ask("gdr-log", Set.of(), Set.of(Subject.run()), true).steps();
    assertEquals(List.of(Step.MEMBER, Step.MEMBER), torch.stream().map(Step::role).toList());
    assertTrue(torch.get(1).command().contains("--node-rank=1") && torch.get(1).command().contains("--rdzv-endpoint=n1:"), torch.toString());
  }

  private static final class ClusterFacts {
    private static List<Fact> none() {
      return List.of();
    }
  }

  @Test
  void aRailAtATimeIsARunForEachHca() {
    List<Step> steps = ask(cluster(), "nccl-one-rail", Subject.run()).steps();
    assertEquals(2, steps.size());
    assertTrue(steps.get(0).command().contains("NCCL_IB_HCA==mlx5_2:1") && steps.get(1).command().contains("NCCL_IB_HCA==mlx5_10:1"), steps.toString());
  }

  @Test
  void readingComesFirstThenLoadsInTheRawOrder() {
    Subject port = Subject.port("n1", "mlx5_10", Num.of(1));
    List<Ask> asks = new Asking(AskingTest::cluster).asks(List.of(open("a", 2, port, "nccl-tests-sweep", "ib-write-bw-gpu", "ibstat"), open("b", 1, port, "ib-write-bw-host", "lspci-acs")), List.of());
    assertEquals(List.of("ibstat", "lspci-acs", "ib-write-bw-host", "ib-write-bw-gpu", "nccl-tests-sweep"), asks.stream().map(Ask::measurement).toList());
  }

  @Test
  void anAskThatAllHypothesesShareTellsNoneApart() {
    Subject node = Subject.node("n1");
    List<Ask> asks = new Asking(AskingTest::cluster).asks(List.of(open("a", 3, node, "ibstat", "rank-limits"), open("b", 3, node, "ibstat", "show-gids")), List.of());
    assertEquals(List.of("show-gids", "rank-limits", "ibstat"), asks.stream().map(Ask::measurement).toList());
    assertFalse(asks.get(2).splits());
    assertTrue(new Asking(AskingTest::cluster).asks(List.of(open("a", 3, node, "ibstat")), List.of()).get(0).splits(), "a single hypothesis is decided by it");
  }

  @Test
  void theMatrixClimbsFromTheLinkToAllNodes() {
    List<Ask> asks = new Asking(AskingTest::cluster).matrix();
    assertEquals("ib-write-bw-host", asks.get(0).measurement());
    assertEquals("nccl-scaling", asks.get(asks.size() - 1).measurement());
    assertTrue(asks.stream().allMatch(a -> a.fill().isEmpty()), asks.stream().map(Ask::fill).toList().toString());
    assertEquals(asks.stream().map(Ask::stage).sorted().toList(), asks.stream().map(Ask::stage).toList());
  }

  @Test
  void everySlotOfEveryCommandIsExplained() {
    Set<String> explained = Policies.read("ask-slots.yaml").keySet();
    Policies.read("measurements.yaml").forEach((name, entry) -> {
      Ask ask = new Asking(List::of).ask(name, Set.of(), Set.of(Subject.run()), true);
      java.util.regex.Matcher slot = java.util.regex.Pattern.compile("\\{([a-z_]+)\\}").matcher(ask.command());
      while (slot.find()) {
        assertTrue(explained.contains(slot.group(1)) || slot.group(1).equals("per_node"), name + ": slot " + slot.group(1) + " is not in ask-slots.yaml");
      }
    });
  }
}
