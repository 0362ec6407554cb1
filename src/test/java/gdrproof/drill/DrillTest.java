package gdrproof.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.cli.DrillRun;
import gdrproof.cli.Main;
import gdrproof.cli.Pipeline;
import gdrproof.engine.RuleBase;
import gdrproof.finding.Acceptance;
import gdrproof.finding.Acceptance.Item;
import gdrproof.policy.Checklist;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drills as changes of three copies of the healthy bundle; each test differs from the passed one in one thing. */
class DrillTest {
  private static final Path HEALTHY = Path.of("fixtures/corpus/two-nodes-eight-gpus");
  private static final List<String> TAKEN = List.of("host/ibstat.txt", "host/nvidia-smi-topo.txt", "host/ip-route.txt", "host/hw_counters-before.txt", "host/hw_counters-after.txt");
  private static final String RUN = "runs/all_reduce.txt";
  private static final Pattern ROW = Pattern.compile("(?m)^\\s+(\\d+)\\s+(\\d+)\\s+float.*$");

  @TempDir
  private Path folder;

  @BeforeEach
  void phases() throws IOException {
    for (String phase : List.of("before", "during", "after")) {
      for (String node : List.of("hgx-n03", "hgx-n04")) {
        for (String file : TAKEN) {
          Path to = folder.resolve(phase).resolve(node).resolve(file);
          Files.createDirectories(to.getParent());
          Files.copy(HEALTHY.resolve(node).resolve(file), to);
        }
      }
      Files.createDirectories(folder.resolve(phase).resolve("runs"));
      Files.copy(HEALTHY.resolve("runs/04-two-nodes-repeat-2/all_reduce.txt"), folder.resolve(phase).resolve(RUN));
    }
    portDown("during", "hgx-n03", "mlx5_3");
    report("during", 0.86, 1.01);
  }

