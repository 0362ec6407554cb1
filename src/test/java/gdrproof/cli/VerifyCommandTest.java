package gdrproof.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** `gdrproof review --verify` over a whole bundle of two nodes and edits of it. */
class VerifyCommandTest {
  private static final Path BASE = Path.of("fixtures/corpus/two-nodes-eight-gpus");

  @TempDir
  private Path folder;

  /** The parts of the bundle that the criteria look at, without the bulk of the logs. */
  private Path copy(String name) throws IOException {
    Path copy = folder.resolve(name);
    try (Stream<Path> files = Files.walk(BASE)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String path = BASE.relativize(file).toString();
        boolean wanted = List.of("kube/", "operator/", "perftest/rail0", "runs/04-two-nodes-repeat-1/all_reduce", "runs/04-two-nodes-repeat-1/nccl.hgx-n03.4211").stream().anyMatch(path::startsWith)
            || path.matches("hgx-n0\\d/host/(hw_counters-.*|ibv_devinfo|driver|show_gids|uname).txt");
        if (wanted) {
          Files.createDirectories(copy.resolve(path).getParent());
          Files.copy(file, copy.resolve(path));
        }
      }
    }
    return copy;
  }

  private static void edit(Path file, String from, String to) throws IOException {
    String text = Files.readString(file);
    assertTrue(text.contains(from), file + " holds " + from);
    Files.writeString(file, text.replace(from, to));
  }

  @Test
  void aChangeThatLeavesEverythingAsItWasMayGoOn() throws IOException {
    Called run = Called.run("review", "--verify", copy("before").toString(), copy("after").toString());
    assertEquals(0, run.code(), run.toString());
    assertTrue(run.out().startsWith("outcome: continue"), run.out());
  }

  @Test
  void anyCriterionThatOccursMeansGoingBackWithItsProof() throws IOException {
    Path after = copy("after");
    edit(after.resolve("operator/nicclusterpolicy.yaml"), "  state: ready", "  state: notReady");
    edit(after.resolve("kube/nodes.yaml"), "rdma/hca_shared_ib: \"64\"", "rdma/hca_shared_ib: \"0\"");
    Called run = Called.run("review", "--verify", copy("before").toString(), after.toString(), "-o", "json");
    assertEquals(1, run.code(), run.toString());
    assertTrue(run.out().contains("\"outcome\" : \"roll-back\"") && run.out().contains("VER010") && run.out().contains("VER020"), run.out());
    assertTrue(run.out().contains("after/kube/nodes.yaml"), "the proof names its place: " + run.out());
  }

  @Test
  void whatNobodyMeasuredStopsTheRollout() throws IOException {
    Path after = copy("after");
    Files.delete(after.resolve("perftest/rail0.txt"));
    Files.delete(after.resolve("perftest/rail0-back.txt"));
    Called run = Called.run("review", "--verify", copy("before").toString(), after.toString());
    assertEquals(1, run.code(), run.toString());
    assertTrue(run.out().startsWith("outcome: stop (not proven: GPU-memory RDMA works"), run.out());
    assertEquals(5, Called.run("review", "--verify", copy("before2").toString(), after.toString(), "--fail-on-inconclusive").code());
  }

  @Test
  void afterGoingBackWhatIsStillNewIsFlagged() throws IOException {
    Path after = copy("after");
    edit(after.resolve("hgx-n03/host/ibv_devinfo.txt"), "28.43.2566", "28.45.1020");
    Called run = Called.run("review", "--verify", "--rolled-back", copy("before").toString(), after.toString(), "-o", "markdown");
    assertEquals(1, run.code(), run.toString());
    assertTrue(run.out().contains("firmware mlx5_0 on hgx-n03 is still 28.45.1020"), run.out());
  }

  @Test
  void twoBundlesAreNeeded() {
    assertEquals(2, Called.run("review", "--verify", BASE.toString()).code());
    assertEquals(4, Called.run("review", "--verify", BASE.toString(), folder.toString()).code());
  }
}
