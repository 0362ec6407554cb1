package gdrproof.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import gdrproof.bundle.Bundle;
import gdrproof.collect.Collectors;
import gdrproof.facts.Ledger;
import gdrproof.facts.Meta.Unread;
import gdrproof.probe.SshTarget.Access;
import gdrproof.probe.SshTarget.Address;
import gdrproof.probe.Target.Command;
import gdrproof.probe.Target.Outcome;
import gdrproof.probe.Target.Running;
import gdrproof.probe.Target.Status;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Against a real sshd on loopback, which the test starts with keys of its own. */
@Timeout(120)
class SshTargetTest {
  @TempDir
  private Path folder;
  private Sshd server;

  @BeforeEach
  void start() throws Exception {
    server = Sshd.start(folder, "127.0.0.1");
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private SshTarget open() throws ProbeException {
    return SshTarget.open(new Address(System.getProperty("user.name"), "127.0.0.1", server.port()), server.access());
  }

  @Test
  void commandsRunThereWithOutputAndExitStatus() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (SshTarget target = open()) {
      assertEquals(LocalTarget.hostName(), target.node());
      Outcome outcome = target.start(new Command("echo \"it's\" '$fine'; echo bad >&2; exit 3", Duration.ofSeconds(10), 1000), out).await();
      assertEquals(Status.DONE, outcome.status());
      assertEquals(3, outcome.exit());
      assertEquals("it's $fine\nbad\n", out.toString(StandardCharsets.UTF_8));
      out.reset();
      Outcome cut = target.start(new Command("yes 0123456 | head -c 3000000", Duration.ofSeconds(20), 1000), out).await();
      assertTrue(cut.cut());
      assertEquals(1000, out.size());
    }
  }

  @Test
  void aHangingCommandIsStoppedWithAllItsChildren() throws Exception {
    String tag = "4731" + System.nanoTime() % 100000;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (SshTarget target = open()) {
      Outcome outcome = target.start(new Command("echo begun; (trap '' TERM; sleep " + tag + ") & sleep " + tag, Duration.ofMillis(800), 1000), out).await();
      assertEquals(Status.TIMED_OUT, outcome.status());
      assertTrue(outcome.took().toSeconds() < 15);
      assertEquals("begun\n", out.toString(StandardCharsets.UTF_8));
      assertFalse(Leftovers.alive("sleep " + tag));
      Running running = target.start(new Command("sleep " + tag + "1", Duration.ofSeconds(60), 1000), out);
      running.stop();
      running.stop();
      assertEquals(Status.STOPPED, running.await().status());
      assertFalse(Leftovers.alive("sleep " + tag));
    }
  }

  @Test
  void aBrokenConnectionIsSaidAndLeavesNothingRunning() throws Exception {
    String tag = "4732" + System.nanoTime() % 100000;
    try (SshTarget target = open()) {
      Running running = target.start(new Command("sleep " + tag, Duration.ofSeconds(60), 1000), new ByteArrayOutputStream());
      for (int i = 0; i < 50 && !Leftovers.found("sleep " + tag); i++) {
        Thread.sleep(100);
      }
      server.killSessions();
      Outcome outcome = running.await();
      assertEquals(Status.UNREACHABLE, outcome.status());
      assertTrue(outcome.note().contains("127.0.0.1") && outcome.note().contains("broke"), outcome.note());
    }
    assertFalse(Leftovers.alive("sleep " + tag), "the watcher over there ends what the connection held");
  }

  @Test
  void anUnknownOrChangedHostKeyIsRefusedWithWhatToDo() throws Exception {
    Path empty = folder.resolve("empty");
    Files.writeString(empty, "");
    Address address = new Address(System.getProperty("user.name"), "127.0.0.1", server.port());
    ProbeException unknown = assertThrows(ProbeException.class, () -> SshTarget.open(address, new Access(List.of(empty), server.access().keys(), "")));
    assertTrue(unknown.getMessage().contains("not known") && unknown.getMessage().contains("ssh-keyscan -p " + server.port()), unknown.getMessage());
    Path wrong = folder.resolve("wrong");
    Files.writeString(wrong, "[127.0.0.1]:" + server.port() + " " + server.publicKey("other"));
    ProbeException mismatch = assertThrows(ProbeException.class, () -> SshTarget.open(address, new Access(List.of(wrong), server.access().keys(), "")));
    assertTrue(mismatch.getMessage().contains("HOST KEY MISMATCH") && mismatch.getMessage().contains("ssh-keygen -f " + wrong), mismatch.getMessage());
    Path revoked = folder.resolve("revoked");
    Files.writeString(revoked, "@revoked [127.0.0.1]:" + server.port() + " " + server.publicKey("host") + "\n" + Files.readString(server.access().knownHosts().get(0)));
    ProbeException gone = assertThrows(ProbeException.class, () -> SshTarget.open(address, new Access(List.of(revoked), server.access().keys(), "")));
    assertTrue(gone.getMessage().contains("revoked"), gone.getMessage());
  }

  @Test
  void aRefusedKeyAndAClosedPortAreSaid() throws Exception {
    Address address = new Address(System.getProperty("user.name"), "127.0.0.1", server.port());
    ProbeException refused = assertThrows(ProbeException.class, () -> SshTarget.open(address, new Access(server.access().knownHosts(), List.of(folder.resolve("other")), "")));
    assertTrue(refused.getMessage().contains("no key was accepted") && refused.getMessage().contains("--ssh-key"), refused.getMessage());
    ProbeException closed = assertThrows(ProbeException.class, () -> SshTarget.open(new Address("", "127.0.0.1", 1), server.access()));
    assertTrue(closed.getMessage().contains("refused"), closed.getMessage());
  }

  @Test
  void theAgentsKeyServesWithoutAFile() throws Exception {
    try (Sshd.Agent agent = server.agent(); SshTarget target = SshTarget.open(new Address(System.getProperty("user.name"), "127.0.0.1", server.port()),
        new Access(server.access().knownHosts(), List.of(), agent.socket().toString()))) {
      assertEquals(LocalTarget.hostName(), target.node());
    }
  }

  @Test
  void aBundleIsCollectedAndGoneOnWith() throws Exception {
    Path bundle = folder.resolve("bundle");
    List<Probe> probes = Probe.all().stream().filter(p -> List.of("uname", "meminfo", "mounts", "ofed").contains(p.name())).toList();
    for (int round = 0; round < 2; round++) {
      try (SshTarget target = open()) {
        Gathering.Result result = new Gathering(bundle, Gathering.Plan.of(probes), line -> { }).run(List.of(target));
        assertEquals(round == 0 ? 3 : 0, result.outputs(), result::toString);
        assertEquals(round == 0 ? 0 : 3, result.kept());
      }
    }
    Ledger ledger = Collectors.read(Bundle.open(bundle));
    assertTrue(ledger.facts().stream().anyMatch(f -> f.getClass().getSimpleName().equals("Memory") && f.node().equals(LocalTarget.hostName())));
    assertEquals(Set.of("not collected: ofed: ofed_info is not installed"), Set.copyOf(ledger.all(Unread.class).stream().map(Unread::reason).toList()));
  }
}