  private void change(String phase, String file, UnaryOperator<String> how) {
    Path path = folder.resolve(phase).resolve(file);
    try {
      String text = Files.readString(path);
      String changed = how.apply(text);
      assertTrue(!text.equals(changed), "nothing changed in " + path);
      Files.writeString(path, changed);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void portDown(String phase, String node, String hca) {
    change(phase, node + "/host/ibstat.txt", t -> t.replaceFirst("(?s)(CA '" + hca + "'.*?)State: Active(\\s+)Physical state: LinkUp", "$1State: Down$2Physical state: Polling"));
  }

  /** The same report with its bandwidth scaled, and with the times of single iterations: the longest is `longest` times the shortest. */
  private void report(String phase, double share, double longest) {
    change(phase, RUN, text -> {
      String head = text.replaceFirst("#wrong     time", "#wrong    i_min    i_max    i_p99    i_cv%     time").replaceFirst("#wrong(?= *\\n#        \\(B\\))", "#wrong    i_min    i_max    i_p99    i_cv%");
      return ROW.matcher(head).replaceAll(m -> {
        String[] v = m.group().strip().split("\\s+");
        double time = Double.parseDouble(v[5]) / share;
        String half = String.format(Locale.ROOT, "%.1f %.2f %.2f 0 %.1f %.1f %.1f 0.10", time, Double.parseDouble(v[6]) * share, Double.parseDouble(v[7]) * share, time, time * longest, time * longest);
        return "  " + v[0] + " " + v[1] + " float sum -1 " + half + " " + half;
      });
    });
  }

  private Acceptance judged() throws IOException {
    return DrillRun.judge(Pipeline.facts(folder.resolve("before")), Pipeline.facts(folder.resolve("during")), Pipeline.facts(folder.resolve("after")), List.of());
  }

  /** Items that are not proven, each with its verdict. */
  private Set<String> wrong() throws IOException {
    Set<String> wrong = new TreeSet<>();
    Acceptance result = judged();
    assertEquals(List.of(), result.failures());
    result.items().stream().filter(i -> !i.holds()).forEach(i -> wrong.add(i.id() + " " + i.verdictText()));
    return wrong;
  }

  @Test
  void oneFailureThatIsSurvivedAndTakenBackIsProven() throws IOException {
    Acceptance result = judged();
    assertEquals(List.of(), result.items().stream().filter(i -> !i.holds()).map(i -> i.id() + ": " + i.message()).toList());
    assertTrue(result.accepted());
    Item first = result.items().get(0);
    assertTrue(first.message().contains("mlx5_3"), first.message());
    assertTrue(first.proof().stream().anyMatch(c -> c.evidence().file().equals("during/hgx-n03/host/ibstat.txt")), first.proof().toString());
  }

  @Test
  void aPortThatStaysDownIsNoReturn() throws IOException {
    portDown("after", "hgx-n03", "mlx5_3");
    assertEquals(Set.of("links-returned failed", "no-extra-step not-proven"), wrong());
  }

  @Test
  void partsWithoutTheWorkloadNeedAnotherStep() throws IOException {
    report("after", 0.7, 1.01);
    assertEquals(Set.of("no-extra-step failed", "performance-returned failed"), wrong());
  }

  @Test
  void twoFailuresAtOnceProveNothing() throws IOException {
    portDown("during", "hgx-n04", "mlx5_5");
    assertTrue(wrong().contains("one-failure failed"));
  }

  @Test
  void oneRailOnEveryNodeIsOneFailure() throws IOException {
    portDown("during", "hgx-n04", "mlx5_3");
    assertEquals(Set.of(), wrong());
  }

  @Test
  void lostBandwidthBeyondThePortIsShort() throws IOException {
    report("during", 0.6, 1.01);
    assertEquals(Set.of("residual-capacity failed"), wrong());
  }

  @Test
  void aLongStallIsNoConvergence() throws IOException {
    report("during", 0.99, 1500);
    Acceptance result = judged();
    Item item = result.items().stream().filter(i -> i.id().equals("convergence")).findFirst().orElseThrow();
    assertEquals("failed", item.verdictText());
    assertTrue(item.message().contains("GPU seconds"), item.message());
  }

  @Test
  void anotherPlacementIsAnotherExperiment() throws IOException {
    change("after", RUN, t -> t.replace("hgx-n04", "hgx-n09"));
    assertTrue(wrong().contains("placement-unchanged failed"));
  }

  @Test
  void aHangIsNeitherAnEndNorAnError() throws IOException {
    change("during", RUN, t -> t.replaceFirst("(?s)(\\n +\\d+ +\\d+ +float[^\\n]*\\n).*", "$1hgx-n03: Test timeout (600s) common.cu:520\n"));
    Set<String> wrong = wrong();
    assertTrue(wrong.contains("error-behaviour failed"), wrong.toString());
  }

  @Test
  void aCounterThatStillGrowsIsNotSettled() throws IOException {
    change("after", "hgx-n03/host/hw_counters-after.txt", t -> t.replace("mlx5_3/ports/1/hw_counters/packet_seq_err:0", "mlx5_3/ports/1/hw_counters/packet_seq_err:37"));
    assertEquals(Set.of("counters-settled failed"), wrong());
  }

  @Test
  void aCounterThatGrewAndWasNotReadAgainIsNotProven() throws IOException {
    change("during", "hgx-n03/host/hw_counters-after.txt", t -> t.replace("mlx5_3/ports/1/hw_counters/packet_seq_err:0", "mlx5_3/ports/1/hw_counters/packet_seq_err:37"));
    Files.delete(folder.resolve("after/hgx-n03/host/hw_counters-after.txt"));
    assertEquals(Set.of("counters-settled not-proven"), wrong());
  }

  @Test
  void anAffinityThatDoesNotComeBackIsLost() throws IOException {
    change("after", "hgx-n03/host/nvidia-smi-topo.txt", t -> t.replaceFirst("(?m)^(GPU3\\t.*?)PIX", "$1SYS"));
    assertEquals(Set.of("affinity-returned failed", "no-extra-step not-proven"), wrong());
  }

  @Test
  void whatWasNotTakenAfterwardsIsNotProven() throws IOException {
    for (String node : List.of("hgx-n03", "hgx-n04")) {
      Files.delete(folder.resolve("after").resolve(node).resolve("host/ibstat.txt"));
      Files.delete(folder.resolve("after").resolve(node).resolve("host/ip-route.txt"));
    }
    Set<String> wrong = wrong();
    assertTrue(wrong.contains("links-returned not-proven") && wrong.contains("routing-returned not-proven") && !wrong.contains("performance-returned failed"), wrong.toString());
  }

  @Test
  void theCommandSaysItAndTheExitCodeFollows() throws IOException {
    StringWriter out = new StringWriter();
    String[] bundles = {folder.resolve("before").toString(), folder.resolve("during").toString(), folder.resolve("after").toString()};
    assertEquals(0, Main.run(new PrintWriter(out), new PrintWriter(new StringWriter()), "drill", "check", bundles[0], bundles[1], bundles[2]), out.toString());
    assertTrue(out.toString().startsWith("the drill is passed"), out.toString());
    StringWriter json = new StringWriter();
    portDown("after", "hgx-n03", "mlx5_3");
    assertEquals(1, Main.run(new PrintWriter(json), new PrintWriter(new StringWriter()), "drill", "check", bundles[0], bundles[1], bundles[2], "-o", "json"));
    assertTrue(json.toString().contains("\"passed\" : false"), json.toString());
  }

  @Test
  void everyItemHasARuleThatProvesItAndOneThatFailsIt() throws IOException {
    StringBuilder text = new StringBuilder();
    for (var rule : RuleBase.shipped()) {
      if (rule.stages().contains("drill")) {
        text.append(Files.readString(Path.of("rules").resolve(rule.file())));
      }
    }
    for (Checklist.Item item : Checklist.of("drill.yaml").items()) {
      for (String verdict : List.of("PROVEN", "FAILED")) {
        assertTrue(text.toString().contains("new Item(\"" + item.id() + "\", ItemVerdict." + verdict), item.id() + " " + verdict);
      }
    }
  }
}
