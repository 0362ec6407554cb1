package gdrproof.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gdrproof.cli.Pipeline;
import gdrproof.facts.Ledger;
import gdrproof.facts.Rdma.RdmaPort;
import gdrproof.finding.Diagnosis;
import gdrproof.finding.Diagnosis.Answer;
import gdrproof.probe.Gathering.Plan;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Collection over a simulated InfiniBand subnet: the real tools of infiniband-diags, a real opensm, and ibsim in place of switches and HCAs. Skips where ibsim-utils,
 * opensm, infiniband-diags or libumad2sim0 are not installed.
 */
@Timeout(180)
class IbsimTest {
  private static final List<String> TOOLS = List.of("ibstat", "sminfo", "perfquery", "iblinkinfo", "ibqueryerrors");

  @TempDir
  private Path folder;
  private final List<Process> processes = new ArrayList<>();
  private Process simulator;
  private OutputStream console;
  private String shim;

  @BeforeEach
  void look() throws Exception {
    try (Stream<Path> lib = Files.walk(Path.of("/usr/lib"), 3)) {
      shim = lib.filter(f -> f.endsWith("libumad2sim.so")).map(Path::toString).findFirst().orElse("");
    } catch (java.io.UncheckedIOException e) {
      shim = "";
    }
    assumeTrue(!shim.isEmpty() && Files.isExecutable(Path.of("/usr/bin/ibsim")) && Stream.of("ibstat", "opensm").allMatch(t -> Files.isExecutable(Path.of("/usr/sbin/" + t))),
        "ibsim-utils, libumad2sim0, opensm or infiniband-diags is not installed");
  }

  @AfterEach
  void stop() throws Exception {
    // The subnet manager first: it hangs when its fabric is gone.
    for (int i = processes.size() - 1; i >= 0; i--) {
      processes.get(i).destroyForcibly().waitFor();
    }
  }

