package gdrproof.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** `run --baseline` and `diagnose --baseline`: three recorded runs are the baseline, and the job prints a run of its own. */
class RunBaselineTest {
  private static final Path RUNS = Path.of("fixtures/corpus/two-nodes-eight-gpus/runs");
  @TempDir
  private Path folder;
  private final StringWriter err = new StringWriter();
  private final StringWriter out = new StringWriter();
  private Path baseline;

  private int gdrproof(String... args) {
    return Main.run(new PrintWriter(out), new PrintWriter(err), args);
  }

  @BeforeEach
  void record() throws IOException {
    String[] bundles = new String[3];
    for (int i = 0; i < 3; i++) {
      Path bundle = Files.createDirectories(folder.resolve("accepted-" + i));
      Files.copy(RUNS.resolve("04-two-nodes-repeat-" + (i + 1) + "/all_reduce.txt"), bundle.resolve("all_reduce.txt"));
      bundles[i] = bundle.toString();
    }
    baseline = folder.resolve("base.yaml");
    assertEquals(0, gdrproof("baseline", "record", bundles[0], bundles[1], bundles[2], "-o", baseline.toString()), err::toString);
  }

  /** The table of a recorded run as it would be at another speed. */
  private Path job(double factor) throws IOException {
    StringBuilder text = new StringBuilder();
    for (String line : Files.readAllLines(RUNS.resolve("04-two-nodes-repeat-2/all_reduce.txt"))) {
      String[] words = line.strip().split("\\s+");
      if (words.length == 13 && words[0].matches("\\d+")) {
        for (int column : new int[] {5, 9}) {
          words[column] = String.format(Locale.ROOT, "%.2f", Double.parseDouble(words[column]) / factor);
        }
        for (int column : new int[] {6, 7, 10, 11}) {
          words[column] = String.format(Locale.ROOT, "%.2f", Double.parseDouble(words[column]) * factor);
        }
        text.append(String.join("  ", words)).append('\n');
      } else {
        text.append(line).append('\n');
      }
    }
    return Files.writeString(folder.resolve("job.txt"), text);
  }

  private String run(double factor, Path against) throws IOException {
    err.getBuffer().setLength(0);
    assertEquals(0, gdrproof("run", "--out", folder.resolve("bundle").toString(), "--node", "local", "--timeout", "10", "--baseline", against.toString(), "--", "cat", job(factor).toString()), err::toString);
    return err.toString();
  }

  @Test
  void aRunBelowTheBaselineIsCollectedAndDiagnosed() throws IOException {
    String said = run(0.6, baseline);
    assertTrue(said.contains("below the baseline") && said.contains("collecting evidence") && said.contains("outcome:"), said);
    assertTrue(said.contains("at the plateau"), said);
    out.getBuffer().setLength(0);
    gdrproof("diagnose", folder.resolve("bundle").toString(), "--baseline", baseline.toString());
    assertTrue(out.toString().contains("at the plateau"), out::toString);
  }

  @Test
  void aRunAsGoodAsTheBaselineIsLeftInPeace() throws IOException {
    String said = run(1, baseline);
    assertTrue(said.contains("no sign of trouble") && !said.contains("outcome:"), said);
  }

  @Test
  void anotherTopologyClassIsNotComparedAndThatIsSaid() throws IOException {
    Path other = Files.writeString(folder.resolve("other.yaml"), Files.readString(baseline).replace("NVIDIA H100 80GB HBM3", "NVIDIA B200"));
    String said = run(0.6, other);
    assertTrue(said.contains("not compared") && said.contains("the baseline's is NVIDIA B200"), said);
    assertFalse(said.contains("outcome:"), said);
    Path server = Files.writeString(folder.resolve("server.yaml"), Files.readString(baseline).replace("class: {", "class: {server: XE9680 of a kind that this machine is not, "));
    assertTrue(run(0.6, server).contains("not compared"), err::toString);
  }

  @Test
  void aBaselineThatCannotBeReadIsSaidBeforeTheJobRuns() {
    assertEquals(2, gdrproof("run", "--out", folder.resolve("none").toString(), "--baseline", folder.resolve("nothing.yaml").toString(), "--", "touch", folder.resolve("ran").toString()));
    assertFalse(Files.exists(folder.resolve("ran")));
  }
}
