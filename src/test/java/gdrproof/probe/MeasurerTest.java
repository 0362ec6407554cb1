package gdrproof.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.cli.Pipeline;
import gdrproof.facts.Bench.RdmaLatency;
import gdrproof.facts.Bench.RdmaTest;
import gdrproof.facts.Bench.RdmaTestError;
import gdrproof.facts.Ledger;
import gdrproof.facts.Measure.Repeats;
import gdrproof.finding.Asking;
import gdrproof.finding.Diagnosis.Step;
import gdrproof.finding.Subject;
import gdrproof.policy.Policies;
import gdrproof.probe.Measurer.Options;
import gdrproof.probe.Measurer.Result;
import gdrproof.probe.Plan.Item;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plans are run with real processes: order of two sides, time limits, what is refused, and that nothing is left behind. */
class MeasurerTest {
  private static final Options LOAD = new Options(true, Duration.ofSeconds(120), false, false);

  @TempDir
  private Path folder;
  private final List<String> said = new ArrayList<>();
  private final Map<String, Target> targets = new LinkedHashMap<>();

  @BeforeAll
  static void hurry() {
    System.setProperty("gdrproof.measuring.grace_seconds", "2");
    System.setProperty("gdrproof.measuring.hang_seconds", "2");
    System.setProperty("gdrproof.measuring.least_seconds", "8");
    System.setProperty("gdrproof.measuring.listen_seconds", "6");
    System.setProperty("gdrproof.measuring.around_seconds", "1");
  }

