package gdrproof.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import gdrproof.engine.RuleBase;
import gdrproof.finding.Diagnosis;
import gdrproof.finding.Diagnosis.Round;
import gdrproof.finding.Hardware;
import gdrproof.finding.RuleInfo;
import gdrproof.policy.Policies;
import gdrproof.probe.LocalTarget;
import gdrproof.probe.Plan;
import gdrproof.probe.ProbeException;
import gdrproof.probe.Target;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** The loop of concluding, asking and measuring closes open cases with what it asked for, and the commands around it. */
class MeasureLoopTest {
  private static final Path FIXTURES = Path.of("fixtures");

  @TempDir
  private Path folder;

  /** Answers one measurement with a recorded output; every other command is not installed. */
  private record CannedTarget(String node, Pattern asked, String answer) implements Target {
    @Override
    public Boundary boundary() {
      return Boundary.HOST;
    }

    @Override
    public String describe() {
      return node;
    }

    @Override
    public Running start(Command command, OutputStream out) throws ProbeException {
      boolean known = asked.matcher(command.shell()).matches();
      try {
        out.write((known ? answer : "").getBytes(StandardCharsets.UTF_8));
      } catch (IOException e) {
        throw new ProbeException("cannot write", e);
      }
      return new Running() {
        @Override
        public Outcome await() {
          return new Outcome(Status.DONE, known ? 0 : 127, Duration.ofMillis(1), false, "");
        }

        @Override
        public void stop() {
          // Nothing runs.
        }
      };
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }

