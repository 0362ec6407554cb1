package gdrproof.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command line as a user meets it. Expected outputs stand in src/test/resources/golden; -Dgolden=write writes them anew. */
class CommandLineTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden");
  private static final String SOCKET = GOLDEN + "/input/socket";

  @TempDir
  private Path folder;

  private static void golden(String name, Called run) throws IOException {
    String text = "exit " + run.code() + "\n" + run.out().replace(Version.text(), "VERSION") + (run.err().isEmpty() ? "" : "--- stderr\n" + run.err());
    Path file = GOLDEN.resolve(name + ".txt");
    if ("write".equals(System.getProperty("golden"))) {
      Files.writeString(file, text);
    }
    assertEquals(Files.readString(file), text, "golden file " + file + " (write it anew with -Dgolden=write and look at the difference)");
  }

  @Test
  void outputsAreAsAgreed() throws IOException {
    golden("facts", Called.run("facts", SOCKET));
    golden("facts-summary", Called.run("facts", SOCKET, "--summary", "--unmatched"));
    golden("rules-explain", Called.run("rules", "explain", "SYM001"));
    golden("nothing-recognised", Called.run("diagnose", GOLDEN + "/input/prose"));
    golden("no-such-path", Called.run("diagnose", "no/such/path"));
    Called unknown = Called.run("diagnose", SOCKET, "-o", "pdf");
    assertEquals(2, unknown.code());
    assertTrue(unknown.err().startsWith("gdrproof: no output format pdf ("), unknown.err());
  }

  @TestFactory
  List<DynamicTest> everyCommandHasHelpWithExamples() {
    List<DynamicTest> tests = new ArrayList<>();
    help(Main.commandLine(), List.of(), tests);
    return tests;
  }

  private static void help(CommandLine command, List<String> path, List<DynamicTest> tests) {
    if (!command.getCommandSpec().usageMessage().hidden()) {
      tests.add(DynamicTest.dynamicTest("gdrproof " + String.join(" ", path), () -> {
        List<String> arguments = new ArrayList<>(path);
        arguments.add("--help");
        Called run = Called.run(arguments.toArray());
        assertEquals(0, run.code());
        assertTrue(run.out().contains("Example"), run.out());
      }));
    }
    command.getSubcommands().forEach((name, sub) -> {
      List<String> below = new ArrayList<>(path);
      below.add(name);
      help(sub, below, tests);
    });
  }

  @Test
  void severalOutputsAtOnce() throws IOException {
    Path json = folder.resolve("sub/report.json");
    Called run = Called.run("diagnose", SOCKET, "-o", "json=" + json, "-o", "sarif=" + folder.resolve("r.sarif"), "-o", "text");
    assertTrue(run.out().startsWith("outcome: "), run.out());
    assertTrue(Files.readString(json).contains("\"schema\" : \"gdrproof/report/v1\""));
    assertTrue(Files.readString(folder.resolve("r.sarif")).contains("2.1.0"));
    assertEquals(2, Called.run("diagnose", SOCKET, "-o", "text", "-o", "json").code());
  }

  @Test
  void factsOfABundleGiveTheSameAnswer() throws IOException {
    Path facts = folder.resolve("facts.jsonl");
    Files.writeString(facts, Called.run("facts", SOCKET).out(), StandardCharsets.UTF_8);
    String direct = Called.run("diagnose", SOCKET, "-o", "json").out();
    assertEquals(direct, Called.run("diagnose", facts.toString(), "-o", "json").out());
  }

  @Test
  void aSitesRuleThatDoesNotCompileIsNamed() throws IOException {
    Files.writeString(folder.resolve("SITE001-broken.drl"), "rule \"SITE001 broken\"\n  @Severity(\"info\")\n  @Message(\"x\")\nwhen\n  $p : RdmaPort(nosuchfield == 1)\nthen\nend\n");
    Called run = Called.run("diagnose", SOCKET, "--rules", folder.toString());
    assertEquals(2, run.code(), run.err());
    assertTrue(run.err().contains("SITE001"), run.err());
    assertFalse(run.err().contains("\tat "), run.err());
    assertEquals(2, Called.run("diagnose", SOCKET, "--rules", folder.resolve("nothing").toString()).code());
  }

  @Test
  void aSitesRulesAreTestedWithTheirFixtures() throws IOException {
    Files.writeString(folder.resolve("SITE002-socket.drl"), "rule \"SITE002 socket\"\n  @Severity(\"info\")\n  @Message(\"socket in {m.process}\")\nwhen\n  $m : NcclNetwork(network == \"Socket\")\nthen\n"
        + "  insertLogical(new Symptom(\"socket-transport\", Subject.process($m.node(), $m.process())));\nend\n");
    for (String fixture : List.of("fires-a", "silent-b")) {
      Path bundle = Files.createDirectories(folder.resolve("fixtures/SITE002/" + fixture));
      Files.copy(Path.of(SOCKET, "nccl.log"), bundle.resolve("nccl.log"));
    }
    Called run = Called.run("rules", "test", folder.toString());
    assertEquals(1, run.code(), run.out() + run.err());
    assertTrue(run.out().contains("pass fixtures/SITE002/fires-a") && run.out().contains("FAIL fixtures/SITE002/silent-b"), run.out());
  }

  @Test
  void wrongUsageIsToldOnStandardError() {
    for (String[] wrong : new String[][] {{}, {"rules"}, {"rules", "explain", "NOPE999"}, {"rules", "list", "--stage", "nope"}, {"nonsense"}, {"diagnose"}, {"facts", SOCKET, "--unmatched"}}) {
      Called run = Called.run(wrong);
      assertEquals(2, run.code(), String.join(" ", wrong));
      assertEquals("", run.out());
      assertFalse(run.err().isBlank());
    }
  }

  @Test
  void siteInitWritesWhatTheEvidenceShows() throws IOException {
    Path file = folder.resolve("site.yaml");
    Called run = Called.run("site", "init", GOLDEN + "/input/good", "-o", file.toString());
    assertEquals(0, run.code(), run.err());
    golden("site-yaml", new Called(0, Files.readString(file), ""));
    assertEquals(2, Called.run("site", "init", GOLDEN + "/input/good", "-o", file.toString()).code());
    assertEquals(4, Called.run("site", "init", SOCKET, "-o", "-").code());
  }
}