  @AfterEach
  void nothingIsLeft() throws IOException, InterruptedException {
    targets.values().forEach(Target::close);
    Thread.sleep(200);
    // What a stand-in starts carries this test's folder in its environment.
    try (Stream<Path> all = Files.list(Path.of("/proc"))) {
      for (Path process : all.filter(p -> p.getFileName().toString().matches("\\d+")).toList()) {
        String environment;
        try {
          environment = Files.readString(process.resolve("environ"), java.nio.charset.StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
          continue;
        }
        assertFalse(environment.contains("STANDIN_DIR=" + folder), () -> process + " is left over");
      }
    }
  }

  private List<Result> run(Options options, Plan plan, String... settings) throws IOException, InterruptedException {
    for (String node : List.of("n1", "n2")) {
      targets.put(node, new StandinTarget(node, folder, settings));
    }
    return new Measurer(targets, folder.resolve("bundle"), options, said::add).run(plan);
  }

  private static Item item(String name, String cost, int runs, Step... steps) {
    return new Item(name, cost, "pair", false, 1, runs, "p", List.of("a"), List.of(steps), Map.of());
  }

  private static Plan pair(String test) {
    return new Plan(List.of(item(test, "load", 1, new Step("n2", Step.SERVER, 1, "numactl -N 1 -m 1 " + test + " -d mlx5_2 -p 18601 -F"),
        new Step("n1", Step.CLIENT, 1, "numactl -N 1 -m 1 " + test + " -d mlx5_2 -p 18601 -F n2"))));
  }

  private Ledger facts() throws IOException {
    return Pipeline.facts(folder.resolve("bundle"));
  }

  @Test
  void theServerComesFirstAndBothSidesJoinTheBundle() throws IOException, InterruptedException {
    List<Result> results = run(LOAD, pair("ib_write_bw"));
    assertEquals(List.of("client done 0", "server done 0"), results.stream().map(r -> r.role() + " " + r.status() + " " + r.exit()).toList(), said.toString());
    assertEquals(List.of("ib_write_bw server 18601", "ib_write_bw client 18601"), Files.readAllLines(folder.resolve("journal")));
    List<RdmaTest> tests = facts().all(RdmaTest.class);
    assertTrue(tests.stream().anyMatch(t -> t.node().equals("n1") && t.side().equals("client") && t.peer().equals("n2") && t.gbps().atLeast(300)), tests.toString());
    assertTrue(tests.stream().anyMatch(t -> t.node().equals("n2") && t.side().equals("server")), tests.toString());
    for (String file : List.of("n1.txt", "n2.server.txt", "n1.before.txt", "n1.after.txt", "n1.during.txt", "n2.before.txt")) {
      assertTrue(Files.exists(folder.resolve("bundle/measured/001-ib_write_bw/" + file)), file);
    }
    assertTrue(Files.readString(folder.resolve("bundle/measured/001-ib_write_bw/n1.txt")).startsWith("# gdrproof-probe v=1 probe=ib_write_bw host=n1 boundary=host "));
  }

  @Test
  void latencyIsMeasuredTheSameWay() throws IOException, InterruptedException {
    run(LOAD, pair("ib_write_lat"));
    assertTrue(facts().all(RdmaLatency.class).stream().anyMatch(l -> l.node().equals("n1")), said.toString());
  }

  @Test
  void aClientIsNotStartedForAServerThatDoesNotListen() throws IOException, InterruptedException {
    List<Result> results = run(LOAD, pair("ib_write_bw"), "STANDIN_IB=no-listen");
    assertEquals(List.of("server"), results.stream().map(Result::role).toList());
    assertTrue(results.get(0).note().contains("client was not started"), results.toString());
    assertEquals(1, Files.readAllLines(folder.resolve("journal")).size());
    assertTrue(facts().all(RdmaTestError.class).stream().anyMatch(e -> e.error().equals("device-not-found") || e.error().equals("no-rdma-device")), facts().all(RdmaTestError.class).toString());
  }

  @Test
  void aSideThatHangsIsStoppedWithTheOther() throws IOException, InterruptedException {
    List<Result> client = run(new Options(true, Duration.ofSeconds(6), true, false), pair("ib_write_bw"), "STANDIN_IB=client-hangs");
    assertTrue(client.get(0).status().matches("timed-out|stopped"), client.toString());
    assertTrue(Files.readString(folder.resolve("bundle").resolve(client.get(0).file())).matches("(?s)# gdrproof-probe .* status=(?:timeout|stopped) .*"));
    Files.deleteIfExists(folder.resolve("pipe-18601"));
    List<Result> server = run(LOAD, pair("ib_write_bw"), "STANDIN_IB=server-hangs");
    assertEquals(List.of("client done", "server stopped"), server.stream().map(r -> r.role() + " " + r.status()).toList());
  }

  @Test
  void errorsOfATestAreEvidence() throws IOException, InterruptedException {
    List<Result> results = run(LOAD, pair("ib_write_bw"), "STANDIN_IB=retry");
    assertEquals(1, results.get(0).exit());
    assertTrue(facts().all(RdmaTestError.class).stream().anyMatch(e -> e.error().equals("completion")), facts().all(RdmaTestError.class).toString());
  }

  @Test
  void whatChangesTheMachineIsRefusedWhateverItsClass() throws IOException, InterruptedException {
    String marker = folder.resolve("ran").toString();
    List<Result> results = run(LOAD, new Plan(List.of(item("by-class", "state", 1, new Step("n1", Step.RUN, 0, "touch " + marker)),
        item("by-command", "read-only", 1, new Step("n1", Step.RUN, 0, "sudo modprobe nvidia-peermem; touch " + marker)),
        item("unknown-class", "harmless", 1, new Step("n1", Step.RUN, 0, "touch " + marker)))));
    assertEquals(List.of("refused", "refused", "refused"), results.stream().map(Result::status).toList());
    assertFalse(Files.exists(Path.of(marker)));
  }

  @Test
  void commandsOfTheCatalogueOnlyRead() {
    Policies.read("measurements.yaml").forEach((name, entry) -> {
      Map<String, Object> m = Policies.map(entry);
      for (String key : List.of("command", "server", "client")) {
        assertFalse(Measuring.changes(String.valueOf(m.get(key))), name + ": " + m.get(key));
      }
    });
    for (String command : List.of("modprobe -r x", "sudo setpci -s 0:0 a=b", "nvidia-smi -pm 1", "nvidia-smi -i 0 --gpu-reset", "systemctl restart fm", "ip link set eth0 mtu 9000", "echo 1 > /proc/sys/x", "mlxconfig -d x s A=1",
        "ethtool -G eth0 rx 1", "kubectl delete pod x", "cat /x; reboot")) {
      assertTrue(Measuring.changes(command), command);
    }
  }

  @Test
  void aLoadNeedsPermissionTargetsAndTime() throws IOException, InterruptedException {
    Options reading = new Options(false, Duration.ofSeconds(60), false, false);
    assertEquals("refused", run(reading, pair("ib_write_bw")).get(0).status());
    Plan elsewhere = new Plan(List.of(item("x", "load", 1, new Step("n9", Step.RUN, 0, "true"))));
    assertTrue(run(LOAD, elsewhere).get(0).note().contains("n9"));
    Plan open = new Plan(List.of(new Item("x", "read-only", "node", false, 1, 1, "p", List.of(), List.of(new Step("n1", Step.RUN, 0, "ethtool {netdev}")), Map.of("netdev", "how"))));
    assertTrue(run(LOAD, open).get(0).note().contains("{netdev}"));
    Plan longer = new Plan(List.of(new Item("x", "load", "node", false, 500, 1, "p", List.of(), List.of(new Step("n1", Step.RUN, 0, "true")), Map.of())));
    assertTrue(run(LOAD, longer).get(0).note().contains("budget"));
    Plan many = new Plan(List.of(item("x", "read-only", 9, new Step("n1", Step.RUN, 0, "sleep 1"))));
    List<Result> bounded = run(new Options(false, Duration.ofSeconds(3), false, false), many);
    assertTrue(bounded.size() < 9 && bounded.get(bounded.size() - 1).status().matches("left-out|timed-out"), bounded.toString());
  }

  @Test
  void aBusyNodeIsNotLoadedUnlessOverruled() throws IOException, InterruptedException {
    List<Result> results = run(LOAD, pair("ib_write_bw"), "STANDIN_BUSY=1");
    assertEquals("busy", results.get(0).status());
    assertFalse(Files.exists(folder.resolve("journal")));
    assertEquals("done", run(new Options(true, Duration.ofSeconds(60), true, false), pair("ib_write_bw"), "STANDIN_BUSY=1").get(0).status());
  }

  @Test
  void busynessIsJudgedByProcessesWorkTrafficAndJobs() {
    assertEquals("", Busy.judge("percent 0\npercent 3\nwords 1000\n"));
    assertTrue(Busy.judge("process 4711\n").contains("process"));
    assertTrue(Busy.judge("percent 0\npercent 97\n").contains("97 %"));
    assertTrue(Busy.judge("words 300000000\n").contains("Gb/s"));
    assertTrue(Busy.judge("job 815\n").contains("815"));
  }

  @Test
  void comparableRunsAreRecordedApartAndAHangingJobIsAsked() throws IOException, InterruptedException {
    Step job = new Step("n1", Step.RUN, 0, "mpirun -np 2 -N 1 -H n1:1,n2:1 all_reduce_perf -b 8M -e 512M -f 2 -g 1");
    List<Result> results = run(LOAD, new Plan(List.of(item("sweep", "load", 3, job))));
    assertEquals(List.of("measured/001-sweep/n1.run1.txt", "measured/001-sweep/n1.run2.txt", "measured/001-sweep/n1.run3.txt"), results.stream().map(Result::file).toList());
    assertFalse(facts().all(Repeats.class).isEmpty());
    List<Result> hanging = run(new Options(true, Duration.ofSeconds(14), false, false), new Plan(List.of(item("hang", "load", 1, job))), "NCCL_STANDIN=hang");
    assertEquals("timed-out", hanging.get(0).status());
    assertTrue(Files.exists(folder.resolve("bundle/measured/002-hang/n1.ras-2.txt")), said.toString());
  }

  @Test
  void membersOfAJobStartTogetherAndEndTogether() throws IOException, InterruptedException {
    String wait = "i=0; while [ ! -e " + folder + "/%s ] && [ $i -lt 50 ]; do sleep 0.1; i=$((i+1)); done; ";
    Plan plan = new Plan(List.of(item("m", "load", 1, new Step("n1", Step.MEMBER, 0, "date > " + folder + "/a; " + wait.formatted("b") + "echo met"),
        new Step("n2", Step.MEMBER, 0, "date > " + folder + "/b; " + wait.formatted("a") + "echo met"))));
    List<Result> results = run(LOAD, new Plan(plan.items().stream().map(i -> i).toList()));
    // Writing outside /dev is refused in a plan; the same without files:
    assertEquals("refused", results.get(0).status());
    List<Result> ends = run(LOAD, new Plan(List.of(item("m", "load", 1, new Step("n1", Step.MEMBER, 0, "exit 3"), new Step("n2", Step.MEMBER, 0, "sleep 60")))));
    assertEquals(List.of("done 3", "stopped -1"), ends.stream().map(r -> r.status() + " " + r.exit()).toList());
  }

  @Test
  void countersAreTakenAroundALoadAndTwiceWithoutOne() throws IOException, InterruptedException {
    Item around = new Item("counters-twice", "read-only", "node", true, 1, 1, "p", List.of(), List.of(new Step("n1", Step.RUN, 0, "echo counter-line   # before and after")), Map.of());
    run(LOAD, new Plan(List.of(around, pair("ib_write_bw").items().get(0))));
    assertTrue(Files.readString(folder.resolve("bundle/measured/001-ib_write_bw/n1.after.txt")).contains("counter-line"));
    List<Result> twice = run(LOAD, new Plan(List.of(around)));
    assertEquals(List.of("measured/002-counters-twice/n1.before.txt", "measured/002-counters-twice/n1.after.txt"), twice.stream().map(Result::file).toList());
  }

  @Test
  void aDryRunPrintsTheCommandsAndTouchesNothing() throws IOException, InterruptedException {
    assertEquals(List.of(), run(new Options(true, Duration.ofSeconds(60), false, true), pair("ib_write_bw")));
    assertTrue(said.get(0).contains("ib_write_bw -d mlx5_2 -p 18601"), said.toString());
    assertFalse(Files.exists(folder.resolve("bundle")) || Files.exists(folder.resolve("journal")));
  }

  @Test
  void aListeningPortIsSeenInTheKernelsTable() throws IOException, InterruptedException {
    try (ServerSocket socket = new ServerSocket(0)) {
      Process process = new ProcessBuilder("sh", "-c", UnitRun.listening(socket.getLocalPort())).start();
      assertEquals("listening", new String(process.getInputStream().readAllBytes()).strip());
      int port = socket.getLocalPort();
      socket.close();
      assertEquals("", new String(new ProcessBuilder("sh", "-c", UnitRun.listening(port)).start().getInputStream().readAllBytes()).strip());
    }
  }

  @Test
  void aPlanIsWrittenAndReadBack() throws IOException {
    Plan plan = Plan.of(List.of(new Asking(List::of).ask("ib-write-bw-gpu", Set.of("f"), Set.of(Subject.run()), true)), new Asking(List::of));
    assertEquals(List.of("ib-write-bw-host", "ib-write-bw-gpu"), plan.items().stream().map(Item::measurement).toList());
    assertEquals(plan, Plan.read(plan.yaml()));
    assertTrue(plan.yaml().startsWith("schema: gdrproof/plan/v1"));
    assertThrows(ProbeException.class, () -> Plan.read("items: []"));
    assertThrows(ProbeException.class, () -> Plan.read("schema: gdrproof/plan/v1\nitems:\n- measurement: x\n"));
  }

  @Test
  void aPlanAsAScriptRunsBothSides() throws IOException, InterruptedException {
    String node = LocalTarget.hostName();
    Plan plan = new Plan(List.of(item("ib-write-bw-host", "load", 1, new Step(node, Step.SERVER, 1, "ib_write_bw -d mlx5_2 -p 18601 -F"), new Step(node, Step.CLIENT, 1, "ib_write_bw -d mlx5_2 -p 18601 -F " + node)),
        item("bad", "state", 1, new Step(node, Step.RUN, 0, "modprobe x")), item("it's", "read-only", 1, new Step(node, Step.RUN, 0, "echo 'one  two'"))));
    Path script = Files.writeString(folder.resolve("plan.sh"), MeasureScript.of(plan).replace("env -i /bin/sh -c \"export $CLEAN;", "env -i /bin/sh -c \"export $CLEAN STANDIN_DIR=" + folder + ";"));
    ProcessBuilder builder = new ProcessBuilder("sh", script.toString(), "-o", folder.resolve("bundle").toString()).redirectErrorStream(true);
    builder.environment().put("PATH", StandinTarget.STANDINS + ":/usr/bin:/bin");
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes());
    assertEquals(0, process.waitFor(), output);
    assertEquals(List.of("ib_write_bw server 18601", "ib_write_bw client 18601"), Files.readAllLines(folder.resolve("journal")), output);
    assertTrue(output.contains("bad: refused"), output);
    assertTrue(Files.readString(folder.resolve("bundle/measured/002-it's/" + node + ".txt")).contains("\none  two\n"), output);
    assertTrue(facts().all(RdmaTest.class).stream().anyMatch(t -> t.gbps().atLeast(300)), output);
  }
}
