package gdrproof.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import gdrproof.bundle.Bundle;
import gdrproof.collect.Collectors;
import gdrproof.facts.Meta.Unread;
import gdrproof.kube.MockCluster;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The program as a process of its own that collects from nodes of a cluster and is ended at a random point: what it leaves there, and in the bundle. */
@Timeout(240)
class ClusterKillTest {
  private static final int SPAN = 3500;
  @TempDir
  private Path folder;
  private MockCluster cluster;
  private Thread kubelet;

  @BeforeEach
  void start() {
    cluster = new MockCluster();
    kubelet = cluster.startsPods("train", "Running");
    // Whatever is asked on a node: the list of programs ends, and each probe prints the same line.
    cluster.answering("*", "node", 0, "MemTotal:       2113462396 kB\nEND\n");
  }

  @AfterEach
  void stop() {
    kubelet.interrupt();
    cluster.close();
  }

  private List<String> pods() {
    return cluster.client().pods().inAnyNamespace().list().getItems().stream().map(Pod::getMetadata).map(m -> m.getName()).toList();
  }

  @ParameterizedTest
  @CsvSource({"INT, 1", "INT, 2", "TERM, 3", "TERM, 4", "KILL, 5", "KILL, 6", "KILL, 7"})
  void nothingStaysInTheClusterOnceItIsCleanedUp(String signal, long seed) throws Exception {
    assumeFalse(signal.equals("INT") && ignored(), "SIGINT is ignored here, and children inherit that");
    Path config = cluster.kubeconfig(folder);
    Path out = folder.resolve("bundle");
    Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"),
        "gdrproof.cli.Main", "collect", out.toString(), "--k8s-node", "gpu-01,gpu-02", "--context", "mock", "--kubeconfig", config.toString()).redirectErrorStream(true)
        .redirectOutput(folder.resolve("log").toFile()).start();
    // From the moment at which the first pod stands: before it there is nothing to lose.
    for (int i = 0; i < 600 && pods().isEmpty() && process.isAlive(); i++) {
      Thread.sleep(50);
    }
    int wait = new Random(seed).nextInt(SPAN);
    Thread.sleep(wait);
    assertEquals(0, new ProcessBuilder("/bin/sh", "-c", "kill -" + signal + " " + process.pid() + " 2>/dev/null; :").start().waitFor());
    assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it did not end after SIG" + signal);
    String where = signal + " after " + wait + " ms: " + Files.readString(folder.resolve("log"));
    if (!signal.equals("KILL")) {
      assertEquals(List.of(), pods(), where);
    }
    StringWriter err = new StringWriter();
    int code = Main.run(new PrintWriter(new StringWriter()), new PrintWriter(err), "collect", out.toString(), "--cleanup", "--context", "mock", "--kubeconfig", config.toString());
    assertEquals(0, code, () -> where + err);
    assertEquals(List.of(), pods(), () -> where + err);
    if (Files.exists(out)) {
      List<Unread> unread = Collectors.read(Bundle.open(out)).all(Unread.class);
      assertFalse(unread.stream().anyMatch(u -> u.reason().contains("damaged") || u.reason().contains("recognised") && !u.file().startsWith("kube/")), () -> where + unread);
    }
  }

  private static boolean ignored() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream().filter(l -> l.startsWith("SigIgn:")).anyMatch(l -> (Long.parseUnsignedLong(l.substring(7).strip(), 16) & 2) != 0);
  }
}