  private static Pattern pattern(String measurement) {
    String command = String.valueOf(Policies.map(Policies.read("measurements.yaml").get(measurement)).get("command"));
    StringBuilder text = new StringBuilder();
    for (String piece : command.split("(?<=\\{[a-z_]{1,20}\\})|(?=\\{[a-z_]{1,20}\\})")) {
      text.append(piece.matches("\\{[a-z_]+\\}") ? "\\S+" : Pattern.quote(piece).replace("sudo ", "\\E(?:sudo -n )?\\Q"));
    }
    return Pattern.compile(text.toString());
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        Path into = to.resolve(from.relativize(file).toString());
        Files.createDirectories(into.getParent());
        Files.copy(file, into);
      }
    }
  }

  @TestFactory
  List<DynamicTest> askedEvidenceClosesAnOpenCaseInTwoRounds() throws IOException {
    Map<String, String> faults = new LinkedHashMap<>();
    RuleBase.shipped().forEach((RuleInfo r) -> faults.put(r.code(), r.fault()));
    List<DynamicTest> tests = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of("src/test/resources/loop.tsv"))) {
      if (!line.startsWith("#")) {
        String[] part = line.split("\t");
        tests.add(dynamicTest(part[0] + " by " + part[1], () -> close(part[0], part[1], Files.readString(FIXTURES.resolve(part[2])), faults.get(part[0].substring(0, part[0].indexOf('/'))))));
      }
    }
    return tests;
  }

  private void close(String fixture, String measurement, String answer, String fault) throws IOException, InterruptedException {
    Path bundle = folder.resolve(fixture);
    copy(FIXTURES.resolve(fixture), bundle);
    Set<String> nodes = new TreeSet<>(new Hardware(Pipeline.facts(bundle).unsorted()).names());
    Map<String, Target> targets = new LinkedHashMap<>();
    for (String node : nodes.isEmpty() ? Set.of("n1") : nodes) {
      targets.put(node, new CannedTarget(node, pattern(measurement), answer));
    }
    MeasureOptions options = new MeasureOptions();
    new picocli.CommandLine(options).parseArgs("--measure=read-only", "--budget=600");
    Diagnosis end;
    try (MeasureRun run = new MeasureRun(bundle, options, targets, line -> {})) {
      end = run.loop(List.of());
    }
    // A proven fault that explains nothing seen is an observation.
    boolean observed = end.rounds().size() <= 3 && end.observations().stream().anyMatch(o -> o.fault().equals(fault));
    int claimed = observed ? 0 : end.rounds().stream().filter(r -> r.causes().contains(fault)).mapToInt(Round::number).findFirst().orElse(99);
    assertTrue(claimed <= 3, () -> fixture + ": " + fault + " is not claimed after two rounds of measuring on " + targets.keySet() + ": " + end.rounds());
    assertFalse(end.rounds().get(end.rounds().size() - 1).end().isEmpty());
    assertTrue(Files.exists(bundle.resolve("measured/rounds.jsonl")));
  }

  @Test
  void aPlanIsWrittenReadRunAndScripted() throws IOException {
    Path bundle = folder.resolve("b");
    copy(FIXTURES.resolve("CON076/open-no-table"), bundle);
    Path plan = folder.resolve("plan.yaml");
    Called.run("diagnose", bundle.toString(), "--plan", plan.toString());
    Plan read = Plan.read(Files.readString(plan));
    assertTrue(read.items().stream().anyMatch(i -> i.measurement().equals("df")), read.toString());
    assertTrue(Called.run("diagnose", bundle.toString(), "--plan", "-").out().startsWith("schema: gdrproof/plan/v1"));
    Called dry = Called.run("measure", "--plan", plan.toString(), "--dry-run", "--targets", "local");
    assertEquals(0, dry.code());
    assertTrue(dry.out().contains(": df -h"), dry.out());
    assertTrue(Called.run("measure", "--plan", plan.toString(), "--script").out().contains("'df -h'"));
    String node = LocalTarget.hostName();
    Path own = Files.writeString(folder.resolve("own.yaml"),
        "schema: gdrproof/plan/v1\nitems:\n- measurement: kernel-back\n  cost: read-only\n  boundary: node\n  seconds: 5\n  steps:\n  - {node: '', role: run, unit: 0, command: uname -r}\n"
            + "- measurement: bad\n  cost: state\n  boundary: node\n  steps:\n  - {node: '', role: run, unit: 0, command: modprobe x}\n");
    Called real = Called.run("measure", "--plan", own.toString(), "--into", folder.resolve("into").toString(), "--targets", "local");
    assertEquals(1, real.code(), real.out() + real.err());
    assertTrue(real.out().contains("kernel-back " + node + " done exit 0") && real.out().contains("bad refused"), real.out());
    assertTrue(Files.exists(folder.resolve("into/measured/001-kernel-back/" + node + ".txt")));
  }

  @Test
  void theLoopsStepsStandInTheReport() throws IOException {
    Path bundle = folder.resolve("c");
    copy(FIXTURES.resolve("CON076/open-no-table"), bundle);
    Called dry = Called.run("diagnose", bundle.toString(), "--measure=read-only", "--dry-run", "--targets", "local");
    assertTrue(dry.out().contains("steps:") && dry.out().contains("end: dry run"), dry.out());
    assertTrue(dry.err().contains("would run on"), dry.err());
    Called json = Called.run("diagnose", bundle.toString(), "--measure=read-only", "--dry-run", "-o", "json");
    assertTrue(json.out().contains("\"steps\" : [") && json.out().contains("\"end\" : \"dry run\""), json.out());
    assertFalse(Files.exists(bundle.resolve("measured")));
  }

  @Test
  void wrongUsageIsTold() throws IOException {
    Path plan = Files.writeString(folder.resolve("p.yaml"), "items: []\n");
    assertEquals(2, Called.run("measure").code());
    assertEquals(2, Called.run("measure", "fixtures/FAB012/open-not-looked", "--measure=everything").code());
    assertEquals(2, Called.run("measure", "fixtures/FAB012/open-not-looked", "--measure=load").code());
    assertEquals(2, Called.run("measure", "fixtures/FAB012/open-not-looked", "--targets", "root@node:port").code());
    assertEquals(4, Called.run("measure", "--plan", plan.toString()).code());
    assertEquals(4, Called.run("measure", "--plan", folder.resolve("none.yaml").toString()).code());
    assertEquals(2, Called.run("diagnose", "src/test/resources/golden/input/socket/nccl.log", "--measure=read-only").code());
  }
}