  /** Three hosts on one switch; the third runs the subnet manager. */
  private void fabric(String width) throws Exception {
    StringBuilder net = new StringBuilder("Switch\t8 \"leaf0\"\n");
    for (int n = 1; n <= 3; n++) {
      net.append("[" + n + "]\t\"node" + n + "-mlx5_0\"[1]\t\t# \"node" + n + " mlx5_0\" lid " + (100 + n) + " " + (n == 1 ? width : "4xHDR") + "\n");
    }
    for (int n = 1; n <= 3; n++) {
      net.append("\nHca\t1 \"node" + n + "-mlx5_0\"\n[1]\t\"leaf0\"[" + n + "]\t\t# lid " + (100 + n) + " lmc 0 \"leaf0\" lid 10 " + (n == 1 ? width : "4xHDR") + "\n");
    }
    Files.writeString(folder.resolve("fabric.net"), net);
    simulator = new ProcessBuilder("/usr/bin/ibsim", "-s", folder.resolve("fabric.net").toString()).directory(folder.toFile()).redirectErrorStream(true)
        .redirectOutput(folder.resolve("ibsim.log").toFile()).start();
    processes.add(simulator);
    console = simulator.getOutputStream();
    for (int i = 0; i < 100 && !Files.readString(folder.resolve("ibsim.log")).contains("sim>"); i++) {
      Thread.sleep(50);
    }
    for (String tool : TOOLS) {
      Path wrapper = folder.resolve("bin").resolve(tool);
      Files.createDirectories(wrapper.getParent());
      Files.writeString(wrapper, "#!/bin/sh\ncd " + folder + " && exec env LD_PRELOAD=" + shim + " /usr/sbin/" + tool + " \"$@\"\n");
      Files.setPosixFilePermissions(wrapper, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  private void subnetManager() throws Exception {
    ProcessBuilder opensm = new ProcessBuilder("/usr/sbin/opensm", "-f", folder.resolve("opensm.log").toString()).directory(folder.toFile()).redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD);
    opensm.environment().put("SIM_HOST", "node3-mlx5_0");
    opensm.environment().put("LD_PRELOAD", shim);
    opensm.environment().put("OSM_CACHE_DIR", folder.toString());
    opensm.environment().put("OSM_TMP_DIR", folder.toString());
    processes.add(opensm.start());
    try (SimulatedNode node = new SimulatedNode(1)) {
      for (int i = 0; i < 60; i++) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        node.start(new Target.Command("ibstat", Duration.ofSeconds(20), 10_000), out).await();
        if (out.toString(StandardCharsets.UTF_8).contains("State: Active")) {
          return;
        }
        Thread.sleep(200);
      }
    }
    throw new IOException("the subnet never became active");
  }

  private void console(String command) throws Exception {
    console.write((command + "\n").getBytes(StandardCharsets.UTF_8));
    console.flush();
    Thread.sleep(500);
  }

  /** This machine, on which the tools see the HCA of one simulated host. */
  private final class SimulatedNode implements Target {
    private final int number;
    private final LocalTarget local;

    SimulatedNode(int number) {
      this.number = number;
      this.local = new LocalTarget("node" + number, Boundary.HOST);
    }

    @Override
    public String node() {
      return local.node();
    }

    @Override
    public Boundary boundary() {
      return Boundary.HOST;
    }

    @Override
    public String describe() {
      return "simulated host " + number;
    }

    @Override
    public Running start(Command command, OutputStream out) throws ProbeException {
      String shell = "PATH=" + folder.resolve("bin") + ":$PATH; SIM_HOST=node" + number + "-mlx5_0; export PATH SIM_HOST; " + command.shell();
      return local.start(new Command(shell, command.timeout(), command.maxBytes()), out);
    }

    @Override
    public void close() {
      local.close();
    }
  }

  private Path collect(String phase) throws Exception {
    Path bundle = folder.resolve("bundle");
    try (SimulatedNode one = new SimulatedNode(1); SimulatedNode two = new SimulatedNode(2)) {
      Plan plan = new Plan(Probe.all(), Set.copyOf(TOOLS), Duration.ofSeconds(40), "", "", phase, 2);
      new Gathering(bundle, plan, line -> { }).run(List.of(one, two));
    }
    return bundle;
  }

  private static List<String> faults(Diagnosis diagnosis) {
    return Stream.of(diagnosis.causes(), diagnosis.observations()).flatMap(List::stream).map(Answer::fault).toList();
  }

  @Test
  void aHealthyFabricGivesActivePortsAndNoFault() throws Exception {
    fabric("4xHDR");
    subnetManager();
    Ledger ledger = Pipeline.facts(collect(""));
    List<RdmaPort> ports = ledger.all(RdmaPort.class);
    assertTrue(ports.stream().anyMatch(p -> p.node().equals("node1") && p.state().equals("ACTIVE")), ports::toString);
    assertTrue(ports.stream().anyMatch(p -> p.node().equals("node2") && p.state().equals("ACTIVE")), ports::toString);
    assertEquals(List.of(), faults(Pipeline.diagnose(ledger, List.of())));
  }

  @Test
  void aLinkThatIsDownIsTheCause() throws Exception {
    fabric("4xHDR");
    subnetManager();
    console("Unlink \"node1-mlx5_0\"[1]");
    Diagnosis diagnosis = Pipeline.diagnose(Pipeline.facts(collect("")), List.of());
    assertTrue(faults(diagnosis).contains("ib-port-down"), () -> faults(diagnosis).toString());
    assertTrue(diagnosis.causes().stream().filter(c -> c.fault().equals("ib-port-down")).allMatch(c -> c.subject().contains("node1")), () -> diagnosis.causes().toString());
  }

  @Test
  void aLinkOfOneLaneIsDegraded() throws Exception {
    fabric("1xHDR");
    subnetManager();
    Diagnosis diagnosis = Pipeline.diagnose(Pipeline.facts(collect("")), List.of());
    assertTrue(faults(diagnosis).contains("link-degraded"), () -> faults(diagnosis) + " open " + diagnosis.open().stream().map(Answer::fault).toList());
  }

  @Test
  void symbolErrorsThatGrowDuringTheRunAreFound() throws Exception {
    fabric("4xHDR");
    subnetManager();
    collect("before");
    console("PerformanceSet \"node1-mlx5_0\"[1] PortCounters.SymbolErrorCounter=5000");
    Path bundle = collect("after");
    Diagnosis diagnosis = Pipeline.diagnose(Pipeline.facts(bundle), List.of());
    assertTrue(faults(diagnosis).contains("symbol-errors"), () -> faults(diagnosis) + " open " + diagnosis.open().stream().map(Answer::fault).toList());
  }

  @Test
  void aMissingSubnetManagerIsTheCause() throws Exception {
    fabric("4xHDR");
    Diagnosis diagnosis = Pipeline.diagnose(Pipeline.facts(collect("")), List.of());
    assertTrue(faults(diagnosis).contains("no-subnet-manager"), () -> faults(diagnosis) + " open " + diagnosis.open().stream().map(Answer::fault).toList());
  }
}
