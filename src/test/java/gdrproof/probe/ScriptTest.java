package gdrproof.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gdrproof.bundle.Bundle;
import gdrproof.bundle.ProbeHeader;
import gdrproof.collect.Collectors;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Unread;
import gdrproof.policy.Policies;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script for machines without Java. */
@Timeout(120)
class ScriptTest {
  @TempDir
  private Path folder;
  private Path script;

  @BeforeEach
  void write() throws IOException {
    script = folder.resolve("collect.sh");
    Files.writeString(script, ScriptWriter.write(Probe.all(), "test"));
  }

  private static boolean missing(String program) {
    return Stream.of("/bin/", "/usr/bin/", "/usr/sbin/").noneMatch(d -> Files.isExecutable(Path.of(d + program)));
  }

  private int run(Path log, String... command) throws Exception {
    Process process = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    process.getOutputStream().close();
    assertTrue(process.waitFor(100, TimeUnit.SECONDS), "ended");
    return process.exitValue();
  }

  private int shell(String shell, Path log, String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(shell.split(" ")));
    command.add(script.toString());
    command.addAll(List.of(arguments));
    return run(log, command.toArray(String[]::new));
  }

  @Test
  void everyProbeNamesKnownMeasurementsAndSaysWhy() {
    for (Probe probe : Probe.all()) {
      assertTrue(Policies.read("measurements.yaml").keySet().containsAll(probe.measures()), probe.name() + " measures " + probe.measures());
      assertTrue(List.of("hardware", "software", "container", "network", "fabric", "kubernetes", "job", "slurm").contains(probe.group()), probe.name());
      assertFalse(probe.why().equals("null"), probe.name());
      assertTrue(probe.kib() < 4096, probe.name() + ": block readers take less than 4 MiB");
      assertFalse(probe.shell().contains("\n") || probe.command().contains("\n"), probe.name() + " is one line");
    }
  }

  @Test
  void scriptAndProbesAreCleanForShellcheck() throws Exception {
    assumeTrue(!missing("shellcheck"), "shellcheck is not installed");
    StringBuilder functions = new StringBuilder("#!/bin/sh\n# shellcheck disable=SC2317,SC2086,SC2013,SC2046,SC2016,SC3045\n").append(Probe.resource("prelude.sh"));
    int n = 0;
    for (Probe probe : Probe.all()) {
      functions.append("probe").append(n++).append("() {\n").append(probe.shell()).append("\n}\n");
    }
    Path probes = folder.resolve("probes.sh");
    Files.writeString(probes, functions);
    Path log = folder.resolve("log");
    assertEquals(0, run(log, "shellcheck", "-S", "warning", "-s", "sh", script.toString(), probes.toString()), () -> text(log));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "busybox sh"})
  void bundleOfTheScriptReadsBackAsFacts(String shell) throws Exception {
    assumeTrue(!missing(shell.split(" ")[0]), shell + " is not installed");
    Path log = folder.resolve("log");
    assertEquals(0, shell(shell, log, "-o", "out", "-n", "uname,meminfo,mounts,no-such-tool,limits,sys-class,dev-infiniband,ofed"), () -> text(log));
    Ledger ledger = Collectors.read(Bundle.open(folder.resolve("out")));
    String node = LocalTarget.hostName();
    assertTrue(ledger.facts().stream().anyMatch(f -> f.getClass().getSimpleName().equals("Memory") && f.node().equals(node)), ledger.facts()::toString);
    assertTrue(ledger.facts().stream().anyMatch(f -> f.getClass().getSimpleName().equals("Mount")));
    if (missing("ofed_info")) {
      assertTrue(ledger.all(Unread.class).stream().anyMatch(u -> u.node().equals(node) && u.reason().contains("ofed") && u.reason().contains("ofed_info is not installed")), ledger.all(Unread.class)::toString);
    }
    assertFalse(ledger.all(Unread.class).stream().anyMatch(u -> u.reason().contains("recognised")), ledger.all(Unread.class)::toString);
    // A second run goes on where the first ended: nothing is run again.
    assertEquals(0, shell(shell, log, "-o", "out", "-n", "uname"));
    assertFalse(text(log).contains("uname"), () -> text(log));
  }

  @ParameterizedTest
  @ValueSource(strings = {"dash", "busybox sh"})
  void secretsNeverReachTheBundle(String shell) throws Exception {
    assumeTrue(!missing(shell.split(" ")[0]), shell + " is not installed");
    List<String> secrets = List.of("hf_abcdefghijklmnop", "AbC/def+123", "abcdef0123456789abcdef", "dXNlcjpwYXNzd29yZA", "s3cr3tword", "hunter2", "abcdef.0123456789", "LS0tLS1CRUdJTiBSU0E",
        "JG9hdXRodG9rZW46eHg", "0123456789abcdef", "eyJzdWIiOiIxMjM0In0", "abc123def456", "b3BlbnNzaC1r", "eyJhdXRocyI6", "c2VjcmV0", "sEcReT");
    List<String> lines = List.of("HF_TOKEN=hf_abcdefghijklmnop", "\"env\":[\"LANG=C\",\"AWS_SECRET_ACCESS_KEY=AbC/def+123\",\"X=1\"]", "Authorization: Bearer abcdef0123456789abcdef",
        "curl -H 'Authorization: Basic dXNlcjpwYXNzd29yZA==' http://x", "docker login -u x --password s3cr3tword nvcr.io", "https://user:hunter2@registry.example/v2/", "token: abcdef.0123456789abcdef",
        "client-key-data: LS0tLS1CRUdJTiBSU0E=", "{\"auths\":{\"nvcr.io\":{\"auth\":\"JG9hdXRodG9rZW46eHg=\"}}}", "{\"name\": \"WANDB_API_KEY\", \"value\": \"0123456789abcdef\"}",
        "seen eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc_DEF-123 in the log", "- name: NGC_API_KEY", "  value: abc123def456", "- name: NCCL_DEBUG", "  value: INFO",
        "-----BEGIN OPENSSH PRIVATE KEY-----", "b3BlbnNzaC1r", "-----END OPENSSH PRIVATE KEY-----", "apiVersion: v1", "data:", "  .dockerconfigjson: eyJhdXRocyI6", "  plain: c2VjcmV0", "kind: Secret", "---",
        "export WANDB_SESSION_ID=sEcReT", "PWD=/root/work", "automountServiceAccountToken: false", "max_tokens=4096", "rkey 0x1a2b lkey: 0x3c4d");
    Path input = folder.resolve("input");
    Files.write(input, lines);
    Path log = folder.resolve("log");
    assertEquals(7, shell(shell, log, "-o", "out", "-n", "uname", "--", "/bin/sh", "-c", "cat input; exit 7"), () -> text(log));
    String kept = Files.readString(folder.resolve("out/run.log"), StandardCharsets.UTF_8);
    secrets.forEach(secret -> assertFalse(kept.contains(secret), secret + " in " + kept));
    for (String line : List.of("value: INFO", "PWD=/root/work", "automountServiceAccountToken: false", "max_tokens=4096", "rkey 0x1a2b lkey: 0x3c4d", "kind: Secret", "-----END OPENSSH PRIVATE KEY-----")) {
      assertTrue(kept.contains(line), line + " in " + kept);
    }
    assertEquals(lines.size(), kept.lines().count());
  }

  @ParameterizedTest
  @ValueSource(strings = {"TERM", "KILL"})
  void stoppingTheScriptLeavesNoProcessAndAReadableBundle(String signal) throws Exception {
    String tag = "4721" + System.nanoTime() % 100000;
    List<Probe> probes = new ArrayList<>(Probe.all().stream().filter(p -> List.of("uname", "meminfo").contains(p.name())).toList());
    probes.add(new Probe("hanging", "software", Probe.Where.NODE, "(trap '' TERM; sleep " + tag + ") & sleep " + tag, "sleep", "", List.of(), false, true, false, 60, 10, "test"));
    Files.writeString(script, ScriptWriter.write(probes, "test"));
    Process process = new ProcessBuilder("dash", script.toString(), "-o", "out").directory(folder.toFile()).redirectErrorStream(true).redirectOutput(folder.resolve("log").toFile()).start();
    for (int i = 0; i < 100 && !Leftovers.found("sleep " + tag); i++) {
      Thread.sleep(100);
    }
    new ProcessBuilder("kill", "-s", signal, String.valueOf(process.pid())).start().waitFor();
    assertTrue(process.waitFor(30, TimeUnit.SECONDS));
    assertFalse(Leftovers.alive("sleep " + tag), "a probe outlived the script");
    Ledger ledger = Collectors.read(Bundle.open(folder.resolve("out")));
    assertTrue(ledger.facts().stream().anyMatch(f -> f.getClass().getSimpleName().equals("Memory")));
    assertFalse(ledger.all(Unread.class).stream().anyMatch(u -> u.reason().contains("damaged")), ledger.all(Unread.class)::toString);
  }

  @Test
  void limitsOfTimeAndSizeAreKeptAndSaid() throws Exception {
    String tag = "4722" + System.nanoTime() % 100000;
    List<Probe> probes = List.of(new Probe("slow", "software", Probe.Where.NODE, "cat /proc/meminfo; sleep " + tag, "cat /proc/meminfo", "", List.of(), false, false, false, 1, 10, "test"),
        new Probe("long", "software", Probe.Where.NODE, "yes 'Linux a b c d'", "uname -a", "", List.of(), false, false, false, 20, 10, "test"));
    Files.writeString(script, ScriptWriter.write(probes, "test"));
    Path log = folder.resolve("log");
    assertEquals(0, shell("dash", log, "-o", "out"), () -> text(log));
    assertFalse(Leftovers.alive("sleep " + tag));
    Ledger ledger = Collectors.read(Bundle.open(folder.resolve("out")));
    List<String> reasons = ledger.all(Unread.class).stream().map(Unread::reason).toList();
    assertTrue(reasons.contains(ProbeHeader.Status.TIMEOUT.reason()) && reasons.contains(ProbeHeader.Status.CUT.reason()), reasons::toString);
  }
}
