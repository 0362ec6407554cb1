package gdrproof.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.cli.Pipeline;
import gdrproof.facts.Bench.NcclTestRow;
import gdrproof.facts.Launch.RunStart;
import gdrproof.facts.Ledger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script for machines without Java, run by a real shell with stand-ins for the tools of a GPU machine. */
class MeasureScriptTest {
  private static final Path STANDINS = Path.of("src/test/resources/standins").toAbsolutePath();
  private static final String SECRET = "t0psecretvalue";

  @TempDir
  private Path folder;
  private Path script;

  @BeforeEach
  void write() throws IOException {
    script = Files.writeString(folder.resolve("measure.sh"), MeasureScript.progressive());
  }

  private Process start(String setting, String... arguments) throws IOException {
    List<String> line = new ArrayList<>(List.of("sh", script.toString(), "-o", folder.resolve("bundle").toString()));
    line.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(folder.resolve("said").toFile());
    builder.environment().put("PATH", STANDINS + ":/usr/bin:/bin:/usr/sbin:/sbin");
    builder.environment().put("WANDB_API_KEY", SECRET);
    builder.environment().remove("CUDA_VISIBLE_DEVICES");
    if (!setting.isEmpty()) {
      builder.environment().put(setting.substring(0, setting.indexOf('=')), setting.substring(setting.indexOf('=') + 1));
    }
    return builder.start();
  }

  private String said() throws IOException {
    return Files.readString(folder.resolve("said"));
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(folder.resolve("bundle"))) {
      return all.filter(Files::isRegularFile).sorted().toList();
    }
  }

  @Test
  void theMatrixBecomesABundleThatIsRead() throws IOException, InterruptedException {
    Process process = start("", "-b", "300", "-e", "NCCL_NVLS_ENABLE=0");
    assertTrue(process.waitFor(120, TimeUnit.SECONDS), this::quietly);
    assertEquals(0, process.exitValue(), said());
    for (Path file : files()) {
      assertFalse(Files.readString(file).contains(SECRET), file + " holds a secret");
    }
    List<String> steps = files().stream().map(f -> f.getParent().getFileName().toString()).distinct().toList();
    for (String step : List.of("001-host-state", "002-one-gpu-0", "003-one-gpu-1", "004-two-gpus", "005-control-p2p-off", "006-control-p2p-and-shm-off", "007-control-NCCL_NVLS_ENABLE")) {
      assertTrue(steps.contains(step), steps + said());
    }
    assertTrue(files().stream().anyMatch(f -> f.endsWith("004-two-gpus/alltoall.run3.txt")), said());
    Ledger ledger = Pipeline.facts(folder.resolve("bundle"));
    assertFalse(ledger.all(NcclTestRow.class).isEmpty());
    assertTrue(ledger.all(RunStart.class).size() >= 12, ledger.all(RunStart.class).toString());
  }

  private String quietly() {
    try {
      return said();
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Test
  void nothingLoadsABusyGpuOrRunsReadOnly() throws IOException, InterruptedException {
    Process busy = start("STANDIN_BUSY=1", "-b", "12");
    assertTrue(busy.waitFor(60, TimeUnit.SECONDS), this::quietly);
    assertTrue(said().contains("002-one-gpu-0: left out") && files().stream().noneMatch(f -> f.toString().contains("one-gpu")), said());
    Process reading = start("", "-r");
    assertTrue(reading.waitFor(60, TimeUnit.SECONDS), this::quietly);
    assertTrue(said().contains("read-only asked for") && files().stream().noneMatch(f -> f.toString().contains("two-gpus")), said());
  }

  @Test
  void aDryRunPrintsCommandsAndWritesNothing() throws IOException, InterruptedException {
    Process process = start("", "-n");
    assertTrue(process.waitFor(60, TimeUnit.SECONDS), this::quietly);
    assertTrue(said().contains("NCCL_P2P_DISABLE=1"), said());
    assertFalse(Files.exists(folder.resolve("bundle")));
  }

  @Test
  void anInterruptLeavesNoProcessAndAReadableBundle() throws IOException, InterruptedException {
    Process process = start("NCCL_STANDIN=hang");
    Path run = folder.resolve("bundle/measured/002-one-gpu-0/all_reduce.run1.txt");
    for (int i = 0; i < 300 && (!Files.exists(run) || Files.readAllLines(run).size() < 3); i++) {
      Thread.sleep(100);
    }
    List<ProcessHandle> below = process.descendants().toList();
    assertFalse(below.isEmpty(), said());
    process.destroy();
    assertTrue(process.waitFor(30, TimeUnit.SECONDS), this::quietly);
    Thread.sleep(500);
    assertTrue(below.stream().noneMatch(ProcessHandle::isAlive), below.stream().filter(ProcessHandle::isAlive).map(h -> h.info().toString()).toList().toString());
    assertFalse(Pipeline.facts(folder.resolve("bundle")).facts().isEmpty());
  }
}
