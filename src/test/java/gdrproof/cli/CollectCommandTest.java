package gdrproof.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gdrproof.bundle.Bundle;
import gdrproof.collect.Collectors;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Unread;
import gdrproof.facts.Rdma.CounterDelta;
import gdrproof.probe.Leftovers;
import gdrproof.probe.LocalTarget;
import gdrproof.probe.Sshd;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** `collect`, `run` and `doctor` through the command line. */
@Timeout(240)
class CollectCommandTest {
  @TempDir
  private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int gdrproof(String... args) {
    return Main.run(new PrintWriter(out), new PrintWriter(err), args);
  }

  /** The program as a process of its own, with stand-ins of tools first on the path. */
  private ProcessBuilder process(String... args) {
    List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp",
        System.getProperty("java.class.path"), "gdrproof.cli.Main"));
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().put("PATH", folder.resolve("bin") + ":" + System.getenv("PATH"));
    return builder;
  }

  private void tool(String name, String shell) throws IOException {
    Path file = folder.resolve("bin").resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + shell + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static boolean has(Ledger ledger, String type) {
    return ledger.facts().stream().anyMatch(f -> f.getClass().getSimpleName().equals(type));
  }

  @Test
  void whatIsCollectedReadsBackAsFactsAndASecondRunGoesOn() throws IOException {
    Path bundle = folder.resolve("bundle");
    assertEquals(0, gdrproof("collect", bundle.toString(), "--node", "local", "--only", "uname,meminfo,mounts,ofed"), err::toString);
    Ledger ledger = Collectors.read(Bundle.open(bundle));
    assertTrue(has(ledger, "Memory") && has(ledger, "Mount"));
    assertTrue(ledger.all(Unread.class).stream().anyMatch(u -> u.reason().contains("ofed_info is not installed")), ledger.all(Unread.class)::toString);
    assertEquals(0, gdrproof("collect", bundle.toString(), "--node", "local", "--only", "uname,meminfo"));
    assertTrue(err.toString().contains("0 outputs") && err.toString().contains("2 were there already"), err::toString);
  }

  /** The script and the program run the same probes: the same files, and the same facts. */
  @Test
  void theScriptCollectsWhatTheProgramCollects() throws Exception {
    String only = "uname,os-release,meminfo,mounts,limits,lscpu,lscpu-e,sys-class,dev-infiniband,pci-paths,numactl,ip-route,ibstat,rdma-link,iommu,modules,memory-peers,ofed,show-gids";
    assertEquals(0, gdrproof("collect", "--script"));
    Files.writeString(folder.resolve("collect.sh"), out.toString());
    assertEquals(0, gdrproof("collect", folder.resolve("java").toString(), "--node", "local", "--only", only), err::toString);
    assertEquals(0, shell("cd " + folder + " && dash collect.sh -o sh -n " + only));
    assertEquals(files("java"), files("sh"));
    assertEquals(kinds("java"), kinds("sh"));
  }

  private List<String> files(String bundle) throws IOException {
    Path root = folder.resolve(bundle);
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(Files::isRegularFile).map(f -> root.relativize(f).toString()).sorted().toList();
    }
  }

  /** Types of facts with their numbers: values such as free memory differ from one moment to the next. */
  private Map<String, Long> kinds(String bundle) throws IOException {
    return Collectors.read(Bundle.open(folder.resolve(bundle))).facts().stream().collect(java.util.stream.Collectors.groupingBy(f -> f.getClass().getSimpleName(), TreeMap::new, java.util.stream.Collectors.counting()));
  }

  @Test
  void usageErrorsAreSaid() throws IOException {
    assertEquals(2, gdrproof("collect", "--only", "no-such-probe"));
    assertEquals(2, gdrproof("collect", "--around"));
    assertEquals(2, gdrproof("collect", folder.toString(), "--node", "a/b"));
    assertEquals(2, gdrproof("run"));
    Files.writeString(folder.resolve("file"), "");
    assertEquals(2, gdrproof("collect", folder.resolve("file").toString()));
    assertEquals(0, gdrproof("collect", "--list"));
    assertTrue(out.toString().contains("memory-peers"));
  }

  @Test
  void anUnreachableNodeIsNamedAndTheExitCodeSaysSo() {
    assertEquals(4, gdrproof("collect", folder.resolve("bundle").toString(), "--node", "ssh:127.0.0.1:1", "--only", "uname"));
    assertTrue(err.toString().contains("127.0.0.1") && err.toString().contains("refused"), err::toString);
  }

  @Test
  void countersAroundACommandGiveTheirGrowth() throws Exception {
    tool("rdma", "n=$(cat " + folder + "/n 2>/dev/null || echo 0); [ \"$1\" = statistic ] && { echo \"link mlx5_0/1 out_of_sequence $((n * 700)) packet_seq_err 0 local_ack_timeout_err $n\"; echo $((n + 1)) > " + folder + "/n; }");
    Process process = process("collect", "bundle", "--node", "local", "--only", "rdma-statistic", "--around", "--", "/bin/sh", "-c", "echo working; echo TOKEN=abcdefghijkl >&2; exit 5")
        .redirectError(folder.resolve("err").toFile()).redirectOutput(folder.resolve("out").toFile()).start();
    assertTrue(process.waitFor(120, TimeUnit.SECONDS));
    assertEquals(5, process.exitValue(), () -> text("err"));
    assertTrue(text("out").startsWith("working\nTOKEN=abcdefghijkl"), () -> text("out"));
    assertEquals("working\nTOKEN=REDACTED\n", text("bundle/run.log"));
    Ledger ledger = Collectors.read(Bundle.open(folder.resolve("bundle")));
    // A second run in the same bundle takes new counters.
    Process second = process("collect", "bundle", "--node", "local", "--only", "rdma-statistic", "--around", "--", "/bin/true").redirectErrorStream(true).redirectOutput(folder.resolve("log").toFile()).start();
    assertTrue(second.waitFor(120, TimeUnit.SECONDS));
    assertTrue(text("bundle/" + bundleFolder() + "/rdma-statistic-after.txt").contains("out_of_sequence 2800") || text("bundle/" + bundleFolder() + "/rdma-statistic-after.txt").contains("out_of_sequence 2100"),
        () -> text("log"));
    assertTrue(ledger.all(CounterDelta.class).stream().anyMatch(d -> d.node().equals(LocalTarget.hostName()) && d.name().equals("out_of_sequence") && d.grown().is(700)), ledger.all(CounterDelta.class)::toString);
  }

  private String bundleFolder() throws IOException {
    try (Stream<Path> files = Files.walk(folder.resolve("bundle"))) {
      return folder.resolve("bundle").relativize(files.filter(f -> f.endsWith("rdma-statistic-after.txt")).findFirst().orElseThrow().getParent()).toString();
    }
  }

  private static boolean interruptIgnored() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream().filter(l -> l.startsWith("SigIgn:")).anyMatch(l -> (Long.parseUnsignedLong(l.substring(7).strip(), 16) & 2) != 0);
  }

  private String text(String name) {
    try {
      return Files.readString(folder.resolve(name));
    } catch (IOException e) {
      return e.toString();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"INT", "TERM", "KILL"})
  void aStoppedCollectionLeavesNoProcessAndAReadableBundle(String signal) throws Exception {
    // A shell starts background jobs with SIGINT ignored, and every child inherits that.
    assumeFalse(signal.equals("INT") && interruptIgnored(), "SIGINT is ignored by whoever started the tests");
    String tag = "4741" + System.nanoTime() % 100000;
    tool("lscpu", "(trap '' TERM; sleep " + tag + ") & sleep " + tag);
    Process process = process("collect", "bundle", "--node", "local", "--only", "uname,meminfo,nvidia-smi,lscpu,mounts").redirectErrorStream(true).redirectOutput(folder.resolve("log").toFile()).start();
    for (int i = 0; i < 600 && process.isAlive() && !Leftovers.now("sleep " + tag); i++) {
      Thread.sleep(50);
    }
    Thread.sleep(new Random().nextInt(300));
    new ProcessBuilder("kill", "-s", signal, String.valueOf(process.pid())).start().waitFor();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    assertTrue(process.exitValue() > 128, () -> text("log"));
    assertFalse(Leftovers.alive("sleep " + tag), "a probe outlived the collection");
    Ledger ledger = Collectors.read(Bundle.open(folder.resolve("bundle")));
    assertFalse(ledger.all(Unread.class).stream().anyMatch(u -> u.reason().contains("damaged") || u.reason().contains("recognised")), ledger.all(Unread.class)::toString);
    Files.delete(folder.resolve("bin/lscpu"));
    Process again = process("collect", "bundle", "--node", "local", "--only", "uname,meminfo,nvidia-smi,lscpu,mounts", "--resume").redirectErrorStream(true).redirectOutput(folder.resolve("log").toFile()).start();
    assertTrue(again.waitFor(100, TimeUnit.SECONDS));
    assertEquals(0, again.exitValue(), () -> text("log"));
    assertTrue(has(Collectors.read(Bundle.open(folder.resolve("bundle"))), "Memory"));
  }

  @Test
  void aFailedJobIsCollectedAndDiagnosedByItself() throws Exception {
    Path log = folder.resolve("nccl.txt");
    Files.writeString(log, "node1:100:200 [0] NCCL INFO NCCL version 2.28.9+cuda13.0\nnode1:100:200 [0] NCCL INFO NET/IB : No device found.\nnode1:100:200 [0] NCCL INFO NET/Socket : Using [0]eth0:10.0.0.1<0>\n"
        + "node1:100:200 [0] NCCL INFO Using network Socket\nnode1:100:200 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[0] [send] via NET/Socket/0\n");
    int exit = gdrproof("run", "--out", folder.resolve("run").toString(), "--node", "local", "--timeout", "10", "--", "/bin/sh", "-c", "cat " + log + "; exit 9");
    assertEquals(9, exit, err::toString);
    assertTrue(err.toString().contains("exit status 9; collecting evidence") && err.toString().contains("outcome:"), err::toString);
    assertTrue(out.toString().startsWith("node1:100:200"), out::toString);
    assertEquals(127, gdrproof("run", "--out", folder.resolve("none").toString(), "--node", "local", "--timeout", "1", "--", "/no/such/program"));
  }

  @Test
  void doctorSaysWhatIsMissingAndWhatThatCosts() throws Exception {
    assertEquals(1, gdrproof("doctor", folder.toString(), "--node", "local"));
    assertTrue(out.toString().contains("rollback-copy") && out.toString().contains("stay open"), out::toString);
    Files.writeString(folder.resolve("values.before.yaml"), "a: 1\n");
    StringWriter json = new StringWriter();
    Main.run(new PrintWriter(json), new PrintWriter(err), "doctor", folder.toString(), "--node", "local", "-o", "json");
    assertTrue(json.toString().contains("gdrproof/doctor/v1") && json.toString().contains("values.before.yaml"), json::toString);
  }

  /** Two network namespaces with host names of their own are two hosts, each with a real sshd. */
  @Test
  void twoHostsInNamespacesOfTheirOwn() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")) && Files.isExecutable(Path.of("/usr/sbin/ip")) && Files.isExecutable(Path.of("/usr/sbin/sshd")), "needs root, iproute2 and openssh-server");
    String id = Long.toString(System.nanoTime() % 10_000);
    List<Sshd> servers = new ArrayList<>();
    try {
      assumeTrue(shell("ip netns add gp" + id + "a && ip netns add gp" + id + "b") == 0, "network namespaces cannot be made here");
      List<String> nodes = new ArrayList<>();
      StringBuilder known = new StringBuilder();
      int n = 0;
      for (String side : List.of("a", "b")) {
        String ns = "gp" + id + side;
        n++;
        assertEquals(0, shell("ip link add v" + id + side + " type veth peer name eth9 netns " + ns + " && ip addr add 10.231." + n + ".1/30 dev v" + id + side + " && ip link set v" + id + side
            + " up && ip netns exec " + ns + " ip addr add 10.231." + n + ".2/30 dev eth9 && ip netns exec " + ns + " ip link set eth9 up && ip netns exec " + ns + " ip link set lo up"));
        tool("in-" + side, "exec ip netns exec " + ns + " unshare -u /bin/sh -c 'hostname host-" + side + "; exec \"$@\"' x \"$@\"");
        Sshd server = Sshd.start(folder, "10.231." + n + ".2", folder.resolve("bin/in-" + side).toString());
        servers.add(server);
        known.append(Files.readString(server.access().knownHosts().get(0)));
        nodes.add("root@10.231." + n + ".2:" + server.port());
      }
      Files.writeString(folder.resolve("known"), known);
      int exit = gdrproof("collect", folder.resolve("bundle").toString(), "--node", String.join(",", nodes), "--ssh-key", folder.resolve("user").toString(), "--known-hosts", folder.resolve("known").toString(),
          "--only", "ip-addr,uname");
      assertEquals(0, exit, err::toString);
      Ledger ledger = Collectors.read(Bundle.open(folder.resolve("bundle")));
      for (String side : List.of("a", "b")) {
        assertTrue(ledger.facts().stream().anyMatch(f -> f.getClass().getSimpleName().equals("InterfaceAddress") && f.node().equals("host-" + side) && f.toString().contains("10.231.")), ledger.facts()::toString);
      }
    } finally {
      for (Sshd server : servers) {
        server.close();
      }
      Stream.of("a", "b").forEach(side -> {
        try {
          shell("ip netns pids gp" + id + side + " | xargs -r kill -9; ip netns del gp" + id + side);
        } catch (IOException | InterruptedException e) {
          throw new IllegalStateException(e);
        }
      });
    }
  }

  private static int shell(String command) throws IOException, InterruptedException {
    return new ProcessBuilder("/bin/sh", "-c", command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
  }
}
